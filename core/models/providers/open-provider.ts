import type { LanguageModelV4 } from "@ai-sdk/provider";
import { MortiseError } from "../../../sdk/errors.ts";
import { quoteWithClose } from "../../close-names.ts";
import { createClean } from "../clean-text.ts";
import { environmentOf, type ModelSettings } from "../settings.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { guardModel } from "./guarded-model.ts";
import { poolModels } from "./key-pool.ts";
import { keysOf } from "./keys.ts";
import { openPackaged } from "./packaged.ts";
import { isLoopback, providerNames, providerOf } from "./provider-table.ts";

/** A model behind HTTP. Throws `unknown_model`, `key_missing` or `package_missing`; whether the server is there shows with the first request. */
export async function openProvider(
  name: string,
  model: string,
  settings: ModelSettings,
): Promise<{ languageModel: LanguageModelV4; isLocal: boolean }> {
  const provider = providerOf(name, settings.models);
  if (provider === undefined) {
    throw new MortiseError("unknown_model", { seen: `no provider is called ${quoteWithClose(name, providerNames(settings.models))}` });
  }
  const keys = keysOf(name, provider, settings);
  const { kind, url, headers } = provider;
  const open = (apiKey: string | undefined) => {
    const options = { headers, fetch: boundedFetch, ...(apiKey === undefined ? {} : { apiKey }), ...(url === undefined ? {} : { baseURL: url }) };
    return kind === "openai-compatible"
      ? openCompatible(name, model, { ...options, baseURL: url ?? "" })
      : openPackaged(kind, model, options, settings.folders?.config);
  };
  const [first, ...others] = keys;
  const languageModel = poolModels([await open(first), ...(await Promise.all(others.map(open)))]);
  const clean = createClean(environmentOf(settings), [...keys, ...Object.values(headers)]);
  return { languageModel: guardModel(languageModel, clean), isLocal: url !== undefined && isLoopback(url) };
}

async function openCompatible(
  name: string,
  model: string,
  options: { baseURL: string; apiKey?: string; headers: Record<string, string>; fetch: typeof fetch },
): Promise<LanguageModelV4> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  return createOpenAICompatible({ name, includeUsage: true, ...options }).languageModel(model);
}
