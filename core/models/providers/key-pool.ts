import type { LanguageModelV4 } from "@ai-sdk/provider";
import { classifyError } from "../errors/classify-error.ts";

/**
 * The same model, once for each key. A request that the provider refuses for its key, or for what was used with it, is sent at once with the next
 * one, until each was tried; the key that worked is the first to be tried next time. Where all are refused, the failure counts that passes soonest.
 */
export function poolModels(models: readonly [LanguageModelV4, ...LanguageModelV4[]]): LanguageModelV4 {
  const [first] = models;
  if (models.length === 1) return first;
  let current = 0;

  const walk = async <T>(ask: (model: LanguageModelV4) => PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> => {
    const failures: unknown[] = [];
    const start = current;
    for (let step = 0; step < models.length; step++) {
      const at = (start + step) % models.length;
      try {
        const answer = await ask(models[at] ?? first);
        current = at;
        return answer;
      } catch (error) {
        if (signal?.aborted === true || !isOfKey(error)) throw error;
        failures.push(error);
      }
    }
    throw soonestOver(failures);
  };

  return {
    specificationVersion: "v4",
    provider: first.provider,
    modelId: first.modelId,
    supportedUrls: first.supportedUrls,
    doGenerate: (options) => walk((model) => model.doGenerate(options), options.abortSignal),
    doStream: (options) => walk((model) => model.doStream(options), options.abortSignal),
  };
}

function isOfKey(error: unknown): boolean {
  return ["auth", "rate_limit"].includes(classifyError(error).class);
}

/** A limit passes by itself, a key that is refused does not. */
function soonestOver(failures: readonly unknown[]): unknown {
  const limits = failures
    .map((error) => ({ error, ...classifyError(error) }))
    .filter((failure) => failure.class === "rate_limit")
    .sort((a, b) => (a.retryAfterMs ?? Number.POSITIVE_INFINITY) - (b.retryAfterMs ?? Number.POSITIVE_INFINITY));
  return limits[0]?.error ?? failures.at(-1);
}
