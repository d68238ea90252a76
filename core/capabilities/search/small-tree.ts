import { lstatSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, sep } from "node:path";
import { type IgnoreRules, isIgnored, rulesAbove, rulesOf } from "./ignore-rules.ts";

/** Folders that are looked at. To start a program takes longer than these, and is quicker for more. */
const MAX_FOLDERS = 200;
const MAX_ENTRIES = 20_000;

/** What says by its presence that a folder may have rules about what is ignored. */
const RULES = new Set([".git", ".gitignore", ".ignore"]);

export type SmallTreeOptions = {
  /** Folders, canonical. */
  starts: readonly string[];
  ignored: boolean;
  /** What is looked for among the files of the names that it was made with. */
  wanted(canonical: string): boolean;
  signal: AbortSignal;
};

export type SmallTrees = {
  /**
   * Whether what lies in some folders is little, and nothing of it is wanted. With `false` nothing is known: it is much, something is wanted,
   * or a folder cannot be read. Folders that are ignored are passed over.
   */
  holdsNone(options: SmallTreeOptions): Promise<boolean>;
};

/** What of a folder is kept until it changes. */
type Listed = { folders: string[]; named: string[]; entries: number; hasRules: boolean };

/** @param names Globs as `**` and the name of a file, or of a folder and `**`. */
export function createSmallTrees(names: readonly string[], clock: () => number = Date.now): SmallTrees {
  const { file, folder: folderName } = namesIn(names);
  const known = new Map<string, { version: string; listed: Listed }>();

  const list = async (folder: string, all: boolean): Promise<Listed | undefined> => {
    const now = clock();
    const stats = lstatSync(folder, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined || !stats.isDirectory()) return undefined;
    const version = `${stats.dev} ${stats.ino} ${stats.mtimeNs} ${stats.ctimeNs} ${all}`;
    const before = known.get(folder);
    if (before?.version === version) return before.listed;
    const found = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
    if (found === undefined) return undefined;
    const listed: Listed = { folders: [], named: [], entries: found.length, hasRules: false };
    for (const entry of found) {
      const { name } = entry;
      if (RULES.has(name)) listed.hasRules = true;
      if (name === ".git") continue;
      if (entry.isDirectory()) listed.folders.push(name);
      else if (all || file.test(name)) listed.named.push(name);
    }
    // What changes within one tick of the clock does not show in the times.
    if (now - Number(stats.ctimeNs / 1_000_000n) < TICK_MS) return listed;
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(folder, { version, listed });
    return listed;
  };

  return {
    async holdsNone({ starts, ignored, wanted, signal }) {
      const pending: { folder: string; rules: readonly IgnoreRules[]; all: boolean }[] = [];
      for (const folder of starts) {
        pending.push({ folder, rules: ignored ? [] : await rulesAbove(folder), all: folder.split(sep).some((name) => folderName.test(name)) });
      }
      let entries = 0;
      for (let at = 0; at < pending.length; at++) {
        const { folder, rules: above, all } = pending[at]!;
        const listed = await list(folder, all);
        if (listed === undefined || signal.aborted || listed.named.some((name) => wanted(join(folder, name)))) return false;
        const rules = listed.hasRules && !ignored ? [...above, await rulesOf(folder)] : above;
        for (const name of listed.folders) {
          const path = join(folder, name);
          if (!isIgnored(path, true, rules)) pending.push({ folder: path, rules, all: all || folderName.test(name) });
        }
        entries += listed.entries;
        if (pending.length > MAX_FOLDERS || entries > MAX_ENTRIES) return false;
      }
      return true;
    },
  };
}

/** Folders that are kept. */
const MAX_KNOWN = 2_000;
/** Times of files are as coarse as this at most. */
const TICK_MS = 2_100;

/** Two expressions: for names of files, and for those of folders whose files are all meant. */
function namesIn(globs: readonly string[]): { file: RegExp; folder: RegExp } {
  const parts = globs.map((glob) => glob.split("/").filter((part) => part !== "**"));
  const isFolder = (glob: string) => glob.endsWith("/**");
  const expression = (wanted: (glob: string) => boolean) =>
    new RegExp(
      `^(?:${parts
        .filter((_, index) => wanted(globs[index] ?? ""))
        .map(([name = "*"]) => textOf(name))
        .join("|")})$`,
      "s",
    );
  return { file: expression((glob) => !isFolder(glob)), folder: expression(isFolder) };
}

function textOf(name: string): string {
  return name.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
}
