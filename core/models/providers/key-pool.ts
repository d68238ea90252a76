import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { classifyError } from "../errors/classify-error.ts";

type Models = readonly [LanguageModelV4, ...LanguageModelV4[]];
type Walk = {
  /** Asks with one key after the other of those that were not tried yet. Throws what fails for another reason, and where none is left the failure that passes soonest. */
  ask<T>(request: (model: LanguageModelV4) => PromiseLike<T>): Promise<T>;
  /** Whether an error is one that another key may not have; it is kept then. */
  failedFor(error: unknown): boolean;
  /** The key that was asked with last works. */
  works(): void;
};

/**
 * The same model, once for each key. A request that the provider refuses for its key, or for what was used with it, is sent at once with the next
 * one, until each was tried, also where the response began and has brought nothing yet. The key that worked is the first to be tried next time.
 */
export function poolModels(models: Models): LanguageModelV4 {
  const [first] = models;
  if (models.length === 1) return first;
  let current = 0;
  const walk = (signal: AbortSignal | undefined) =>
    walkFrom(models, current, signal, (at) => {
      current = at;
    });

  return {
    specificationVersion: "v4",
    provider: first.provider,
    modelId: first.modelId,
    supportedUrls: first.supportedUrls,
    async doGenerate(options) {
      const { ask, works } = walk(options.abortSignal);
      const answer = await ask((model) => model.doGenerate(options));
      works();
      return answer;
    },
    async doStream(options) {
      const keys = walk(options.abortSignal);
      const open = () => keys.ask((model) => model.doStream(options));
      const response = await open();
      return { ...response, stream: switching(response.stream, async () => (await open()).stream, keys) };
    },
  };
}

function walkFrom(models: Models, start: number, signal: AbortSignal | undefined, works: (at: number) => void): Walk {
  const failures: unknown[] = [];
  let tried = 0;
  const failedFor = (error: unknown) => {
    if (signal?.aborted === true || !["auth", "rate_limit"].includes(classifyError(error).class)) return false;
    failures.push(error);
    return true;
  };
  return {
    failedFor,
    works: () => works((start + tried - 1) % models.length),
    async ask(request) {
      while (tried < models.length) {
        const model = models[(start + tried++) % models.length] ?? models[0];
        try {
          return await request(model);
        } catch (error) {
          if (!failedFor(error)) throw error;
        }
      }
      throw soonestOver(failures);
    },
  };
}

/** A stream that goes on with the next key's where it fails for its key before anything came. */
function switching(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  next: () => Promise<ReadableStream<LanguageModelV4StreamPart>>,
  { failedFor, works }: Walk,
): ReadableStream<LanguageModelV4StreamPart> {
  let reader = stream.getReader();
  let isStarted = false;
  let isBegun = false;
  return new ReadableStream({
    async pull(controller) {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        if (value.type === "error" && !isBegun && failedFor(value.error)) {
          void reader.cancel().catch(() => {});
          try {
            reader = (await next()).getReader();
          } catch (error) {
            controller.enqueue({ type: "error", error });
            return controller.close();
          }
          continue;
        }
        if (value.type === "stream-start" && isStarted) continue;
        isStarted ||= value.type === "stream-start";
        if (!isBegun && /^(text|reasoning|tool)-/.test(value.type)) {
          isBegun = true;
          works();
        }
        return controller.enqueue(value);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** A limit passes by itself, a key that is refused does not. */
function soonestOver(failures: readonly unknown[]): unknown {
  const limits = failures
    .map((error) => ({ error, ...classifyError(error) }))
    .filter((failure) => failure.class === "rate_limit")
    .sort((a, b) => (a.retryAfterMs ?? Number.POSITIVE_INFINITY) - (b.retryAfterMs ?? Number.POSITIVE_INFINITY));
  return limits[0]?.error ?? failures.at(-1);
}
