import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { archiveLog } from "./archive.ts";
import type { SessionFiles } from "./session-files.ts";
import { syncFolder } from "./sync-folder.ts";

/** Puts a new log in the place of the old one, which goes to the archive. A crash leaves one of the two whole. */
export async function replaceLog({ log, archive }: SessionFiles, text: string): Promise<void> {
  const next = `${log}.next`;
  try {
    await rm(next, { force: true });
    const file = await open(next, "wx", 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await archiveLog(log, archive);
    await rename(next, log);
  } catch (cause) {
    await rm(next, { force: true }).catch(() => {});
    throw cause;
  }
  await syncFolder(dirname(log));
}
