import type { ParsedCommand, ParsedWord } from "../syntax/syntax.ts";
import type { ProtectedPaths } from "./protected-paths.ts";

/** Whether a command that may write names a protected path among its words. Files that it is known to read do not count. */
export function namesProtected({ argv, does, files, cwd }: ParsedCommand, folder: string, paths: ProtectedPaths): boolean {
  if (does === "reads") return false;
  const read = new Set(files.filter(({ access }) => access === "read").map(({ text }) => text));
  for (const word of argv) {
    if (read.has(word.text)) continue;
    for (const path of candidates(word)) for (const from of cwd ?? [folder]) if (paths.isProtected(path, from, "write")) return true;
  }
  return false;
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
