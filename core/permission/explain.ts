import { isInside } from "../capabilities/fs/path-scope.ts";
import { type DefaultEffect, evaluate } from "./evaluate.ts";
import { createFiles } from "./files.ts";
import { allowRules, type NewRule } from "./generalise.ts";
import { type Files, reaches } from "./match.ts";
import { neverMatches } from "./never-matches.ts";
import { readPattern } from "./pattern.ts";
import type { Rule, Scope, ScopeDecision, ScopeList, Verdict } from "./permission.ts";
import { aboutUnknownTools } from "./unknown-tools.ts";

export type ExplainRequest = {
  tool: string;
  input: Record<string, unknown>;
  cwd: string;
  list: ScopeList;
  /** Of every layer. */
  rules: readonly Rule[];
  yolo: boolean;
  yoloUnparseable: boolean;
  defaultEffect: DefaultEffect;
  /** What relative patterns are about; canonical. */
  project: string;
  /** The names of the tools there are. */
  tools: readonly string[];
  /** What text for a shell would do. */
  scopesOfText(text: string): Promise<ScopeList>;
};

export type ScopeExplanation = {
  kind: Scope["kind"];
  text: string;
  access?: "read" | "write";
  /** The wrappers, shells and substitutions that lead to a command. */
  via?: readonly string[];
  /** `free`: it needs no permission of its own, and only rules that deny or ask judge it. */
  effect: "allow" | "ask" | "deny" | "uncovered" | "protected" | "free";
  rule: Rule | null;
  /** The rule that would allow it; null where none would, or none is needed. */
  allowedBy: NewRule | null;
};

export type RuleWarning = {
  kind: "exact_deny" | "shadowed_allow" | "never_matches" | "unknown_tool";
  rule: Rule;
  /** The scope it is about, where it is about one. */
  scope: string | null;
  text: string;
};

export type Explanation = {
  tool: string;
  input: Record<string, unknown>;
  cwd: string;
  decision: "allow" | "ask" | "deny";
  /** `rules`, `yolo`, `default`, `no_scopes`; `rule`; and of what is asked about `protected`, `rule`, `not_understood`, `uncovered`. */
  source: string;
  /** Not all of it is known before it runs, so no rule allows it. */
  forced: boolean;
  unparseable: boolean;
  /** Why not all of it is known. */
  reason: string | null;
  /** What could not be resolved, each with why. */
  unresolved: readonly { text: string; reason: string }[];
  scopes: ScopeExplanation[];
  warnings: RuleWarning[];
};

/** What rules make of a call and why, with the rules that would allow it. Asks nobody, and runs nothing. */
export async function explain(request: ExplainRequest): Promise<Explanation> {
  const { tool, input, cwd, list, rules } = request;
  const verdict = await judge(request, rules);
  const forced = verdict.kind === "ask" ? verdict.forced : list.forcePrompt || list.unparseable;
  return {
    tool,
    input,
    cwd,
    decision: verdict.kind,
    source: sourceOf(verdict),
    forced,
    unparseable: list.unparseable,
    reason: forced ? (list.reason ?? "a rule that denies may be meant") : null,
    unresolved: list.unresolved ?? [],
    scopes: verdict.scopes.map((decision) => explainScope(decision, request, forced)),
    warnings: await warningsOf(request, verdict),
  };
}

async function judge(request: ExplainRequest, rules: readonly Rule[], list = request.list): Promise<Verdict> {
  const { tool, yolo, yoloUnparseable, defaultEffect, project } = request;
  return evaluate({ tool, list, rules, yolo, yoloUnparseable, defaultEffect, project });
}

function sourceOf(verdict: Verdict): string {
  if (verdict.kind !== "ask") return verdict.source;
  if (verdict.pending.some((scope) => scope.protected)) return "protected";
  if (verdict.scopes.some(({ effect }) => effect === "ask")) return "rule";
  return verdict.forced ? "not_understood" : "uncovered";
}

function explainScope({ scope, effect, rule }: ScopeDecision, { tool, project }: ExplainRequest, forced: boolean): ScopeExplanation {
  const { kind, text, access, via } = scope;
  const shown = { kind, text, ...(access === undefined ? {} : { access }), ...(via === undefined ? {} : { via }) };
  if (effect === "deny") return { ...shown, effect, rule, allowedBy: null };
  if (scope.protected) return { ...shown, effect: "protected", rule, allowedBy: null };
  if (scope.passive && effect !== "ask") return { ...shown, effect: "free", rule, allowedBy: null };
  // A rule of a person's own is above what the host and plugins bring.
  const answerable = !forced && (effect === "uncovered" || (effect === "ask" && (rule?.layer === "builtin" || rule?.layer === "plugin")));
  return { ...shown, effect, rule, allowedBy: (answerable ? allowRules(tool, [scope], project)[0] : undefined) ?? null };
}

