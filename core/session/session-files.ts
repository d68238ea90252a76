import { join } from "node:path";
import { checkSessionId } from "./session-id.ts";

/** Where what belongs to a session lies. Its folder holds the trace of its calls too. */
export type SessionFiles = { log: string; lock: string; folder: string; archive: string; spills: string };

/** Throws `no_session` for an id that could lead elsewhere. */
export function sessionFiles(stateFolder: string, id: string): SessionFiles {
  const own = join(stateFolder, "sessions", checkSessionId(id));
  return {
    log: `${own}.jsonl`,
    lock: `${own}.lock`,
    folder: own,
    archive: join(own, "archive"),
    spills: join(stateFolder, "spills", id),
  };
}
