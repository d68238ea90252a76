import { reservedPrefixes, slotSpec, slots } from "../../sdk/contract.ts";
import { closeNames, distance, quoteWithClose } from "../close-names.ts";

const pluginSlotName = /^[a-z][a-z0-9_-]{0,63}\.[A-Za-z0-9_.-]{1,128}$/;

/** Whether a slot of this name may exist: one of the host, or one that a plugin could declare. */
export function isSlotName(name: string): boolean {
  return slotSpec(name) !== undefined || isPluginSlotName(name);
}

/** `<plugin>.<rest>`, outside of what the host keeps for itself. */
export function isPluginSlotName(name: string): boolean {
  return pluginSlotName.test(name) && !isReserved(name);
}

export function isReserved(name: string): boolean {
  return reservedPrefixes.some((prefix) => name.startsWith(prefix));
}

/** Slots of the host that a name may have been meant for, with the tool it names. */
export function slotsLike(name: string): string[] {
  return closeNames(name, hostSlotsFor(name));
}

/** `"tool.bash.inptu"; did you mean "tool.bash.input"?`, or the quoted name alone. */
export function quoteSlot(name: string): string {
  return quoteWithClose(name, hostSlotsFor(name));
}

/** Whether a name is a slip of the pen away from a slot of the host. */
export function isNearMiss(name: string): boolean {
  return [...hostSlotsFor(name)].some((other) => distance(name, other) <= 2);
}

function hostSlotsFor(name: string): Set<string> {
  const tool = /^[^.]*\.(.+)\.[^.]*$/.exec(name)?.[1];
  const own = tool === undefined || tool === "*" ? [] : [`tool.${tool}.input`, `tool.${tool}.output`];
  return new Set([...own, ...Object.keys(slots)]);
}
