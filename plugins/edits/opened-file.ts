import type { FileStat, ToolResult } from "mortise/sdk";
import { failed, refused } from "../files/failed.ts";
import { type ListApi, missingFile } from "../files/missing-file.ts";
import { shownPath } from "../files/shown-path.ts";
import { utf8Bytes } from "../files/utf8-bytes.ts";

/** What is asked of the plugin API. */
export type FilesApi = ListApi & {
  readonly fs: {
    stat(path: string): Promise<FileStat | undefined>;
    read(path: string): Promise<string>;
    write(path: string, text: string, options: { ifVersion: string }): Promise<void>;
  };
};

/** Longer files take a program: several copies of the text are held at once. */
const MAX_BYTES = 8 * 1024 * 1024;
/** What the host writes at once. */
const MAX_WRITTEN_BYTES = 16 * 1024 * 1024;

/**
 * Changes the text of a file that is there, unless it changes meanwhile: what is written replaces the very version that was read.
 * `change` answers the new text with the result, or a failure.
 */
export async function changeFile(
  api: FilesApi,
  path: string,
  change: (text: string) => { text: string; result: ToolResult } | ToolResult | Promise<{ text: string; result: ToolResult } | ToolResult>,
): Promise<ToolResult> {
  try {
    const name = shownPath(path);
    const stat = await api.fs.stat(path);
    if (stat === undefined) return failed(`${await missingFile(api, path)} \`write\` makes a file.`);
    if (stat.type === "folder") return failed(`${name} is a folder, not a file.`);
    if (stat.type === "other") return failed(`${name} is no regular file.`);
    if (stat.bytes > MAX_BYTES) return failed(`${name} has ${stat.bytes} bytes, and at most ${MAX_BYTES} are edited. Use a program, as \`sed\`.`);
    const changed = await change(await api.fs.read(path));
    if (!("result" in changed)) return changed;
    // Three bytes for each UTF-16 unit at most.
    const bytes = changed.text.length * 3 <= MAX_WRITTEN_BYTES ? 0 : utf8Bytes(changed.text);
    if (bytes > MAX_WRITTEN_BYTES) return failed(`${name} would have ${bytes} bytes, and at most ${MAX_WRITTEN_BYTES} are written at once.`);
    await api.fs.write(path, changed.text, { ifVersion: stat.version });
    return changed.result;
  } catch (error) {
    return refused(error);
  }
}
