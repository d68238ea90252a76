import * as z from "zod/mini";
import { Price, type Tier, tiers } from "./model.ts";
import type { ModelsConfig } from "./models-config.ts";
import prices from "./prices.json" with { type: "json" };

const Facts = z.strictObject({ price: Price, contextWindow: z.number(), maxOutput: z.number(), images: z.boolean() });
const Table = z.strictObject({
  asOf: z.string(),
  models: z.record(z.string(), Facts),
  tiers: z.record(z.string(), z.partialRecord(z.enum(tiers), z.string())),
});

export type ModelFacts = { price: Price | null; contextWindow: number; maxOutput: number; images: boolean };

let parsed: z.infer<typeof Table> | undefined;

/** The data file: list prices and sizes of models, and the model of each tier, by provider. */
export function modelTable(): z.infer<typeof Table> {
  parsed ??= Table.parse(prices);
  return parsed;
}

/** A provider's model of a tier, as the data file has it. */
export function curatedModel(provider: string, tier: Tier): string | undefined {
  const { tiers: all } = modelTable();
  return Object.hasOwn(all, provider) ? all[provider]?.[tier] : undefined;
}

/** What is known of a model: what the config says over what the data file says. An unknown model has no price. */
export function factsOf(provider: string, name: string, models: ModelsConfig, isLocal: boolean): ModelFacts {
  const known = inTable(provider, name);
  const config = models.providers?.[provider]?.models;
  const said = config !== undefined && Object.hasOwn(config, name) ? config[name] : undefined;
  const contextWindow = said?.contextWindow ?? known?.contextWindow ?? (isLocal ? 32_768 : 128_000);
  return {
    price: said?.price ?? known?.price ?? null,
    contextWindow,
    maxOutput: Math.min(said?.maxOutput ?? known?.maxOutput ?? (isLocal ? 8_192 : 32_768), contextWindow),
    images: said?.images ?? known?.images ?? false,
  };
}

/** A dated name is the same model as its name without the date. */
function inTable(provider: string, name: string): z.infer<typeof Facts> | undefined {
  const { models } = modelTable();
  const of = (id: string) => (Object.hasOwn(models, id) ? models[id] : undefined);
  return of(`${provider}/${name}`) ?? of(`${provider}/${name.replace(/-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, "")}`);
}
