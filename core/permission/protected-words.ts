import { createGlob } from "../capabilities/fs/glob.ts";
import type { ParsedCommand, ParsedWord } from "../syntax/syntax.ts";
import type { ProtectedPaths } from "./protected-paths.ts";

/** Whether a command that may write names a protected path among its words. Files that it is known to read do not count. */
export function namesProtected({ argv, does, files, cwd }: ParsedCommand, folder: string, paths: ProtectedPaths): boolean {
  if (does === "reads") return false;
  for (const path of taken(argv)) for (const from of cwd ?? [folder]) if (paths.holdsProtected(path, from)) return true;
  const cleaning = cleaned(argv);
  // A stash is of the whole tree, wherever the shell is in it.
  const places = cleaning?.whole ? [folder, ...(cwd ?? [])] : (cwd ?? [folder]);
  for (const path of cleaning?.paths ?? []) for (const from of places) if (paths.holdsProtected(path, from, [".mortise"])) return true;
  const read = new Set(files.filter(({ access }) => access === "read").map(({ text }) => text));
  for (const word of argv) {
    if (read.has(word.text)) continue;
    for (const path of candidates(word)) for (const from of cwd ?? [folder]) if (paths.isProtected(path, from, "write")) return true;
  }
  return false;
}

const REMOVERS = new Set(["rm", "rmdir", "shred", "srm", "trash", "trash-put", "unlink"]);

/** Folders that a command takes away with all that is in them. */
function taken([program, ...words]: readonly ParsedWord[]): string[] {
  const name = program?.text.slice(program.text.lastIndexOf("/") + 1) ?? "";
  const operands = words.filter(({ text }) => !text.startsWith("-")).flatMap((word) => word.values ?? [word.text]);
  if (REMOVERS.has(name)) return operands.map(withDots);
  // The last is where the others go.
  if (name === "mv") return operands.slice(0, -1).map(withDots);
  if (name !== "find" || !words.some(({ text }) => text === "-delete")) return [];
  // Of a search by name it is not known that it finds what is protected.
  if (words.some(({ text }) => /^-(?:i?name|i?path|i?wholename|i?regex|i?lname|perm|size|newer|[acm](?:time|min))/.test(text))) return [];
  const folders = words
    .slice(
      0,
      Math.max(
        words.findIndex(({ text }) => /^[-(!]/.test(text)),
        0,
      ),
    )
    .map(({ text }) => text);
  return folders.length === 0 ? ["."] : folders;
}

/** Where git takes away what it does not track, as settings that nobody committed. */
function cleaned([program, ...words]: readonly ParsedWord[]): { paths: string[]; whole: boolean } | undefined {
  if (program === undefined || !/(?:^|\/)git$/.test(program.text)) return undefined;
  const texts = words.map(({ text }) => text);
  const at = texts.findIndex((text) => text === "clean" || text === "stash");
  const folder = texts.slice(0, Math.max(at, 0)).lastIndexOf("-C");
  const start = folder === -1 ? "." : (texts[folder + 1] ?? ".");
  const rest = texts.slice(at + 1);
  const has = (short: RegExp, long: RegExp) =>
    rest.some((text) => (text.startsWith("--") ? long.test(text) : text.startsWith("-") && short.test(text)));
  if (texts[at] === "stash") return has(/[ua]/, /^--(?:inc|al)/) ? { paths: [start], whole: true } : undefined;
  if (texts[at] !== "clean" || has(/n/, /^--dry/)) return undefined;
  const named = rest.filter((text) => !text.startsWith("-"));
  return { paths: named.length === 0 ? [start] : named.map(withDots), whole: false };
}

/** `.*` takes what is protected in a folder, so it counts as the folder. */
function withDots(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (!/^\.[^/]*[*?[]/.test(name)) return path;
  const fits = createGlob(name);
  return [".mortise", ".git"].some((each) => fits(each)) ? path.slice(0, -name.length) || "." : path;
}

/** Words that look like a path: with a slash, or a name that begins with a dot. */
function candidates(word: ParsedWord): string[] {
  const texts = word.values ?? [word.text];
  return texts
    .flatMap((text) => (text.includes("=") ? [text, text.slice(text.indexOf("=") + 1)] : [text]))
    .filter(
      (text) => text.length < 4_096 && (/^\.?[^\s]*\//.test(text) || /^(?:\.|opencode\.json|crush\.json)/.test(text)) && !/^[a-z]+:\/\//i.test(text),
    );
}
