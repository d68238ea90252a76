import type { ToolInfo } from "../host-types.ts";
import { usageOf } from "../models/cost.ts";
import { plainError } from "../models/errors/plain-error.ts";
import type { Model } from "../models/model.ts";
import { endedAfter } from "../models/providers/ended-after.ts";
import { sdkModel } from "../models/sdk-model.ts";
import type { AnswerBuilder } from "./answer.ts";
import { boundAnswer } from "./bounded-answer.ts";
import type { Message } from "./message.ts";
import { toSdk, toSdkTools } from "./sdk-messages.ts";

export type Request = {
  model: Model;
  instructions: string;
  messages: readonly Message[];
  tools: readonly ToolInfo[];
  /** Tokens. */
  maxOutput: number;
  /** Whether thinking of an earlier answer is sent back. */
  thinking(message: Message): boolean;
};

/** What happens while an answer streams. */
export type Watching = {
  signal: AbortSignal;
  /** The head of the response came. */
  onHead(): void;
  /** Output came, of any kind that is one. */
  onOutput(): void;
  onText(text: string): void;
  onThinking(text: string): void;
  onCall(call: { toolId: string; tool: string }): void;
};

/** How a whole answer ends. */
const ends: readonly string[] = ["stop", "length", "tool-calls", "content-filter"];

/** Sends one request and fills the answer as it streams. Throws what the provider fails with, and the signal's reason after an abort, however the model takes that. */
export async function streamAnswer(request: Request, answer: AnswerBuilder, watching: Watching): Promise<void> {
  const { signal } = watching;
  const aborted = Promise.withResolvers<never>();
  aborted.promise.catch(() => {});
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  let parts: Parts | undefined;
  try {
    signal.throwIfAborted();
    parts = await Promise.race([start(request, watching), aborted.promise]);
    for (;;) {
      const next = await Promise.race([parts.next(), aborted.promise]);
      signal.throwIfAborted();
      if (next.done === true) break;
      take(next.value, answer, watching);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
    // Where it was not read to its end, nothing more of it is wanted.
    void parts?.return?.().catch(() => {});
  }
  if (answer.finish === undefined || !ends.includes(answer.finish)) throw incomplete();
}

type Parts = Awaited<ReturnType<typeof start>>;
type Part = Extract<Awaited<ReturnType<Parts["next"]>>, { done?: false }>["value"];

/** The one place where a model is asked. */
async function start({ model, instructions, messages, tools, maxOutput, thinking }: Request, { signal, onHead }: Watching) {
  const { streamText } = await import("ai");
  const inner = sdkModel(model.languageModel);
  const { stream } = streamText({
    model: {
      specificationVersion: inner.specificationVersion,
      provider: inner.provider,
      modelId: inner.modelId,
      supportedUrls: inner.supportedUrls,
      doGenerate: (options) => inner.doGenerate(options),
      doStream: async (options) => {
        const response = await inner.doStream(options);
        onHead();
        return { ...response, stream: endedAfter(response.stream.pipeThrough(boundAnswer()), ({ type }) => type === "finish") };
      },
    },
    instructions,
    messages: toSdk(messages, model, thinking),
    ...(tools.length === 0 ? {} : { tools: await toSdkTools(tools) }),
    maxOutputTokens: maxOutput,
    maxRetries: 0,
    abortSignal: signal,
    telemetry: { isEnabled: false },
    // It is told by the stream.
    onError: () => {},
  });
  return stream[Symbol.asyncIterator]();
}

function take(part: Part, answer: AnswerBuilder, watching: Watching): void {
  switch (part.type) {
    case "text-start":
      answer.begin("text", part.id);
      break;
    case "reasoning-start":
      answer.begin("thinking", thinkingId(part));
      answer.mark(thinkingId(part), part.providerMetadata);
      break;
    case "text-delta":
      watching.onOutput();
      answer.add(part.id, part.text, part.providerMetadata);
      watching.onText(part.text);
      break;
    case "reasoning-delta":
      watching.onOutput();
      answer.add(thinkingId(part), part.text, part.providerMetadata);
      watching.onThinking(part.text);
      break;
    case "text-end":
      answer.mark(part.id, part.providerMetadata);
      break;
    case "reasoning-end":
      answer.mark(thinkingId(part), part.providerMetadata);
      break;
    case "tool-input-start":
      watching.onOutput();
      watching.onCall(answer.beginCall(part.id, part.toolName));
      break;
    case "tool-input-delta":
      watching.onOutput();
      answer.addInput(part.id, part.delta);
      break;
    case "tool-call":
      watching.onOutput();
      answer.call({
        id: part.toolCallId,
        tool: part.toolName,
        input: part.input,
        isInvalid: part.invalid === true,
        provider: part.providerMetadata,
      });
      break;
    case "error":
      throw part.error;
    case "finish-step":
      // A reason of the provider's own is one; none at all is a stream that broke off.
      answer.end(part.finishReason === "other" && part.rawFinishReason !== undefined ? "stop" : part.finishReason, usageOf(part.usage));
  }
}

/** Texts and thoughts are numbered apart by some. */
function thinkingId({ id }: { id: string }): string {
  return `thinking ${id}`;
}

function incomplete(): Error {
  return plainError("AI_InvalidResponseDataError", "The stream ended before the answer did", {});
}
