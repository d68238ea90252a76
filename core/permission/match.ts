import { allowsCommand, concernsCommand } from "./match-command.ts";
import { matchPath } from "./match-path.ts";
import { startsLike } from "./match-text.ts";
import { matchUrl } from "./match-url.ts";
import type { PathPattern, Pattern } from "./pattern.ts";
import type { Scope } from "./permission.ts";
import type { WordPath } from "./word-paths.ts";

/** `maybe` where what a command does is known only when it runs, and the rule may be about it. Allow rules never match maybe. */
export type Match = "yes" | "maybe" | "no";

/** What is looked up only where a match is about files. */
export type Files = {
  /** The paths a pattern is about. */
  path(pattern: Pattern): PathPattern | undefined;
  /** The paths among a command's words. */
  words(scope: Scope): readonly WordPath[];
  fold(path: string): string;
  /** The project, canonical and folded. */
  project(): string;
};

/** Whether a rule reaches a tool: its own, `*`, or a name that ends in `*`. */
export function reaches(ruleTool: string, tool: string): boolean {
  if (ruleTool.endsWith("*")) return tool.startsWith(ruleTool.slice(0, -1));
  return ruleTool === tool;
}

/**
 * Whether a rule matches a scope. Rules that deny or ask match broadly: by a program's name wherever it lies, by the source text,
 * and by paths among a command's words.
 */
export function match(pattern: Pattern, scope: Scope, files: Files): Match {
  if (pattern.universal) return "yes";
  const broad = pattern.rule.effect !== "allow";
  switch (scope.kind) {
    case "command":
      if (!broad) return allowsCommand(pattern, scope) ? "yes" : "no";
      if (!pattern.amongWords) return concernsCommand(pattern, undefined, scope, []);
      return concernsCommand(pattern, files.path(pattern), scope, files.words(scope));
    case "path":
      return matchPath(files.path(pattern), scope, broad, files.fold);
    case "url":
      return matchUrl(pattern.text, scope.text, broad) ? "yes" : "no";
    default:
      return pattern.text === scope.text || (broad && !pattern.text.endsWith("/**") && startsLike(pattern.text, scope.text)) ? "yes" : "no";
  }
}
