import { join } from "node:path";
import type { CompletionRow } from "../completion-types.ts";
import type { FileLists } from "./file-list.ts";
import { findPaths } from "./find-paths.ts";
import { mentionOf } from "./mention.ts";
import { isTypedPath, typedPaths } from "./typed-paths.ts";

const MOST_QUERY = 400;

export type FileQuery = {
  query: string;
  cwd: string;
  limit: number;
  signal: AbortSignal;
  /** Whether a rule denies reading a path, which is absolute. */
  isDenied(path: string): boolean;
};

export type FileRows = { rows: CompletionRow[]; isWhole: boolean };

/** Files and folders that what was typed may mean. Those that rules deny are left out. */
export async function fileRows(lists: FileLists, { query, cwd, limit, signal, isDenied }: FileQuery): Promise<FileRows> {
  const typed = query.startsWith('"') ? query.slice(1) : query;
  if (typed.length > MOST_QUERY) return { rows: [], isWhole: true };
  if (isTypedPath(typed)) {
    const found = await typedPaths({ query: typed, cwd, limit, signal, isDenied }).catch(() => []);
    return { rows: found.map(rowOf), isWhole: true };
  }
  const list = await lists.of(cwd);
  const found = await findPaths(list, typed, limit * 2, signal);
  const rows: CompletionRow[] = [];
  for (const path of found) {
    if (rows.length >= limit) break;
    if (!isDenied(join(cwd, path))) rows.push(rowOf(path));
  }
  return { rows, isWhole: list.isWhole };
}

function rowOf(path: string): CompletionRow {
  return { text: mentionOf("@", path), label: path, description: null, score: 0, source: "files", plugin: "host" };
}
