import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { MortiseError } from "../../sdk/errors.ts";

/** The folder of `--cwd`, canonical, or the current one. Throws `no_folder`. */
export async function folderOf(cwd: string | undefined): Promise<string> {
  const folder = resolve(here(), cwd ?? "");
  const info = await stat(folder).catch(() => undefined);
  if (info?.isDirectory() !== true) throw new MortiseError("no_folder", { seen: folder });
  return realpath(folder);
}

/** The folder a command was started in may be gone. */
function here(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new MortiseError("no_folder", { seen: "the one this was started in was removed", cause });
  }
}
