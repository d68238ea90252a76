import type { ParsedWord } from "../syntax/syntax.ts";
import type { Match } from "./match.ts";
import { isAbout, mayLieBelow } from "./match-path.ts";
import { startsLike } from "./match-text.ts";
import { matchWords } from "./match-words.ts";
import type { PathPattern, Pattern } from "./pattern.ts";
import type { Scope } from "./permission.ts";
import type { WordPath } from "./word-paths.ts";

/** Whether an allow rule covers a command: word by word, in the words as they are, or without the options in front of its subcommand. */
export function allowsCommand(pattern: Pattern, { argv, subject, within = [], text }: Scope): boolean {
  if (pattern.text.endsWith("/**")) return false;
  if (argv === undefined) return pattern.text === text;
  if (!pattern.more && pattern.text === text && argv.every((word) => word.static)) return true;
  // What begins with a star would say nothing of the program.
  if (pattern.words.length === 0 || "any" in pattern.words[0]!) return false;
  if (matchWords(pattern, argv, false) === "yes" || (subject !== undefined && matchWords(pattern, subject, false) === "yes")) return true;
  // A rule for a wrapper covers what it runs where it names that too.
  return within.some((outer) => namesAt(pattern, outer.from) && matchWords(pattern, outer.argv, false) === "yes");
}

function namesAt({ words }: Pattern, at: number): boolean {
  return words.length > at && words.slice(0, at + 1).every((word) => "word" in word);
}

/** Whether a rule that denies or asks is about a command: by its words and by its source, by the program's name, and by paths among its words. */
export function concernsCommand(pattern: Pattern, path: PathPattern | undefined, scope: Scope, paths: readonly WordPath[]): Match {
  const { argv, subject, text } = scope;
  if (startsLike(pattern.text, text) || (argv !== undefined && startsLike(pattern.text, joined(argv)))) return "yes";
  const byPath = path === undefined ? "no" : aboutPaths(path, paths);
  if (byPath === "yes" || argv === undefined) return byPath;
  const byWords = strongest([matchWords(pattern, argv, true), subject === undefined ? "no" : matchWords(pattern, subject, true)]);
  return strongest([byWords, byPath]);
}

function strongest(matches: readonly Match[]): Match {
  return matches.includes("yes") ? "yes" : matches.includes("maybe") ? "maybe" : "no";
}

function aboutPaths(path: PathPattern, paths: readonly WordPath[]): Match {
  let match: Match = "no";
  for (const word of paths) {
    const about = isAbout(path, word.path);
    // Of a word that is cut only its folder is known.
    if (about && (!word.cut || path.how === "below" || path.how === "inside")) return "yes";
    if (about || ((word.cut || word.reaches) && mayLieBelow(path, word.path))) match = "maybe";
  }
  return match;
}

function joined(argv: readonly ParsedWord[]): string {
  return argv.map((word) => word.text).join(" ");
}
