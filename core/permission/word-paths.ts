import { isInside } from "../capabilities/fs/path-scope.ts";
import type { ParsedWord } from "../syntax/syntax.ts";
import type { Grounds } from "./pattern.ts";
import type { Scope } from "./permission.ts";

/** A word of a command read as a path. `reaches`: what lies below may be meant as well. `cut`: only the folder of what is meant is known. */
export type WordPath = { path: string; reaches: boolean; cut: boolean };

/** The paths among a command's words, canonical: for rules that deny or ask, never for those that allow. */
export function wordPaths({ argv = [], cwd, cwds }: Scope, { project, real, fold }: Grounds): WordPath[] {
  const found: WordPath[] = [];
  const folders = cwds ?? (cwd === undefined ? [project] : [cwd]);
  for (const [at, word] of argv.entries()) {
    for (const { path, cut } of candidates(word)) {
      if (at === 0 && !cut && !path.includes("/")) continue;
      for (const folder of /^[/~]/.test(path) ? folders.slice(0, 1) : folders) {
        const canonical = real(path, folder);
        if (canonical === undefined) continue;
        // A plain word is a path where something of that name is there.
        if (!cut && !/[/~]|^\./.test(path) && !real.exists(canonical)) continue;
        // A folder around the project, as in `cd ~`, leads anywhere below.
        found.push({ path: fold(canonical), reaches: cut || !isInside(canonical, project), cut });
      }
    }
  }
  return found;
}

type Candidate = { path: string /** Something that bash fills in stands behind it. */; cut: boolean };

/** The word itself and what stands behind its first `=`; cut before what bash fills in. */
function candidates(word: ParsedWord): Candidate[] {
  return texts(word).flatMap(({ text, known }): Candidate[] => {
    const path = text.replace(/^\$(?:HOME|\{HOME\})(?=\/|$)/, "~");
    const plain = known ? path : (/^[^$`*?[{]*/.exec(path)?.[0] ?? "");
    if (plain === path && known) return path === "" || path.length > MAX_PATH ? [] : [{ path, cut: false }];
    const folder = plain.slice(0, plain.lastIndexOf("/") + 1);
    // What begins with a variable may be any path.
    return folder === "" ? [] : [{ path: folder, cut: true }];
  });
}

/** What the word may be, and what stands behind its first `=`. */
function texts(word: ParsedWord): { text: string; known: boolean }[] {
  const whole =
    word.values?.map((text) => ({ text, known: true })) ??
    (word.static
      ? [{ text: word.text, known: true }]
      : [{ text: word.lead === undefined || word.lead === "" ? word.text : word.lead, known: false }]);
  // A program may know a tilde that stands in quotes.
  const quoted = whole.flatMap(({ text, known }) => (known && text.startsWith("~") ? [{ text: `./${text}`, known }] : []));
  return [...whole, ...quoted].flatMap((each) => {
    const value = each.text.indexOf("=");
    // An option itself is no file.
    const own = each.text.startsWith("-") && !each.text.includes("/") ? [] : [each];
    return value === -1 ? own : [...own, { ...each, text: each.text.slice(value + 1) }];
  });
}

const MAX_PATH = 4_096;
