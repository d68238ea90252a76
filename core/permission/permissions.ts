import type { Folders } from "../config/folders.ts";
import type { Syntax } from "../syntax/syntax.ts";
import { commandAllowed } from "./command-allowed.ts";
import { type DecideRequest, type Decision, decide, settle } from "./decide.ts";
import { type DefaultEffect, evaluate, rulesFor } from "./evaluate.ts";
import type { NewRule } from "./generalise.ts";
import { leftOut } from "./left-out.ts";
import { createLock, type Lock } from "./lock.ts";
import { reaches } from "./match.ts";
import type { Asker, Rule, ScopeList, Verdict } from "./permission.ts";
import { createProtectedPaths } from "./protected-paths.ts";
import { isSecret } from "./read-defaults.ts";
import { createRealPaths, lookedUpOnce } from "./real-paths.ts";
import type { RuleIndex } from "./rule-index.ts";
import { type Place, type ScopesRequest, scopesOf } from "./scopes.ts";

export type { AskLayers, DecideRequest, Decision, Denial, LayerDecision } from "./decide.ts";
export type { DefaultEffect } from "./evaluate.ts";
export type { NewRule } from "./generalise.ts";
export type { ScopesRequest } from "./scopes.ts";

/** What decides without asking. Read anew at every evaluation. */
export type Policy = {
  /** Rules of every layer; what a person's answers add to a session is kept by Permissions itself. */
  rules: readonly Rule[];
  yolo: boolean;
  /** Whether yolo answers calls that were not understood too. */
  yoloUnparseable: boolean;
  /** What counts for a tool where nothing else decides. */
  defaultEffect(tool: string): DefaultEffect;
};

/** Rules made ready for a tool, and the one that denies the whole of it. */
type ForTool = { index: RuleIndex; whole: Rule | undefined };

export type PermissionsOptions = {
  syntax: Pick<Syntax, "understand">;
  /** The folder that relative patterns and "inside" are about; absolute. */
  project: string;
  /** The user's Mortise folders, all protected. */
  folders: Folders;
  policy(): Policy;
  /** Asks a person; left out where nobody can answer. */
  ask?: Asker;
  /** Shared with other questions, so that one is asked at a time. */
  lock?: Lock;
  /** Stores a rule in the file of that layer. Session rules never come here. What it throws leaves the rule to the session. */
  remember?(layer: "project" | "user", rule: NewRule): Promise<void>;
  /** Whether the host itself named this file to the model, as a spill: reading it is not protected. The path is canonical. */
  named?(path: string): boolean;
};

type Judged = { tool: string; sessionId: string; list: ScopeList; yolo?: boolean };

export type Permissions = {
  /** What a call would do. Never throws: what is not understood becomes one scope that forces a prompt. */
  scopesOf(request: ScopesRequest): Promise<ScopeList>;
  /** What rules, yolo and defaults say, asking nobody. */
  evaluate(request: Judged): Promise<Verdict>;
  /** Decides a call, asking where rules say so. */
  decide(request: DecideRequest): Promise<Decision>;
  /** Only the deny rules: for a call that a layer answered without running it. Undefined where none matches. */
  deniedByRule(request: Omit<Judged, "yolo">): Promise<Decision | undefined>;
  /** Judges a program against the `run` scopes of a grant. */
  commandAllowed(argv: readonly string[], patterns: readonly string[]): Promise<boolean>;
  /** Which files below a folder a search of it leaves out. */
  leftOut(request: { tool: string | null; sessionId: string | null; folder: string }): (path: string) => "denied" | "asked" | undefined;
  sessionRules(sessionId: string): readonly Rule[];
  /** Takes back what an answer added to a session. Whether it was there. */
  forget(sessionId: string, rule: Pick<Rule, "tool" | "pattern" | "effect">): boolean;
  endSession(sessionId: string): void;
};

