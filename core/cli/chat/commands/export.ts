import { writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { MortiseError } from "../../../../sdk/errors.ts";
import { userFolders } from "../../../config/folders.ts";
import { jsonOfSession, markdownOfSession } from "../../../session/export-session.ts";
import { createSessions } from "../../../session/sessions.ts";
import { visibleLine } from "../../visible.ts";
import type { ChatCommand } from "../chat-control.ts";

/** Writes the session to a new file. */
export const exportSession: ChatCommand = {
  name: "export",
  description: "write this session to a new file: Markdown, or JSON where it ends in .json",
  source: "mortise",
  async run(args, { host, agent, sessionId }) {
    if (agent.messages().length === 0) return "Nothing was said yet.";
    const named = args.trim() === "" ? `session-${sessionId}.md` : args.trim();
    const path = named.startsWith("~/") ? join(homedir(), named.slice(2)) : resolve(host.cwd, named);
    const stored = await createSessions(userFolders().state).read(sessionId);
    const text = named.endsWith(".json") ? `${JSON.stringify(jsonOfSession(stored), null, 2)}\n` : markdownOfSession(stored);
    await writeFile(path, text, { flag: "wx", mode: 0o600 }).catch((cause: unknown) => {
      throw new MortiseError("file_failed", { seen: cause instanceof Error ? cause.message : path, cause });
    });
    return `Written to ${visibleLine(path)}.`;
  },
};
