import type { Dirent } from "node:fs";
import { lstat, mkdir, readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { MortiseError } from "../../../sdk/errors.ts";
import { fileFailed } from "./file-failed.ts";
import { type HeldFolder, holdFolder } from "./opened.ts";

export type EntryType = "file" | "folder" | "other";

export function typeOf(entry: Pick<Dirent, "isFile" | "isDirectory">): EntryType {
  if (entry.isFile()) return "file";
  return entry.isDirectory() ? "folder" : "other";
}

/** Makes a folder by its canonical path, with those above it. One that is there already is fine. */
export async function makeFolder(canonical: string): Promise<void> {
  const missing: string[] = [];
  let existing = canonical;
  while (!(await isThere(existing))) {
    missing.unshift(basename(existing));
    existing = dirname(existing);
  }
  let held: HeldFolder | undefined;
  try {
    held = await holdFolder(existing);
    for (const name of missing) {
      await mkdir(held.entry(name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error;
      });
      const next = await held.hold(name);
      await held.close();
      held = next;
    }
  } catch (error) {
    throw fileFailed(canonical, error);
  } finally {
    await held?.close();
  }
}

/** Removes a file, a link itself, or a folder: an empty one, or with `recursive` all that is in it. */
export async function removeEntry(
  canonical: string,
  { recursive, keep }: { recursive: boolean; keep(canonical: string): Promise<boolean> },
): Promise<void> {
  const folder = await holdFolder(dirname(canonical));
  try {
    const entry = folder.entry(basename(canonical));
    const isFolder = (await lstat(entry)).isDirectory();
    if (isFolder && !recursive && (await readdir(entry)).length > 0) throw fileFailed(canonical, { code: "ENOTEMPTY" });
    if (isFolder && recursive) await refuseKept(canonical, keep);
    await rm(entry, { recursive: isFolder });
  } catch (error) {
    throw fileFailed(canonical, error);
  } finally {
    await folder.close();
  }
}

/** Throws where something below must not be removed. */
async function refuseKept(folder: string, keep: (canonical: string) => Promise<boolean>): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (await keep(path)) throw new MortiseError("protected_path", { seen: path });
    if (entry.isDirectory()) await refuseKept(path, keep);
  }
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => dirname(path) === path,
  );
}