async function warningsOf(request: ExplainRequest, verdict: Verdict): Promise<RuleWarning[]> {
  const shadowed = await Promise.all(verdict.scopes.map((decision) => shadowedAllow(request, decision)));
  return [
    ...verdict.scopes.flatMap((decision) => exactDenies(request, decision)),
    ...shadowed.flat(),
    ...(await neverMatching(request)),
    ...misspeltTools(request),
  ];
}

/** A rule that denies one command exactly says nothing about the same command with more words, one for a folder nothing about what is in it. */
function exactDenies({ tool, rules, project }: ExplainRequest, { scope, effect }: ScopeDecision): RuleWarning[] {
  if (effect === "deny" || (scope.kind !== "command" && scope.kind !== "path")) return [];
  const files = createFiles(project);
  return rules.flatMap((rule): RuleWarning[] => {
    const pattern = rule.pattern?.trim().replace(/\s+/g, " ") ?? "";
    if (rule.effect !== "deny" || !reaches(rule.tool, tool) || pattern === "" || pattern.includes("*")) return [];
    const longer = scope.kind === "command" ? longerCommand(pattern, scope) : isBelow(rule, scope, files) ? scope.text : undefined;
    if (longer === undefined) return [];
    const both = scope.kind === "command" ? `${pattern} *` : `${pattern}/**`;
    return [
      {
        kind: "exact_deny",
        rule,
        scope: scope.text,
        text: `it denies \`${pattern}\` alone, and not \`${longer}\`; ${JSON.stringify(both)} denies both`,
      },
    ];
  });
}

/** The command as its words are compared: as it is written, by its program's name, and without the options in front of its subcommand. */
function longerCommand(pattern: string, { argv, subject, text }: Scope): string | undefined {
  const spelled = [argv, subject].flatMap((words) => {
    const [program = "", ...rest] = words?.map((word) => word.text) ?? [];
    return words === undefined ? [] : [program, program.slice(program.lastIndexOf("/") + 1)].map((name) => [name, ...rest].join(" "));
  });
  return spelled.some((said) => said.startsWith(`${pattern} `)) ? (argv?.map((word) => word.text).join(" ") ?? text) : undefined;
}

function isBelow(rule: Rule, { text }: Scope, files: Files): boolean {
  const path = files.path(readPattern(rule));
  return path?.how === "exact" && path.folder !== files.fold(text) && isInside(files.fold(text), path.folder);
}

/** An allow rule that matches and does not count, since something stronger matches too. */
async function shadowedAllow(request: ExplainRequest, { scope, effect, rule }: ScopeDecision): Promise<RuleWarning[]> {
  const stronger = scope.protected && effect !== "deny" ? "allow" : effect;
  if (stronger === "uncovered" || (stronger === "allow" && !scope.protected)) return [];
  const allows = request.rules.filter((each) => each.effect === "allow");
  const alone: ScopeList = { scopes: [{ ...scope, protected: false }], forcePrompt: false, unparseable: false };
  const [decision] = (await judge({ ...request, yolo: false }, allows, alone)).scopes;
  if (decision?.effect !== "allow" || decision.rule === null) return [];
  const why =
    scope.protected && effect !== "deny" ? "it is protected" : effect === "deny" ? "a rule that denies is stronger" : whyAsked(rule, decision.rule);
  return [{ kind: "shadowed_allow", rule: decision.rule, scope: scope.text, text: `it matches \`${scope.text}\` and does not count: ${why}` }];
}

function whyAsked(asks: Rule | null, allows: Rule): string {
  return asks?.layer === allows.layer ? "a rule that asks is stronger in the same file" : "a rule that asks stands above it";
}

/** Rules of a person's own about commands of this tool that do not even match the text they spell. */
async function neverMatching(request: ExplainRequest): Promise<RuleWarning[]> {
  const { tool, list, rules, project, scopesOfText } = request;
  if (!list.scopes.some(({ kind }) => kind === "command")) return [];
  const found = await Promise.all(
    rules
      .filter((rule) => rule.tool === tool && rule.layer !== "builtin" && rule.layer !== "plugin")
      .map(async (rule) => ({ rule, why: await neverMatches(rule, { project, scopesOfText }) })),
  );
  return found.flatMap(({ rule, why }): RuleWarning[] => (why === undefined ? [] : [{ kind: "never_matches", rule, scope: null, text: why }]));
}

function misspeltTools({ rules, tools }: ExplainRequest): RuleWarning[] {
  return aboutUnknownTools(rules, tools).map(({ about, text }) => ({ kind: "unknown_tool", rule: about, scope: null, text }));
}
