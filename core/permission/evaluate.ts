import { type Match, match, reaches } from "./match.ts";
import { type Pattern, readPattern } from "./pattern.ts";
import type { Rule, RuleLayer, Scope, ScopeDecision, ScopeList, Verdict } from "./permission.ts";
import { type WordPath, wordPaths } from "./word-paths.ts";

export type DefaultEffect = "prompt" | "allow" | "deny";

export type EvaluateInput = {
  tool: string;
  list: ScopeList;
  rules: readonly Rule[];
  yolo: boolean;
  /** Whether yolo answers calls that were not understood too. */
  yoloUnparseable: boolean;
  /** What counts for the tool where nothing else decides. */
  defaultEffect: DefaultEffect;
  /** What relative patterns are about; absolute. */
  project: string;
};

/** The highest first. */
const LAYERS: readonly RuleLayer[] = ["session", "project", "user", "builtin", "plugin"];

/** What rules, yolo and defaults say of a call. A deny in any layer, on any scope, is stronger than everything else. */
export async function evaluate(input: EvaluateInput): Promise<Verdict> {
  const { list, defaultEffect } = input;
  const judged = await judge(input);
  const scopes = judged.map(({ scope, effect, rule }) => ({ scope, effect, rule }));
  const denied = judged.find(({ effect }) => effect === "deny");
  if (denied !== undefined) return { kind: "deny", source: "rule", scopes, reason: denied.scope.text };
  const forced = list.forcePrompt || list.unparseable || judged.some(({ maybe }) => maybe);
  const pending = scopes.filter((decision) => isPending(decision, forced));
  if (pending.length === 0 && !forced) return { kind: "allow", source: list.scopes.length === 0 ? "no_scopes" : "rules", scopes };
  const mustAsk = pending.some(({ scope, effect }) => effect === "ask" || scope.protected === true);
  const understood = !list.unparseable;
  if (!mustAsk && input.yolo && (understood || input.yoloUnparseable)) return { kind: "allow", source: "yolo", scopes };
  if (!mustAsk && defaultEffect === "allow" && understood) return { kind: "allow", source: "default", scopes };
  if (defaultEffect === "deny" && (forced || pending.some(({ effect }) => effect === "uncovered"))) {
    return { kind: "deny", source: "default", scopes, reason: pending.map(({ scope }) => scope.text).join("; ") };
  }
  return { kind: "ask", scopes, pending: pending.map(({ scope }) => scope), forced };
}

type Judged = ScopeDecision & { maybe: boolean };

async function judge({ tool, list, rules, project }: EvaluateInput): Promise<Judged[]> {
  const patterns = await Promise.all(rules.filter((rule) => reaches(rule.tool, tool)).map((rule) => readPattern(rule, project)));
  const looksAtWords = patterns.some(({ rule, path }) => rule.effect !== "allow" && path !== undefined);
  return Promise.all(
    list.scopes.map(async (scope) => judgeScope(scope, patterns, looksAtWords && scope.kind === "command" ? await wordPaths(scope, project) : [])),
  );
}

function judgeScope(scope: Scope, patterns: readonly Pattern[], paths: readonly WordPath[]): Judged {
  const matches = (pattern: Pattern): Match => match(pattern, scope, paths);
  const denies = patterns.filter(({ rule }) => rule.effect === "deny");
  const denied = denies.find((pattern) => matches(pattern) === "yes");
  if (denied !== undefined) return { scope, effect: "deny", rule: denied.rule, maybe: false };
  const maybe = denies.some((pattern) => matches(pattern) === "maybe");
  for (const layer of LAYERS) {
    const own = patterns.filter(({ rule }) => rule.layer === layer);
    // An ask that may be meant is an ask.
    const asks = own.find((pattern) => pattern.rule.effect === "ask" && matches(pattern) !== "no");
    if (asks !== undefined) return { scope, effect: "ask", rule: asks.rule, maybe };
    const allows = own.find((pattern) => pattern.rule.effect === "allow" && matches(pattern) === "yes");
    if (allows !== undefined) return { scope, effect: "allow", rule: allows.rule, maybe };
  }
  return { scope, effect: "uncovered", rule: null, maybe };
}

/** A passive scope is asked about only where a rule says so. */
function isPending({ scope, effect }: ScopeDecision, forced: boolean): boolean {
  if (effect === "ask") return true;
  if (scope.passive) return false;
  return forced || effect === "uncovered" || scope.protected === true;
}
