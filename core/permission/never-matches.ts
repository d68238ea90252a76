import { evaluate } from "./evaluate.ts";
import type { Rule, ScopeList } from "./permission.ts";

/**
 * Why a rule about commands matches nothing, or allows nothing, not even the command it spells itself. Undefined where it may.
 * `scopesOfText`: what text for a shell would do.
 */
export async function neverMatches(
  rule: Rule,
  { project, scopesOfText }: { project: string; scopesOfText(text: string): Promise<ScopeList> },
): Promise<string | undefined> {
  const pattern = rule.pattern?.trim() ?? "*";
  if (/^\*+$/.test(pattern) || isPathOrUrl(pattern)) return undefined;
  const list = await scopesOfText(example(pattern));
  const verdict = await evaluate({
    tool: rule.tool,
    list,
    rules: [rule],
    yolo: false,
    yoloUnparseable: false,
    defaultEffect: "prompt",
    project,
  });
  const own = verdict.scopes.filter(({ rule: by }) => by === rule);
  if (rule.effect !== "allow") return own.length > 0 || list.unparseable ? undefined : notAlone(list);
  const counts = own.some(({ scope }) => !scope.passive) || (own.length > 0 && list.scopes.every((scope) => scope.passive));
  if (counts && !list.forcePrompt) return undefined;
  if (list.forcePrompt) return `what it spells always asks: ${list.reason ?? "not all of it is known before it runs"}`;
  return notAlone(list);
}

/** A pattern for files or addresses may be meant for what commands open. */
function isPathOrUrl(pattern: string): boolean {
  return !/\s/.test(pattern) && (/^[a-z][a-z0-9+.-]*:\/\//i.test(pattern) || /\/.*\*|\*.*\/|^\.{0,2}\/|^~/.test(pattern));
}

/** A command that the pattern is meant to match. */
function example(pattern: string): string {
  return pattern.replace(/(?<=^|\s)\*+(?=\s|$)/g, "x").replace(/\*+$/, "");
}

function notAlone({ scopes }: ScopeList): string {
  const commands = scopes.filter((scope) => scope.kind === "command");
  const judged = commands.filter((scope) => !scope.passive).map((scope) => `\`${scope.text}\``);
  if (commands.length > 1 && judged.length > 0) return `each command is judged alone, and what it spells is judged as ${judged.join(", ")}`;
  return "no command is judged by such a text: quotes, redirects and assignments are taken off first";
}
