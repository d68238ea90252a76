import { copyFile, link, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../config/make-folder.ts";

const KEPT = 3;
const KEPT_BYTES = 32 * 1024 * 1024;

/** Keeps a log as it is under the next number, before another one takes its place: the newest three, of at most 32 MiB together, and always the newest. */
export async function archiveLog(path: string, folder: string): Promise<void> {
  await makeFolder(folder);
  const before = await archivesOf(folder);
  const next = join(folder, `${(before[0]?.number ?? 0) + 1}.jsonl`);
  // A link costs nothing; the file it is of is never written to again.
  await link(path, next).catch(() => copyFile(path, next));
  let bytes = 0;
  for (const [i, { file }] of (await archivesOf(folder)).entries()) {
    bytes += (await stat(file)).size;
    if (i > 0 && (i >= KEPT || bytes > KEPT_BYTES)) await rm(file, { force: true });
  }
}

/** Newest first. */
export async function archivesOf(folder: string): Promise<{ number: number; file: string }[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .flatMap((name) => {
      const number = /^(\d{1,9})\.jsonl$/.exec(name)?.[1];
      return number === undefined ? [] : [{ number: Number(number), file: join(folder, name) }];
    })
    .sort((a, b) => b.number - a.number);
}
