import type * as z from "zod/mini";
import type { Ask, Deny, Respond } from "../answers.ts";
import type { AutocmdName, autocmds, Capability, SlotKey, slots } from "../contract.ts";
import type { CompletionSource } from "./completion.ts";

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** Inputs of tools by name. Add yours: `declare module "mortise/sdk" { interface ToolInputs { mine: { path: string } } }`. */
export interface ToolInputs {
  batch: { tool_calls: { tool: string; parameters?: Record<string, Json>; [key: string]: Json | undefined }[] };
  code_execution: { code: string; timeout?: number };
  bash: { command: string; workdir?: string; timeout?: number; tail?: number; description?: string };
  index: { path: string; offset?: number };
  read: { path: string; offset?: number; limit?: number; column?: number };
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
    background?: boolean;
    model?: string;
  };
  task_result: { id: string; cancel?: boolean };
  task_wait: { ids?: string[]; timeout_ms?: number };
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

type Held<N extends string, Side extends "value" | "answer"> = N extends keyof DeclaredSlots
  ? DeclaredSlots[N]
  : N extends "completion.sources"
    ? CompletionSource[]
    : N extends `tool.${string}.input`
      ? Known<N>
      : z.infer<(typeof slots)[KeyOf<N>][Side]>;

/** What a layer of the slot gets. */
export type SlotValue<N extends string> = Held<N, "value">;

/** What the chain of the slot answers. */
export type SlotAnswer<N extends string> = Held<N, "answer">;

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
