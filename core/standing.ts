import { capabilityNames } from "../sdk/contract.ts";
import type { Granted } from "./capabilities/capabilities.ts";
import type { NativeTool } from "./host-types.ts";
import type { LoadedPlugin } from "./plugins/plugin.ts";
import { createLayers, type ForcedBlocks, type Layers } from "./slots/layers.ts";
import { entitled, hostPrice } from "./slots/price.ts";
import { listTools, type Tool } from "./tools.ts";

export type Standings = {
  tools(): readonly Tool[];
  layers(): Layers;
  /** @throws MortiseError `layer_cycle` for plugins that cannot stand together. */
  accept(next: readonly LoadedPlugin[]): void;
};

/** Who stands where, worked out once for each list of plugins: every change of plugins or grants makes another, so that nobody stands who is gone. */
export function createStandings(plugins: () => readonly LoadedPlugin[], natives: readonly NativeTool[], forced: ForcedBlocks): Standings {
  const had = new Map<string, { granted: Granted; steer: string[] }>();
  let current: { all: readonly LoadedPlugin[]; tools: Tool[]; layers: Layers } | undefined;

  const work = (all: readonly LoadedPlugin[]) => {
    const tools = listTools(all, natives);
    const lostBefore = (plugin: string, slot: string, tool: string) => {
      const before = had.get(plugin);
      return before !== undefined && entitled(before, slot, hostPrice(slot, tools.find((each) => each.name === tool) ?? null));
    };
    for (const plugin of all) remember(had, plugin);
    return { all, tools, layers: createLayers(all, forced, lostBefore) };
  };
  const get = () => {
    const all = plugins();
    if (current?.all !== all) current = work(all);
    return current;
  };
  return {
    tools: () => get().tools,
    layers: () => get().layers,
    accept: (next) => void createLayers(next, forced, () => false),
  };
}

/** A grant that a plugin had and lost closes what it guarded, so all it ever had in this host is kept. */
function remember(had: Map<string, { granted: Granted; steer: string[] }>, plugin: LoadedPlugin): void {
  const before = had.get(plugin.name) ?? { granted: {}, steer: [] };
  const granted = { ...before.granted };
  const lost = plugin.lost ?? { capabilities: {}, steer: [] };
  for (const name of capabilityNames) if (plugin.granted[name] === true || lost.capabilities[name] === true) granted[name] = true;
  had.set(plugin.name, { granted, steer: [...new Set([...before.steer, ...plugin.steer, ...lost.steer])] });
}
