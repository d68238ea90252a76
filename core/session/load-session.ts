import { MortiseError } from "../../sdk/errors.ts";
import type { KeptImages } from "./kept-images.ts";
import { readLog } from "./read-log.ts";
import type { LogRecord } from "./records.ts";
import type { SessionFiles } from "./session-files.ts";
import { createState, type StateOfLog } from "./session-state.ts";

/** `length`: bytes of the log up to its last good line. `broken`: lines before it that were passed over. */
export type LoadedLog = StateOfLog & { length: number; broken: number };

/**
 * The state that a log tells of; undefined where there is none, or nothing in it yet. Images in it are counted.
 * Throws `session_broken` where its first line is not that of this session, `file_failed` where it cannot be read.
 */
export async function loadSession(id: string, { log }: SessionFiles, images?: KeptImages): Promise<LoadedLog | undefined> {
  const read = await readLog(log).catch((cause) => {
    throw new MortiseError("file_failed", { seen: `${log}: ${cause.message}`, cause });
  });
  // A first line that a crash cut off is nothing; what has lines is somebody's, and stays.
  if (read?.foreign === true) throw new MortiseError("session_broken", { seen: `${log}: it is no session's log` });
  if (read === undefined || read.length === 0) return undefined;
  const [header, ...records] = read.records;
  if (header?.t !== "header" || header.id !== id) throw new MortiseError("session_broken", { seen: `${log}: its first line is not this session's` });
  const loaded = createState(header);
  for (const record of records) {
    countImages(record, images);
    loaded.apply(record);
  }
  return { ...loaded, length: read.length, broken: read.broken };
}

function countImages(record: LogRecord, images: KeptImages | undefined): void {
  if (images === undefined) return;
  if (record.t === "message" && record.message.role === "user") images.count(record.message.images);
  if (record.t === "result") images.count(record.result.images);
  if (record.t !== "splice") return;
  for (const message of record.insert) {
    if (message.role === "user") images.count(message.images);
    if (message.role === "tool") for (const result of message.results) images.count(result.images);
  }
}
