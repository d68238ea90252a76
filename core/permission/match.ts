import { matchCommand } from "./match-command.ts";
import { matchPath } from "./match-path.ts";
import { matchUrl } from "./match-url.ts";
import type { Pattern } from "./pattern.ts";
import type { Scope } from "./permission.ts";
import type { WordPath } from "./word-paths.ts";

/** `maybe` where what a command does is known only when it runs, and the rule may be about it. Allow rules never match maybe. */
export type Match = "yes" | "maybe" | "no";

/** Whether a rule reaches a tool: its own, `*`, or a name that ends in `*`. */
export function reaches(ruleTool: string, tool: string): boolean {
  if (ruleTool.endsWith("*")) return tool.startsWith(ruleTool.slice(0, -1));
  return ruleTool === tool;
}

/**
 * Whether a rule matches a scope. Rules that deny or ask match broadly: by a program's name wherever it lies, by the source text,
 * and by paths among a command's words. `paths` are those words.
 */
export function match(pattern: Pattern, scope: Scope, paths: readonly WordPath[] = []): Match {
  if (pattern.universal) return "yes";
  const broad = pattern.rule.effect !== "allow";
  switch (scope.kind) {
    case "command":
      return matchCommand(pattern, scope, paths, broad);
    case "path":
      return matchPath(pattern.path, scope, broad) ? "yes" : "no";
    case "url":
      return matchUrl(pattern.rule.pattern ?? "", scope.text, broad) ? "yes" : "no";
    default:
      return matchText(pattern.rule.pattern ?? "", scope.text, broad) ? "yes" : "no";
  }
}

/** Text that is neither command, path nor URL is matched as it is; a star at the end stands for the rest where that denies. */
function matchText(pattern: string, text: string, broad: boolean): boolean {
  return pattern === text || (broad && pattern.endsWith("*") && text.startsWith(pattern.slice(0, -1)));
}
