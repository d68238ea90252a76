import { constants } from "node:fs";
import { type FileHandle, readdir } from "node:fs/promises";
import { join } from "node:path";
import { isSessionId } from "../traces.ts";
import { openLog } from "./open-log.ts";
import { type LogRecord, parseRecord, type RecordOf } from "./records.ts";
import { isHeld } from "./session-lock.ts";

/** What a list shows of a session, from the beginning and the end of its log. */
export type SessionInfo = {
  id: string;
  title: string;
  model: string;
  backend: string;
  cwd: string;
  created: string;
  updated: string;
  /** How its last run ended: a `RunEnd`, `interrupted`, or `running` where a process has the session. */
  ended: string;
  /** Messages and USD when the last run ended; null where none did, or no price was known. */
  messages: number | null;
  costUsd: number | null;
  bytes: number;
  forkedFrom: string | null;
};

/** Bytes read at each end. The first line is short, and so are those that tell of an end. */
const END_BYTES = 8 * 1024;
/** Files looked at at once. */
const AT_ONCE = 16;

/** Sessions, those that were written to last first; of one folder, canonical, where it is given. */
export async function listSessions(stateFolder: string, cwd?: string): Promise<SessionInfo[]> {
  const folder = join(stateFolder, "sessions");
  const ids = await sessionIds(stateFolder);
  const found: SessionInfo[] = [];
  const next = ids.values();
  const lane = async () => {
    for (const id of next) {
      const info = await look(join(folder, `${id}.jsonl`), id, cwd).catch(() => undefined);
      if (info !== undefined) found.push(info);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  for (const info of found) if (info.ended === "running" && !(await isHeld(join(folder, `${info.id}.lock`)))) info.ended = "interrupted";
  return found.sort((a, b) => (a.updated < b.updated ? 1 : a.updated > b.updated ? -1 : a.id < b.id ? 1 : -1));
}

/** The ids of all logs, in no order. */
export async function sessionIds(stateFolder: string): Promise<string[]> {
  const names = await readdir(join(stateFolder, "sessions")).catch(() => []);
  return names.flatMap((name) => (name.endsWith(".jsonl") && isSessionId(name.slice(0, -6)) ? [name.slice(0, -6)] : []));
}

async function look(path: string, id: string, cwd: string | undefined): Promise<SessionInfo | undefined> {
  const file = await openLog(path, constants.O_RDONLY);
  try {
    const { size, mtime } = await file.stat();
    const head = await textAt(file, 0, Math.min(size, END_BYTES));
    const header = parseRecord(head.slice(0, head.indexOf("\n")));
    if (typeof header === "string" || header.t !== "header" || header.id !== id) return undefined;
    if (cwd !== undefined && header.cwd !== cwd) return undefined;
    const tail = size <= END_BYTES ? head : await textAt(file, size - END_BYTES, END_BYTES);
    const { title, model, end } = lastOf(tail);
    const { backend, created, forkedFrom = null } = header;
    return {
      id,
      title: title ?? header.title,
      model: model ?? header.model,
      backend,
      cwd: header.cwd,
      created,
      updated: mtime.toISOString(),
      ended: end?.reason ?? "running",
      messages: end?.messages ?? null,
      costUsd: end?.costUsd ?? null,
      bytes: size,
      forkedFrom,
    };
  } finally {
    await file.close();
  }
}

async function textAt(file: FileHandle, from: number, bytes: number): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, from);
  return buffer.toString("utf8", 0, bytesRead);
}

/** What the last lines say, from the end on. A line that is cut off is none. */
function lastOf(text: string): { title?: string | undefined; model?: string | undefined; end?: RecordOf<"end"> | undefined } {
  const lines = text.slice(0, text.lastIndexOf("\n") + 1).split("\n");
  let [title, model]: (string | undefined)[] = [];
  let end: RecordOf<"end"> | undefined;
  let last: LogRecord["t"] | undefined;
  for (const line of lines.reverse()) {
    const record = parseRecord(line);
    if (typeof record === "string" || record.t === "header") continue;
    if (record.t === "meta") {
      title ??= record.title;
      model ??= record.model;
      continue;
    }
    last ??= record.t;
    if (record.t !== "end") continue;
    if (last === "end") end ??= record;
    title ??= record.title;
  }
  return { title, model, end };
}
