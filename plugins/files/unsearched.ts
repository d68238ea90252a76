import type { FileStat, ToolResult } from "mortise/sdk";
import { failed, refused } from "./failed.ts";
import { type ListApi, missingFile } from "./missing-file.ts";
import { shownPath } from "./shown-path.ts";

/** What is asked of the plugin API. */
export type StatApi = ListApi & { readonly fs: { stat(path: string): Promise<FileStat | undefined> } };

/** Why a path was not searched, in a sentence: where nothing is there with what is close to it, and where it is a file though a folder was asked for. */
export async function unsearched(api: StatApi, { path, isFolder }: { path: string; isFolder: boolean }, error: unknown): Promise<ToolResult> {
  const answer = refused(error);
  const stat = await api.fs.stat(path).catch(() => "unknown" as const);
  if (stat === undefined) return failed(await missingFile(api, path, isFolder ? "folder" : "file or folder"));
  if (stat === "unknown" || stat.type === "folder") return answer;
  if (stat.type === "other") return failed(`${shownPath(path)} is neither a file nor a folder.`);
  return isFolder ? failed(`${shownPath(path)} is a file, not a folder. Name the folder that it is in, or \`read\` it.`) : answer;
}
