import type * as z from "zod/mini";
import type { Ask, Deny, Respond } from "./answers.ts";
import type { Audience, AutocmdName, autocmds, Capability, SlotKey, slots } from "./contract.ts";
import type { Definition } from "./plugin.ts";

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** Inputs of tools by name. Add yours: `declare module "mortise/sdk" { interface ToolInputs { mine: { path: string } } }`. */
export interface ToolInputs {
  batch: { tool_calls: { tool: string; parameters?: Record<string, Json>; [key: string]: Json | undefined }[] };
  code_execution: { code: string; timeout?: number };
  bash: { command: string; workdir?: string; timeout?: number; tail?: number; description?: string };
  index: { path: string; offset?: number };
  read: { path: string; offset?: number; limit?: number };
  list: { path?: string; depth?: number; ignored?: boolean; limit?: number };
  glob: { pattern: string; path?: string; ignored?: boolean; limit?: number };
  grep: {
    pattern: string;
    path?: string;
    include?: string;
    output?: "content" | "files" | "count";
    context?: number;
    context_before?: number;
    context_after?: number;
    ignore_case?: boolean;
    literal?: boolean;
    multiline?: boolean;
    ignored?: boolean;
    limit?: number;
  };
  write: { path: string; content: string };
  edit: { path: string; old_string: string; new_string: string; replace_all?: boolean };
  multiedit: { path: string; edits: { old_string: string; new_string: string; replace_all?: boolean }[] };
  memory: { command: "list" | "read" | "write" | "delete"; path?: string; content?: string; tags?: string[] };
  task: {
    description: string;
    prompt: string;
    subagent_type?: "research" | "general";
    model_tier?: "weak" | "medium" | "strong";
    output_schema?: Record<string, Json>;
  };
  question: { questions: { question: string; header?: string; options?: { label: string; description?: string }[]; multiSelect?: boolean }[] };
  skill: { name: string };
  todo_write: {
    todos: { content: string; status?: "pending" | "in_progress" | "completed" | "cancelled"; priority?: "high" | "medium" | "low" }[];
  };
  webfetch: { url: string; format?: "markdown" | "text" | "html"; timeout?: number };
}

/** Slots that plugins declare, by name. Add yours: `declare module "mortise/sdk" { interface DeclaredSlots { "shout.render": string } }`. */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be merged into
export interface DeclaredSlots {}

/** What a source of completions offers: `text` replaces what was typed, with its trigger. */
export type CompletionItem = {
  /** One line of 1,000 characters at most, without characters that nobody sees. */
  text: string;
  /** Shown instead of the text. */
  label?: string;
  /** Shown beside it. */
  description?: string;
  /** Higher comes first; 0 unless said, as files are. */
  score?: number;
};

export type CompletionCtx = {
  trigger: string;
  sessionId: string;
  /** The folder that the session works in. */
  cwd: string;
  deadlineMs: number;
  /** Whether nobody waits for the answer any more, since more was typed or the time is up. */
  cancelled(): boolean;
};

/** A source of completions. Those of others come without `complete`, which stays in their isolates. */
export type CompletionSource = {
  /** One character, no letter, digit, space or `/`: it begins a mention at the start of a word. */
  trigger: string;
  /** Of two with one name the first counts. */
  name: string;
  /** `host`, or the plugin whose it is; set by the host. */
  plugin?: string;
  /** The items for what was typed after the trigger, with 1 s for each query. They are shown as they are, so leave out what does not fit. */
  complete?(query: string, ctx: CompletionCtx): readonly CompletionItem[] | undefined | Promise<readonly CompletionItem[] | undefined>;
};

type Known<T> = T extends `tool.${infer Name}.${infer Stage}`
  ? Stage extends "input"
    ? Name extends keyof ToolInputs
      ? ToolInputs[Name]
      : Record<string, Json>
    : never
  : never;

type KeyOf<N extends string> = N extends SlotKey
  ? N
  : N extends `tool.${string}.${infer Stage extends "input" | "output"}`
    ? `tool.*.${Stage}`
    : never;

