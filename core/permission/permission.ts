import type { ParsedCommand, ParsedWord } from "../syntax/syntax.ts";

/** What one call would do, to be judged by rules. */
export type Scope = {
  kind: "command" | "path" | "url" | "code" | "other";
  /** What rules match and a person reads: the command, the canonical path, the URL. */
  text: string;
  access?: "read" | "write";
  /** What the tool named a path by. */
  named?: readonly string[];
  /** No allow rule covers it, and yolo does not either. */
  protected?: boolean;
  /** Only rules that deny or ask judge it: it needs no permission of its own. */
  passive?: boolean;
  /** It may be no command at all: where a rule denies it, a person is asked. */
  guessed?: boolean;
  /** A command's words after quote removal, where they are known. */
  argv?: readonly ParsedWord[];
  /** Those without the options in front of a subcommand, whose name is the usual one. */
  subject?: readonly ParsedWord[];
  /** How many words of `subject` a rule in general keeps; left out where only the exact command is to be kept. */
  keeps?: number;
  /** The wrappers whose last words a command is, and where in theirs its own begin: an allow rule that names it there covers it. */
  within?: readonly { argv: readonly ParsedWord[]; from: number }[];
  /** The folder a command runs in, for the paths among its words; left out where it may be in several. */
  cwd?: string;
  /** All folders it may run in; left out where none is known. */
  cwds?: readonly string[];
  /** The worst a command does itself, and what leads to it. */
  does?: ParsedCommand["does"];
  via?: readonly string[];
  /** No rule for it in general is offered: it is a wrapper, shell or interpreter. */
  runner?: boolean;
  /** A file that a command for a shell opens: only patterns that end in `/**` or `/*` allow it, since a rule text may name a command too. */
  shell?: boolean;
  /** A file that a command writes as its name says: in the project the command's own rule covers it. */
  own?: boolean;
  /** What lies below may be meant. */
  below?: boolean;
  /** For layers of `permission.prompt`: it is known to do nothing but read. */
  onlyReads?: boolean;
  /** Which file it is is known only when it runs: no pattern but `*` covers it. */
  unknown?: boolean;
};

export type ScopeList = {
  scopes: Scope[];
  forcePrompt: boolean;
  /** The call was not understood: yolo does not answer it. */
  unparseable: boolean;
  /** Why not all of it was understood, in a few words. */
  reason?: string;
  /** All that could not be resolved, as it is written, and why. */
  unresolved?: readonly { text: string; reason: string }[];
};

export type Effect = "allow" | "ask" | "deny";
export type RuleLayer = "session" | "project" | "user" | "builtin" | "plugin";
/** A rule without a pattern matches every scope. */
export type Rule = {
  tool: string;
  pattern?: string;
  effect: Effect;
  layer: RuleLayer /** Where it stands: file and line, or the plugin. */;
  from: string;
};

export type ScopeDecision = { scope: Scope; effect: Effect | "uncovered"; rule: Rule | null };

/**
 * What rules, yolo and defaults say, before anybody is asked. `forced`: no rule allows the call, since not all of it is known before it runs.
 * `understood`: yolo and a default may answer it all the same.
 */
export type Verdict =
  | { kind: "allow"; source: "rules" | "yolo" | "default" | "no_scopes"; scopes: ScopeDecision[] }
  | { kind: "deny"; source: "rule" | "default"; scopes: ScopeDecision[]; reason: string }
  | { kind: "ask"; scopes: ScopeDecision[]; pending: Scope[]; forced: boolean; understood: boolean };

/** What a person or a layer decided. `always` answers carry the rule that is stored. With `input` that runs instead, once it was judged, and no rule is stored. */
export type PromptAnswer =
  | { decision: "allow"; remember?: "session" | "project" | "user"; input?: Record<string, unknown> }
  | { decision: "deny"; guidance?: string; remember?: "session" | "project" | "user" };

export type PromptRequest = {
  id: string;
  tool: string;
  toolId: string;
  /** What the caller knows the call by, or the call that made it. */
  callerId?: string;
  /** The call that made this one and waits for it, as a `batch` does. */
  parent?: { tool: string; toolId: string };
  sessionId: string;
  /** The subagent that makes the call, by its id and as a person knows it. */
  task?: { id: string; name: string };
  input: Record<string, unknown>;
  scopes: Scope[];
  /** Why it is asked: a layer's or judge's own words, with its plugin. */
  reasons: { plugin: string; reason: string }[];
  /** What an allow with `remember` would store, per scope; nothing where the scope cannot be generalised. */
  suggestions: { tool: string; pattern: string; effect: Effect }[];
  /** Scopes that no suggestion covers: the next such call asks about them again. */
  asksAgain: Scope[];
  /** What a denial with `remember` would store, for exactly these scopes; nothing where one of them cannot be written as a rule. */
  denials: { tool: string; pattern: string; effect: Effect }[];
  signal: AbortSignal;
};

/** Asks a person. Absent where nobody can answer. */
export type Asker = (request: PromptRequest) => Promise<PromptAnswer>;

/** How a call was permitted, for the record. */
export type PermissionRecord = {
  decision: "allow" | "deny" | "none";
  /** `rules`, `yolo`, `default`, `no_scopes`, `person`, `layer:<plugin>`, `nobody`, `rule`, `cancelled`, `none` */
  source: string;
  scopes: { kind: Scope["kind"]; text: string; effect: string; rule: string | null }[];
};
