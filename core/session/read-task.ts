import { join } from "node:path";
import type { WrittenTask } from "../agent/tasks/written.ts";
import { loadSession } from "./load-session.ts";
import { sessionFiles } from "./session-files.ts";
import { checkSessionId } from "./session-id.ts";
import { costOf } from "./session-state.ts";

/** What the log of a subagent of a session says; undefined where there is none. Throws as `loadSession`, and `no_session` for an id that could lead elsewhere. */
export async function readTask(stateFolder: string, sessionId: string, taskId: string): Promise<WrittenTask | undefined> {
  const files = sessionFiles(stateFolder, sessionId);
  const loaded = await loadSession(taskId, { ...files, log: join(files.folder, "tasks", `${checkSessionId(taskId)}.jsonl`) });
  if (loaded === undefined) return undefined;
  const { model, messages, usage, ended } = loaded.state;
  const total = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  for (const { usage: each } of usage.values()) {
    total.input += each.input;
    total.output += each.output;
    total.cacheRead += each.cacheRead;
    total.cacheWrite += each.cacheWrite;
  }
  return { model, messages, reason: ended?.reason ?? null, usage: total, costUsd: costOf(usage) };
}
