import { appendFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { type Clock, systemClock } from "../../../agent/clock.ts";
import { makeFolder } from "../../../config/make-folder.ts";
import type { Clean } from "../../clean-text.ts";
import { errorFacts } from "../../errors/error-facts.ts";
import { withoutSecrets } from "../../errors/plain-error.ts";
import { generateFrom } from "../stream-parts.ts";
import { type Entry, type Failure, keptPart } from "./cassette.ts";
import { cleanParts } from "./clean-parts.ts";
import { printOf } from "./fingerprint.ts";

export type RecordOptions = {
  path: string;
  /** The model's `provider/name`. */
  id: string;
  clean: Clean;
  /** Requests are compared without the name of this folder. */
  cwd?: string;
  clock?: Clock;
};

/** The same model, whose requests and answers are added to a file, without secrets. What is aborted is not kept. */
export function recordModel(model: LanguageModelV4, { path, id, clean, cwd, clock = systemClock }: RecordOptions): LanguageModelV4 {
  let writing: Promise<void> = Promise.resolve();
  const add = (entry: Omit<Entry, "version" | "model">) => {
    const line = `${JSON.stringify({ version: 1, model: id, ...entry, parts: cleanParts(entry.parts, clean) })}\n`;
    writing = writing.then(async () => {
      await makeFolder(dirname(path));
      await appendFile(path, line, { mode: 0o600 });
    });
    // Whoever reads the stream to its end is told of a failure by `add`.
    writing.catch(() => {});
    return writing;
  };

  const doStream = async (options: LanguageModelV4CallOptions) => {
    const print = printOf(options, clean, cwd);
    const begun = clock.now();
    const isAborted = () => options.abortSignal?.aborted === true;
    let result: Awaited<ReturnType<LanguageModelV4["doStream"]>>;
    try {
      result = await model.doStream(options);
    } catch (error) {
      if (!isAborted()) await add({ ...print, parts: [], error: failureOf(error, clean) });
      throw error;
    }
    const keep = async (parts: Entry["parts"], error?: unknown) => {
      if (!isAborted()) await add({ ...print, parts, ...(error === undefined ? {} : { error: failureOf(error, clean) }) });
    };
    return { ...result, stream: keeping(result.stream, begun, keep) };
  };

  /** The same stream, of which all parts are kept at its end. */
  const keeping = (
    stream: ReadableStream<LanguageModelV4StreamPart>,
    begun: number,
    keep: (parts: Entry["parts"], error?: unknown) => Promise<void>,
  ) => {
    const reader = stream.getReader();
    const parts: Entry["parts"] = [];
    let last = begun;
    return new ReadableStream<LanguageModelV4StreamPart>({
      async pull(controller) {
        const next = await reader.read().catch(async (error: unknown) => {
          await keep(parts, error);
          throw error;
        });
        if (next.done) {
          await keep(parts);
          return controller.close();
        }
        const [before, now] = [last, clock.now()];
        last = now;
        const part = next.value.type === "error" ? { type: "error" as const, error: failureOf(next.value.error, clean) } : keptPart(next.value);
        if (part !== undefined) parts.push({ delayMs: Math.max(0, Math.round(now - before)), part });
        controller.enqueue(next.value);
      },
      cancel: (reason) => reader.cancel(reason),
    });
  };

  return {
    specificationVersion: "v4",
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doStream,
    doGenerate: (options) => generateFrom(doStream, options),
  };
}

function failureOf(error: unknown, clean: Clean): Failure {
  const { name, message, statusCode, code, responseHeaders, responseBody } = errorFacts(withoutSecrets(error, clean));
  return {
    name,
    message,
    responseHeaders: { ...responseHeaders },
    responseBody,
    ...(statusCode === undefined ? {} : { statusCode }),
    ...(code === undefined ? {} : { code }),
  };
}
