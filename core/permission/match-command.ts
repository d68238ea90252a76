import { isInside } from "../capabilities/fs/path-scope.ts";
import type { ParsedWord } from "../syntax/syntax.ts";
import type { Match } from "./match.ts";
import { isAbout } from "./match-path.ts";
import type { Pattern } from "./pattern.ts";
import type { Scope } from "./permission.ts";
import type { WordPath } from "./word-paths.ts";

/** Whether a command is what a pattern names, word by word. */
export function matchCommand(pattern: Pattern, scope: Scope, paths: readonly WordPath[], broad: boolean): Match {
  const text = pattern.rule.pattern?.trim() ?? "";
  if (!broad) return allows(pattern, text, scope) ? "yes" : "no";
  if (startsLike(text, scope.text) || startsLike(text, joined(scope.argv))) return "yes";
  const byPath = pattern.path === undefined ? "no" : aboutPaths(pattern, paths);
  if (byPath === "yes" || scope.argv === undefined) return byPath;
  const byWords = compare(pattern.words, scope.argv, true);
  return byWords === "no" ? byPath : byWords;
}

function allows({ words }: Pattern, text: string, { argv, text: source }: Scope): boolean {
  if (text.endsWith("/**")) return false;
  if (argv === undefined) return text === source;
  if (!words.more && text === source && argv.every((word) => word.static)) return true;
  // A word with blanks in it is no match for a pattern's words, which have none.
  return words.fixed.length + (words.open === undefined ? 0 : 1) > 0 && compare(words, argv, false) === "yes";
}

function compare(words: Pattern["words"], argv: readonly ParsedWord[], broad: boolean): Match {
  for (const [at, fixed] of words.fixed.entries()) {
    const word = argv[at];
    if (word === undefined) return "no";
    // From a word on that bash makes, nothing is known: it may be none or many.
    if (!word.static) return broad ? "maybe" : "no";
    if (word.text !== fixed && !(broad && at === 0 && nameOf(word.text) === nameOf(fixed))) return "no";
  }
  const at = words.fixed.length;
  if (words.open !== undefined) {
    const word = argv[at];
    if (word === undefined) return "no";
    if (!word.static) return broad ? "maybe" : "no";
    if (!word.text.startsWith(words.open) && !(broad && at === 0 && nameOf(word.text).startsWith(words.open))) return "no";
    // The rest of a program's name may not lead out of the folder that the pattern names.
    return broad || at > 0 || !word.text.slice(words.open.length).includes("/") ? "yes" : "no";
  }
  if (words.more || argv.length === at) return "yes";
  return broad && argv.slice(at).every((word) => !word.static) ? "maybe" : "no";
}

/** The pattern against text as a whole, where a star at the end stands for the rest. */
function startsLike(pattern: string, text: string): boolean {
  if (pattern.endsWith(" *")) return text === pattern.slice(0, -2) || text.startsWith(pattern.slice(0, -1));
  return pattern.endsWith("*") ? !pattern.endsWith("/**") && text.startsWith(pattern.slice(0, -1)) : text === pattern;
}

function aboutPaths({ path }: Pattern, paths: readonly WordPath[]): Match {
  if (path === undefined) return "no";
  if (paths.some((word) => isAbout(path, word.path))) return "yes";
  return paths.some((word) => word.reaches && isInside(path.folder, word.path)) ? "maybe" : "no";
}

function joined(argv: readonly ParsedWord[] | undefined): string {
  return argv?.map((word) => word.text).join(" ") ?? "";
}

function nameOf(program: string): string {
  return program.slice(program.lastIndexOf("/") + 1);
}
