import { userFolders } from "../../../config/folders.ts";
import { loadSettings } from "../../../config/settings.ts";
import { curatedModel, factsOf, modelTable } from "../../../models/facts.ts";
import { type Tier, tiers } from "../../../models/model.ts";
import { hasKey } from "../../../models/providers/keys.ts";
import { type ModelSettings, splitSpec } from "../../../models/settings.ts";
import { tableOf } from "../../table.ts";
import { visibleLine } from "../../visible.ts";
import type { ChatCommand, ChatControl } from "../chat-control.ts";

/** Shows the model and those that can be used, or changes it. */
export const model: ChatCommand = {
  name: "model",
  description: "show the models, or use another: provider/name, or weak, medium, strong",
  source: "mortise",
  async run(args, chat) {
    const wanted = args.trim();
    const settings = await settingsOf(chat);
    const now = chat.agent.model().id;
    if (wanted === "") return [`The model is ${now}.`, ...lines(settings, now), "`/model provider/name` uses another."].join("\n");
    const tier = tiers.find((each) => each === wanted);
    const spec = tier === undefined ? wanted : ofTier(tier, now, settings);
    if (spec === undefined)
      return `No ${wanted} model of ${splitSpec(now).provider} is known. Name one as provider/name, or set \`models.tiers.${wanted}\` in the config.`;
    await chat.setModel(spec);
    return `The next request goes to ${chat.agent.model().id}.`;
  },
  async complete(_args, chat) {
    const settings = await settingsOf(chat);
    return [
      ...known(settings).map((spec) => ({ value: spec, description: about(spec, settings) })),
      ...tiers.map((value) => ({ value, description: "the model of this tier" })),
    ];
  },
};

function settingsOf(chat: Pick<ChatControl, "host">): Promise<ModelSettings> {
  return loadSettings({ cwd: chat.host.cwd, folders: userFolders() });
}

function ofTier(tier: Tier, now: string, { models }: ModelSettings): string | undefined {
  const { provider } = splitSpec(now);
  const curated = curatedModel(provider, tier);
  return models.tiers?.[tier] ?? (curated === undefined ? undefined : `${provider}/${curated}`);
}

/** Models of the config, and those of each tier of providers that have a key. */
function known(settings: ModelSettings): string[] {
  const { models } = settings;
  const configured = Object.entries(models.providers ?? {}).flatMap(([provider, { models: own = {} }]) =>
    Object.keys(own).map((name) => `${provider}/${name}`),
  );
  const curated = Object.entries(modelTable().tiers).flatMap(([provider, own]) =>
    hasKey(provider, settings) ? tiers.flatMap((tier) => (own[tier] === undefined ? [] : [`${provider}/${own[tier]}`])) : [],
  );
  const tiered = tiers.flatMap((tier) => models.tiers?.[tier] ?? []);
  return [...new Set([...(models.default === undefined ? [] : [models.default]), ...tiered, ...configured, ...curated, "embedded/scripted"])];
}

function lines(settings: ModelSettings, now: string): string[] {
  return tableOf(known(settings).map((spec) => [`${spec === now ? "*" : " "} ${visibleLine(spec)}`, visibleLine(about(spec, settings))]));
}

function about(spec: string, settings: ModelSettings): string {
  const { provider, name } = splitSpec(spec);
  if (provider === "embedded") return "rules, no model: needs no key";
  const { contextWindow, price } = factsOf(provider, name, settings.models, false);
  const tier = tiers.find((each) => settings.models.tiers?.[each] === spec || curatedModel(provider, each) === name);
  const cost = price === null ? "no price known" : `${price.input} and ${price.output} USD a million tokens`;
  return [...(tier === undefined ? [] : [tier]), `${Math.round(contextWindow / 1000)} k tokens`, cost].join(", ");
}
