import type { ModelsConfig, ProviderConfig } from "../models-config.ts";

export type ProviderKind = NonNullable<ProviderConfig["kind"]>;

export type Provider = {
  kind: ProviderKind;
  /** Undefined where the package knows it. */
  url: string | undefined;
  /** Variables that may hold keys, in order. */
  keyVariables: readonly string[];
  needsKey: boolean;
  /** Those of the config; empty where it has none. */
  keys: readonly string[];
  /** Whether the config says which key this address gets. */
  namesKey: boolean;
  headers: Readonly<Record<string, string>>;
};

type Known = { kind?: ProviderKind; url?: string; keyVariables?: readonly string[]; port?: number };

/** Providers that need no config. Those with a `port` are servers on this machine. */
export const knownProviders: Readonly<Record<string, Known>> = {
  anthropic: { kind: "anthropic", keyVariables: ["ANTHROPIC_API_KEY"] },
  openai: { kind: "openai", keyVariables: ["OPENAI_API_KEY"] },
  google: { kind: "google", keyVariables: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"] },
  openrouter: { url: "https://openrouter.ai/api/v1" },
  deepseek: { url: "https://api.deepseek.com/v1" },
  groq: { url: "https://api.groq.com/openai/v1" },
  mistral: { url: "https://api.mistral.ai/v1" },
  xai: { url: "https://api.x.ai/v1" },
  ollama: { port: 11_434 },
  lmstudio: { port: 1_234 },
  llamacpp: { port: 8_080 },
  vllm: { port: 8_000 },
};

/** A provider as the config and the table have it; undefined where neither does. */
export function providerOf(name: string, models: ModelsConfig): Provider | undefined {
  const known = Object.hasOwn(knownProviders, name) ? knownProviders[name] : undefined;
  const providers = models.providers ?? {};
  const said = Object.hasOwn(providers, name) ? providers[name] : undefined;
  const kind = said?.kind ?? known?.kind ?? "openai-compatible";
  const url = said?.url ?? known?.url ?? (known?.port === undefined ? undefined : localUrl(known.port));
  if (kind === "openai-compatible" && url === undefined) return undefined;
  return {
    kind,
    url,
    keyVariables: said?.keyEnv === undefined ? variablesOf(name, kind, known) : [said.keyEnv],
    needsKey: known?.port === undefined && said?.url === undefined,
    keys: said?.key === undefined ? [] : [said.key].flat(),
    namesKey: said?.key !== undefined || said?.keyEnv !== undefined,
    headers: said?.headers ?? {},
  };
}

export function providerNames(models: ModelsConfig): string[] {
  return [...new Set([...Object.keys(models.providers ?? {}), ...Object.keys(knownProviders), "embedded"])];
}

export function localUrl(port: number): string {
  return `http://127.0.0.1:${port}/v1`;
}

/** Whether an address leads to this machine. */
export function isLoopback(url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname : "";
  return host === "localhost" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);
}

function variablesOf(name: string, kind: ProviderKind, known: Known | undefined): readonly string[] {
  const own = `${name.replace(/[^A-Za-z0-9]/g, "_").toUpperCase()}_API_KEY`;
  return known?.keyVariables ?? (kind === "openai-compatible" ? [own] : [own, ...(knownProviders[kind]?.keyVariables ?? [])]);
}
