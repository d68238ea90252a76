import { lstat } from "node:fs/promises";
import { canonicalPath } from "../capabilities/fs/canonical-path.ts";
import { isInside } from "../capabilities/fs/path-scope.ts";
import type { ParsedWord } from "../syntax/syntax.ts";
import type { Scope } from "./permission.ts";

/** A word of a command read as a path. `reaches`: what lies below may be meant as well. */
export type WordPath = { path: string; reaches: boolean };

/** The paths among a command's words, canonical: for rules that deny or ask, never for those that allow. */
export async function wordPaths({ argv = [], cwd }: Scope, project: string): Promise<WordPath[]> {
  const found: WordPath[] = [];
  for (const [at, word] of argv.entries()) {
    for (const { path, cut } of candidates(word)) {
      const canonical = await canonicalPath(path, cwd ?? project).catch(() => undefined);
      if (canonical === undefined) continue;
      // A plain word is a path where something of that name is there.
      if (!/[/~]|^\./.test(path) && (at === 0 || !(await exists(canonical)))) continue;
      // A folder around the project, as in `cd ~`, leads anywhere below.
      found.push({ path: canonical, reaches: cut || !isInside(canonical, project) });
    }
  }
  return found;
}

type Candidate = { path: string /** Something that bash fills in stands behind it. */; cut: boolean };

/** The word itself and what stands behind its first `=`; cut before what bash fills in. */
function candidates(word: ParsedWord): Candidate[] {
  const value = word.text.indexOf("=");
  const texts = value === -1 ? [word.text] : [word.text, word.text.slice(value + 1)];
  return texts.flatMap((text): Candidate[] => {
    const path = text.replace(/^\$(?:HOME|\{HOME\})(?=\/|$)/, "~");
    const known = word.static ? path : (/^[^$`*?[{]*/.exec(path)?.[0] ?? "");
    if (known === path) return path === "" || path.length > MAX_PATH ? [] : [{ path, cut: false }];
    const folder = known.slice(0, known.lastIndexOf("/") + 1);
    // What begins with a variable may be any path.
    return folder === "" ? [] : [{ path: folder, cut: true }];
  });
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

const MAX_PATH = 4_096;
