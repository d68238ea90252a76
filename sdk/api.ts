import type { AgentSession, AgentSessionRequest, AgentTask } from "./api/agent.ts";
import type { Fs } from "./api/fs.ts";
import type { Net } from "./api/net.ts";
import type { PersonAnswer, PersonQuestion } from "./api/person.ts";
import type { Run } from "./api/run.ts";
import type { AutocmdEvent, DeclaredSlots, Json, Judge, JudgedSlot, Layer, LayerOptions, SlotInfo, SlotName } from "./api/slots.ts";
import type { SyntaxAnswer, SyntaxQuery } from "./api/syntax.ts";
import type { NestedOptions, NestedResult, Program, ProgramResult, ToolDefinition } from "./api/tools.ts";
import type { Audience, AutocmdName, Capability } from "./contract.ts";
import type { Definition } from "./plugin.ts";

export type { AgentAnswer, AgentLimits, AgentSession, AgentSessionRequest, AgentTask, ModelTier } from "./api/agent.ts";
export type { CompletionCtx, CompletionItem, CompletionSource } from "./api/completion.ts";
export type { FileStat, FoundFiles, SearchRequest, SearchResult, WalkedEntry, WalkedFolder, Window } from "./api/fs.ts";
export type { FetchRequest, FetchResponse } from "./api/net.ts";
export type { PersonAnswer, PersonQuestion } from "./api/person.ts";
export type { RunRequest, RunResult } from "./api/run.ts";
export type {
  AutocmdEvent,
  DeclaredSlots,
  Json,
  Judge,
  JudgedSlot,
  Layer,
  LayerOptions,
  SlotAnswer,
  SlotCtx,
  SlotInfo,
  SlotName,
  SlotValue,
  ToolInputs,
} from "./api/slots.ts";
export type { SyntaxAnswer, SyntaxCapture, SyntaxQuery } from "./api/syntax.ts";
export type {
  Image,
  NestedOptions,
  NestedResult,
  Program,
  ProgramResult,
  ToolCall,
  ToolDefinition,
  ToolPathField,
  ToolResult,
  ToolScope,
} from "./api/tools.ts";

type Store = {
  get(key: string): Promise<Json | undefined>;
  set(key: string, value: Json): Promise<void>;
  delete(key: string): Promise<void>;
  keys(): Promise<string[]>;
};

