import { opendir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { visible } from "../../visible.ts";

/** Entries of one folder that are looked at. */
const MOST_ENTRIES = 20_000;

/** Whether what was typed is the beginning of a path, and not words to find one by. */
export function isTypedPath(query: string): boolean {
  return /^(?:~?\/|\.{1,2}\/)/.test(query);
}

/** Entries of the folder that a path names so far, which begin as its last part does; folders with a `/`. Ignored ones too, hidden ones where a dot was typed. */
export async function typedPaths(query: string, cwd: string, limit: number, signal: AbortSignal): Promise<string[]> {
  const end = query.lastIndexOf("/") + 1;
  const [named, begun] = [query.slice(0, end), query.slice(end).toLowerCase()];
  const folder = named.startsWith("~/") ? join(homedir(), named.slice(2)) : resolve(cwd, named);
  const found: { name: string; kind: "folder" | "link" | "file" }[] = [];
  let seen = 0;
  for await (const entry of await opendir(folder, { bufferSize: 256 })) {
    if (signal.aborted || ++seen > MOST_ENTRIES) break;
    const { name } = entry;
    if (!name.toLowerCase().startsWith(begun) || (name.startsWith(".") && !begun.startsWith("."))) continue;
    if (name.includes('"') || name.includes("\ufffd") || name.includes("\n") || visible(name) !== name) continue;
    found.push({ name, kind: entry.isDirectory() ? "folder" : entry.isSymbolicLink() ? "link" : "file" });
  }
  found.sort((a, b) => Number(b.kind === "folder") - Number(a.kind === "folder") || (a.name < b.name ? -1 : 1));
  return Promise.all(
    found.slice(0, limit).map(async ({ name, kind }) => {
      const isFolder = kind === "folder" || (kind === "link" && (await stat(join(folder, name)).catch(() => undefined))?.isDirectory() === true);
      return `${named}${name}${isFolder ? "/" : ""}`;
    }),
  );
}