export function createPermissions(options: PermissionsOptions): Permissions {
  const { syntax } = options;
  const lock = options.lock ?? createLock();
  const sessions = new Map<string, Rule[]>();
  const sessionRules = (sessionId: string): readonly Rule[] => sessions.get(sessionId) ?? none;

  const looked = lookedUpOnce([options.project, options.folders.config, options.folders.state, options.folders.cache]);

  /** Folders may come and go, so nothing of this is kept for long. */
  function place(): Place {
    const real = createRealPaths(looked());
    const project = real(options.project, "/") ?? options.project;
    return { syntax, project, real, protectedPaths: createProtectedPaths(project, options.folders, real, options.named), isSecret };
  }

  let kept: { own: readonly Rule[]; from: readonly Rule[]; rules: readonly Rule[]; byTool: Map<string, ForTool> } | undefined;

  /** Rules of a session, made ready for a tool; made anew where rules came. */
  function rulesOf(sessionId: string, tool: string, from: readonly Rule[]): ForTool & { rules: readonly Rule[] } {
    const own = sessionRules(sessionId);
    if (kept === undefined || kept.own !== own || kept.from !== from || kept.rules.length !== own.length + from.length) {
      kept = { own, from, rules: [...own, ...from], byTool: new Map() };
    }
    const { rules, byTool } = kept;
    const known = byTool.get(tool);
    if (known !== undefined) return { rules, ...known };
    const whole = rules.find(({ effect, pattern, tool: about }) => effect === "deny" && reaches(about, tool) && isWhole(pattern));
    const made = { index: rulesFor(tool, rules), whole };
    byTool.set(tool, made);
    return { rules, ...made };
  }

  async function judge({ tool, sessionId, list, yolo }: Judged): Promise<Verdict> {
    const policy = options.policy();
    const { rules, index, whole: rule } = rulesOf(sessionId, tool, policy.rules);
    // What does nothing is never asked about; a rule that denies the whole tool is about it all the same.
    if (list.scopes.length === 0 && !list.forcePrompt && !list.unparseable) {
      if (rule === undefined) return { kind: "allow", source: "no_scopes", scopes: [] };
      return { kind: "deny", source: "rule", scopes: [{ scope: { kind: "other", text: tool }, effect: "deny", rule }], reason: tool };
    }
    return evaluate({
      tool,
      list,
      rules,
      index,
      yolo: yolo ?? policy.yolo,
      yoloUnparseable: policy.yoloUnparseable,
      defaultEffect: policy.defaultEffect(tool),
      project: options.project,
      looked: looked(),
    });
  }

  async function remember(layer: "session" | "project" | "user", sessionId: string, rules: readonly NewRule[]): Promise<void> {
    const own = sessions.get(sessionId) ?? [];
    sessions.set(sessionId, own);
    for (const rule of rules) {
      if (!own.some((known) => isSameRule(known, rule))) {
        own.push({ ...rule, layer: "session", from: "an answer" });
      }
      if (layer !== "session") await options.remember?.(layer, rule).catch(() => {});
    }
  }

  return {
    scopesOf: (request) => scopesOf(request, place),
    evaluate: judge,
    decide: async (request) => decide(request, { project: async () => place().project, evaluate: judge, ask: options.ask, lock, remember }),
    deniedByRule: async (request) => {
      const verdict = await judge(request);
      if (verdict.kind !== "deny" || verdict.source !== "rule") return undefined;
      return settle({ ...request, toolId: "", input: {}, reasons: [], signal: new AbortController().signal }, verdict);
    },
    commandAllowed: async (argv, patterns) => commandAllowed(argv, patterns, place()),
    leftOut: ({ tool, sessionId, folder }) =>
      leftOut({
        tool,
        folder,
        project: options.project,
        rules: [...(sessionId === null ? [] : sessionRules(sessionId)), ...options.policy().rules],
        isProtected: place().protectedPaths.asksToRead,
      }),
    sessionRules,
    forget(sessionId, rule) {
      const own = sessionRules(sessionId);
      const left = own.filter((known) => !isSameRule(known, rule));
      if (left.length < own.length) sessions.set(sessionId, left);
      return left.length < own.length;
    },
    endSession: (sessionId) => sessions.delete(sessionId),
  };
}

const none: readonly Rule[] = [];

/** Whether two rules say the same, wherever they stand. */
export function isSameRule(a: Pick<Rule, "tool" | "pattern" | "effect">, b: Pick<Rule, "tool" | "pattern" | "effect">): boolean {
  return a.tool === b.tool && a.pattern === b.pattern && a.effect === b.effect;
}

/** Whether a rule is about all that a tool does. */
function isWhole(pattern: string | undefined): boolean {
  return pattern === undefined || /^\*+$/.test(pattern);
}
