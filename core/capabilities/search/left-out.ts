import { join } from "node:path";
import type { HeldFolder } from "../fs/opened.ts";
import type { Place } from "./place.ts";
import type { Ripgrep } from "./ripgrep.ts";
import { walkArguments } from "./ripgrep-arguments.ts";
import type { SmallTrees } from "./small-tree.ts";

/** Why a file that lies in a searched folder is not searched: a rule denies it, or asks about it and it was not named. */
export type LeftOut = (canonical: string) => "denied" | "asked" | undefined;

/** How many candidates are looked at. */
const MOST = 10_000;

/**
 * Counts the files in a folder that are left out because reading them asks, whether the search would have found something in them or not:
 * a count of those that match would tell what they hold.
 * @param names Globs that any such file fits.
 */
export async function countLeftOut(
  place: Place,
  folder: HeldFolder,
  { ripgrep, trees, names, ignored, leftOut }: { ripgrep: Ripgrep; trees: SmallTrees; names: readonly string[]; ignored: boolean; leftOut: LeftOut },
): Promise<number> {
  if (place.starts.length === 0) return 0;
  const wanted = (canonical: string) => place.reach.covers(canonical) && leftOut(canonical) !== undefined;
  const starts = place.starts.map((start) => join(place.root, start));
  if (await trees.holdsNone({ starts, ignored, wanted, signal: place.signal })) return 0;
  let count = 0;
  let seen = 0;
  const read = createPaths((path) => {
    seen++;
    if (wanted(join(place.root, path.toString()))) count++;
  });
  await ripgrep.run({
    args: [
      "--files",
      "--null",
      "--no-messages",
      ...names.map((name) => `--glob=${name}`),
      ...walkArguments({ ignored, root: place.root }),
      "--",
      ...place.starts,
    ],
    cwd: folder.entry("."),
    signal: place.signal,
    onOutput(chunk) {
      read(chunk);
      return seen < MOST;
    },
  });
  return count;
}

/** Reads paths that each end in a NUL. */
export function createPaths(onPath: (path: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer | undefined;
  return (chunk) => {
    const data = rest === undefined ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    for (let end = data.indexOf(0, at); end !== -1; end = data.indexOf(0, at)) {
      onPath(data.subarray(at, end));
      at = end + 1;
    }
    rest = at < data.length ? Buffer.from(data.subarray(at)) : undefined;
  };
}
