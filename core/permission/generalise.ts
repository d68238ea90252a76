import { dirname } from "node:path";
import { isInside } from "../capabilities/fs/path-scope.ts";
import type { Effect, Scope } from "./permission.ts";
import { isSecret } from "./read-defaults.ts";

/** A rule that a person's `always` answer stores. */
export type NewRule = { tool: string; pattern: string; effect: Effect };

/** What `always allow` would store for these scopes: one rule each, or nothing where none would be narrow enough. */
export function allowRules(tool: string, scopes: readonly Scope[], project: string): NewRule[] {
  return rules(tool, "allow", scopes, (scope) => allowPattern(scope, project));
}

/** What `always deny` would store: exactly these scopes, or nothing where one of them cannot be written as a rule, since the others are not what was denied. */
export function denyRules(tool: string, scopes: readonly Scope[]): NewRule[] {
  const denials = rules(tool, "deny", scopes, denyPattern);
  return scopes.every((scope) => denyPattern(scope) !== undefined) ? denials : [];
}

/** In a command a star inside of a word is nothing but a star. */
function denyPattern({ kind, text }: Scope): string | undefined {
  return exact(kind === "command" && !/\*(?:\s|$)/.test(text) ? text.replaceAll("*", "") : text) === undefined ? undefined : text;
}

function rules(tool: string, effect: Effect, scopes: readonly Scope[], patternOf: (scope: Scope) => string | undefined): NewRule[] {
  const patterns = scopes.map(patternOf).filter((pattern) => pattern !== undefined);
  return [...new Set(patterns)].map((pattern) => ({ tool, pattern, effect }));
}

function allowPattern(scope: Scope, project: string): string | undefined {
  if (scope.protected) return undefined;
  switch (scope.kind) {
    case "command":
      return commandPattern(scope);
    case "path": {
      // A rule for its folder would be one for all that is secret there.
      if (isSecret(scope.text)) return scope.shell ? undefined : exact(scope.text);
      const folder = dirname(scope.text);
      if (folder !== scope.text && isInside(folder, project) && !folder.includes("*")) return `${folder}/**`;
      return scope.shell ? undefined : exact(scope.text);
    }
    case "code":
      return undefined;
    default:
      return exact(scope.text);
  }
}

/** The words that say what a command does and a star, or the command itself where it does harm with other words. */
function commandPattern({ text, argv, subject, keeps, runner }: Scope): string | undefined {
  const [program] = argv ?? [];
  if (program === undefined || !program.static) return undefined;
  const whole = argv?.every((word) => word.static) ? exact(text) : undefined;
  const words = subject ?? argv ?? [];
  if (runner || keeps === undefined || words.length < keeps) return whole;
  const kept = words.slice(0, keeps);
  const plain =
    /^[\w.:/@+-]+$/.test(program.text) && kept.every((word, at) => word.static && (at === 0 || /^[\w.:/@+=][\w.:/@+=-]*$/.test(word.text)));
  return plain ? [...kept.map((word) => word.text), "*"].join(" ") : whole;
}

/** The text as a rule of its own. A star in it would be read as a pattern. */
function exact(text: string): string | undefined {
  return text === "" || text.length > MAX_EXACT || text !== text.trim() || /[*\p{Cc}]/u.test(text) ? undefined : text;
}

const MAX_EXACT = 1_000;
