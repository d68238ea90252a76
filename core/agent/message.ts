import type { Image } from "../../sdk/api.ts";

/** One part of what the model wrote. `provider` is what its provider wants back unchanged, as signatures. */
export type AssistantPart =
  | { type: "text"; text: string; provider?: unknown }
  | { type: "thinking"; text: string; provider?: unknown }
  | { type: "call"; toolId: string; tool: string; input: unknown; provider?: unknown };

/** `note` marks what the host itself wrote: nudges, continuations, notices of a cut. */
export type Message =
  | { role: "user"; text: string; images?: readonly Image[]; note?: string; rewrittenBy?: string }
  | { role: "assistant"; parts: readonly AssistantPart[]; model: string }
  | { role: "tool"; results: readonly ToolResultPart[] };

export type ToolResultPart = { toolId: string; tool: string; text: string; isError: boolean; images?: readonly Image[] };
