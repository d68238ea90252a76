import { curatedModel } from "./facts.ts";
import { type Tier, tiers } from "./model.ts";
import type { ModelsConfig } from "./models-config.ts";
import { hasKey } from "./providers/keys.ts";
import { type ModelSettings, splitSpec } from "./settings.ts";

/** Which tier a model is of: as the config says, else by its place among the provider's, else as the data file says, else medium. */
export function tierOf(spec: string, { models }: Pick<ModelSettings, "models">): Tier {
  const { provider, name } = splitSpec(spec);
  const overridden = tiers.find((tier) => models.tiers?.[tier] === spec);
  if (overridden !== undefined) return overridden;
  const listed = listedModels(provider, models);
  const said = listed.find(({ id }) => id === name)?.tier;
  if (said !== undefined) return said;
  const curated = tiers.find((tier) => curatedModel(provider, tier) === name);
  if (curated !== undefined) return curated;
  const place = listed.findIndex(({ id }) => id === name);
  if (place < 0 || listed.length < 2 || tiers.some((tier) => curatedModel(provider, tier) !== undefined)) return "medium";
  return (["strong", "medium", "weak"] as const)[Math.min(place, 2)] ?? "medium";
}

/**
 * The model of a tier that a subagent gets: never above its parent's tier, which has the parent's own model. What the config says of the tier,
 * else one of the parent's provider, else of another one in the config that can be used, else the parent's own.
 */
export function modelOfTier(requested: Tier | undefined, parent: string, settings: ModelSettings): string {
  const most = tierOf(parent, settings);
  const { provider } = splitSpec(parent);
  if (requested === undefined || tiers.indexOf(requested) >= tiers.indexOf(most) || provider === "embedded") return parent;
  const tier = requested;
  const said = settings.models.tiers?.[tier];
  if (said !== undefined && hasKey(splitSpec(said).provider, settings)) return said;
  const others = Object.keys(settings.models.providers ?? {}).filter((other) => other !== provider && hasKey(other, settings));
  for (const each of [provider, ...others]) {
    const name = inProvider(each, tier, settings.models);
    if (name !== undefined) return `${each}/${name}`;
  }
  return parent;
}

/** Curated where the provider lists it, listed with that tier, curated, by place; not one that the config gives to another tier. */
function inProvider(provider: string, tier: Tier, models: ModelsConfig): string | undefined {
  const elsewhere = (name: string) => tiers.some((other) => other !== tier && models.tiers?.[other] === `${provider}/${name}`);
  const listed = listedModels(provider, models);
  const curated = curatedModel(provider, tier);
  const place = { strong: 0, medium: 1, weak: 2 }[tier];
  const candidates = [
    ...listed.filter(({ id }) => id === curated),
    ...listed.filter((each) => each.tier === tier).sort((a, b) => (a.id < b.id ? -1 : 1)),
    ...(curated === undefined ? [] : [{ id: curated }]),
    ...listed.slice(Math.min(place, listed.length - 1)).slice(0, 1),
  ];
  return candidates.find(({ id }) => !elsewhere(id))?.id;
}

function listedModels(provider: string, models: ModelsConfig): { id: string; tier: Tier | undefined }[] {
  const providers = models.providers ?? {};
  const listed = (Object.hasOwn(providers, provider) ? providers[provider]?.models : undefined) ?? {};
  return Object.entries(listed).map(([id, { tier }]) => ({ id, tier }));
}
