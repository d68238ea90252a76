import { randomUUID } from "node:crypto";
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { type Clock, systemClock } from "../../../agent/clock.ts";
import { plainError } from "../../errors/plain-error.ts";
import { callParts, textParts, words } from "../answer-parts.ts";
import { generateFrom, type Parts, streamParts, untilAborted, usage } from "../stream-parts.ts";
import type { ChaosCall, ChaosStep } from "./chaos-step.ts";

export type { ChaosStep } from "./chaos-step.ts";

export type Chaos = LanguageModelV4 & {
  /** What was asked, in order. */
  readonly requests: readonly LanguageModelV4CallOptions[];
};

/** `embedded/chaos`: does to each request what the next step says, then the last step again. Without steps it says "ok". */
export function createChaos(steps: readonly ChaosStep[], { clock = systemClock }: { clock?: Clock } = {}): Chaos {
  const requests: LanguageModelV4CallOptions[] = [];
  const queue = steps.flatMap((step) => Array<ChaosStep>("times" in step ? (step.times ?? 1) : 1).fill(step));
  const doStream = async (options: LanguageModelV4CallOptions) => {
    const step = queue[Math.min(requests.length, queue.length - 1)] ?? { kind: "text", text: "ok" };
    requests.push(options);
    options.abortSignal?.throwIfAborted();
    await beforeHead(step, options.abortSignal);
    return { stream: streamParts((signal) => partsOf(step, clock, signal), options.abortSignal) };
  };
  return {
    specificationVersion: "v4",
    provider: "embedded",
    modelId: "chaos",
    supportedUrls: {},
    requests,
    doStream,
    doGenerate: (options) => generateFrom(doStream, options),
  };
}

/** What happens before any part streams. */
async function beforeHead(step: ChaosStep, signal = new AbortController().signal): Promise<void> {
  switch (step.kind) {
    case "hang":
      if (step.after === "nothing") await untilAborted(signal);
      return;
    case "status":
      throw statusError(step.status, step.message ?? `The server answered ${step.status}`, {
        ...(step.retryAfter === undefined ? {} : { responseHeaders: { "retry-after": step.retryAfter } }),
        ...(step.body === undefined ? {} : { responseBody: step.body }),
      });
    case "network":
      if (step.text === undefined) throw networkError(step.code);
      return;
    case "overflow":
      throw statusError(400, "prompt is too long: 250000 tokens > 200000 maximum");
    case "budget_overflow":
      throw statusError(
        400,
        `input length and \`max_tokens\` exceed context limit: ${200_000 - step.room} + ${step.room + 10_000} > 200000, decrease input length or \`max_tokens\` and try again`,
      );
  }
}

async function* partsOf(step: ChaosStep, clock: Clock, signal: AbortSignal): Parts {
  yield { type: "stream-start", warnings: [] };
  const finish = (unified: "stop" | "tool-calls" | "length"): LanguageModelV4StreamPart => ({
    type: "finish",
    usage: usage(step.usage?.input ?? 100, step.usage?.output ?? 20),
    finishReason: { unified, raw: undefined },
  });
  switch (step.kind) {
    case "text":
      yield* textParts(step.text);
      return yield finish("stop");
    case "calls":
      if (step.text !== undefined) yield* textParts(step.text);
      for (const call of step.calls) yield* called(call);
      return yield finish("tool-calls");
    case "duplicate_calls":
      yield* called(step.call);
      yield* called(step.call);
      return yield finish("tool-calls");
    case "invalid_json":
      yield* callParts(step.tool, step.input ?? '{"command": "ls');
      return yield finish("tool-calls");
    case "hang":
      if (step.after === "text") yield* openText(step.text ?? "It begins");
      return yield await untilAborted(signal);
    case "pings":
      for (;;) {
        await clock.sleep(step.everyMs, signal);
        yield { type: "ping" };
      }
    case "drip":
      for (const part of textParts(step.text)) {
        if (part.type === "text-delta") await clock.sleep(step.everyMs, signal);
        yield part;
      }
      return yield finish("stop");
    case "network":
      yield* openText(step.text ?? "");
      throw networkError(step.code);
    case "error_part":
      if (step.text !== undefined) yield* openText(step.text);
      yield { type: "error", error: { type: step.type, message: step.message } };
      return;
    case "truncated":
      return yield* openText(step.text);
    case "truncated_call":
      return yield* openCall(step.tool, step.input);
    case "thinking":
      yield* textParts(step.text, "thinking", "reasoning");
      if (step.answer !== undefined) yield* textParts(step.answer);
      return yield finish("stop");
    case "max_tokens":
      yield* textParts(step.text);
      if (step.call !== undefined) yield* callParts(step.call.tool, step.call.input);
      return yield finish("length");
    default:
      return yield finish("stop");
  }
}

function called({ tool, input, id }: ChaosCall): Generator<LanguageModelV4StreamPart> {
  return callParts(tool, JSON.stringify(input), id);
}

function* openText(text: string): Generator<LanguageModelV4StreamPart> {
  yield { type: "text-start", id: "text" };
  for (const delta of words(text)) yield { type: "text-delta", id: "text", delta };
}

function* openCall(toolName: string, delta: string): Generator<LanguageModelV4StreamPart> {
  const id = `call_${randomUUID()}`;
  yield { type: "tool-input-start", id, toolName };
  yield { type: "tool-input-delta", id, delta };
}

function statusError(statusCode: number, message: string, more: { responseHeaders?: Record<string, string>; responseBody?: string } = {}): Error {
  return plainError("AI_APICallError", message, { statusCode, ...more });
}

function networkError(code: string): Error {
  return plainError("AI_APICallError", `Cannot connect to API: ${code}`, { code });
}
