import type { Syntax } from "../syntax/syntax.ts";
import type { Asker, Effect, PermissionRecord, Rule, Scope, ScopeList } from "./permission.ts";

export type DefaultEffect = "prompt" | "allow" | "deny";

/** What decides without asking. Read anew at every evaluation. */
export type Policy = {
  /** Rules of the layers project, user, builtin and plugin; session rules are kept by Permissions itself. */
  rules: readonly Rule[];
  yolo: boolean;
  /** Whether yolo answers calls that were not understood too. */
  yoloUnparseable: boolean;
  /** What counts for a tool where nothing else decides. */
  defaultEffect(tool: string): DefaultEffect;
};

/** A rule that a person's `always` answer stores. */
export type NewRule = { tool: string; pattern: string; effect: Effect };

export type PermissionsOptions = {
  syntax: Pick<Syntax, "commands">;
  /** The folder that relative patterns and "inside" are about; absolute. */
  project: string;
  /** The user's Mortise folders, all protected. */
  folders: { config: string; cache: string; state: string };
  policy(): Policy;
  /** Asks a person; left out where nobody can answer. */
  ask?: Asker;
  /** Stores a rule in the file of that layer. Session rules never come here. */
  remember?(layer: "project" | "user", rule: NewRule): Promise<void>;
  /** Whether the host itself named this file to the model, as a spill: reading it is not protected. */
  named?(path: string): boolean;
};

/** What a `permission.prompt` chain answered; undefined leaves the call to the prompt. */
export type LayerDecision = { decision: "allow" | "deny"; plugin: string; guidance?: string } | undefined;
export type AskLayers = (request: { tool: string; toolId: string; input: Record<string, unknown>; scopes: Scope[] }) => Promise<LayerDecision>;

export type ScopesRequest = {
  tool: string;
  input: Record<string, unknown>;
  /** What the tool's `scopes` callback answered, unparsed; `"none"` where the tool says so; undefined where it failed. */
  declared: unknown;
  /** Where the call runs. */
  cwd: string;
};

export type DecideRequest = {
  tool: string;
  toolId: string;
  sessionId: string;
  input: Record<string, unknown>;
  list: ScopeList;
  /** What layers and judges that answered `ask` said. */
  reasons: readonly { plugin: string; reason: string }[];
  signal: AbortSignal;
  /** The `permission.prompt` chain for this call. It is not asked where `reasons` is not empty. */
  askLayers?: AskLayers;
  /** Told when a person begins and ends to be waited for: the call's clock stops meanwhile. */
  onWaiting?(waiting: boolean): void;
};

export type Denial = {
  by: "rule" | "default" | "layer" | "person" | "nobody" | "cancelled";
  /** The plugin, where `by` is `layer`. */
  plugin?: string;
  /** A person's or layer's own words. */
  guidance?: string;
};

export type Decision = {
  allowed: boolean;
  /** For the model, where it was denied; else empty. */
  reason: string;
  record: PermissionRecord;
  denial?: Denial;
};

export type Permissions = {
  /** What a call would do. Never throws: what is not understood becomes one scope that forces a prompt. */
  scopesOf(request: ScopesRequest): Promise<ScopeList>;
  /** Decides a call, asking where rules say so. Never throws. */
  decide(request: DecideRequest): Promise<Decision>;
  /** Only the deny rules: for a call that a layer answered without running it. Undefined where none matches. */
  deniedByRule(request: { tool: string; sessionId: string; list: ScopeList }): Decision | undefined;
  /** Judges a program against the `run` scopes of a grant. */
  commandAllowed(argv: readonly string[], patterns: readonly string[]): Promise<boolean>;
  sessionRules(sessionId: string): readonly Rule[];
  endSession(sessionId: string): void;
};

export function createPermissions(options: PermissionsOptions): Permissions {
  const scopesOf = async (request: ScopesRequest): Promise<ScopeList> => {
    if (request.declared === "none") return { scopes: [], forcePrompt: false, unparseable: false };
    return { scopes: [{ kind: "other", text: JSON.stringify(request.input) }], forcePrompt: true, unparseable: false };
  };
  const record = (decision: "allow" | "deny", source: string, list: ScopeList): PermissionRecord => ({
    decision,
    source,
    scopes: list.scopes.map(({ kind, text }) => ({ kind, text, effect: decision, rule: null })),
  });
  return {
    scopesOf,
    deniedByRule: () => undefined,
    decide: async ({ list }) => {
      if (list.scopes.length === 0 && !list.forcePrompt) return { allowed: true, reason: "", record: record("allow", "no_scopes", list) };
      if (options.policy().yolo) return { allowed: true, reason: "", record: record("allow", "yolo", list) };
      return { allowed: false, reason: "Nobody is there to ask.", record: record("deny", "nobody", list), denial: { by: "nobody" } };
    },
    commandAllowed: async () => false,
    sessionRules: () => [],
    endSession: () => {},
  };
}
