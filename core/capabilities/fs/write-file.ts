import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { access, lstat, open, rename, unlink } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { fileFailed } from "./file-failed.ts";
import { type HeldFolder, holdFolder, openFile } from "./opened.ts";

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY, W_OK } = constants;
const NEW_FILE_MODE = 0o644;

/** Replaces a file's text at once: whoever reads it sees the old text or the new one. Keeps its mode. Throws `file_failed`. */
export async function writeText(canonical: string, text: string): Promise<void> {
  await inFolderOf(canonical, async (folder, name) => {
    const target = folder.entry(name);
    const temporary = folder.entry(`.${randomBytes(8).toString("hex")}.tmp`);
    const mode = await modeOf(target, canonical);
    const file = await open(temporary, O_WRONLY | O_CREAT | O_EXCL | (O_NOFOLLOW ?? 0), mode ?? NEW_FILE_MODE);
    try {
      if (mode !== undefined) await file.chmod(mode);
      await file.writeFile(text);
      await file.sync();
    } catch (error) {
      await file.close();
      await unlink(temporary);
      throw error;
    }
    await file.close();
    await rename(temporary, target).catch(async (error: unknown) => {
      await unlink(temporary);
      throw error;
    });
  });
}

/** Adds text at the end of a file, which is made where it is not there. Throws `file_failed`. */
export async function appendText(canonical: string, text: string): Promise<void> {
  await inFolderOf(canonical, async (folder, name) => {
    const { file } = await openFile(canonical, { flags: O_WRONLY | O_APPEND | O_CREAT, mode: NEW_FILE_MODE, through: folder.entry(name) });
    try {
      await file.writeFile(text);
    } finally {
      await file.close();
    }
  });
}

async function inFolderOf(canonical: string, work: (folder: HeldFolder, name: string) => Promise<void>): Promise<void> {
  const folder = await holdFolder(dirname(canonical));
  try {
    await work(folder, basename(canonical));
  } catch (error) {
    throw fileFailed(canonical, error);
  } finally {
    await folder.close();
  }
}

/** The mode of a regular file that may be written, or undefined where nothing is there. */
async function modeOf(target: string, canonical: string): Promise<number | undefined> {
  const stats = await lstat(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (stats === undefined) return undefined;
  if (stats.isDirectory()) throw fileFailed(canonical, { code: "EISDIR" });
  if (!stats.isFile()) throw fileFailed(canonical, { code: "ENXIO" });
  // A rename would replace a read-only file without a word.
  await access(target, W_OK);
  return stats.mode & 0o777;
}
