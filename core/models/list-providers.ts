import { curatedModel, factsOf, type ModelFacts, modelTable } from "./facts.ts";
import { type Tier, tiers } from "./model.ts";
import { hasKey, keySource } from "./providers/keys.ts";
import { hasPackage, packageOf } from "./providers/packaged.ts";
import { isLoopback, knownProviders, type Provider, type ProviderKind, providerNames, providerOf } from "./providers/provider-table.ts";
import type { ModelSettings } from "./settings.ts";
import { tierOf } from "./tiers.ts";

/** A provider as a person may know it: where its key is, never the key. */
export type ProviderInfo = {
  name: string;
  kind: ProviderKind;
  url: string | null;
  isLocal: boolean;
  /** `from` is `config` or a variable; null where there is none. */
  key: { needed: boolean; variables: readonly string[]; from: string | null; count: number };
  /** The package that it needs and that is not there. */
  missing: string | null;
  /** Whether it can be asked as it is. */
  ready: boolean;
  /** Those that the config or the data file knows. */
  models: readonly ({ id: string; tier: Tier } & ModelFacts)[];
};

/** All providers that can be named, those of the config first. Nothing is asked over a network. */
export function listProviders(settings: ModelSettings): ProviderInfo[] {
  return providerNames(settings.models).flatMap((name) => {
    const provider = providerOf(name, settings.models);
    return provider === undefined ? [] : [infoOf(name, provider, settings)];
  });
}

/** What a model is used for where only its size is said: the config's, which may be null. */
export function tierModels({ models }: Pick<ModelSettings, "models">): Record<Tier, string | null> {
  return { weak: models.tiers?.weak ?? null, medium: models.tiers?.medium ?? null, strong: models.tiers?.strong ?? null };
}

function infoOf(name: string, provider: Provider, settings: ModelSettings): ProviderInfo {
  const { kind, url, keyVariables, needsKey } = provider;
  const key = { needed: needsKey, variables: keyVariables, ...keySource(provider, settings) };
  const missing = hasPackage(kind, settings.folders?.config) ? null : (packageOf(kind) ?? null);
  const isLocal = url !== undefined && isLoopback(url);
  return {
    name,
    kind,
    url: url === undefined ? null : withoutSecrets(url),
    isLocal,
    key,
    missing,
    ready: missing === null && hasKey(name, settings),
    models: modelsOf(name, settings).map((model) => {
      const id = `${name}/${model}`;
      return { id, tier: tierOf(id, settings), ...factsOf(name, model, settings.models, isLocal) };
    }),
  };
}

/** An address may carry a password, or a key after it. */
function withoutSecrets(url: string): string {
  if (!URL.canParse(url)) return "";
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

/** Those of the config, then those of the data file, the curated ones first. */
function modelsOf(provider: string, { models }: ModelSettings): string[] {
  const providers = models.providers ?? {};
  const listed = Object.keys((Object.hasOwn(providers, provider) ? providers[provider]?.models : undefined) ?? {});
  if (!Object.hasOwn(knownProviders, provider)) return listed;
  const curated = tiers.toReversed().flatMap((tier) => curatedModel(provider, tier) ?? []);
  const known = Object.keys(modelTable().models).flatMap((id) => (id.startsWith(`${provider}/`) ? [id.slice(provider.length + 1)] : []));
  return [...new Set([...listed, ...curated, ...known])];
}
