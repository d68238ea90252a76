import { canonicalPath } from "../capabilities/fs/canonical-path.ts";
import { isInside } from "../capabilities/fs/path-scope.ts";
import type { ParsedWord } from "../syntax/syntax.ts";
import type { Scope } from "./permission.ts";

/** A word of a command read as a path. `reaches`: what lies below may be meant as well. */
export type WordPath = { path: string; reaches: boolean };

/** The paths among a command's words, canonical: for rules and tables that deny or ask, never for those that allow. */
export async function wordPaths({ argv = [], cwd }: Scope, project: string): Promise<WordPath[]> {
  const found: WordPath[] = [];
  for (const word of argv) {
    for (const written of candidates(word)) {
      const path = await canonicalPath(written.path, cwd ?? project).catch(() => undefined);
      // A folder around the project, as in `cd ~`, leads anywhere below.
      if (path !== undefined) found.push({ path, reaches: written.cut || !isInside(path, project) });
    }
  }
  return found;
}

/** The word itself and what stands behind its first `=`; cut before what bash fills in. */
function candidates(word: ParsedWord): { path: string; cut: boolean }[] {
  const value = word.text.indexOf("=");
  const texts = value === -1 ? [word.text] : [word.text, word.text.slice(value + 1)];
  return texts.flatMap((text): { path: string; cut: boolean }[] => {
    const path = text.replace(/^\$(?:HOME|\{HOME\})(?=\/|$)/, "~");
    if (word.static) return path === "" || path.length > MAX_PATH ? [] : [{ path, cut: false }];
    const known = /^[^$`*?[{]*/.exec(path)?.[0] ?? "";
    if (known === path) return [{ path, cut: false }];
    const folder = known.slice(0, known.lastIndexOf("/") + 1);
    // What begins with a variable may be any path.
    return folder === "" ? [] : [{ path: folder, cut: true }];
  });
}

const MAX_PATH = 4_096;
