import { MortiseError } from "../../../../sdk/errors.ts";
import { userFolders } from "../../../config/folders.ts";
import type { SessionInfo } from "../../../session/list-sessions.ts";
import { createSessions, type Sessions } from "../../../session/sessions.ts";
import { tableOf } from "../../table.ts";
import { visibleLine } from "../../visible.ts";
import type { ChatCommand, ChatControl } from "../chat-control.ts";

const SHOWN = 20;

const store = (): Sessions => createSessions(userFolders().state);

export function newSession(name: string, description: string): ChatCommand {
  return {
    name,
    description,
    source: "mortise",
    async run(_args, chat) {
      await chat.newSession();
      return undefined;
    },
  };
}

export const sessions: ChatCommand = {
  name: "sessions",
  description: "list the sessions of this folder, or open one by its number or the beginning of its id",
  source: "mortise",
  async run(args, chat) {
    const found = await store().list(chat.host.cwd);
    const wanted = args.trim();
    if (wanted === "") return found.length === 0 ? "There are no sessions of this folder yet." : listed(found, chat.sessionId).join("\n");
    await open(chosen(wanted, found), chat);
    return undefined;
  },
  complete: async (_args, chat) =>
    (await store().list(chat.host.cwd)).slice(0, SHOWN).map(({ id, title }) => ({ value: id, description: visibleLine(title) })),
};

export const continueSession: ChatCommand = {
  name: "continue",
  description: "go on with the session of this folder that was used before this one",
  source: "mortise",
  async run(_args, chat) {
    const before = (await store().list(chat.host.cwd)).find(({ id }) => id !== chat.sessionId);
    if (before === undefined) throw new MortiseError("no_session", { seen: `no other was begun in ${chat.host.cwd}` });
    await open(before.id, chat);
    return undefined;
  },
};

export const fork: ChatCommand = {
  name: "fork",
  description: "go on in a copy of this session; this one stays as it is",
  source: "mortise",
  async run(_args, chat) {
    if (chat.agent.messages().length === 0) return "Nothing was said yet that could be copied.";
    if (chat.agent.current() !== undefined) return "A run works on this session. Wait for its end, or cancel it.";
    const copy = await store().fork(chat.sessionId, { cwd: chat.host.cwd });
    // The chat opens it anew, as any other.
    await copy.close();
    await chat.openSession(copy.id);
    return undefined;
  },
};

async function open(id: string, chat: ChatControl): Promise<void> {
  if (id === chat.sessionId) throw new MortiseError("session_exists", { seen: `${id} is the session that is open` });
  await chat.openSession(id);
}

/** By the number of the list, the id, or the only one that begins so. */
function chosen(wanted: string, found: readonly SessionInfo[]): string {
  const byNumber = /^\d{1,2}$/.test(wanted) ? found[Number(wanted) - 1] : undefined;
  if (byNumber !== undefined) return byNumber.id;
  const like = found.filter(({ id }) => id.startsWith(wanted));
  const [first, second] = like;
  const exact = like.find(({ id }) => id === wanted);
  // Sessions of other folders are found by the whole id.
  if (exact !== undefined || first === undefined) return exact?.id ?? wanted;
  if (second !== undefined) throw new MortiseError("usage", { seen: `${like.length} sessions begin with ${JSON.stringify(wanted)}` });
  return first.id;
}

function listed(found: readonly SessionInfo[], open: string): string[] {
  const rows = found
    .slice(0, SHOWN)
    .map(({ id, updated, ended, title }, i) => [
      `${i + 1}`,
      id,
      new Date(updated).toLocaleString("sv").slice(0, 16),
      id === open ? "open here" : visibleLine(ended),
      visibleLine(title),
    ]);
  const more = found.length > SHOWN ? [`${found.length - SHOWN} older ones: \`mortise session list\` shows all.`] : [];
  return [...tableOf(rows), ...more, "`/sessions <number or id>` opens one."];
}
