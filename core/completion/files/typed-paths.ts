import { opendir, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { visible } from "../../visible.ts";

/** Entries of one folder that are looked at. */
const MOST_ENTRIES = 20_000;

/** Whether what was typed is the beginning of a path, and not words to find one by. */
export function isTypedPath(query: string): boolean {
  return /^(?:~?\/|\.{1,2}\/)/.test(query);
}

export type TypedPaths = {
  query: string;
  cwd: string;
  limit: number;
  signal: AbortSignal;
  /** Whether a rule denies reading a path, which is canonical. */
  isDenied(path: string): boolean;
};

/**
 * Entries of the folder that a path names so far, which begin as its last part does; folders with a `/`. Ignored ones too, hidden ones where a dot was
 * typed, and none that rules deny.
 */
export async function typedPaths({ query, cwd, limit, signal, isDenied }: TypedPaths): Promise<string[]> {
  const end = query.lastIndexOf("/") + 1;
  const [named, begun] = [query.slice(0, end), query.slice(end).toLowerCase()];
  const folder = named.startsWith("~/") ? join(homedir(), named.slice(2)) : resolve(cwd, named);
  const found: { name: string; kind: "folder" | "link" | "file" }[] = [];
  let seen = 0;
  const real = await realpath(folder);
  for await (const entry of await opendir(folder, { bufferSize: 256 })) {
    if (signal.aborted || ++seen > MOST_ENTRIES) break;
    const { name } = entry;
    if (!name.toLowerCase().startsWith(begun) || (name.startsWith(".") && !begun.startsWith("."))) continue;
    if (name.includes('"') || name.includes("\ufffd") || name.includes("\n") || visible(name) !== name) continue;
    found.push({ name, kind: entry.isDirectory() ? "folder" : entry.isSymbolicLink() ? "link" : "file" });
  }
  found.sort((a, b) => Number(b.kind === "folder") - Number(a.kind === "folder") || (a.name < b.name ? -1 : 1));
  const shown: typeof found = [];
  for (const entry of found) {
    if (shown.length >= limit) break;
    if (!isDenied(join(real, entry.name))) shown.push(entry);
  }
  return Promise.all(
    shown.map(async ({ name, kind }) => {
      const isFolder = kind === "folder" || (kind === "link" && (await stat(join(folder, name)).catch(() => undefined))?.isDirectory() === true);
      return `${named}${name}${isFolder ? "/" : ""}`;
    }),
  );
}
