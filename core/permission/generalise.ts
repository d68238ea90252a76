import { dirname } from "node:path";
import { isInside } from "../capabilities/fs/path-scope.ts";
import type { Effect, Scope } from "./permission.ts";

/** A rule that a person's `always` answer stores. */
export type NewRule = { tool: string; pattern: string; effect: Effect };

/** Programs whose first words say what they do: a rule keeps so many of them. */
const depths: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    "apt brew bun bundle cargo composer deno docker dotnet gem gh git glab go gradle helm hg jj just kubectl mix mvn nix npm nx pip pip3 pipx pnpm podman poetry rails rake rustup svn terraform turbo uv yarn"
      .split(" ")
      .map((name) => [name, 2]),
  ),
};
/** Subcommands that run a script by name. */
const scripted = new Set(["run", "run-script", "exec", "compose", "stack", "remote", "config", "stash", "pr", "issue", "repo"]);
/** Programs that do harm with the wrong arguments: only the exact command is kept. */
const exactOnly = new Set(
  "chmod chown curl dd declare export hash kill killall mkfs mount pkill read rm rsync scp set shred shutdown source ssh typeset umount unset wget . ".split(
    " ",
  ),
);

/** What `always allow` would store for these scopes: one rule each, or nothing where none would be narrow enough. */
export function allowRules(tool: string, scopes: readonly Scope[], project: string): NewRule[] {
  return rules(tool, "allow", scopes, (scope) => allowPattern(scope, project));
}

/** What `always deny` would store: exactly these scopes. */
export function denyRules(tool: string, scopes: readonly Scope[]): NewRule[] {
  return rules(tool, "deny", scopes, (scope) => exact(scope.text));
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

function commandPattern({ text, argv, runner }: Scope): string | undefined {
  const [program, ...words] = argv ?? [];
  if (program === undefined || !program.static) return undefined;
  const name = program.text;
  const whole = argv?.every((word) => word.static) ? exact(text) : undefined;
  if (runner || !/^[\w.:/@+-]+$/.test(name) || exactOnly.has(name.slice(name.lastIndexOf("/") + 1))) return whole;
  const depth = Object.hasOwn(depths, name) ? depths[name]! : 1;
  const kept = words.slice(0, depth - 1);
  const last = kept.at(-1);
  if (last !== undefined && scripted.has(last.text) && words[depth - 1] !== undefined) kept.push(words[depth - 1]!);
  const plain = kept.length >= depth - 1 && kept.every((word) => word.static && /^[\w.:/@+=][\w.:/@+=-]*$/.test(word.text));
  return plain ? [name, ...kept.map((word) => word.text), "*"].join(" ") : whole;
}

/** The text as a rule of its own. A star in it would be read as a pattern. */
function exact(text: string): string | undefined {
  return text === "" || text.length > MAX_EXACT || text !== text.trim() || /[*\p{Cc}]/u.test(text) ? undefined : text;
}

const MAX_EXACT = 1_000;
