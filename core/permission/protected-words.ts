import type { ParsedCommand, ParsedWord } from "../syntax/syntax.ts";
import type { ProtectedPaths } from "./protected-paths.ts";

/** Programs that only read what they are given, or print it. */
const readers = new Set(
  "[ [[ awk basename bat cat cd cksum cmp column comm cut diff dirname du echo egrep fgrep file grep head jq less ls md5sum more nl od printf pwd readlink realpath rg sha1sum sha256sum sort stat strings tail test tr tree type wc which xxd".split(
    " ",
  ),
);
const gitReaders = new Set(["add", "blame", "check-ignore", "commit", "diff", "log", "ls-files", "show", "status"]);

/** Whether a command that may write names a protected path among its words. */
export async function namesProtected({ argv }: ParsedCommand, cwd: string, paths: ProtectedPaths): Promise<boolean> {
  const [program, ...words] = argv;
  if (program === undefined || isReader(program, words)) return false;
  for (const word of [program, ...words]) {
    for (const path of candidates(word)) if (await paths.isProtected(path, cwd, "write")) return true;
  }
  return false;
}

function isReader(program: ParsedWord, words: readonly ParsedWord[]): boolean {
  const name = program.text.slice(program.text.lastIndexOf("/") + 1);
  if (name === "git") return gitReaders.has(words[0]?.text ?? "");
  if (name === "rg") return !words.some((word) => word.text.startsWith("--pre"));
  if (name === "sort") return words.every((word) => !word.text.startsWith("-"));
  return readers.has(name);
}

/** Words that look like a path: with a slash, or a name that begins with a dot. */
function candidates(word: ParsedWord): string[] {
  const value = word.text.indexOf("=");
  return [word.text, ...(value === -1 ? [] : [word.text.slice(value + 1)])].filter(
    (text) => text.length < 4_096 && (/^\.?[^\s]*\//.test(text) || /^(?:\.|opencode\.json|crush\.json)/.test(text)) && !/^[a-z]+:\/\//i.test(text),
  );
}
