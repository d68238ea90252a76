import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Makes a private folder (0700) and those above it that are missing; one that is there stays as it is. Rejects with what the system says.
 * Node's own recursive `mkdir` never ends where a file system knows no new folders, as under /proc.
 */
export async function makeFolder(path: string): Promise<void> {
  if (await isMade(path)) return;
  await makeFolder(dirname(path));
  if (!(await isMade(path))) await mkdir(path, { mode: 0o700 });
}

/** False where the folder above is missing. */
async function isMade(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 });
    return true;
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code === "EEXIST" || code === "EISDIR") return true;
    if (code === "ENOENT" && dirname(path) !== path) return false;
    throw cause;
  }
}