/** What a layer of the slot gets. */
export type SlotValue<N extends string> = N extends keyof DeclaredSlots
  ? DeclaredSlots[N]
  : N extends "completion.sources"
    ? CompletionSource[]
    : N extends `tool.${string}.input`
      ? Known<N>
      : z.infer<(typeof slots)[KeyOf<N>]["value"]>;

/** What the chain of the slot answers. */
export type SlotAnswer<N extends string> = N extends keyof DeclaredSlots
  ? DeclaredSlots[N]
  : N extends "completion.sources"
    ? CompletionSource[]
    : N extends `tool.${string}.input`
      ? Known<N>
      : z.infer<(typeof slots)[KeyOf<N>]["answer"]>;

export type SlotCtx<N extends string> = N extends keyof DeclaredSlots
  ? { sessionId: string; deadlineMs: number }
  : z.infer<(typeof slots)[KeyOf<N>]["ctx"]>;

/** The names `setSlot` takes: the host's slots, a tool's own, and those declared by plugins. */
export type SlotName = SlotKey | `tool.${string}.input` | `tool.${string}.output` | keyof DeclaredSlots;
export type JudgedSlot = `tool.${string}.input`;

type Verdicts<N extends string> = N extends keyof DeclaredSlots ? never : (typeof slots)[KeyOf<N>]["verdicts"][number];
type VerdictOf<N extends string> =
  | ("deny" extends Verdicts<N> ? Deny : never)
  | ("ask" extends Verdicts<N> ? Ask<SlotValue<N>> : never)
  | ("respond" extends Verdicts<N> ? Respond : never);

/** A layer. Answer a value, a verdict, or nothing; `prev` asks the layers below and works once. */
export type Layer<N extends string> = (
  prev: (value?: SlotValue<N>) => Promise<SlotAnswer<N>>,
  value: SlotValue<N>,
  ctx: SlotCtx<N>,
) => SlotAnswer<N> | VerdictOf<N> | undefined | void | Promise<SlotAnswer<N> | VerdictOf<N> | undefined | void>;

/** A judge: sees the input that would run, changes nothing. Answers `deny`, `ask` or nothing; a judge that fails denies. */
export type Judge<N extends string> = (
  input: Readonly<SlotValue<N>>,
  ctx: SlotCtx<N>,
) => Deny | Ask<never> | undefined | void | Promise<Deny | Ask<never> | undefined | void>;

export type LayerOptions = {
  /** What happens when the layer fails: `skip` passes it over, `block` stops the call. `skip` unless said. */
  onFailure?: "skip" | "block";
  /** Plugins that this layer must be entered before (be outside of), or after. */
  before?: string | readonly string[];
  after?: string | readonly string[];
  /** Output slots: show `data` to this layer. */
  data?: boolean;
};

export type AutocmdEvent<E extends string> = {
  id: number;
  event: E;
  /** The pattern the event was fired with. */
  match?: string;
  data: E extends AutocmdName ? z.infer<(typeof autocmds)[E]["data"]> : Json;
};

export type ToolCall = {
  toolId: string;
  sessionId: string;
  /** The subagent whose call it is, where it is one's. */
  taskId?: string;
  origin: "model" | "nested";
  outputMode: "compact" | "full";
  /** Milliseconds left. */
  deadlineMs: number;
  /** How much of the text the model is shown; not there with `full`. */
  shown?: { lines: number; bytes: number };
  /** Aborted on cancel and at the deadline; what the tool answers after that is kept as partial output. */
  signal: AbortSignal;
  /** Shows text while the tool runs, after redaction. */
  write(text: string): void;
};

/** A PNG, JPEG, GIF or WebP file. */
export type Image = { mediaType: string; base64: string };

export type ToolResult = {
  text: string;
  /** A text that the host holds for this call, as `fs.search` named it: it comes in front of `text`. */
  held?: string;
  isError?: boolean;
  data?: Json;
  /** For a model that takes images: 20 and 8 MB of base64 at most. No layer or redactor sees them; where a layer replaces the text they are dropped. */
  images?: Image[];
  /** Why the text is only a part of what there would have been. */
  cut?: "timeout" | "cancelled";
};

