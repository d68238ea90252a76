import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";

export type Parts = AsyncIterable<LanguageModelV4StreamPart>;

/**
 * A stream of parts that are made as they are read. It fails with the reason of an abort, also while the next part never comes; what else
 * is thrown ends it as an error part, as a stream that breaks does.
 */
export function streamParts(make: (signal: AbortSignal) => Parts, abortSignal: AbortSignal | undefined): ReadableStream<LanguageModelV4StreamPart> {
  const stop = new AbortController();
  const signal = abortSignal === undefined ? stop.signal : AbortSignal.any([abortSignal, stop.signal]);
  const iterator = make(signal)[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      try {
        signal.throwIfAborted();
        const next = await iterator.next();
        signal.throwIfAborted();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      } catch (error) {
        if (signal.aborted) return controller.error(signal.reason);
        controller.enqueue({ type: "error", error });
        controller.close();
      }
    },
    cancel: (reason) => stop.abort(reason),
  });
}

/** Never resolves; rejects with the reason of an abort. */
export function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** The whole answer of a model that streams. */
export async function generateFrom(
  doStream: (options: LanguageModelV4CallOptions) => PromiseLike<{ stream: ReadableStream<LanguageModelV4StreamPart> }>,
  options: LanguageModelV4CallOptions,
): Promise<LanguageModelV4GenerateResult> {
  const { stream } = await doStream(options);
  const content: LanguageModelV4Content[] = [];
  const texts = new Map<string, { type: "text" | "reasoning"; text: string }>();
  let end: { finishReason: LanguageModelV4FinishReason; usage: LanguageModelV4Usage } | undefined;
  for await (const part of stream) {
    if (part.type === "text-start" || part.type === "reasoning-start") {
      const begun = { type: part.type === "text-start" ? ("text" as const) : ("reasoning" as const), text: "" };
      texts.set(part.id, begun);
      content.push(begun);
    } else if (part.type === "text-delta" || part.type === "reasoning-delta") {
      const begun = texts.get(part.id);
      if (begun !== undefined) begun.text += part.delta;
    } else if (part.type === "tool-call") content.push(part);
    else if (part.type === "finish") end = { finishReason: part.finishReason, usage: part.usage };
    else if (part.type === "error") throw part.error;
  }
  return {
    content,
    finishReason: end?.finishReason ?? { unified: "other", raw: undefined },
    usage: end?.usage ?? usage(0, 0),
    warnings: [],
  };
}

export function usage(input: number, output: number): LanguageModelV4Usage {
  return {
    inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: output, text: output, reasoning: 0 },
  };
}
