import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { MortiseError } from "../../sdk/errors.ts";
import { openLog } from "./open-log.ts";
import { syncFolder } from "./sync-folder.ts";

export type LogFile = {
  /** Writes whole lines at the end; with `durable` they survive a crash of the machine. Throws `file_failed`: nothing of them is in the file then. */
  append(text: string, durable: boolean): Promise<void>;
  length(): number;
  /** The next `append` opens the file anew, which another one was put in the place of. */
  replaced(length: number): Promise<void>;
  close(): Promise<void>;
};

/** One that is forgotten by whoever opened it stays open: closing it behind its back would end the process. */
const kept = new Set<FileHandle>();

/** A private file (0600) that only grows. What is in it after `length` bytes is cut off by the first write, and so is what a failed write left. */
export function createLogFile(path: string, length: number): LogFile {
  let file: FileHandle | undefined;
  /** Whether something that is not good may stand after the good length. */
  let unclean = true;

  const opened = async (): Promise<FileHandle> => {
    if (file !== undefined) return file;
    file = await openLog(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT, 0o600);
    kept.add(file);
    if (length === 0) await syncFolder(dirname(path));
    return file;
  };
  const clean = async (of: FileHandle) => {
    await of.truncate(length);
    unclean = false;
  };
  const close = async () => {
    const was = file;
    file = undefined;
    if (was === undefined) return;
    kept.delete(was);
    await was.close().catch(() => {});
  };

  return {
    async append(text, durable) {
      const bytes = Buffer.from(text);
      try {
        const to = await opened();
        if (unclean) await clean(to);
        unclean = true;
        await to.appendFile(bytes);
        if (durable) await to.datasync();
        // What is written to a file without a name is gone with the process.
        if (durable && (await to.stat()).nlink === 0) throw new Error("it was deleted meanwhile");
        length += bytes.length;
        unclean = false;
      } catch (cause) {
        if (file !== undefined) await clean(file).catch(() => {});
        throw new MortiseError("file_failed", { seen: `${path}: ${cause instanceof Error ? cause.message : cause}`, cause });
      }
    },
    length: () => length,
    async replaced(now) {
      await close();
      length = now;
    },
    close,
  };
}
