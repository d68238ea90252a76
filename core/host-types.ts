import type { Image, SlotInfo, ToolScope } from "../sdk/api.ts";
import type { Audience, AutocmdName, Capability, SlotKey } from "../sdk/contract.ts";
import type { Asks, Manifest } from "../sdk/wire.ts";
import type { Driver } from "./agent/tasks/driver.ts";
import type { Granted } from "./capabilities/capabilities.ts";
import type { Completion, CompletionRequest, FoundSource } from "./completion/completion-types.ts";
import type { RunnerInfo } from "./isolate/isolates.ts";
import type { Explanation } from "./permission/explain.ts";
import type { Asker, Effect, PromptRequest, Rule } from "./permission/permission.ts";
import type { Person } from "./person.ts";
import type { Origin } from "./plugins/plugin.ts";
import type { CallRecord } from "./record.ts";

export type PluginSource = string | { name: string; source: string };

export type GrantQuestion = {
  plugin: string;
  path: string;
  origin: Origin;
  asks: Asks;
  steer: readonly string[] /** One line each: what it means to say yes. */;
  consent: string[];
  /** Why it is asked: never before, or the plugin asks for more, or its source changed. */
  reason?: "new" | "grown" | "changed";
};

/** A tool of the embedding program itself: it runs in the host, outside every isolate. */
export type NativeTool = {
  name: string;
  description: string;
  /** JSON Schema, draft 2020-12, of type object. */
  inputSchema: Record<string, unknown>;
  kind?: string;
  /** What a layer on it has to hold; without one all five. */
  capability?: Capability;
  audiences?: readonly Audience[];
  timeoutMs?: number;
  /** It is there only where somebody can answer. */
  needsPerson?: boolean;
  /** The same call may come again and again, as one that looks how something stands. */
  polls?: boolean;
  /** It is there only where an agent drives the host. */
  needsAgent?: boolean;
  scopes: "none" | ((input: Record<string, unknown>) => ScopesAnswer | Promise<ScopesAnswer>);
  run(
    input: Record<string, unknown>,
    call: { toolId: string; sessionId: string; taskId?: string; outputMode: "compact" | "full"; signal: AbortSignal; write(text: string): void },
  ): NativeAnswer | Promise<NativeAnswer>;
};
export type NativeAnswer = string | { text: string; isError?: boolean; data?: unknown; images?: readonly Image[] };
export type ScopesAnswer = { scopes: readonly ToolScope[]; forcePrompt?: boolean };

export type HostOptions = {
  /** The project's folder; the process's own unless said. */
  cwd?: string;
  /** Plugin files, folders, or inline source, in load order. They are granted what they ask for, since the program names them; `grant` narrows that. */
  plugins?: readonly PluginSource[];
  /** Whether those plugins are granted what they ask for, or `grant` is asked. */
  grant?: true | ((question: GrantQuestion) => Promise<{ granted: Granted; steer: readonly string[] } | undefined>);
  /** Tools of the program's own. */
  tools?: readonly NativeTool[];
  /** Loads the built-in pack. On unless said. */
  builtins?: boolean;
  /** `files` reads the user's and the trusted project's settings and plugins; `none` reads nothing. `none` unless said. */
  settings?: "files" | "none";
  /** Whether the plugins in the user's and the trusted project's folders are loaded with `files`. On unless said. */
  filePlugins?: boolean;
  /** With `files`: the project's files count for this host as they are, as if its folder was trusted. Nothing of that is kept. Off unless said. */
  trustProject?: boolean;
  /** Which tools there are at all, by name, for the model and for calls inside of calls. All unless said. */
  offers?(tool: string): boolean;
  /** Plugin files that a command line names: granted what they ask for, for this run, unless `noGrant`. */
  commandLine?: readonly string[];
  noGrant?: boolean;
  /** Rules of the session. */
  rules?: readonly { tool: string; pattern?: string; effect: Effect }[];
  yolo?: boolean;
  /** Asks a person. Without it nobody can answer. */
  ask?: Asker;
  /** Asks a person what plugins want to know. Without it the tools that need a person are not there. */
  person?: Person;
  /** The id of the session that calls belong to unless they name another. */
  sessionId?: string;
  /** The Node to run plugins with. */
  execPath?: string;
  /** Keeps a second runner started. On unless said. */
  spare?: boolean;
  /** Starts the first runner at once, beside the rest of a start, for a call that comes right after it. Off unless said. */
  warm?: boolean;
  limits?: { sliceMs?: number; budgetMs?: number; windowMs?: number; memoryMb?: number; baseMemoryMb?: number };
  /** How much of a tool's text the model sees, by tool, `*` for every tool; over what the settings say. */
  output?: Readonly<Record<string, { lines?: number; bytes?: number }>>;
  /** Replaces methods of the plugin API, by name as `fs.read`; for tests. */
  fakes?: Readonly<Record<string, (...args: unknown[]) => unknown>>;
  /** Where spills, traces and plugins' stores are kept; a temporary folder that `close` removes unless said, the user's with `settings: "files"`. */
  stateFolder?: string;
  onLog?(entry: LogEntry): void;
};

