import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { Clean } from "../clean-text.ts";
import { isAbort, withoutSecrets } from "../errors/plain-error.ts";

/** A model whose errors carry no prompt and no secret. A stream that breaks ends with an error part, after what had streamed. */
export function guardModel(model: LanguageModelV4, clean: Clean): LanguageModelV4 {
  const guarded = async <T>(work: () => PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw signal?.aborted === true ? error : withoutSecrets(error, clean);
    }
  };
  return {
    specificationVersion: "v4",
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (options) => guarded(() => model.doGenerate(options), options.abortSignal),
    doStream: async (options) => {
      const { stream, response } = await guarded(() => model.doStream(options), options.abortSignal);
      return { stream: guardStream(stream, clean, options.abortSignal), ...(response === undefined ? {} : { response }) };
    },
  };
}

function guardStream(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  clean: Clean,
  signal: AbortSignal | undefined,
): ReadableStream<LanguageModelV4StreamPart> {
  const reader = stream.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value.type === "error" ? { type: "error", error: withoutSecrets(value.error, clean) } : value);
      } catch (error) {
        if (signal?.aborted === true || isAbort(error)) return controller.error(error);
        controller.enqueue({ type: "error", error: withoutSecrets(error, clean) });
        controller.close();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
