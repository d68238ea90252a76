import type { FileStat } from "mortise/sdk";

type Files = { stat(path: string): Promise<FileStat | undefined>; list(path: string): Promise<{ name: string }[]> };

/** Why a file cannot be outlined, and what to do instead. */
export async function explain(files: Files, path: string, maxBytes: number, error: unknown): Promise<string> {
  const stat = await files.stat(path).catch(() => null);
  if (stat === undefined) return missing(files, path);
  if (stat?.type === "folder") return `${path} is a folder, not a file. Give a file in it.`;
  if (stat?.type === "other") return `${path} is no regular file.`;
  if (stat !== null && stat.bytes > maxBytes)
    return `${path} has ${stat.bytes} bytes, and at most ${maxBytes} are outlined. Use read with offset and limit.`;
  if (error instanceof Error) return error.message;
  throw error;
}

async function missing(files: Files, path: string): Promise<string> {
  const [, folder = "", name = ""] = /^(.*\/)?([^/]*)\/*$/.exec(path) ?? [];
  const entries = await files.list(folder === "" ? "." : folder).catch(() => []);
  const stem = (text: string) => text.toLowerCase().replace(/(.)\.[^.]*$/, "$1");
  const close = entries.map((entry) => entry.name).filter((each) => stem(each) === stem(name) && each !== name);
  const hint = close.length === 0 ? "" : ` Close to it: ${close.map((each) => folder + each).join(", ")}.`;
  return `There is no file ${path}.${hint}`;
}
