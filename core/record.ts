import type { Image } from "../sdk/api.ts";
import type { Code } from "../sdk/errors.ts";
import type { Outcome } from "./isolate/isolates.ts";
import type { PermissionRecord } from "./permission/permission.ts";

/** A value in a trace: the value itself after redaction, or what is left of one that is too long or was withheld. */
export type Traced = { value: unknown } | { bytes: number; sha256: string };

/** One firing of one layer, judge or redactor. */
export type TraceEntry = {
  slot: string;
  plugin: string;
  kind: "layer" | "judge" | "redactor";
  /** Number of the handler in its plugin, in order of registration. */
  handler: number;
  /** Own wall time in milliseconds; waiting in `prev` is not counted. Null while it runs. */
  ms: number | null;
  outcome: Outcome | "running";
  reason?: string;
  failure?: { code: Code; message: string };
  /** Where it changed the value, both after redaction; the raw one before is kept as length and hash. */
  before?: Traced & { raw: { bytes: number; sha256: string } };
  after?: Traced;
};

/** What of a tool's text was left out on its way to the model, counted. */
export type Cut = {
  /** Characters of terminal sequences, and of what was written over, as in progress bars. */
  terminalChars: number;
  /** Characters beyond the host's cap. */
  capChars: number;
  /** What the model is not shown. The file of `spill` has it. */
  lines: number;
  bytes: number;
};

/** What a finished call was. `call --json` prints it. */
export type CallRecord = {
  tool: string;
  toolId: string;
  sessionId: string;
  /** The subagent that made it. */
  taskId?: string;
  /** The call that made this one, or that started the subagent which did. */
  parentId?: string;
  origin: "model" | "nested";
  /** Whether the tool itself ran. */
  ran: boolean;
  /** The input that ran, or would have; redacted. */
  input: unknown;
  /** What the model wrote, where layers changed it; redacted. */
  wrote?: unknown;
  text: string;
  isError: boolean;
  data?: unknown;
  /** For the model alone: traces, logs and what is printed tell of them, and have no bytes. */
  images?: readonly Image[];
  /** The error's code, where the host itself failed the call. */
  code: Code | null;
  stopped: null | { plugin: string; by: "layer" | "judge"; reason: string };
  /** The plugin that answered with `respond`. */
  respondedBy: string | null;
  permission: PermissionRecord;
  trace: TraceEntry[];
  durationMs: number;
  /** Null where nothing was left out. */
  cut: Cut | null;
  /** Where the whole text is, when the model sees a part of it. */
  spill: string | null;
};

/** What layers did to a slot that no tool call fired, as those of the agent. Redacted. */
export type Firing = {
  slot: string;
  sessionId: string;
  /** Of the subagent that it was about. */
  taskId?: string;
  trace: TraceEntry[];
  durationMs: number;
};
