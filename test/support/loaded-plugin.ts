import type { LoadedPlugin } from "../../core/plugins/plugin.ts";
import type { Manifest } from "../../sdk/wire.ts";

type Of<K extends keyof Manifest> = Manifest[K] extends readonly (infer Item)[] ? Item : never;

/** A plugin as the host keeps it, for what looks at manifests and grants and runs no code. */
export function loadedPlugin(name: string, manifest: Partial<Manifest> = {}, more: Partial<LoadedPlugin> = {}): LoadedPlugin {
  return {
    name,
    path: `/plugins/${name}.ts`,
    code: "",
    hash: name,
    origin: "user",
    granted: {},
    steer: [],
    order: 0,
    failed: null,
    options: {},
    manifest: {
      name,
      capabilities: {},
      steer: [],
      isolation: "shared",
      layers: [],
      judges: [],
      redactors: [],
      autocmds: [],
      slots: [],
      tools: [],
      commands: [],
      rules: [],
      options: {},
      ...manifest,
    },
    ...more,
  };
}

export function tool(name: string, more: Partial<Of<"tools">> = {}): Of<"tools"> {
  return {
    handler: 0,
    scopes: null,
    name,
    description: `The tool ${name}.`,
    kind: null,
    capability: null,
    audiences: null,
    timeoutMs: null,
    writes: null,
    aliases: {},
    inputSchema: { type: "object", properties: {} },
    ...more,
  };
}

export function layer(slot: string, more: Partial<Of<"layers">> = {}): Of<"layers"> {
  return { handler: 0, slot, onFailure: "skip", before: [], after: [], data: false, ...more };
}

export function autocmd(events: string | string[], more: Partial<Of<"autocmds">> = {}): Of<"autocmds"> {
  return { handler: 0, events: [events].flat(), pattern: null, once: false, group: null, ...more };
}
