import { MortiseError } from "../../../sdk/errors.ts";
import { environmentOf, type ModelSettings } from "../settings.ts";
import { isLoopback, type Provider, providerOf } from "./provider-table.ts";

/**
 * The keys of a provider: of the config, else of the first variable that has any, between commas. Throws `key_missing` where it needs one and there is
 * none, or where they would travel unencrypted.
 */
export function keysOf(name: string, provider: Provider, settings: ModelSettings): readonly string[] {
  const environment = environmentOf(settings);
  const inVariables = () => provider.keyVariables.map((variable) => keysIn(environment[variable])).find((keys) => keys.length > 0) ?? [];
  const keys = [...new Set(provider.keys.length > 0 ? provider.keys : inVariables())];
  if (keys.length === 0 && provider.needsKey) {
    throw new MortiseError("key_missing", { seen: `${name}, which looks for ${provider.keyVariables.join(" or ")}` });
  }
  if (keys.length > 0 && !mayCarryKey(provider)) {
    throw new MortiseError("key_missing", {
      seen: `${name}, whose address is unencrypted, gets no key unless its config names one with key or keyEnv`,
    });
  }
  return keys;
}

/** No provider has a comma in its keys. */
function keysIn(value = ""): string[] {
  return value
    .split(",")
    .map((key) => key.trim())
    .filter((key) => key !== "");
}

/** Whether a provider can be asked without setting anything up. */
export function hasKey(name: string, settings: ModelSettings): boolean {
  const provider = providerOf(name, settings.models);
  if (provider === undefined) return false;
  try {
    keysOf(name, provider, settings);
    return true;
  } catch {
    return false;
  }
}

/** A key travels unencrypted only within this machine, or where the config says that this address gets it. */
function mayCarryKey({ url, namesKey }: Provider): boolean {
  return namesKey || url === undefined || url.startsWith("https:") || isLoopback(url);
}
