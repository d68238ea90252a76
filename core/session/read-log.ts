import { constants } from "node:fs";
import { openLog } from "./open-log.ts";
import { type LogRecord, parseRecord } from "./records.ts";

export type ReadLog = {
  records: LogRecord[];
  /** Bytes up to the end of the last good line. */
  length: number;
  /** Lines that were passed over, those at the end not among them. */
  broken: number;
  /** Bytes at the end that are no whole good line: a write that a crash cut off. */
  cut: number;
  /** Whether there are lines, and none of them is good. */
  foreign: boolean;
};

const LINE_END = 0x0a;

/** Reads a log line by line; undefined where there is none. Rejects with what the system says of one that cannot be read. */
export async function readLog(path: string): Promise<ReadLog | undefined> {
  const bytes = await bytesOf(path);
  if (bytes === undefined) return undefined;
  const records: LogRecord[] = [];
  let [length, broken, brokenSince] = [0, 0, 0];
  for (let from = 0, end = bytes.indexOf(LINE_END); end !== -1; from = end + 1, end = bytes.indexOf(LINE_END, from)) {
    const record = parseRecord(bytes.toString("utf8", from, end));
    if (record === "broken") {
      brokenSince++;
      continue;
    }
    if (record === "unknown") broken++;
    else records.push(record);
    broken += brokenSince;
    brokenSince = 0;
    length = end + 1;
  }
  return { records, length, broken, cut: bytes.length - length, foreign: length === 0 && brokenSince > 0 };
}

async function bytesOf(path: string): Promise<Buffer | undefined> {
  const file = await openLog(path, constants.O_RDONLY).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") return undefined;
    throw cause;
  });
  try {
    return await file?.readFile();
  } finally {
    await file?.close();
  }
}
