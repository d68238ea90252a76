import { randomBytes } from "node:crypto";
import { type BigIntStats, constants } from "node:fs";
import { access, type FileHandle, link, lstat, open, rename, unlink } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { MortiseError } from "../../../sdk/errors.ts";
import { fileFailed, reasonOf } from "./file-failed.ts";
import { inTurn } from "./in-turn.ts";
import { type HeldFolder, holdFolder, openFile } from "./opened.ts";
import { versionOf } from "./version.ts";

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY, W_OK } = constants;
const NEW_FILE_MODE = 0o644;
/** Of a text that will replace another one, until it has its mode. */
const PRIVATE_MODE = 0o600;

export type WriteOptions = {
  /** The version that is to be replaced, or null where nothing is to be there. */
  ifVersion?: string | null | undefined;
  /** Folder of locks that processes share: of those that replace one version, one does. */
  locks?: string | undefined;
};

/**
 * Replaces a file's text at once: whoever reads it sees the old text or the new one, also where the disk is full. Keeps its mode, and its owner where the system allows that.
 * Throws `file_failed`, and `stale_file` where the file is not the version named.
 */
export async function writeText(canonical: string, text: string, { ifVersion, locks }: WriteOptions = {}): Promise<void> {
  await inFolderOf(canonical, async (folder, name) => {
    const target = folder.entry(name);
    const before = await regularFile(target, canonical);
    const expected = ifVersion === undefined || ifVersion === (before === undefined ? null : versionOf(before));
    if (!expected) throw new MortiseError("stale_file", { seen: canonical });
    const temporary = folder.entry(`.${randomBytes(8).toString("hex")}.tmp`);
    try {
      await fill(temporary, canonical, text, before);
      if (ifVersion === undefined) await rename(temporary, target);
      else if (ifVersion === null) await putNew(temporary, target);
      else
        await inTurn(canonical, locks, async () => {
          await requireSame(target, before, canonical);
          await rename(temporary, target);
        });
    } catch (error) {
      await unlink(temporary).catch(() => {});
      if (error instanceof Error && "code" in error && error.code === "EEXIST") throw new MortiseError("stale_file", { seen: canonical });
      if (before === undefined || error instanceof MortiseError) throw error;
      throw fileFailed(canonical, `${reasonOf(error)}; the file is as it was`);
    }
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

/** A regular file that may be written, or undefined where nothing is there. */
async function regularFile(target: string, canonical: string): Promise<BigIntStats | undefined> {
  const stats = await statsOf(target);
  if (stats === undefined) return undefined;
  if (stats.isDirectory()) throw fileFailed(canonical, { code: "EISDIR" });
  if (!stats.isFile()) throw fileFailed(canonical, { code: "ENXIO" });
  // A rename would replace a read-only file without a word.
  await access(target, W_OK);
  return stats;
}

async function fill(temporary: string, canonical: string, text: string, before: BigIntStats | undefined): Promise<void> {
  const mode = before === undefined ? NEW_FILE_MODE : PRIVATE_MODE;
  const file = await open(temporary, O_WRONLY | O_CREAT | O_EXCL | (O_NOFOLLOW ?? 0), mode).catch((error: unknown) => {
    throw fileFailed(canonical, `${reasonOf(error)} to make a file in its folder`);
  });
  try {
    await file.writeFile(text);
    if (before !== undefined) await resemble(file, before);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Only some users may give a file to another one; the group alone can be given more often. */
async function resemble(file: FileHandle, { uid, gid, mode }: BigIntStats): Promise<void> {
  const made = await file.stat({ bigint: true });
  if (made.uid !== uid || made.gid !== gid) {
    const group = Number(gid);
    await file.chown(Number(uid), group).catch(() => file.chown(-1, group).catch(() => {}));
  }
  await file.chmod(Number(mode) & 0o777);
}

async function requireSame(target: string, before: BigIntStats | undefined, canonical: string): Promise<void> {
  const now = await statsOf(target);
  if ((now && versionOf(now)) !== (before && versionOf(before))) throw new MortiseError("stale_file", { seen: canonical });
}

/** Fails where something is there by now, as a rename would not. Some file systems know no second name for a file. */
async function putNew(temporary: string, target: string): Promise<void> {
  const linked = await link(temporary, target).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") throw error;
      return false;
    },
  );
  await (linked ? unlink(temporary) : rename(temporary, target));
}

async function statsOf(target: string): Promise<BigIntStats | undefined> {
  return lstat(target, { bigint: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
}
