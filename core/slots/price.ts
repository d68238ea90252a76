import { type Capability, capabilityNames, slotKey, slotSpec } from "../../sdk/contract.ts";
import type { LoadedPlugin } from "../plugins/plugin.ts";

/** What a layer on a slot of a tool has to hold: the tool's capability, or all five where it declares none. */
export function toolPrice(tool: { capability: Capability | null } | null): readonly Capability[] {
  return tool?.capability == null ? capabilityNames : [tool.capability];
}

/**
 * Whether a plugin may stand on a slot, for one tool where the slot is a tool's.
 * Full grants pay, scoped ones do not; `steer` pays for the slot it names, and `tool.*` for every tool's.
 */
export function entitled(plugin: Pick<LoadedPlugin, "granted" | "steer">, slot: string, price: readonly Capability[]): boolean {
  if (plugin.steer.includes(slot)) return true;
  const key = slotKey(slot);
  if (key !== undefined && plugin.steer.includes(key)) return true;
  return price.every((capability) => plugin.granted[capability] === true);
}

/** The price of a host slot; `tool` is null where the slot is no tool's. */
export function hostPrice(slot: string, tool: { capability: Capability | null } | null): readonly Capability[] {
  const price = slotSpec(slot)?.price;
  return price === "free" ? [] : price === "tool" ? toolPrice(tool) : capabilityNames;
}
