import { MortiseError } from "../../../sdk/errors.ts";
import { environmentOf, type ModelSettings } from "../settings.ts";
import { isLoopback, type Provider, providerOf } from "./provider-table.ts";

/** The key of a provider: of the config, else of the environment. Throws `key_missing` where it needs one and there is none, or where it would travel unencrypted. */
export function keyOf(name: string, provider: Provider, settings: ModelSettings): string | undefined {
  const environment = environmentOf(settings);
  const key = provider.key ?? provider.keyVariables.map((variable) => environment[variable]).find((value) => value !== undefined && value !== "");
  if (key === undefined && provider.needsKey) {
    throw new MortiseError("key_missing", { seen: `${name}, which looks for ${provider.keyVariables.join(" or ")}` });
  }
  if (key !== undefined && !mayCarryKey(provider)) {
    throw new MortiseError("key_missing", {
      seen: `${name}, whose address is unencrypted, gets no key unless its config names one with key or keyEnv`,
    });
  }
  return key;
}

/** Whether a provider can be asked without setting anything up. */
export function hasKey(name: string, settings: ModelSettings): boolean {
  const provider = providerOf(name, settings.models);
  if (provider === undefined) return false;
  try {
    keyOf(name, provider, settings);
    return true;
  } catch {
    return false;
  }
}

/** A key travels unencrypted only within this machine, or where the config says that this address gets it. */
function mayCarryKey({ url, namesKey }: Provider): boolean {
  return namesKey || url === undefined || url.startsWith("https:") || isLoopback(url);
}
