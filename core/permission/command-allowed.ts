import { isInside } from "../capabilities/fs/path-scope.ts";
import type { ParsedFile } from "../syntax/syntax.ts";
import { allowsCommand } from "./match-command.ts";
import { readPattern } from "./pattern.ts";
import type { Scope } from "./permission.ts";
import type { Place } from "./scopes.ts";

/**
 * Whether the `run` scopes of a grant cover a program. It is understood as bash would understand it with every word quoted;
 * what runs something else, as wrappers, shells and inline code do, or writes where its name does not say so, is covered by its exact text alone.
 */
export async function commandAllowed(argv: readonly string[], patterns: readonly string[], place: Place): Promise<boolean> {
  if (argv.length === 0 || argv.some((word) => word.includes("\0"))) return false;
  if (patterns.some((pattern) => pattern === "*" || pattern === "**")) return true;
  const { commands, forcePrompt } = await place.syntax.understand(argv.map((word, at) => quoted(word, at === 0)).join(" "), place.project);
  const [command, ...inner] = commands.filter((each) => !each.guessed);
  if (command === undefined) return false;
  // A word with blanks could be read as two: then the text is no rule's.
  const isPlain = argv.every((word) => word !== "" && !/\s/.test(word));
  const text = isPlain ? argv.join(" ") : JSON.stringify(argv);
  const exact = isPlain && patterns.includes(text);
  const alone = inner.length === 0 && !command.runner && command.code.length === 0 && command.files.every((file) => isOwn(file, place));
  if (forcePrompt || !alone) return exact;
  const scope: Scope = { kind: "command", text, argv: argv.map((word) => ({ text: word, static: true })) };
  return patterns.some((pattern) => allowsCommand(readPattern({ tool: "*", pattern, effect: "allow", layer: "user", from: "" }), scope));
}

/** A file that is only read, or is in the project and what the program's name says that it writes. */
function isOwn({ access, paths, own, folder }: ParsedFile, { real, project, protectedPaths }: Place): boolean {
  if (access === "read" && !folder) return true;
  return (
    (own === true || folder === true) &&
    paths?.every((path) => isInside(real(path, "/") ?? "/", project) && !protectedPaths.isProtected(path, "/", "write")) === true
  );
}

/** A program's name may be one that the shell has a meaning for. */
function quoted(word: string, program: boolean): string {
  return !program && /^[\w@%+:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
