import { createPaths } from "../../capabilities/search/left-out.ts";
import type { Ripgrep } from "../../capabilities/search/ripgrep.ts";
import { walkArguments } from "../../capabilities/search/ripgrep-arguments.ts";
import { visible } from "../../visible.ts";
import { letters } from "./fuzzy.ts";

/** Files and folders below a folder, the latter with a `/` at their end. */
export type FileList = {
  readonly paths: readonly string[];
  readonly lower: readonly string[];
  readonly letters: readonly number[];
  /** Whether all of the folder was walked. */
  isWhole: boolean;
};

export type FileLists = {
  /** What is known of a folder, at the latest after a moment: more may be there later. */
  of(folder: string): Promise<FileList>;
};

const MOST_PATHS = 200_000;
const MOST_FOLDERS = 4;
const WALK_MS = 20_000;
/** How long the first query waits for the first walk. */
const FIRST_MS = 250;
/** A list that is older is made anew, behind the answer; one that took long to make is kept longer. */
const FRESH_MS = 2_000;
const FRESH_WALKS = 10;

type Kept = { list: FileList; walking: Promise<void> | null; walkedAt: number; tookMs: number };

/** Lists of files, as ripgrep walks: none of `.git`, and by the rules about ignored files. */
export function createFileLists(ripgrep: Ripgrep, signal: AbortSignal): FileLists {
  const kept = new Map<string, Kept>();

  const walk = (folder: string, entry: Kept, isFirst: boolean) => {
    const started = performance.now();
    const list = emptyList();
    if (isFirst) entry.list = list;
    entry.walking = fill(ripgrep, folder, list, AbortSignal.any([signal, AbortSignal.timeout(WALK_MS)]))
      .catch(() => {})
      .then(() => {
        entry.list = list;
        entry.walking = null;
        entry.walkedAt = performance.now();
        entry.tookMs = entry.walkedAt - started;
      });
    return entry.walking;
  };

  return {
    async of(folder) {
      const known = kept.get(folder);
      if (known !== undefined) {
        kept.delete(folder);
        kept.set(folder, known);
        const age = performance.now() - known.walkedAt;
        if (known.walking === null && age > Math.max(FRESH_MS, FRESH_WALKS * known.tookMs)) void walk(folder, known, false);
        return known.list;
      }
      const entry: Kept = { list: emptyList(), walking: null, walkedAt: 0, tookMs: 0 };
      kept.set(folder, entry);
      for (const oldest of kept.keys()) if (kept.size > MOST_FOLDERS) kept.delete(oldest);
      await Promise.race([walk(folder, entry, true), later(FIRST_MS)]);
      return entry.list;
    },
  };
}

type Filling = { paths: string[]; lower: string[]; letters: number[]; isWhole: boolean };

const emptyList = (): Filling => ({ paths: [], lower: [], letters: [], isWhole: false });

async function fill(ripgrep: Ripgrep, folder: string, list: Filling, signal: AbortSignal): Promise<void> {
  const folders = new Set<string>();
  const add = (path: string) => {
    const lower = path.toLowerCase();
    list.paths.push(path);
    list.lower.push(lower);
    list.letters.push(letters(lower));
  };
  const read = createPaths((bytes) => {
    const path = bytes.toString().replace(/^\.\//, "");
    // What cannot be typed back as it is shown would name another file.
    if (path.includes('"') || path.includes("\ufffd") || visible(path) !== path || path.includes("\n")) return;
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const above = path.slice(0, end + 1);
      if (folders.has(above)) break;
      folders.add(above);
      add(above);
    }
    add(path);
  });
  const { ended } = await ripgrep.run({
    args: ["--files", "--null", "--no-messages", ...walkArguments({ ignored: false, root: folder }), "--", "./"],
    cwd: folder,
    signal,
    onOutput(chunk) {
      read(chunk);
      return list.paths.length < MOST_PATHS;
    },
  });
  list.isWhole = ended === "exit";
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