export type LogEntry = { at: string; level: "debug" | "info" | "warn" | "error"; plugin: string | null; text: string };

export type CallRequest = {
  tool: string;
  /** What the model wrote: nothing about it is believed. */
  input: unknown;
  origin?: "model" | "nested";
  /** `full` keeps the text whole. */
  outputMode?: "compact" | "full";
  audience?: Audience;
  sessionId?: string;
  /** The subagent of the session that makes the call. */
  task?: Task;
  signal?: AbortSignal;
  timeoutMs?: number;
  cwd?: string;
  yolo?: boolean;
  /** What the caller knows the call by. A person's prompt tells it, also for calls that this one makes. */
  callerId?: string;
  /** Text of the tool while it runs, redacted. */
  onOutput?(text: string): void;
  /** Told when the tool is about to run, with its input, redacted. It runs after that. */
  onStart?(started: { toolId: string; input: unknown }): void | Promise<void>;
  /** Told when a person begins and ends to be waited for, by this call or by one that it made. */
  onWaiting?(waiting: boolean): void;
  /** Told of each call that this one made, directly or not, when it is done. */
  onNested?(record: CallRecord): void;
};

/** A slot of the agent, which no tool call fires. */
export type AgentSlot = Extract<SlotKey, `agent.${string}`>;

/** What layers of a slot of the agent made of a value. `by` are the plugins that changed it. A guard that failed denies. */
export type AgentFired =
  | { kind: "value"; value: unknown; by: readonly string[] }
  | { kind: "denied"; plugin: string; reason: string }
  | { kind: "cancelled" };

export type PromptEvent = { kind: "asked"; request: PromptRequest } | { kind: "answered"; request: PromptRequest; decision: "allow" | "deny" };

/** A subagent: its id, how a person knows it, and the id of the call that started it. */
export type Task = {
  id: string;
  name: string;
  parentId: string;
  /** How deeply plugin code made the call that it is for; 0 unless said. */
  depth?: number;
};

