import type * as z from "zod/mini";
import type { Audience, Capability } from "../contract.ts";
import type { Json } from "./slots.ts";

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
  /** It asks `api.syntax.query` in nearly every call: where no parser runs yet, one is started while the tool is. */
  parses?: boolean;
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
