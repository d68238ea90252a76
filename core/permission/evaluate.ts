import { isInside } from "../capabilities/fs/path-scope.ts";
import { createFiles } from "./files.ts";
import { type Files, type Match, match, reaches } from "./match.ts";
import { type Pattern, readPattern } from "./pattern.ts";
import type { Rule, RuleLayer, Scope, ScopeDecision, ScopeList, Verdict } from "./permission.ts";
import type { LookedUp } from "./real-paths.ts";
import { createRuleIndex, type RuleIndex } from "./rule-index.ts";

export type DefaultEffect = "prompt" | "allow" | "deny";

export type EvaluateInput = {
  tool: string;
  list: ScopeList;
  rules: readonly Rule[];
  /** The rules that reach the tool, made ready, where they are kept from call to call. */
  index?: RuleIndex;
  yolo: boolean;
  /** Whether yolo answers calls that were not understood too. */
  yoloUnparseable: boolean;
  /** What counts for the tool where nothing else decides. */
  defaultEffect: DefaultEffect;
  /** What relative patterns are about; absolute. */
  project: string;
  /** Where folders lead, as far as that is known. */
  looked?: LookedUp;
};

/** The highest first. */
const LAYERS: readonly RuleLayer[] = ["session", "project", "user", "builtin", "plugin"];

/** What rules, yolo and defaults say of a call. A deny in any layer, on any scope, is stronger than everything else. */
export async function evaluate(input: EvaluateInput): Promise<Verdict> {
  const { list, defaultEffect } = input;
  const judged = judge(input);
  const scopes = judged.map(({ scope, effect, rule }) => ({ scope, effect, rule }));
  const denied = judged.find(({ effect }) => effect === "deny");
  if (denied !== undefined) return { kind: "deny", source: "rule", scopes, reason: denied.scope.text };
  const mayBeDenied = judged.some(({ maybe }) => maybe);
  const forced = list.forcePrompt || list.unparseable || mayBeDenied;
  const pending = scopes.filter((decision) => isPending(decision, forced));
  if (pending.length === 0 && !forced) return { kind: "allow", source: list.scopes.length === 0 ? "no_scopes" : "rules", scopes };
  const mustAsk = pending.some(({ scope, effect }) => effect === "ask" || scope.protected === true);
  // A rule that denies and may be meant has not been answered by not naming what runs.
  const understood = !list.unparseable && !mayBeDenied;
  if (!mustAsk && input.yolo && (understood || input.yoloUnparseable)) return { kind: "allow", source: "yolo", scopes };
  if (!mustAsk && defaultEffect === "allow" && understood) return { kind: "allow", source: "default", scopes };
  if (defaultEffect === "deny" && (forced || pending.some(({ effect }) => effect === "uncovered"))) {
    return { kind: "deny", source: "default", scopes, reason: pending.map(({ scope }) => scope.text).join("; ") };
  }
  return { kind: "ask", scopes, pending: pending.map(({ scope }) => scope), forced, understood };
}

type Judged = ScopeDecision & { maybe: boolean };

/** Tools whose answers show lines of the file that they change. */
const showing = ["edit", "multiedit"];

/** The rules that reach a tool, made ready. What denies or asks about reading a file reaches those that show it, too. */
export function rulesFor(tool: string, rules: readonly Rule[]): RuleIndex {
  const own = rules.filter((rule) => reaches(rule.tool, tool)).map(readPattern);
  if (!showing.includes(tool)) return createRuleIndex(own);
  const others = rules.filter((rule) => rule.effect !== "allow" && reaches(rule.tool, "read") && !reaches(rule.tool, tool)).map(readPattern);
  // A rule about all files is about the tool that reads them.
  return createRuleIndex([...own, ...others.filter(({ universal }) => !universal)]);
}

function judge({ tool, list, rules, project, looked, index = rulesFor(tool, rules) }: EvaluateInput): Judged[] {
  const files = createFiles(project, { looked });
  const bounded = list.scopes.some(({ own }) => own) && isBounded(index.patterns, files);
  return list.scopes.map((scope) => {
    const judged = judgeScope(scope, index, files);
    // A command writes in the project by its own rule, unless rules say in which of its folders.
    const free = scope.own && !scope.protected && !bounded && isInProject(scope, files);
    return free ? { ...judged, scope: { ...scope, passive: true } } : judged;
  });
}

/** What the rules say of one scope. */
export function judgeScope(scope: Scope, index: RuleIndex, files: Files): Judged {
  const patterns = index.candidates(scope, files.fold("A") !== "A");
  const found = new Map<Pattern, Match>();
  const matches = (pattern: Pattern): Match => {
    const known = found.get(pattern) ?? match(pattern, scope, files);
    found.set(pattern, known);
    return known;
  };
  let maybe = false;
  for (const pattern of patterns) {
    if (pattern.rule.effect !== "deny") continue;
    const denies = matches(pattern);
    if (denies === "yes" && !scope.guessed) return { scope, effect: "deny", rule: pattern.rule, maybe: false };
    maybe ||= denies !== "no";
  }
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

function isInProject({ text, unknown }: Scope, files: Files): boolean {
  return !unknown && isInside(files.fold(text), files.project());
}

/** Whether rules name folders of the project that commands may write to: then they write in no other. */
function isBounded(patterns: readonly Pattern[], files: Files): boolean {
  return patterns.some((pattern) => {
    if (pattern.rule.effect !== "allow" || pattern.universal || !/\/\*{1,2}$/.test(pattern.text)) return false;
    const path = files.path(pattern);
    return path !== undefined && path.folder !== files.project() && isInside(path.folder, files.project());
  });
}
