import { randomUUID } from "node:crypto";
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";

type Part = LanguageModelV4StreamPart;

/** A text as it streams, word by word, each with the blanks before it. */
export function* textParts(text: string, id = "text", kind: "text" | "reasoning" = "text"): Generator<Part> {
  yield { type: `${kind}-start`, id };
  for (const delta of words(text)) yield { type: `${kind}-delta`, id, delta };
  yield { type: `${kind}-end`, id };
}

/** A call as it streams; its input is JSON unless a test wants something else. */
export function* callParts(tool: string, input: string, toolCallId = `call_${randomUUID()}`): Generator<Part> {
  yield { type: "tool-input-start", id: toolCallId, toolName: tool };
  yield { type: "tool-input-delta", id: toolCallId, delta: input };
  yield { type: "tool-input-end", id: toolCallId };
  yield { type: "tool-call", toolCallId, toolName: tool, input };
}

export function words(text: string): string[] {
  return text.match(/\s*\S+\s*$|\s*\S+|\s+$/g) ?? [];
}
