import { MortiseError } from "../../../sdk/errors.ts";
import { environmentOf, type ModelSettings } from "../settings.ts";
import { isLoopback, type Provider, providerOf } from "./provider-table.ts";

/**
 * The keys of a provider: of the config, else of the first variable that has any, between commas. Throws `key_missing` where it needs one and there is
 * none, or where they would travel unencrypted.
 */
export function keysOf(name: string, provider: Provider, settings: ModelSettings): readonly string[] {
  const { keys } = findKeys(provider, settings);
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

function findKeys(provider: Provider, settings: ModelSettings): { keys: readonly string[]; from: string | null } {
  if (provider.keys.length > 0) return { keys: [...new Set(provider.keys)], from: "config" };
  const environment = environmentOf(settings);
  const from = provider.keyVariables.find((variable) => keysIn(environment[variable]).length > 0);
  return from === undefined ? { keys: [], from: null } : { keys: [...new Set(keysIn(environment[from]))], from };
}

/** No provider has a comma in its keys. */
function keysIn(value = ""): string[] {
  return value
    .split(",")
    .map((key) => key.trim())
    .filter((key) => key !== "");
}

/** Where a provider's keys are: `config`, or a variable. Null where there are none. */
export function keySource(provider: Provider, settings: ModelSettings): { from: string | null; count: number } {
  const { keys, from } = findKeys(provider, settings);
  return { from, count: keys.length };
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
