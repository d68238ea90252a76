import { setImmediate as turn } from "node:timers/promises";
import type { FileList } from "./file-list.ts";
import { fuzzyScore, letters } from "./fuzzy.ts";

/** Milliseconds of work between two looks at what else the process has to do. */
const SLICE_MS = 8;
const LOOK_EVERY = 256;

/** The paths of a list that fit best, best first. Ends early, with what it has, once the signal is aborted. */
export async function findPaths(list: FileList, query: string, limit: number, signal: AbortSignal): Promise<string[]> {
  const wanted = query.toLowerCase();
  const bits = letters(wanted);
  const best: { path: string; score: number }[] = [];
  // More may come in while this runs.
  const count = list.paths.length;
  let started = performance.now();
  for (let i = 0; i < count; i++) {
    if (i % LOOK_EVERY === 0 && performance.now() - started > SLICE_MS) {
      await turn();
      if (signal.aborted) break;
      started = performance.now();
    }
    if (((list.letters[i] ?? 0) & bits) !== bits) continue;
    const score = scoreOf(list.lower[i] ?? "", wanted);
    if (score >= 0) keep(best, { path: list.paths[i] ?? "", score }, limit);
  }
  return best.map(({ path }) => path);
}

/** Without a query, or below a folder that was named, what is near comes first. */
function scoreOf(path: string, query: string): number {
  if (query !== "" && !query.endsWith("/")) return fuzzyScore(path, query);
  if (path === query) return -1;
  if (!path.startsWith(query)) return query === "" ? -1 : fuzzyScore(path, query) / 2;
  let depth = 0;
  for (let at = path.indexOf("/", query.length); at >= 0 && at < path.length - 1; at = path.indexOf("/", at + 1)) depth++;
  return 2_000 - 10 * Math.min(depth, 100) - (path.endsWith("/") ? 0 : 1);
}

type Scored = { path: string; score: number };

function keep(best: Scored[], one: Scored, limit: number): void {
  if (best.length >= limit && !isBefore(one, best[best.length - 1])) return;
  let [low, high] = [0, best.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(one, best[middle])) high = middle;
    else low = middle + 1;
  }
  best.splice(low, 0, one);
  if (best.length > limit) best.pop();
}

function isBefore(a: Scored, b: Scored | undefined): boolean {
  return b === undefined || a.score > b.score || (a.score === b.score && a.path < b.path);
}