/** What drives a session asks of the host beside tool calls. */
export type AgentSide = {
  /** Whether layers stand on the slot: without any, its value need not be made. */
  isLayered(slot: AgentSlot): boolean;
  /** `ctx` without `deadlineMs`, which is the slot's window. */
  fire(slot: AgentSlot, value: unknown, ctx: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<AgentFired>;
  /** Tells listeners of the host's autocmds and does not wait. `depth` is how deeply what happened was made by plugin code. */
  tell(event: AutocmdName, data: Record<string, unknown>, depth?: number): void;
  /** Says why the session is given up, for `SessionEnd` when the host closes; the first reason counts, and `shutdown` is what it is without. */
  leave(reason: "reset" | "load" | "replaced" | "completed"): void;
  /** The texts as redactors that cover every tool leave them. */
  clean(texts: readonly string[]): Promise<readonly string[]>;
  /** Watches what a person is asked about the calls of a session. Returns its undo. */
  watchPrompts(sessionId: string, watch: (event: PromptEvent) => void): () => void;
  /** Says who drives a session, or a subagent in it: calls of it may have models work from now on. Returns its undo. */
  drive(who: { sessionId: string; taskId?: string }, driver: Driver): () => void;
};

export type CallToExplain = Pick<CallRequest, "tool" | "input" | "cwd" | "yolo">;

export type ToolInfo = {
  name: string;
  plugin: string;
  description: string;
  kind: string | null;
  capability: Capability | null;
  audiences: readonly string[];
  inputSchema: Record<string, unknown>;
  timeoutMs: number;
  /** The same call may come again and again. */
  polls: boolean;
};

export type PluginInfo = {
  name: string;
  path: string;
  origin: Origin;
  version: string | null;
  description: string | null;
  asks: Asks;
  steer: readonly string[];
  granted: Granted;
  grantedSteer: readonly string[];
  manifest: Manifest;
  failed: { code: string; message: string } | null;
  disabled: string | null;
  isolation: "shared" | "process";
};

/** A `/` command of a plugin. `name` runs it: its own, or `<plugin>:<own>` where several plugins have one of that name. */
export type CommandInfo = { name: string; own: string; plugin: string; description: string };

/** Something a person should know: a plugin that did not load, a layer that is not entitled, two rewriters of one slot. */
export type Problem = {
  severity: "error" | "warning";
  code: string;
  plugin: string | null;
  message: string;
  fix?: string /** The plugin's file. */;
  path?: string;
};

export type Host = {
  call(request: CallRequest): Promise<CallRecord>;
  /** What rules make of a call, and why. Asks nobody and runs no layer, judge or tool. Throws `unknown_tool`, `invalid_input`. */
  explain(request: CallToExplain): Promise<Explanation>;
  tools(audience?: Audience): ToolInfo[];
  /** The same as a model is to read them now, with what tools say anew for each request. */
  definitions(audience?: Audience): Promise<ToolInfo[]>;
  plugins(): PluginInfo[];
  /** Plugins that a config switches off, and so were not loaded. */
  switchedOff(): readonly { name: string; path: string; origin: Origin }[];
  slots(): SlotInfo[];
  problems(): Problem[];
  runners(): RunnerInfo[];
  /** Messages sent to runners since the start. */
  sent(): number;
  load(source: PluginSource): Promise<PluginInfo>;
  /** Stages the newest version and swaps it in; a failed reload keeps the old one and throws. */
  reload(name: string): Promise<PluginInfo>;
  unload(name: string): Promise<void>;
  enable(name: string): void;
  /** Stores a person's yes to all that a plugin asks for; it counts from the next call. Throws `unknown_plugin`. */
  grant(name: string): Promise<PluginInfo>;
  /** Takes back what was stored for plugins of this name: how many answers that was. */
  revoke(name: string): Promise<number>;
  /** Watches the autocmds of the host from the program: returns its undo. */
  on(event: string, listener: (data: Record<string, unknown>) => void | Promise<void>): () => void;
  /** Fires a slot that a plugin declared. What comes of it is redacted, as everything that a plugin shows. */
  fire(slot: string, value: unknown): Promise<unknown>;
  /** Rules that count for a session alone: those that the program gave, and what a person answered for it. */
  sessionRules(sessionId?: string): readonly Rule[];
  /** Takes one of them back, from the next call on. Whether it was there. */
  revokeRule(rule: { tool: string; pattern?: string; effect: Effect }, sessionId?: string): boolean;
  /** The `/` commands of plugins, by the names to run them by. */
  commands(): CommandInfo[];
  /** Runs a `/` command of a plugin, which has 60 s. Its text is redacted. Throws `unknown_command`, and what it failed with. */
  command(name: string, args: string, options?: { sessionId?: string; signal?: AbortSignal }): Promise<string | undefined>;
  /** What a mention that begins with a trigger may become, as files after an `@`. Never rejects: sources that fail are left out. */
  complete(request: CompletionRequest, signal?: AbortSignal): Promise<Completion>;
  /** The sources of completions there are. */
  completionSources(sessionId?: string): Promise<readonly FoundSource[]>;
  /** For what drives a session. */
  readonly agent: AgentSide;
  readonly sessionId: string;
  readonly cwd: string;
  close(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
};
