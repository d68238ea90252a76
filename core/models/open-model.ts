import type { LanguageModelV4 } from "@ai-sdk/provider";
import { MortiseError } from "../../sdk/errors.ts";
import type { Clock } from "../agent/clock.ts";
import { quoteWithClose } from "../close-names.ts";
import { type Clean, createClean } from "./clean-text.ts";
import type { ChaosStep } from "./embedded/chaos/chaos-step.ts";
import type { ReplayMode } from "./embedded/replay/replay-mode.ts";
import { factsOf } from "./facts.ts";
import type { Model, Price } from "./model.ts";
import { environmentOf, type ModelSettings, splitSpec } from "./settings.ts";

export type OpenOptions = {
  clock?: Clock;
  /** A recording for `embedded/replay`. */
  cassette?: { path: string; mode?: ReplayMode };
  /** What `embedded/chaos` does, request by request. */
  chaos?: readonly ChaosStep[];
  /** A file that requests and answers are added to, without secrets. */
  record?: string;
  /** The folder that requests are about, whose name makes no difference in recordings. */
  cwd?: string;
};

const free: Price = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const embedded = ["scripted", "replay", "chaos"];

/**
 * Opens `provider/name`. Sends nothing yet. Throws `unknown_model`, `key_missing`, `package_missing`, and for a recording `file_broken`.
 */
export async function openModel(spec: string, settings: ModelSettings, options: OpenOptions = {}): Promise<Model> {
  const { provider, name } = splitSpec(spec);
  if (provider === "" || name === "") throw new MortiseError("unknown_model", { seen: quoteWithClose(spec, ["embedded/scripted"]) });
  const { languageModel, isLocal } =
    provider === "embedded"
      ? { languageModel: await openEmbedded(name, settings, options), isLocal: false }
      : await fromProvider(provider, name, settings);
  const facts = factsOf(provider, name, settings.models, isLocal);
  const model = { id: spec, provider, name, ...facts, languageModel: await recorded(languageModel, spec, settings, options) };
  return provider === "embedded" ? { ...model, price: free } : model;
}

/** The model to use where none is named: the config's, else rules that need no key. */
export function defaultModel({ models }: Pick<ModelSettings, "models">): string {
  return models.default ?? "embedded/scripted";
}

async function fromProvider(provider: string, name: string, settings: ModelSettings) {
  const { openProvider } = await import("./providers/open-provider.ts");
  return openProvider(provider, name, settings);
}

async function openEmbedded(name: string, settings: ModelSettings, { clock, cassette, chaos = [], cwd }: OpenOptions): Promise<LanguageModelV4> {
  const time = clock === undefined ? {} : { clock };
  const place = cwd === undefined ? {} : { cwd };
  switch (name) {
    case "scripted":
      return (await import("./embedded/scripted/scripted.ts")).createScripted(time);
    case "chaos":
      return (await import("./embedded/chaos/chaos.ts")).createChaos(chaos, time);
    case "replay": {
      if (cassette === undefined) throw new MortiseError("unknown_model", { seen: "embedded/replay, which needs a recording to play" });
      const { openCassette, createReplay } = await import("./embedded/replay/replay.ts");
      return createReplay(await openCassette(cassette.path), { ...time, ...place, mode: cassette.mode ?? "strict", clean: cleanOf(settings) });
    }
    default:
      throw new MortiseError("unknown_model", {
        seen: quoteWithClose(
          `embedded/${name}`,
          embedded.map((each) => `embedded/${each}`),
        ),
      });
  }
}

async function recorded(
  model: LanguageModelV4,
  spec: string,
  settings: ModelSettings,
  { record, clock, cwd }: OpenOptions,
): Promise<LanguageModelV4> {
  if (record === undefined) return model;
  const { recordModel } = await import("./embedded/replay/record.ts");
  return recordModel(model, {
    path: record,
    id: spec,
    clean: cleanOf(settings),
    ...(clock === undefined ? {} : { clock }),
    ...(cwd === undefined ? {} : { cwd }),
  });
}

/** Secrets of the environment and of the config make no difference to a recording, and are not in it. */
function cleanOf(settings: ModelSettings): Clean {
  const secrets = Object.values(settings.models.providers ?? {}).flatMap(({ key, headers }) => [key ?? [], Object.values(headers ?? {})].flat(2));
  return createClean(environmentOf(settings), secrets);
}
