import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isSecret } from "./read-defaults.ts";

/** Entries of folders that are looked at; a folder with more may hold anything. */
const MAX_ENTRIES = 4_000;

/** Whether a search that goes through a folder, canonical, meets no file that holds secrets. A file is taken for itself. What cannot be read is not known. */
export async function isFreeOfSecrets(path: string): Promise<boolean> {
  const folders = [path];
  let left = MAX_ENTRIES;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    if (isSecret(`${folder}/x`)) return false;
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) =>
      error.code === "ENOTDIR" ? [] : undefined,
    );
    if (entries === undefined) return false;
    left -= entries.length;
    if (left < 0) return false;
    for (const entry of entries) {
      const name = join(folder, entry.name);
      if (entry.isDirectory()) {
        // Searches leave out what git keeps there.
        if (entry.name !== ".git") folders.push(name);
      } else if (entry.isFile() && isSecret(name)) return false;
    }
  }
  return true;
}
