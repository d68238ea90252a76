import type { Api } from "./api.ts";
import type { HostSlot } from "./contract.ts";
import type { Asks } from "./wire.ts";

/** What a plugin is and what it asks for. A person grants it; nothing is granted by the plugin itself. */
export type Definition = {
  /** Lower case letters, digits, `-` and `_`; unique in a host. Slots the plugin declares start with it. */
  name: string;
  version?: string;
  description?: string;
  /** `true` for all of a capability, or the scopes needed: paths, hosts, commands, variables. */
  capabilities?: Asks;
  /** Slots to layer, judge or redact without holding the tool's capability. `tool.*.output` covers every tool. */
  steer?: readonly HostSlot[];
  /** `process` gives the plugin a runner of its own from the start. */
  isolation?: "shared" | "process";
  /** Limit of the isolate's heap, in MiB; 64 unless said. */
  memoryMb?: number;
  /** Options with their defaults; the user's config overrides them. */
  options?: Record<string, string | number | boolean>;
};

export type Plugin = { readonly definition: Definition; readonly setup: (api: never) => void | Promise<void> };

/**
 * Defines a plugin. `setup` registers what the plugin does; registration is over once it has resolved.
 * What the definition does not ask for is not on `api`.
 */
export function definePlugin<const D extends Definition>(definition: D, setup: (api: Api<D>) => void | Promise<void>): Plugin {
  return { definition, setup };
}
