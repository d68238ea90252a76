import type { ModelsConfig } from "./models-config.ts";

/** What opening a model needs to know. `Settings` has the first two. */
export type ModelSettings = {
  models: ModelsConfig;
  /** In whose `node_modules` packages of providers may lie, besides the program's own. */
  folders?: { config: string };
  /** Where keys are; that of the process unless said. */
  environment?: NodeJS.ProcessEnv;
};

export function environmentOf(settings: Pick<ModelSettings, "environment">): NodeJS.ProcessEnv {
  return settings.environment ?? process.env;
}

/** `provider/name`; the name may hold slashes, and is empty where there is none. */
export function splitSpec(spec: string): { provider: string; name: string } {
  const slash = spec.indexOf("/");
  return slash < 0 ? { provider: spec, name: "" } : { provider: spec.slice(0, slash), name: spec.slice(slash + 1) };
}