export type ToolScope =
  /** Text for a shell: opened into the commands it would run and the files it would write. */
  | { kind: "shell"; command: string; cwd?: string }
  | { kind: "command"; text: string }
  | { kind: "path"; path: string; access: "read" | "write" }
  | { kind: "url"; url: string }
  | { kind: "code"; text: string }
  | { kind: "other"; text: string };

/** The field of the input that names the one path of a call; `otherwise` is the path where it is left out. */
export type ToolPathField<Input> = { path: Extract<keyof Input, string>; access: "read" | "write"; otherwise?: string };

export type ToolDefinition<Input> = {
  name: string;
  description: string;
  /** A zod schema or a JSON Schema (draft 2020-12) of type object. */
  input: z.ZodMiniType<Input> | Record<string, unknown>;
  /** Other names a model may write for a field: `{ file_path: "path" }`. */
  aliases?: Record<string, string>;
  kind?: "read" | "search" | "edit" | "execute" | "fetch" | "other";
  /** The capability the tool exposes: what a layer on it has to hold. Without one a layer needs all five. */
  capability?: Capability;
  audiences?: readonly Audience[];
  timeoutMs?: number;
  /** The field that holds the file this tool writes: calls on one file wait for each other, stale reads are refused. */
  writes?: string;
  /** The tool asks a person: where nobody can answer it is not there, neither advertised nor callable. */
  needsPerson?: boolean;
  /** The tool has a model work: where no agent drives the host it is not there, neither advertised nor callable. */
  needsAgent?: boolean;
  /** It waits for something or looks how it stands: the same call again is no sign of a model that goes round in circles. */
  polls?: boolean;
  /** Adds to the description what may change, as a list of what there is. Asked with every request: 1 s, and 16,384 characters at most. */
  describe?(): string | Promise<string>;
  /**
   * What the call would do, for rules to judge: `"none"` means never asked about, a field of the input is the one path that is read or written,
   * and a callback says all else. One that fails forces a prompt. It costs a turn in the isolate, which a field does not.
   */
  scopes:
    | "none"
    | ToolPathField<Input>
    | ((input: Input) => { scopes: ToolScope[]; forcePrompt?: boolean } | Promise<{ scopes: ToolScope[]; forcePrompt?: boolean }>);
  run(input: Input, call: ToolCall): ToolResult | string | Promise<ToolResult | string>;
};

/** What a person is asked. Text with characters that steer a terminal is shown with them escaped. */
export type PersonQuestion = {
  /** 2,000 characters at most. */
  question: string;
  /** What there is to choose from, 20 at most; without any the person types an answer. Labels are one line, each its own. */
  options?: readonly { label: string; description?: string }[];
  /** More than one may be chosen. */
  multiple?: boolean;
  /** Whether the person may type an answer beside the options. They may unless said. */
  freeText?: boolean;
};

/** The labels that were chosen, and what was typed. */
export type PersonAnswer = { chosen: string[]; text?: string };

export type NestedOptions = {
  timeoutMs?: number;
  /** `compact` gives what a model would be shown; `full`, unless said and wherever the caller asked for it, all of the text. */
  outputMode?: "compact" | "full";
  /** An audience that the tool has to be for, beside the caller's. */
  audience?: Audience;
};

export type NestedResult = {
  /** Of the call, for `keep`; not there where no call was made. */
  id?: string;
  text: string;
  isError: boolean;
  data?: Json;
  images?: Image[];
  /** The error's code, where the host itself failed the call, as `denied`, `cancelled` or `invalid_input`. */
  code?: string;
  /** The plugin that stopped the call, and why. */
  stopped?: { plugin: string; by: "layer" | "judge"; reason: string };
  /** The file with the whole text, where it was kept. */
  spill?: string;
};

/** JavaScript or TypeScript for an isolate of its own. */
export type Program = {
  /** Runs as the body of an async function: `await` and `return` work, modules do not. 1,000,000 characters at most. */
  code: string;
  /** Tools it may call, each as an async function `tools.<name>(input)` that gives the text or throws it. Each call is one of this plugin: it costs what `api.tools.call` costs, and the tool has to be for the audience `code` too. */
  tools?: readonly string[];
  /** What it may take; waiting for tools is not counted. 30 s unless said, 10 minutes at most. */
  timeoutMs?: number;
  /** Memory of its isolate: 64 unless said, 16 to 1,024. */
  memoryMb?: number;
  /** Show what it prints while the tool of this plugin runs. */
  live?: boolean;
};

