import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileFailed } from "./file-failed.ts";
import { createGlob } from "./glob.ts";
import type { Reach } from "./reach.ts";

/** Entries looked at by one search. */
const MAX_ENTRIES = 200_000;
/** Folders that are left out unless the pattern names them. */
const leftOut = [".git", "node_modules"];

export type GlobOptions = {
  /** The folder that the glob begins in, canonical. */
  root: string;
  limit: number;
  reach: Reach;
  signal?: AbortSignal | undefined;
};

/** Files that match a glob, absolute and in order. Links are not followed, and what a grant does not reach is not looked at. Throws `file_failed` where there are too many entries. */
export async function globFiles(glob: string, { root, limit, reach, signal }: GlobOptions): Promise<string[]> {
  const matches = createGlob(glob);
  const skipped = new Set(leftOut.filter((name) => !glob.split("/").includes(name)));
  const depth = glob.includes("**") ? Number.POSITIVE_INFINITY : glob.split("/").length;
  const found: string[] = [];
  let seen = 0;

  const walk = async (prefix: string): Promise<void> => {
    signal?.throwIfAborted();
    const entries = await readdir(join(root, prefix), { withFileTypes: true }).catch(() => []);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (found.length >= limit) return;
      if (++seen > MAX_ENTRIES) throw fileFailed(root, `more than ${MAX_ENTRIES} entries to search`);
      const path = prefix === "" ? entry.name : `${prefix}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!skipped.has(entry.name) && path.split("/").length < depth && reach.reaches(join(root, path))) await walk(path);
      } else if (entry.isFile() && matches(path) && reach.covers(join(root, path))) found.push(join(root, path));
    }
  };

  if (reach.reaches(root)) await walk("");
  return found;
}
