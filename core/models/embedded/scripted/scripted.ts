import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { type Clock, systemClock } from "../../../agent/clock.ts";
import { callParts, textParts } from "../answer-parts.ts";
import { generateFrom, type Parts, streamParts, usage } from "../stream-parts.ts";
import { askedOf } from "./asked.ts";
import { noModel } from "./no-model.ts";
import type { Reply, Rule } from "./rule.ts";
import { askSubagent } from "./rules/ask-subagent.ts";
import { countFiles, findFile, listFiles } from "./rules/count-files.ts";
import { explainFile } from "./rules/explain-file.ts";
import { findTodos } from "./rules/find-todos.ts";
import { makePlan } from "./rules/make-plan.ts";
import { renameSymbol } from "./rules/rename-symbol.ts";
import { runTests } from "./rules/run-tests.ts";
import { summarise } from "./rules/summarise.ts";

/** In order: the first that answers counts. */
export const scriptedRules: readonly Rule[] = [
  askSubagent,
  countFiles,
  makePlan,
  renameSymbol,
  explainFile,
  findTodos,
  runTests,
  listFiles,
  findFile,
];

export type ScriptedOptions = {
  rules?: readonly Rule[];
  /** Milliseconds between words. */
  wordDelayMs?: number;
  clock?: Clock;
};

/** What every request is said to have used, since nothing is counted. */
const USAGE = usage(100, 20);

/** `embedded/scripted`: rules over what is asked, that call real tools. It is no model, and says so where no rule fits. */
export function createScripted({ rules = scriptedRules, wordDelayMs = 0, clock = systemClock }: ScriptedOptions = {}): LanguageModelV4 {
  const doStream = async (options: LanguageModelV4CallOptions) => {
    options.abortSignal?.throwIfAborted();
    const reply = replyTo(options, rules);
    return { stream: streamParts((signal) => parts(reply, wordDelayMs, clock, signal), options.abortSignal) };
  };
  return {
    specificationVersion: "v4",
    provider: "embedded",
    modelId: "scripted",
    supportedUrls: {},
    doStream,
    doGenerate: (options) => generateFrom(doStream, options),
  };
}

function replyTo(options: LanguageModelV4CallOptions, rules: readonly Rule[]): Reply {
  const { asked, earlier } = askedOf(options);
  for (const rule of rules) {
    if (!rule.needs.every((tool) => asked.tools.has(tool))) continue;
    const reply = rule.answer(asked);
    if (reply !== undefined) return reply;
  }
  return summarise(asked, earlier) ?? { text: noModel(asked, rules) };
}

async function* parts({ text, calls = [] }: Reply, wordDelayMs: number, clock: Clock, signal: AbortSignal): Parts {
  yield { type: "stream-start", warnings: [] };
  for (const part of textParts(text)) {
    if (part.type === "text-delta" && wordDelayMs > 0) await clock.sleep(wordDelayMs, signal);
    yield part;
  }
  for (const { tool, input } of calls) yield* callParts(tool, JSON.stringify(input));
  yield { type: "finish", usage: USAGE, finishReason: { unified: calls.length > 0 ? "tool-calls" : "stop", raw: undefined } };
}
