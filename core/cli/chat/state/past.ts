import type { AssistantPart, Message, ToolResultPart } from "../../../agent/message.ts";
import { newRow, type ToolRow } from "./chat-state.ts";
import type { NewEntry } from "./reduce.ts";
import { aboutOf } from "./rows.ts";

export type PastOptions = {
  messages: readonly Message[];
  title: string;
  sessionId: string;
  /** How its last run ended. */
  ended: string | null;
};

/** Entries of an earlier conversation that are shown before the prompt. */
const SHOWN = 24;

/** The last part of a conversation that is gone on with, and how it ended. */
export function entriesOf({ messages, title, sessionId, ended }: PastOptions): NewEntry[] {
  const results = new Map(
    messages.flatMap((message) => (message.role === "tool" ? message.results.map((each) => [each.toolId, each] as const) : [])),
  );
  const all = messages.flatMap((message) => shown(message, results));
  if (all.length === 0) return [];
  const last = all.slice(-SHOWN);
  const left = all.length - last.length;
  const head = `Going on with "${title}" (session ${sessionId}).${left === 0 ? "" : ` What came before is in \`mortise session show ${sessionId}\`.`}`;
  const how = ended === null ? undefined : ends[ended];
  return [{ kind: "notice", tone: "info", text: head, live: false }, ...last, ...(how === undefined ? [] : [how])];
}

const ends: Readonly<Record<string, NewEntry>> = {
  interrupted: {
    kind: "notice",
    tone: "warning",
    text: "The last run was interrupted: what it was doing may be half done. Say `go on` to let it continue.",
    live: false,
  },
  cancelled: { kind: "notice", tone: "info", text: "The last run was cancelled.", live: false },
  error: { kind: "notice", tone: "warning", text: "The last run failed.", live: false },
};

function shown(message: Message, results: ReadonlyMap<string, ToolResultPart>): NewEntry[] {
  if (message.role === "user") {
    // What the host itself wrote is for the model.
    if (message.note !== undefined && message.note !== "meanwhile" && message.note !== "mailbox") return [];
    const from = message.note === "mailbox" ? "report" : "you";
    const { text, images = [], rewrittenBy = null } = message;
    return [{ kind: "user", text, images: images.length, from, rewrittenBy, live: false }];
  }
  if (message.role === "tool") return [];
  return message.parts.flatMap((part): NewEntry[] => {
    if (part.type === "thinking") return [];
    if (part.type === "text") return part.text.trim() === "" ? [] : [{ kind: "answer", text: part.text, live: false }];
    return [{ kind: "tool", row: pastRow(part, results.get(part.toolId)), live: false }];
  });
}

function pastRow({ toolId, tool, input }: Extract<AssistantPart, { type: "call" }>, result: ToolResultPart | undefined): ToolRow {
  const row = newRow(toolId, tool, aboutOf(tool, input));
  if (result === undefined) return { ...row, state: "stopped" };
  return { ...row, state: result.isError ? "error" : "ok", text: result.text, images: result.images?.length ?? 0 };
}
