import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { jsonSchema, type ModelMessage, streamText, type ToolSet, tool } from "ai";
import type { LanguageModel } from "../../../core/models/model.ts";
import { sdkModel } from "../../../core/models/sdk-model.ts";

export type Heard = {
  text: string;
  thinking: string;
  calls: { tool: string; input: unknown; invalid: boolean }[];
  finish: string | undefined;
  usage: { input: number | undefined; output: number | undefined; cached: number | undefined };
  errors: unknown[];
  aborted: boolean;
};

export type Asking = { instructions?: string; messages: ModelMessage[]; tools?: readonly string[]; signal?: AbortSignal; maxOutputTokens?: number };

/** One step of `streamText`, without retries, with tools that are not run, as the loop asks. */
export async function ask(model: LanguageModel, { instructions, messages, tools = [], signal, maxOutputTokens }: Asking): Promise<Heard> {
  const heard: Heard = {
    text: "",
    thinking: "",
    calls: [],
    finish: undefined,
    usage: { input: undefined, output: undefined, cached: undefined },
    errors: [],
    aborted: false,
  };
  const result = streamText({
    model: sdkModel(model),
    messages,
    tools: toolSet(tools),
    maxRetries: 0,
    onError: () => {},
    ...(instructions === undefined ? {} : { instructions }),
    ...(signal === undefined ? {} : { abortSignal: signal }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
  });
  for await (const part of result.stream) {
    if (part.type === "text-delta") heard.text += part.text;
    else if (part.type === "reasoning-delta") heard.thinking += part.text;
    else if (part.type === "tool-call") heard.calls.push({ tool: part.toolName, input: part.input, invalid: part.invalid === true });
    else if (part.type === "error") heard.errors.push(part.error);
    else if (part.type === "abort") heard.aborted = true;
    else if (part.type === "finish-step") {
      heard.finish = part.finishReason;
      heard.usage = { input: part.usage.inputTokens, output: part.usage.outputTokens, cached: part.usage.inputTokenDetails.cacheReadTokens };
    }
  }
  return heard;
}

/** All parts of a stream. */
export async function partsOf(stream: ReadableStream<LanguageModelV4StreamPart>): Promise<LanguageModelV4StreamPart[]> {
  const parts: LanguageModelV4StreamPart[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

export function toolSet(names: readonly string[]): ToolSet {
  return Object.fromEntries(names.map((name) => [name, tool({ inputSchema: jsonSchema({ type: "object", additionalProperties: true }) })]));
}

export function user(content: string): ModelMessage {
  return { role: "user", content };
}

// What providers warn of is no news here.
globalThis.AI_SDK_LOG_WARNINGS = false;