type Base = {
  readonly name: string;
  /** The options of the definition, with the user's config over them. */
  readonly options: Record<string, string | number | boolean>;
  /** Puts a layer around a slot. The last one registered is entered first. */
  setSlot<N extends SlotName>(slot: N, layer: Layer<N>, options?: LayerOptions): void;
  /** Judges every call of a tool, after the chain and the schema. */
  judge<N extends JudgedSlot>(slot: N, judge: Judge<N>): void;
  /** Rewrites everything textual that leaves a tool, last of all. `overlap` characters are carried over between streamed chunks (256 unless said). */
  redact(redactor: (text: string) => string | Promise<string>, options?: { overlap?: number; slot?: `tool.${string}.output` }): void;
  /** Declares a slot of the plugin's own; the function that is returned fires it. */
  declareSlot<N extends string, V = N extends keyof DeclaredSlots ? DeclaredSlots[N] : Json>(
    name: N,
    base: (value: V) => V | Promise<V>,
    options?: { capability?: readonly Capability[] },
  ): (value: V) => Promise<V>;
  getSlots(): Promise<SlotInfo[]>;
  createAutocmd<E extends AutocmdName>(
    event: E | readonly E[],
    callback: (event: AutocmdEvent<E>) => void | Promise<void>,
    options?: { pattern?: string | readonly string[]; once?: boolean; group?: string },
  ): number;
  /** Listens to events of plugins, which are written `<plugin>:<event>`. */
  createAutocmd<E extends `${string}:${string}`>(
    event: E | readonly E[],
    callback: (event: AutocmdEvent<E>) => void | Promise<void>,
    options?: { pattern?: string | readonly string[]; once?: boolean; group?: string },
  ): number;
  delAutocmd(id: number): void;
  clearGroup(group: string): void;
  /** Fires events of this plugin (`<name>:<event>`) and waits for the listeners. */
  execAutocmds(event: `${string}:${string}` | readonly `${string}:${string}`[], options?: { pattern?: string; data?: Json }): Promise<void>;
  registerTool<Input>(tool: ToolDefinition<Input>): void;
  /** A `/` command for the person: its answer is shown. It has 60 s, in which waiting for them does not count. */
  registerCommand(command: { name: string; description: string; run(args: string): string | undefined | Promise<string | undefined> }): void;
  registerPermissionRule(rule: { tool: string; pattern?: string; effect: "allow" | "ask" | "deny" }): void;
  readonly tools: {
    /** The tools that the caller of this plugin may call; with `audience`, those that are for it too. */
    list(options?: { audience?: Audience }): Promise<{ name: string; description: string; inputSchema: Record<string, Json> }[]>;
    /** Calls a tool through the whole host, as nested, for the caller of this plugin. Costs what the tool costs; not inside layers. */
    call(name: string, input: Record<string, Json>, options?: NestedOptions): Promise<NestedResult>;
    /** Keeps the text of a call that was made while this one runs in a file that the model may read: its path. For a tool that shows a part of it. */
    keep(id: string): Promise<string>;
  };
  readonly isolate: {
    /**
     * Runs code in a fresh isolate, in a process of its own, where there is nothing but the language, `console` and the tools it is given:
     * no files, no network, no environment, nothing of this plugin. Costs nothing itself. Only in tools and commands; 4 at once in a host, others wait.
     */
    run(program: Program): Promise<ProgramResult>;
  };
  readonly syntax: {
    /** Runs a tree-sitter query over text, or over a file that the plugin may read (`fs_read`), whose text does not come along. */
    query(request: SyntaxQuery & ({ text: string } | { path: string; maxBytes?: number; unless?: string })): Promise<SyntaxAnswer>;
    /**
     * The simple commands that bash text would run: as they are written, and as words after quote removal, null for a word that only bash knows.
     * `forcePrompt` where not everything that would run is known.
     */
    commands(text: string): Promise<{ commands: string[]; argv: (string | null)[][]; forcePrompt: boolean }>;
  };
  /** A private store, kept between sessions. */
  readonly store: Store;
  /** The same, apart for each project. */
  readonly projectStore: Store;
  readonly person: {
    /**
     * Asks the person who uses Mortise, who sees which plugin asks. Undefined where they turned away. Only in tools and commands;
     * one question at a time, in one line with permission prompts; the call's clock stops meanwhile. Throws `nobody_there`.
     */
    ask(question: PersonQuestion): Promise<PersonAnswer | undefined>;
  };
  readonly agent: {
    /**
     * Opens a conversation with a model, which the caller's session pays for. In tools, and in layers of `permission.prompt`, where it has words alone:
     * no tools, no schema, a text only where the answer is whole, and no cost but the slot's. Throws `not_here`, also where no agent drives the session, `wrong_argument`, `unknown_model`, `too_deep`.
     */
    session(request?: AgentSessionRequest): Promise<AgentSession>;
    /** What this plugin started in the background of the session. Here and below: in tools and commands, not in subagents. */
    tasks(): Promise<AgentTask[]>;
    /**
     * Waits until those are over, at most `timeoutMs` (0 unless said, 600,000 at most), and gives them as they are then. By ids, or by names of the
     * last; what is not known is left out. What is given here as over is not reported any more.
     */
    wait(which: readonly string[], options?: { timeoutMs?: number }): Promise<AgentTask[]>;
    /** Ends one, which keeps what it has. Undefined where there is none. */
    stop(which: string): Promise<AgentTask | undefined>;
  };
  readonly log: Record<"debug" | "info" | "warn" | "error", (...parts: unknown[]) => void>;
};

type Env = { get(name: string): Promise<string | undefined> };

type Has<D extends Definition, C extends Capability> =
  D["capabilities"] extends Record<C, infer Asked> ? (Asked extends undefined ? false : true) : false;

/** What `setup` receives: only what the definition asks for is there. */
export type Api<D extends Definition = Definition> = Base &
  (Has<D, "fs_read"> extends true
    ? Has<D, "fs_write"> extends true
      ? { readonly fs: Fs["fs_read"] & Fs["fs_write"] }
      : { readonly fs: Fs["fs_read"] }
    : Has<D, "fs_write"> extends true
      ? { readonly fs: Fs["fs_write"] }
      : unknown) &
  (Has<D, "run"> extends true ? { readonly run: Run } : unknown) &
  (Has<D, "net"> extends true ? { readonly net: Net } : unknown) &
  (Has<D, "env"> extends true ? { readonly env: Env } : unknown);