export type ProgramResult = {
  /**
   * `done`; `error`: it threw; `syntax`: it is no JavaScript or TypeScript; `timeout`; `memory`; `output`: it printed more than 8,000,000 characters;
   * `stuck`: it waits for what never comes; `cancelled`; `lost`: its process ended.
   */
  ended: "done" | "error" | "syntax" | "timeout" | "memory" | "output" | "stuck" | "cancelled" | "lost";
  /** What it printed, however it ended. */
  printed: string;
  /** What it returned, or the value of the expression it ends with, as text. */
  value?: string;
  error?: { message: string; line?: number; column?: number };
  /** Rejections that nobody handled. */
  unhandled: string[];
  /** What was still under way at its end, and is over with it. */
  unfinished: { calls: number; timers: number };
};

export type ModelTier = "weak" | "medium" | "strong";

/** A conversation with a model, beside the one that the caller is part of. */
export type AgentSessionRequest = {
  /** How a person knows it, in one line of 80 characters at most; the name of the plugin unless said. */
  name?: string;
  /** What the model is told about itself. With tools it stands behind what every agent of the program is told. */
  instructions?: string;
  /**
   * Gives it tools: those that are for this audience and that this plugin's grants pay for. Without one it has none. A caller of audience
   * `research` may open no other.
   */
  audience?: "research" | "general";
  /** The tier of its model, never above that of the caller's own, which it is unless said; in layers of `permission.prompt` it is `weak` then. */
  tier?: ModelTier;
  /** JSON Schema of type object that the answer has to fit. The model is asked again where it does not. */
  outputSchema?: Record<string, Json>;
  limits?: AgentLimits;
  /** Show what it does while the tool of this plugin runs. */
  live?: boolean;
  /** Conversations with tools that may be at work in this process, else this one waits: 8 unless said, 32 at most. */
  places?: number;
};

/**
 * Of the whole conversation. What the caller's own run has left is the most in each case. In layers of `permission.prompt`, unless said: 4 answers,
 * 50,000 tokens, 1 US dollar and 20 s, and never more time than the layers have.
 */
export type AgentLimits = {
  /** Answers of the model: 50 unless said. */
  maxTurns?: number;
  /** Tokens of all requests and answers together: 1,000,000 unless said. */
  maxTokens?: number;
  /** US dollars: 5 unless said. What has no price costs nothing. */
  maxCostUsd?: number;
  /** Time at work; waiting for a person or for a place is free. 30 minutes unless said. */
  timeoutMs?: number;
};

export type AgentSession = {
  readonly id: string;
  /** As `provider/name`. */
  readonly model: string;
  readonly tier: ModelTier;
  /** Whether a stronger tier was asked for than there may be. */
  readonly clamped: boolean;
  /** Resolves when the model is done, or with what there is once it was stopped. One after another. Throws `cancelled`, `deadline_passed` where it never began. */
  prompt(text: string): Promise<AgentAnswer>;
  /** Ends it with all that it left running. The end of the caller does that too. */
  close(): Promise<void>;
};

/** What an agent answered, and how that came to its end. Counts are of the whole conversation so far, `durationMs` of this answer. */
export type AgentAnswer = {
  /** What the model said last. Where it was stopped: all that is worth anything of what it said until then. */
  text: string;
  /** `done`; `length`: its answer was cut at its longest; a limit; `stuck`: it went round in circles; `dropped`: a plugin dropped the message; `no_output`: it gave nothing that fits the schema. */
  ended: "done" | "length" | "max_turns" | "max_tokens" | "max_cost" | "timeout" | "cancelled" | "stuck" | "dropped" | "no_output" | "error";
  error?: { code: string; message: string };
  /** With a schema: what fits it. */
  output?: Json;
  /** With a schema and without `output`: what did not fit the last time; empty where nothing was tried. */
  faults?: string[];
  /** Calls that it made, and those of them that were denied or failed, by tool. */
  calls: { tool: string; calls: number; failed: number; denied: number }[];
  turns: number;
  tokens: number;
  costUsd: number | null;
  durationMs: number;
};

