import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import * as z from "zod/mini";
import { MortiseError } from "../../../sdk/errors.ts";
import type { ProviderKind } from "./provider-table.ts";

export type ProviderOptions = { apiKey?: string; baseURL?: string; headers?: Record<string, string>; fetch?: typeof fetch };

type Create = (options: ProviderOptions) => (name: string) => unknown;

/** Packages of providers, which are installed by those who use them. */
const packages: Readonly<Record<Exclude<ProviderKind, "openai-compatible">, { package: string; create: string; version: string }>> = {
  anthropic: { package: "@ai-sdk/anthropic", create: "createAnthropic", version: "4" },
  openai: { package: "@ai-sdk/openai", create: "createOpenAI", version: "4" },
  google: { package: "@ai-sdk/google", create: "createGoogle", version: "4" },
};

const Module = z.record(z.string(), z.unknown());
const isFunction = z.custom<Create>((value) => typeof value === "function");
const LanguageModel = z.custom<LanguageModelV4>(
  (value) => typeof value === "object" && value !== null && "specificationVersion" in value && value.specificationVersion === "v4",
);

/**
 * A model of a provider that has a package of its own, which lies beside the program or in the user's settings folder.
 * @param resolve Finds a package from a file. @throws MortiseError `package_missing`.
 */
export async function openPackaged(
  kind: Exclude<ProviderKind, "openai-compatible">,
  name: string,
  options: ProviderOptions,
  configFolder: string | undefined,
  resolve: typeof resolveFrom = resolveFrom,
): Promise<LanguageModelV4> {
  const from = packages[kind];
  const missing = (why: string, cause?: unknown) => {
    const folder = configFolder === undefined ? "" : ` --prefix ${configFolder}`;
    return new MortiseError("package_missing", {
      seen: `${from.package}${why}, as by \`npm install${folder} ${from.package}@${from.version}\``,
      cause,
    });
  };
  const loaded = await load(from.package, configFolder, resolve);
  if (loaded === undefined) throw missing("");
  const create = isFunction.safeParse(Module.parse({ ...loaded })[from.create]);
  if (!create.success) throw missing(" does not have what is needed of it");
  const model = LanguageModel.safeParse(create.data(options)(name));
  if (!model.success) throw missing(" is of another version than is needed");
  return model.data;
}

/** Whether the package of a kind of providers is there. */
export function hasPackage(kind: ProviderKind, configFolder: string | undefined): boolean {
  return kind === "openai-compatible" || placesOf(configFolder).some((place) => resolveFrom(place, packages[kind].package) !== undefined);
}

/** The package of a kind of providers; undefined where the program has what it needs. */
export function packageOf(kind: ProviderKind): string | undefined {
  return kind === "openai-compatible" ? undefined : packages[kind].package;
}

/** Never from the folder that the agent works in, which may not be trusted. */
async function load(name: string, configFolder: string | undefined, resolve: typeof resolveFrom): Promise<object | undefined> {
  for (const place of placesOf(configFolder)) {
    const path = resolve(place, name);
    if (path !== undefined) return await import(pathToFileURL(path).href);
  }
  return undefined;
}

function placesOf(configFolder: string | undefined): string[] {
  return [import.meta.url, ...(configFolder === undefined ? [] : [join(configFolder, "package.json")])];
}

function resolveFrom(place: string, name: string): string | undefined {
  try {
    return createRequire(place).resolve(name);
  } catch {
    return undefined;
  }
}
