import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { canonicalPath } from "./canonical-path.ts";
import { fileFailed } from "./file-failed.ts";
import { createGlob, splitGlob } from "./glob.ts";

/** Entries looked at by one search. */
const MAX_ENTRIES = 200_000;
/** Folders that are left out unless the pattern names them. */
const leftOut = [".git", "node_modules"];

export type GlobOptions = { cwd: string; limit: number; allowed(canonical: string): Promise<boolean>; signal?: AbortSignal | undefined };

/** Files that match a pattern, absolute and in order. Links are not followed. Throws `file_failed` where there are too many entries. */
export async function globFiles(pattern: string, { cwd, limit, allowed, signal }: GlobOptions): Promise<string[]> {
  const { folder, glob } = start(pattern);
  const root = await canonicalPath(folder, cwd);
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
        if (!skipped.has(entry.name) && path.split("/").length < depth) await walk(path);
      } else if (entry.isFile() && matches(path) && (await allowed(join(root, path)))) found.push(join(root, path));
    }
  };

  await walk("");
  return found;
}

function start(pattern: string): { folder: string; glob: string } {
  const { folder, glob } = splitGlob(pattern);
  if (glob === "") return { folder: dirname(folder), glob: basename(folder) };
  return { folder: folder === "" ? "." : folder, glob };
}