export type SlotInfo = {
  name: string;
  owner: string | null;
  declared: boolean;
  /** What a layer from another plugin pays; null is all five. */
  capability: Capability[] | null;
  /** Outermost first; `entitled` says whether each one runs. */
  layers: { plugin: string; handler: number; onFailure: "skip" | "block"; entitled: boolean }[];
  /** Those who judge what the chain made, and those who redact, each by the slot they were registered on. */
  judges: { plugin: string; handler: number; entitled: boolean }[];
  redactors: { plugin: string; handler: number; overlap: number; entitled: boolean }[];
};

export type SyntaxQuery = {
  /** A language with a grammar, as `typescript` or `c_sharp`; a wrong one is refused with those there are. */
  language: string;
  /** Captures whose names begin with `_` are left out. */
  query: string;
  /** A regular expression. What matches is read as blanks: what the grammar takes for something else, as macros. */
  mask?: string;
  /** The same where the text has errors otherwise. */
  mend?: string;
  /** How deep in the tree a pattern may begin. Less is faster. */
  depth?: number;
  /** 1000 unless said, 200 000 at most. */
  maxCaptures?: number;
  texts?: {
    /** Characters of each capture's text that are given. */
    max?: number;
    /** The text of a capture ends where the first capture of this name begins that lies in it, also of one that does not come along. */
    until?: string;
    /** Names of captures that come with empty text. */
    without?: readonly string[];
  };
};

export type SyntaxCapture = {
  name: string;
  /** The type of the node. */
  type: string;
  start: number;
  end: number;
  /** Counted from 0. The last row is that of the last character that is no space. */
  startRow: number;
  endRow: number;
  startColumn: number;
  text: string;
};

export type SyntaxAnswer = {
  /** In the order of the text. */
  captures: SyntaxCapture[];
  truncated: boolean;
  /** Whether a part of the text is not of the language. */
  hasError: boolean;
  /** Characters that are not of it, as far as the parser can say; 1 at least where there is an error. */
  wrong: number;
  /** The file still has the hash that `unless` named: nothing was parsed. */
  unchanged: boolean;
  /** Of a file: its hash, size, and whether bytes that are no UTF-8 were replaced. A binary file has no captures. */
  hash?: string;
  bytes?: number;
  encoding?: Window["encoding"];
  invalid?: boolean;
};

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
  };
  readonly log: Record<"debug" | "info" | "warn" | "error", (...parts: unknown[]) => void>;
};

export type FileStat = {
  type: "file" | "folder" | "other";
  bytes: number;
  mtimeMs: number;
  /** Another one once the file was changed or replaced, for `write`. */
  version: string;
};
export type SearchRequest = {
  /** A regular expression as ripgrep reads it, or the text itself with `literal`. */
  pattern: string;
  /** A file, or a folder and all in it; the working directory unless said. */
  path?: string;
  /** Globs of files to search, about names or, with a `/`, about paths below `path`; one with `!` in front leaves out. */
  include?: string | readonly string[];
  literal?: boolean;
  /** `sensitive` unless said; `smart` where a pattern without capitals is to find both. */
  letterCase?: "sensitive" | "insensitive" | "smart";
  /** Whether a match may go over line ends. Unless said, where the pattern names one or holds `(?s)` or `(?m)`. */
  multiline?: boolean;
  /** Lines shown before and after each that matches. */
  before?: number;
  after?: number;
  /** `lines` unless said. */
  output?: "lines" | "files" | "counts";
  /** Search ignored files too. */
  ignored?: boolean;
  /** Lines that match, or files where no lines are asked for: 1000 unless said. */
  limit?: number;
  /** Bytes of text: 1 MB unless said, 16 MB at most. */
  maxBytes?: number;
  /** Characters of one line: 500 unless said. */
  maxLineChars?: number;
  /** Show control characters, but tab and line end, as pictures: \u241b for escape. */
  pictures?: boolean;
  /** In a tool: leave the text with the host, which is faster where it is long. The result names it in `held`, for that of the tool. */
  hold?: boolean;
};

