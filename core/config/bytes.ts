import { constants } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";

/** Settings and plugin sources are small. */
const maxBytes = 4 * 1024 * 1024;

/**
 * The bytes of a regular file, 4 MB at most; undefined where nothing is there.
 * Throws an Error for what is there and is not one: a folder, a device or pipe (which could be read for ever), a link to nothing.
 */
export async function readBytes(path: string): Promise<Buffer | undefined> {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (cause) {
    // A link to nothing is a file that went missing, and its rules with it.
    if (!isMissing(cause)) throw cause;
    if ((await lstat(path).catch(() => undefined)) === undefined) return undefined;
    throw new Error("the link leads to nothing", { cause });
  }
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new Error("it is no regular file");
    if (stat.size > maxBytes) throw new Error("it is larger than 4 MB");
    return await file.readFile();
  } finally {
    await file.close();
  }
}

export function isMissing(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "ENOENT";
}
