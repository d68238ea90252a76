import type { Syntax } from "../syntax/syntax.ts";
import { match } from "./match.ts";
import { readPattern } from "./pattern.ts";
import type { Scope } from "./permission.ts";

/**
 * Whether the `run` scopes of a grant cover a program. It is understood as bash would understand it with every word quoted;
 * what runs something else, as wrappers, shells and inline code do, is covered by its exact text alone.
 */
export async function commandAllowed(
  argv: readonly string[],
  patterns: readonly string[],
  { syntax, project }: { syntax: Pick<Syntax, "commands">; project: string },
): Promise<boolean> {
  if (argv.length === 0 || argv.some((word) => word.includes("\0"))) return false;
  if (patterns.some((pattern) => pattern === "*" || pattern === "**")) return true;
  const source = argv.map(quoted).join(" ");
  const { commands, forcePrompt } = await syntax.commands(source);
  const [command, ...inner] = commands;
  if (command === undefined) return false;
  const text = argv.join(" ");
  // A word with blanks could be read as two.
  const exact = argv.every((word) => word !== "" && !/\s/.test(word)) && patterns.includes(text);
  if (forcePrompt || inner.length > 0 || command.runner || command.code.length > 0) return exact;
  const scope: Scope = { kind: "command", text, argv: argv.map((word) => ({ text: word, static: true })) };
  for (const pattern of patterns) {
    const read = await readPattern({ tool: "*", pattern, effect: "allow", layer: "user", from: "" }, project);
    if (match(read, scope) === "yes") return true;
  }
  return false;
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