export type SearchResult = {
  /** Files that match, the newest first, as many as `limit` and `maxBytes` let through; `matches` counts their lines. Paths are relative where they lie in the working directory. Beside lines, the first 1000 of them. */
  files: { path: string; matches: number }[];
  shownFiles: number;
  /**
   * The same as text. For `lines` a path with a colon, then `12: text` for a line that matches, `13  text` for one around it and `--` between groups,
   * and an empty line between files; else a line for each file.
   */
  text: string;
  /** The text is with the host, and `text` is empty. Not there where there is none, nor where the host holds too much of this call already. */
  held?: string;
  shownMatches: number;
  /** Of all that was found; where files alone are asked for nothing is counted. */
  totalFiles: number;
  totalMatches: number;
  /** Files that were not searched since they hold secrets or rules say so: each has to be named. */
  leftOut: number;
  /** Files that could not be read, and what the system said of the first. */
  unreadable: number;
  unreadableReason: string | null;
  /** Files among those shown where the search stopped at bytes that are no text. */
  binary: number;
  /** Whether bytes that are no UTF-8 were replaced in the text. */
  invalid: boolean;
  /** Whether there are pictures in it for control characters. */
  pictured: boolean;
  /** Why it ended: with anything but `done` there may be more. */
  ended: "done" | "timeout" | "cancelled" | "output";
};

export type FoundFiles = {
  /** The newest first; relative where they lie in the working directory. */
  files: string[];
  /** Whether there are more than `limit`. */
  more: boolean;
  /** Files that fit and that rules deny. */
  leftOut: number;
  /** Folders that could not be opened. */
  unreadable: number;
  ended: "done" | "timeout" | "cancelled" | "output";
};

export type WalkedEntry = {
  name: string;
  /** Below the folder that was walked, with `/`. */
  path: string;
  /** 1 for an entry of the folder itself. */
  depth: number;
  type: "file" | "folder" | "link" | "other";
  /** Of a file. */
  bytes: number;
  /** What a link says. */
  target?: string;
  /** Of a folder: entries that were too many to be given. */
  more: number;
  /** Of a folder: it has so many entries that not all were looked at. */
  cut?: boolean;
  /** Of a folder: it could not be opened. Of a file: its size cannot be told. */
  unreadable?: boolean;
};

export type WalkedFolder = {
  /** Each folder before what is in it; in each, folders before files. */
  entries: WalkedEntry[];
  more: number;
  cut: boolean;
  /** Entries given, those that are ignored, and those that rules deny. */
  total: number;
  ignored: number;
  leftOut: number;
  ended: "done" | "cancelled";
};

export type Window = {
  /** Lines from `offset`, without their line ends. */
  lines: string[];
  /** Lines of the whole file. */
  totalLines: number;
  bytes: number;
  /** `binary` where the file holds no text. */
  encoding: "utf-8" | "utf-8-bom" | "binary";
  /** Whether bytes that are no UTF-8 were replaced. */
  invalid: boolean;
};

