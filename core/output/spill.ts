import { randomUUID } from "node:crypto";
import { open, readdir, realpath, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../config/make-folder.ts";
import { isSessionId } from "../traces.ts";

/** Days after which a spill is removed by the next one. */
const KEPT_DAYS = 30;

/** Writes the whole text of a result to a private file (0600) that the model can read. Returns its canonical path. */
export async function spill(folder: string, sessionId: string, text: string): Promise<string> {
  const own = folderOf(folder, sessionId);
  await makeFolder(own);
  const path = join(await realpath(own), `${randomUUID()}.txt`);
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
  } finally {
    await file.close();
  }
  return path;
}

/** Spills of a session that were written before, canonical: a session that goes on may still read them. */
export async function spillsOf(folder: string, sessionId: string): Promise<string[]> {
  if (!isSessionId(sessionId)) return [];
  const own = await realpath(folderOf(folder, sessionId)).catch(() => undefined);
  if (own === undefined) return [];
  const names = await readdir(own).catch(() => []);
  return names.filter((name) => name.endsWith(".txt")).map((name) => join(own, name));
}

/** Removes spills of sessions that have made none for long. */
export async function removeOldSpills(folder: string, nowMs: number = Date.now()): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const own = join(folder, name);
    const info = await stat(own).catch(() => undefined);
    // A folder is as old as the last file made in it.
    if (info !== undefined && nowMs - info.mtimeMs > KEPT_DAYS * 86_400_000) await rm(own, { recursive: true, force: true }).catch(() => {});
  }
}

/** A session's id is whatever the program says: only a plain one becomes a folder's name. */
function folderOf(folder: string, sessionId: string): string {
  return join(folder, isSessionId(sessionId) ? sessionId : "_");
}
