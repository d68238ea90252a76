import type { Code } from "../../sdk/errors.ts";
import type { Manifest, Packed } from "../../sdk/wire.ts";
import type { Digest } from "./protocol/digest.ts";

/** A plugin as the runner needs it: one bundled script, and what it is expected to register. */
export type PluginCode = {
  name: string;
  /** One script; its value is the default export of the plugin. */
  code: string;
  /** What it must register again in every isolate; else `manifest_changed`. */
  manifest: Manifest;
  options: Readonly<Record<string, string | number | boolean>>;
  memoryMb: number;
  isolation: "shared" | "process";
};

export type Limits = {
  /** Wall time in milliseconds; waiting in `prev` and for a person is not counted. */
  windowMs: number;
  /** Processor time of one turn, in milliseconds. */
  sliceMs: number;
  /** Processor time over the whole call, in milliseconds. */
  budgetMs: number;
};

/** One handler of a plugin, called once. */
export type InvokeRequest = Limits & {
  plugin: string;
  handler: number;
  kind: "judge" | "autocmd" | "tool" | "scopes" | "base" | "command" | "completion";
  /** The arguments. A tool gets `[input, call]`, behind which a request that it will make and its answer may stand; a judge `[input, ctx]`. */
  args: readonly Packed[];
  /** What the host knows the call by: it comes back with every capability request made meanwhile. */
  callKey: string;
  /** Aborting it fails the call with `cancelled`; a tool's own `call.signal` is told first and has `graceMs` to answer. */
  signal?: AbortSignal;
  graceMs?: number;
};

/** Code that is no plugin's, for a fresh isolate in a runner of its own. */
export type ProgramRequest = {
  /** One script; its value is a function that gives a promise. */
  script: string;
  /** What it may call, and the names it finds them by as globals. */
  tools: readonly { name: string; alias: string }[];
  /** Wall time in milliseconds; waiting for tools is not counted. */
  timeoutMs: number;
  memoryMb: number;
  signal?: AbortSignal;
  /** Answers a call of one of the tools. The signal fires when the program has ended. */
  call(name: string, input: unknown, signal: AbortSignal): Promise<{ text: string; isError: boolean }>;
  /** Told of what it prints, as it does. */
  print(text: string): void;
};

/** `answer` is whatever came out of the isolate. `late`: rejections that nobody handled. */
export type ProgramEnd = { late: readonly string[] } & ({ answer: unknown } | { code: Code });

export type Answer =
  | { kind: "value"; value: Packed }
  | { kind: "nothing" }
  | { kind: "deny"; reason: string }
  | { kind: "ask"; reason: string; input: Packed | undefined }
  | { kind: "respond"; text: string };

/** A call of plugin code that did not answer. */
export type Failure = { code: Code; message: string; plugin: string };

export type InvokeResult = { ok: true; answer: Answer; cpuMs: number } | { ok: false; failure: Failure; cpuMs: number };

export type ChainLayer = {
  plugin: string;
  handler: number;
  onFailure: "skip" | "block";
  /** Whether `data` of an output value is shown to it. */
  data: boolean;
};

/** Nested layers, each with `prev`. */
export type ChainRequest = Limits & {
  slot: string;
  /** Outermost first. */
  layers: readonly ChainLayer[];
  value: Packed;
  ctx: Readonly<Record<string, unknown>>;
  /** The name of the contract's entry: its shape and verdicts are checked in the isolate. */
  spec: string;
  /** What the innermost `prev` answers: the value itself, a plugin's handler, or the host. */
  base: "identity" | { plugin: string; handler: number } | ((value: Packed) => Promise<Answer>);
  callKey: string;
  /** Aborting it ends the chain with `cut` for the layers that had not answered. */
  signal?: AbortSignal;
};

export type Outcome = "passed" | "changed" | "denied" | "asked" | "responded" | "skipped" | "failed" | "cut";

/** A value as a layer met or made it; of a long one its size and hash. */
export type Seen = Packed | Digest;

export type LayerRecord = {
  slot: string;
  plugin: string;
  handler: number;
  /** Own wall time in milliseconds, `prev` not counted. */
  ms: number;
  outcome: Outcome;
  /** Where it changed the value: what came to it, left out where that is what came to the chain, and what it made of it. */
  before?: Seen;
  after?: Seen;
  reason?: string;
  failure?: Failure;
};

export type ChainResult = {
  /**
   * `value`: the chain's value. `deny`, `ask`, `respond`: the sticky verdict, with the plugin that gave it.
   * `blocked`: a layer with `onFailure: "block"` failed. `cancelled`: the signal fired.
   */
  end:
    | { kind: "value" }
    | { kind: "deny"; plugin: string; reason: string }
    | { kind: "ask"; plugin: string; reason: string }
    | { kind: "respond"; plugin: string; text: string }
    | { kind: "blocked"; failure: Failure }
    | { kind: "cancelled" };
  /** The last value: with `ask`, the input to ask about. */
  value: Packed;
  /** Outermost first, one for each layer that was entered or passed over. */
  records: LayerRecord[];
};

/** A request that plugin code made of the host. The answer goes back to the isolate; a MortiseError goes back as its code and text. */
export type HostCall = { plugin: string; callKey: string | null; method: string; args: Packed };

export type IsolateEvent =
  | { kind: "log"; plugin: string; level: "debug" | "info" | "warn" | "error"; text: string }
  /** A failure that counts against the plugin. */
  | { kind: "strike"; plugin: string; code: Code; strikes: number }
  | { kind: "moved"; plugin: string }
  | { kind: "disabled"; plugin: string; code: Code }
  | { kind: "runner_lost"; plugin: string | null; pid: number; code: Code /** The last of what it wrote to its standard error. */; detail: string };

export type IsolatesOptions = {
  /** Answers a request of a plugin. */
  onHostCall(call: HostCall): Promise<Packed>;
  onEvent(event: IsolateEvent): void;
  /** The Node to run runners with; this process's own unless said. */
  execPath?: string;
  /** Runner memory in MB above the sum of the isolates' limits before it is ended. */
  baseMemoryMb?: number;
  /** Keeps a second runner started, ready to take over. On unless said. */
  spare?: boolean;
};

export type RunnerInfo = { pid: number; plugins: string[]; spare: boolean; own: boolean; rssBytes: number };

/** All plugin code of a host: isolates in supervised runner processes. */
export type Isolates = {
  /** Makes a plugin callable. No isolate is made before first use. Replaces an older one of the same name once that has no calls in flight. */
  add(plugin: PluginCode): void;
  remove(name: string): Promise<void>;
  /** Starts the first runner now, so that whoever comes first does not wait for all of its start. It holds no isolate. */
  warm(): void;
  /** Runs `setup` in a throwaway isolate where every capability call rejects with `describing`. Throws a MortiseError with the load error's code. */
  describe(code: string, options?: Readonly<Record<string, string | number | boolean>>): Promise<Manifest>;
  chain(request: ChainRequest): Promise<ChainResult>;
  invoke(request: InvokeRequest): Promise<InvokeResult>;
  /** Runs a program in a runner that is started for it and ended with it. */
  program(request: ProgramRequest): Promise<ProgramEnd>;
  /** Lets a disabled plugin run again. */
  enable(name: string): void;
  disabled(name: string): Code | undefined;
  /** Disables a plugin, as a person asked. */
  disable(name: string, code?: Code): void;
  runners(): RunnerInfo[];
  /** Messages sent to runners since the start; for tests that count. */
  sent(): number;
  close(): Promise<void>;
};
