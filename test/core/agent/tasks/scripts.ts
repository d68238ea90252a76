import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { Clock } from "../../../../core/agent/clock.ts";
import { type ChaosStep, createChaos } from "../../../../core/models/embedded/chaos/chaos.ts";
import { generateFrom } from "../../../../core/models/embedded/stream-parts.ts";

/** What is said to whom: by a text that the first message of a conversation has. */
export type Scripts = Readonly<Record<string, readonly ChaosStep[]>>;

export type Scripted = LanguageModelV4 & { asked(script: string): readonly LanguageModelV4CallOptions[] };

/** A model that says to each conversation what its script says, so that several may work at once. */
export function createScripts(scripts: Scripts, clock?: Clock): Scripted {
  const models = new Map(Object.entries(scripts).map(([name, steps]) => [name, createChaos(steps, clock === undefined ? {} : { clock })]));
  const doStream = (options: LanguageModelV4CallOptions) => {
    const first = JSON.stringify(options.prompt.find(({ role }) => role === "user") ?? "");
    const name = [...models.keys()].find((each) => first.includes(each));
    const model = models.get(name ?? "");
    if (model === undefined) throw new Error(`No script is for ${first}`);
    return model.doStream(options);
  };
  return {
    specificationVersion: "v4",
    provider: "embedded",
    modelId: "scripts",
    supportedUrls: {},
    doStream: async (options) => doStream(options),
    doGenerate: (options) => generateFrom(async (each: LanguageModelV4CallOptions) => doStream(each), options),
    asked: (script) => models.get(script)?.requests ?? [],
  };
}

/** A step of one call. */
export function calls(tool: string, input: unknown, id = `${tool}-1`): ChaosStep {
  return { kind: "calls", calls: [{ tool, input, id }] };
}

export function says(text: string): ChaosStep {
  return { kind: "text", text };
}
