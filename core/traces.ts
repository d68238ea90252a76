import { constants } from "node:fs";
import { type FileHandle, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { makeFolder } from "./config/make-folder.ts";
import { withoutBytes } from "./images.ts";
import type { CallRecord, Firing } from "./record.ts";
import { openLog } from "./session/open-log.ts";

/** What a line is known by. The rest of it is as this program wrote it. */
const shared = { at: z.string(), sessionId: z.string(), trace: z.array(z.looseObject({})) };
const Line = z.union([z.looseObject({ ...shared, tool: z.string(), toolId: z.string() }), z.looseObject({ ...shared, slot: z.string() })]);

/** A call, or what layers of the agent did between calls. */
export type TraceLine = (CallRecord | Firing) & { at: string };

export type Traces = {
  append(record: CallRecord): void;
  /** The same for what is still to be redacted: what comes later waits for it. */
  appendFiring(sessionId: string, make: () => Promise<Firing>): void;
  flush(): Promise<void>;
  /** The same; records that come later are not kept, so that no folder is made anew. */
  close(): Promise<void>;
};

/** Keeps the records of a session's calls, one JSON object a line, in `<folder>/<session>/trace.jsonl` (0600). They are redacted before they come here. */
export function createTraces(folder: string | undefined): Traces {
  let writing: Promise<void> = Promise.resolve();
  const begun = new Set<string>();
  let closed = false;
  const isKept = (sessionId: string) => !closed && folder !== undefined && isSessionId(sessionId);
  const write = (sessionId: string, make: () => string | undefined | Promise<string | undefined>) => {
    const own = join(folder ?? "", sessionId);
    const file = join(own, "trace.jsonl");
    writing = writing
      .then(async () => {
        const line = await make();
        if (line === undefined) return;
        await makeFolder(own);
        const log = await openLog(file, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, 0o600);
        try {
          // A line that a crash cut off must not swallow the next one.
          const gap = !begun.has(own) && (await isCutOff(log)) ? "\n" : "";
          await log.appendFile(`${gap}${line}\n`);
          begun.add(own);
        } finally {
          await log.close();
        }
      })
      .catch(() => {});
  };
  return {
    append(record) {
      if (!isKept(record.sessionId)) return;
      // As it is now, whatever becomes of it.
      const line = lineOf(withoutBytes(record));
      write(record.sessionId, () => line);
    },
    appendFiring(sessionId, make) {
      if (isKept(sessionId)) write(sessionId, async () => lineOf(await make()));
    },
    flush: () => writing,
    close() {
      closed = true;
      return writing;
    },
  };
}

/** The records of a session, oldest first; undefined where there is no such session. A line that a crash cut off is passed over. */
export async function readTrace(folder: string, sessionId: string): Promise<TraceLine[] | undefined> {
  if (!isSessionId(sessionId)) return undefined;
  const text = await readLog(join(folder, sessionId, "trace.jsonl")).catch(() => undefined);
  return text?.split("\n").flatMap((line) => {
    try {
      const record: unknown = JSON.parse(line);
      return Line.safeParse(record).success ? [record as TraceLine] : [];
    } catch {
      return [];
    }
  });
}

/** Sessions with a trace, newest first. */
export async function listTraces(folder: string): Promise<{ sessionId: string; at: Date }[]> {
  const names = await readdir(folder).catch(() => []);
  const found = await Promise.all(
    names.map(async (sessionId) => {
      const info = await stat(join(folder, sessionId, "trace.jsonl")).catch(() => undefined);
      return info === undefined ? [] : [{ sessionId, at: info.mtime }];
    }),
  );
  return found.flat().sort((a, b) => b.at.getTime() - a.at.getTime());
}

/** Undefined for a record that is no JSON. */
function lineOf(record: object): string | undefined {
  try {
    return JSON.stringify({ at: new Date().toISOString(), ...record });
  } catch {
    return undefined;
  }
}

async function readLog(path: string): Promise<string> {
  const log = await openLog(path, constants.O_RDONLY);
  try {
    return await log.readFile("utf8");
  } finally {
    await log.close();
  }
}

/** Whether a file's last line has no end. */
async function isCutOff(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] !== 0x0a;
}

/** A session's id becomes a folder's name. */
export function isSessionId(id: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(id);
}
