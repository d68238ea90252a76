import { closeNames } from "./close-names.ts";
import { shownPath } from "./shown-path.ts";

/** What is asked of the plugin API. */
export type ListApi = { readonly fs: { list(path: string): Promise<{ name: string }[]> } };

/** Says of a path that leads nowhere why, and what is close to it. */
export async function missingFile(api: ListApi, path: string, wanted: "file" | "folder" | "file or folder" = "file"): Promise<string> {
  const [, folder = "", name = ""] = /^(.*\/)?([^/]*)\/*$/s.exec(path) ?? [];
  const entries = await api.fs.list(folder === "" ? "." : folder).catch(() => []);
  const names = entries.map((entry) => entry.name);
  if (names.includes(name)) {
    if (!name.includes("\ufffd")) return `${shownPath(path)} is a link to nothing.`;
    return `No path leads to ${shownPath(path)}, whose name has bytes in it that are no UTF-8. Rename it with a command.`;
  }
  const close = closeNames(name, names);
  const hint = close.length === 0 ? "" : ` Close to it: ${close.map((entry) => shownPath(folder + entry)).join(", ")}.`;
  return `There is no ${wanted} ${shownPath(path)}.${hint}`;
}
