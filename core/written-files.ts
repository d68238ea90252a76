import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { MortiseError } from "../sdk/errors.ts";
import { canonicalPath } from "./capabilities/fs/canonical-path.ts";

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
  const seen = new Map<string, Map<string, string>>();
  const tails = new Map<string, Promise<unknown>>();

  const remember = async (sessionId: string, file: string) => {
    const version = await versionOf(file);
    const files = seen.get(sessionId) ?? new Map<string, string>();
    seen.set(sessionId, files);
    if (version === undefined) files.delete(file);
    else files.set(file, version);
  };

  return {
    read: async (sessionId, path) => remember(sessionId, await canonical(path)),
    async exclusive(sessionId, path, write) {
      const file = await canonical(path);
      const run = (tails.get(file) ?? Promise.resolve()).then(async () => {
        const before = seen.get(sessionId)?.get(file);
        const now = await versionOf(file);
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
  return canonicalPath(absolute, "/").catch(() => absolute);
}

/** Times are coarse, and tools set them back: the size is looked at too. */
async function versionOf(path: string): Promise<string | undefined> {
  try {
    const { mtimeMs, size } = await stat(path);
    return `${mtimeMs} ${size}`;
  } catch {
    return undefined;
  }
}
