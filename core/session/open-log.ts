import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

const careful = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/**
 * Opens a regular file by its own name: a pipe would be waited for, a device has no end, and a link would have another file written to.
 * Rejects with what the system says.
 */
export async function openLog(path: string, flags: number, mode?: number): Promise<FileHandle> {
  const file = await open(path, flags | careful, mode);
  try {
    if ((await file.stat()).isFile()) return file;
    throw new Error("it is no regular file");
  } catch (cause) {
    await file.close();
    throw cause;
  }
}
