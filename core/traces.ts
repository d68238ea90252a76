import { appendFile, mkdir, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { CallRecord } from "./record.ts";

export type Traces = { append(record: CallRecord): void; flush(): Promise<void> };

/** Keeps the records of a session's calls, one JSON object a line, in `<folder>/<session>/trace.jsonl` (0600). They are redacted before they come here. */
export function createTraces(folder: string | undefined): Traces {
  let writing: Promise<void> = Promise.resolve();
  return {
    append(record) {
      if (folder === undefined || !isSessionId(record.sessionId)) return;
      const line = `${JSON.stringify({ at: new Date().toISOString(), ...record })}\n`;
      writing = writing
        .then(async () => {
          const own = join(folder, record.sessionId);
          await mkdir(own, { recursive: true, mode: 0o700 });
          await appendFile(join(own, "trace.jsonl"), line, { mode: 0o600 });
        })
        .catch(() => {});
    },
    flush: () => writing,
  };
}

/** The records of a session, oldest first; undefined where there is no such session. A line that a crash cut off is passed over. */
export async function readTrace(folder: string, sessionId: string): Promise<(CallRecord & { at: string })[] | undefined> {
  if (!isSessionId(sessionId)) return undefined;
  const text = await readFile(join(folder, sessionId, "trace.jsonl"), "utf8").catch(() => undefined);
  return text?.split("\n").flatMap((line) => {
    try {
      return line === "" ? [] : [JSON.parse(line) as CallRecord & { at: string }];
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

/** A session's id becomes a folder's name. */
export function isSessionId(id: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(id);
}
