import { open as callbackOpen, closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, type Stats } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { canonicalNow } from "./canonical-path.ts";
import { fileFailed } from "./file-failed.ts";

const { O_DIRECTORY, O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
/** A link at the end is refused; a FIFO or device does not hang. Windows has none of these. */
const careful = (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0) | (O_NOCTTY ?? 0);

export type OpenedFile = { file: FileHandle; bytes: number; mtimeMs: number };

export type OpenOptions = {
  /** `O_RDONLY` unless said. */
  flags?: number;
  /** Of a file that is made. */
  mode?: number;
  /** The entry of a held folder to open it by. */
  through?: string;
};

/** Opens a regular file by its canonical path, and makes sure that no link was put into the path since it was checked. Throws `file_failed`. */
export async function openFile(canonical: string, { flags = O_RDONLY, mode, through = canonical }: OpenOptions = {}): Promise<OpenedFile> {
  const file = await openSame(canonical, through, flags | careful, mode);
  try {
    const stats = regularStats(file.fd, canonical);
    return { file, bytes: stats.size, mtimeMs: stats.mtimeMs };
  } catch (error) {
    await file.close();
    throw error;
  }
}

const openDescriptor = promisify(callbackOpen);

/** The same for a file that is only read, as a descriptor, which takes half as long: to be closed with `closeSync`, once nothing reads from it. */
export async function openToRead(canonical: string): Promise<{ fd: number; bytes: number }> {
  const fd = await descriptorOf(canonical, canonical, O_RDONLY | careful);
  try {
    return { fd, bytes: regularStats(fd, canonical).size };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

async function descriptorOf(canonical: string, through: string, flags: number): Promise<number> {
  const fd = await opened(through, flags).catch((error: unknown) => {
    throw fileFailed(canonical, error);
  });
  if (await isAt(fd, canonical).catch(() => false)) return fd;
  closeSync(fd);
  throw fileFailed(canonical, REPLACED);
}

/** A regular file opens at once, where a thread would take twenty times as long; a device may take its time. */
async function opened(through: string, flags: number): Promise<number> {
  const isRegular = lstatSync(through, { throwIfNoEntry: false })?.isFile() ?? false;
  return isRegular ? openSync(through, flags) : openDescriptor(through, flags);
}

/** Of what is open the system knows this at once: a thread would take twenty times as long. */
function regularStats(fd: number, canonical: string): Stats {
  const stats = fstatSync(fd);
  if (stats.isDirectory()) throw fileFailed(canonical, { code: "EISDIR" });
  if (!stats.isFile()) throw fileFailed(canonical, { code: "ENXIO" });
  return stats;
}

export type HeldFolder = {
  /** A path for an entry that cannot lead elsewhere by a swapped folder, where the system allows that. */
  entry(name: string): string;
  /** Holds a folder of it. */
  hold(name: string): Promise<HeldFolder>;
  close(): Promise<void>;
};

/** Opens a folder by its canonical path, so that what is done in it afterwards is done in this one. Throws `file_failed`. */
export async function holdFolder(canonical: string, through: string = canonical): Promise<HeldFolder> {
  const fd = await descriptorOf(canonical, through, O_RDONLY | (O_DIRECTORY ?? 0) | careful);
  const base = process.platform === "linux" ? `/proc/self/fd/${fd}` : canonical;
  return {
    entry: (name) => join(base, name),
    hold: (name) => holdFolder(join(canonical, name), join(base, name)),
    close: async () => closeSync(fd),
  };
}

const REPLACED = "a part of its path was replaced meanwhile";

async function openSame(canonical: string, through: string, flags: number, mode?: number): Promise<FileHandle> {
  const file = await open(through, flags, mode).catch((error: unknown) => {
    throw fileFailed(canonical, error);
  });
  if (await isAt(file.fd, canonical).catch(() => false)) return file;
  await file.close();
  throw fileFailed(canonical, REPLACED);
}

function openedPath(fd: number): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined;
  }
}

/** Whether the opened file is the one at that path, no link followed. */
async function isAt(fd: number, canonical: string): Promise<boolean> {
  if (process.platform === "linux") {
    const path = openedPath(fd);
    // A file that was replaced by a rename since is named as deleted.
    if (path !== undefined) return path === canonical || path === `${canonical} (deleted)`;
  }
  if ((await canonicalNow(canonical, "/")) !== canonical) return false;
  const [opened, there] = [fstatSync(fd), await stat(canonical)];
  return opened.ino === there.ino && opened.dev === there.dev;
}
