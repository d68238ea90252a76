import { statSync } from "node:fs";
import { resolve } from "node:path";
import { MortiseError } from "../sdk/errors.ts";
import { canonicalPath } from "./capabilities/fs/canonical-path.ts";
import { versionOf } from "./capabilities/fs/version.ts";
import { unlessAborted } from "./unless-aborted.ts";

export type WrittenFiles = {
  /** Remembers that a session saw this file as it is now. The path is canonical, as permission takes it. */
  read(sessionId: string, path: string): Promise<void>;
  /**
   * Runs the writer alone among the writers of one file, whatever links lead to it.
   * @throws MortiseError `stale_file` when the file changed since this session read or wrote it; the signal's reason where that fires first.
   */
  exclusive<T>(writer: Writer<T>): Promise<T>;
  endSession(sessionId: string): void;
};

export type Writer<T> = {
  sessionId: string;
  path: string;
  /** What a relative path is about. */
  cwd: string;
  /** Ends the wait for other writers; the writer itself is not touched. */
  signal?: AbortSignal;
  write(): Promise<T>;
};

export function createWrittenFiles(): WrittenFiles {
  const seen = new Map<string, Map<string, string>>();
  const tails = new Map<string, Promise<unknown>>();

  const remember = (sessionId: string, file: string, version: string | undefined) => {
    const files = seen.get(sessionId) ?? new Map<string, string>();
    seen.set(sessionId, files);
    if (version === undefined) files.delete(file);
    else files.set(file, version);
  };

  const write = async <T>({ sessionId, path, write }: Writer<T>, file: string): Promise<T> => {
    const known = seen.get(sessionId)?.get(file);
    const before = versionAt(file);
    // A file that is gone may be made again.
    if (known !== undefined && before !== undefined && before !== known) throw new MortiseError("stale_file", { seen: path });
    const result = await write();
    const after = versionAt(file);
    // A file that the session neither read nor changed is none that it knows.
    if (known !== undefined || after !== before) remember(sessionId, file, after);
    return result;
  };

  return {
    async read(sessionId, path) {
      // Permission takes a path as it is written, and some systems find it in other letters.
      const file = process.platform === "linux" ? path : await canonical(path, "/");
      remember(sessionId, file, versionAt(file));
    },
    async exclusive(writer) {
      const file = await canonical(writer.path, writer.cwd);
      const before = tails.get(file) ?? Promise.resolve();
      const turn = writer.signal === undefined ? before : unlessAborted(before, writer.signal);
      const run = turn.then(() => write(writer, file));
      // Whoever comes next waits for those before, too, where this one gave up waiting.
      const tail = Promise.allSettled([before, run]).then(() => {
        if (tails.get(file) === tail) tails.delete(file);
      });
      tails.set(file, tail);
      return run;
    },
    endSession: (sessionId) => void seen.delete(sessionId),
  };
}

/** As the API of plugins reaches it. A path that leads nowhere is taken as it is written. */
async function canonical(path: string, cwd: string): Promise<string> {
  return canonicalPath(path, cwd).catch(() => resolve(cwd, path));
}

function versionAt(path: string): string | undefined {
  try {
    return versionOf(statSync(path, { bigint: true }));
  } catch {
    return undefined;
  }
}