type Fs = {
  fs_read: {
    /** The text of a file. 16 MB at most; a missing file, a folder or text that is no UTF-8 is an error. */
    read(path: string): Promise<string>;
    /** A window of a file's lines, read without loading the whole into the isolate. `offset` counts from 1; lines longer than `maxLineChars` are cut. */
    readWindow(path: string, window: { offset?: number; limit?: number; maxLineChars?: number }): Promise<Window>;
    /** Bytes of a file as base64: the whole, or `length` of them from `offset`. 16 MB at most. */
    readBytes(path: string, part?: { offset?: number; length?: number }): Promise<string>;
    stat(path: string): Promise<FileStat | undefined>;
    list(path: string): Promise<{ name: string; type: FileStat["type"] }[]>;
    /** Files that match, as absolute paths in order: `*`, `**`, `?`, `[a-z]`, `{a,b}`. Links are not followed; `.git` and `node_modules` are left out unless named. 1000 at most unless said. */
    glob(pattern: string, options?: { cwd?: string; limit?: number }): Promise<string[]>;
    /** Searches what files hold. `.git`, ignored files and, unless they are named, files that hold secrets are left out; links are not followed. */
    search(request: SearchRequest): Promise<SearchResult>;
    /** Files that fit a glob, the newest first; `.git` and ignored files are left out. 1000 at most unless said. */
    find(pattern: string, options?: { path?: string; ignored?: boolean; limit?: number }): Promise<FoundFiles>;
    /** The entries of a folder, and with `depth` of those below it; `.git` and ignored ones are left out. 1000 at most unless said. */
    walk(path: string, options?: { depth?: number; ignored?: boolean; limit?: number }): Promise<WalkedFolder>;
    realpath(path: string): Promise<string>;
    cwd(): Promise<string>;
    /** The project's folder and whether a person trusts it as it is now, the user's Mortise folder, and their home. */
    places(): Promise<{ project: string; trusted: boolean; user: string; home: string }>;
  };
  fs_write: {
    /** Replaces the file at once, or makes it; its folder has to be there. `.mortise` and the user's Mortise folders are never written. */
    write(
      path: string,
      text: string,
      /** Only over this version of the file, or with null only where nothing is: else `stale_file`, and nothing is written. */
      options?: { ifVersion?: string | null },
    ): Promise<void>;
    append(path: string, text: string): Promise<void>;
    /** Makes the folder and those above it. */
    mkdir(path: string): Promise<void>;
    remove(path: string, options?: { recursive?: boolean }): Promise<void>;
  };
};

export type RunRequest = {
  /** A program with its arguments. Nothing is read by a shell unless you start one. */
  argv: readonly string[];
  cwd?: string;
  /** Set over the host's environment, which comes without its secrets. A grant of some commands lets it set language, time zone, colours and the like alone. */
  env?: Record<string, string>;
  /** Bytes kept of the output, head and tail; 8 MB unless said. */
  maxOutputBytes?: number;
  /** Ended with TERM, then KILL, after so many milliseconds. */
  timeoutMs?: number;
  /** Text for its standard input; closed at once without it. */
  stdin?: string;
  /** Show the output of the job while the tool runs. */
  live?: boolean;
  /** When the job ends at the latest, with all it left running: with the tool call that started it (`task`, unless said), the plugin (unless said outside a call), or the session. */
  scope?: "task" | "plugin" | "session";
  name?: string;
};

export type RunResult = {
  /** Standard output and error, merged as they came; head and tail where it was too long. */
  text: string;
  /** Bytes that were left out of `text` in the middle. */
  droppedBytes: number;
  /** The index in `text` where they were left out. */
  cutAt?: number;
  exitCode: number | null;
  /** A signal's name, as `SIGTERM`. */
  signal: string | null;
  /** Why it was ended before its time. */
  ended: "exit" | "timeout" | "cancelled" | "output";
  /** Whether a process it left behind still runs. */
  leftRunning: boolean;
};

type Run = {
  /** Starts a program and waits for its end. */
  exec(request: RunRequest): Promise<RunResult>;
  /** Gives an id once the program runs. */
  start(request: RunRequest): Promise<number>;
  /** Undefined where it is not over after `timeoutMs`. */
  wait(job: number, options?: { timeoutMs?: number }): Promise<RunResult | undefined>;
  /** The last lines a job printed. */
  tail(job: number, lines?: number): Promise<string>;
  stop(job: number): Promise<void>;
  list(): Promise<{ id: number; name?: string; argv: string[]; running: boolean }[]>;
};

type Net = {
  /**
   * Follows redirects within the grant. 30 s and 5 MB unless said, 120 s and 16 MB at most; private addresses only as the user allows.
   * A rule that denies the running tool a URL stands against every hop.
   */
  fetch(url: string, request?: FetchRequest): Promise<FetchResponse>;
};

export type FetchRequest = {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  timeoutMs?: number;
  maxBytes?: number;
  /** `permitted` follows a redirect only where rules allow the running tool to go, or to the origin that a person approved; else it is the answer. `follow` unless said. */
  redirects?: "follow" | "permitted";
};

export type FetchResponse = {
  status: number;
  url: string;
  headers: Record<string, string>;
  text: string;
  /** Of the body, unpacked, as far as it was read. */
  bytes: number;
  truncated: boolean;
  /** Where it redirects to, where that was not followed. */
  redirect?: string;
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
