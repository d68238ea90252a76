import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { MortiseError } from "../sdk/errors.ts";

export type WrittenFiles = {
  /** Remembers that a session saw this file as it is now. */
  read(sessionId: string, path: string): Promise<void>;
  /**
   * Runs `write` alone among the writers of one file, whatever links lead to it.
   * @throws MortiseError `stale_file` when the file changed since this session read it.
   */
  exclusive<T>(sessionId: string, path: string, write: () => Promise<T>): Promise<T>;
  endSession(sessionId: string): void;
};

export function createWrittenFiles(): WrittenFiles {
  const seen = new Map<string, Map<string, number>>();
  const tails = new Map<string, Promise<unknown>>();

  const remember = async (sessionId: string, file: string) => {
    const mtime = await modified(file);
    const files = seen.get(sessionId) ?? new Map<string, number>();
    seen.set(sessionId, files);
    if (mtime === undefined) files.delete(file);
    else files.set(file, mtime);
  };

  return {
    read: async (sessionId, path) => remember(sessionId, await canonical(path)),
    async exclusive(sessionId, path, write) {
      const file = await canonical(path);
      const run = (tails.get(file) ?? Promise.resolve()).then(async () => {
        const before = seen.get(sessionId)?.get(file);
        const now = await modified(file);
        // A file that is gone may be made again.
        if (before !== undefined && now !== undefined && now !== before) throw new MortiseError("stale_file", { seen: path });
        const result = await write();
        if (before !== undefined || now === undefined) await remember(sessionId, file);
        return result;
      });
      const tail = run.catch(() => {});
      tails.set(file, tail);
      await tail;
      if (tails.get(file) === tail) tails.delete(file);
      return run;
    },
    endSession: (sessionId) => void seen.delete(sessionId),
  };
}

async function canonical(path: string): Promise<string> {
  const absolute = resolve(path);
  try {
    return await realpath(absolute);
  } catch {
    try {
      return join(await realpath(dirname(absolute)), basename(absolute));
    } catch {
      return absolute;
    }
  }
}

async function modified(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mtimeMs;
  } catch {
    return undefined;
  }
}
