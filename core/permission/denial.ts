import { cutAtWord } from "../output/cut-at-word.ts";
import { visible, visibleJson } from "../visible.ts";
import { allowRules, type NewRule } from "./generalise.ts";
import type { Rule, Scope, ScopeDecision } from "./permission.ts";

/** Texts for the model about a call that was not allowed. They are short, say what to do instead of trying again, and hide nothing from a person who reads them. */

const NO_RETRY = "Do not try it again unchanged.";

export function deniedByRule(tool: string, decisions: readonly ScopeDecision[]): string {
  const { scope, rule } = decisions.find(({ effect }) => effect === "deny") ?? {};
  return `A rule denies ${tool} ${quoted(scope?.text ?? "")}${rule == null ? "" : ` (${ruleText(rule)})`}. ${NO_RETRY}`;
}

export function deniedByDefault(tool: string, pending: readonly Scope[]): string {
  return `${tool} is denied unless a rule allows it, and none covers ${listed(pending)}. ${NO_RETRY}`;
}

export function deniedByAnswer(who: string, tool: string, pending: readonly Scope[], guidance: string | undefined): string {
  const said =
    guidance === undefined || guidance.trim() === "" ? "" : ` ${who} says: ${visible(guidance.trim())}${/[.?!]$/.test(guidance.trim()) ? "" : "."}`;
  return `${who} did not allow ${tool} ${listed(pending)}.${said} ${NO_RETRY}`;
}

export function cancelled(tool: string): string {
  return `${tool} was cancelled before it was allowed.`;
}

/** Names each uncovered scope and the rule that would allow it. */
export function nobodyThere(request: {
  tool: string;
  pending: readonly Scope[];
  decisions: readonly ScopeDecision[];
  forced: boolean;
  /** Why not all of the call was understood. */
  reason: string | undefined;
  reasons: readonly { plugin: string; reason: string }[];
  project: string;
  /** Whether yolo would answer it. */
  understood: boolean;
}): string {
  const { tool, pending, decisions, forced, reason, reasons, project, understood } = request;
  const asks = (scope: Scope) => decisions.find((decision) => decision.scope === scope && decision.effect === "ask")?.rule ?? undefined;
  const way = (scope: Scope) => {
    // No rule answers what a plugin asked a person about.
    if (reasons.length > 0) return "a person has to approve it";
    const rule = asks(scope);
    // A rule of a person's own stands above what the host and plugins bring, and beside its own kind.
    const above = rule === undefined || rule.layer === "builtin" || rule.layer === "plugin";
    return above ? wayOut(tool, scope, project) : `a rule asks (${ruleText(rule)}), and a person has to approve it`;
  };
  const lines = pending.map((scope) => `- ${scope.kind} ${quoted(scope.text)}: ${way(scope)}`);
  const asked = reasons.map(({ plugin, reason: why }) => `- ${plugin} asks: ${visible(why)}`);
  const known = forced
    ? [`- Not all of it is known before it runs (${reason ?? "a rule that denies may be meant"}), so a person has to see it.`]
    : [];
  const rest = reasons.length > 0 || pending.some((scope) => scope.protected || asks(scope) !== undefined) ? "" : yolo(understood);
  return [`${tool} needs a permission, and nobody is there to give it.`, ...asked, ...lines, ...known, `${rest}${NO_RETRY}`].join("\n");
}

function wayOut(tool: string, scope: Scope, project: string): string {
  if (scope.protected) return "it is protected, and a person has to approve it";
  const [rule] = allowRules(tool, [scope], project);
  if (rule === undefined) return "no rule is narrow enough to allow it";
  return `${ruleLine(rule)} in permissions.jsonc allows it`;
}

/** A rule as a line of `permissions.jsonc`. */
export function ruleLine({ tool, pattern, effect }: NewRule): string {
  return `{ "tool": ${visibleJson(tool)}, "pattern": ${visibleJson(pattern)}, "effect": ${visibleJson(effect)} }`;
}

function yolo(understood: boolean): string {
  return understood ? "With --yolo it runs without a permission. " : "With --yolo it runs only where yolo_unparseable is on. ";
}

function listed(scopes: readonly Scope[]): string {
  return scopes.map((scope) => quoted(scope.text)).join(", ");
}

function quoted(text: string): string {
  return `\`${visible(text.length > MAX_CHARS ? `${cutAtWord(text, MAX_CHARS)}…` : text)}\``;
}

export function ruleText({ layer, from, effect, tool, pattern }: Rule): string {
  return `${effect} ${tool}${pattern === undefined ? "" : ` ${visibleJson(pattern)}`}, ${layer}${from === "" ? "" : ` ${visible(from)}`}`;
}

const MAX_CHARS = 300;
