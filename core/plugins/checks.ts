import { autocmds, slotSpec } from "../../sdk/contract.ts";
import { MortiseError } from "../../sdk/errors.ts";
import type { Manifest } from "../../sdk/wire.ts";
import { quoteWithClose } from "../close-names.ts";
import { PROGRAM } from "../tools.ts";
import type { BuiltPlugin, LoadedPlugin } from "./plugin.ts";
import { isNearMiss, isPluginSlotName, isReserved, quoteSlot } from "./slot-name.ts";

/** Which plugin file first declared a slot. A name belongs to it for the life of the process. */
export type SlotOwners = Map<string, string>;

/**
 * Checks a plugin against the contract and against those that are loaded, its own older version aside. Throws the load error.
 * Nothing is changed: what it declares is noted by `ownSlots` once it is taken.
 */
export function checkPlugin(built: BuiltPlugin, others: readonly LoadedPlugin[], owners: SlotOwners): void {
  const { manifest } = built;
  checkName(built, others);
  checkText(manifest);
  if (registersNothing(manifest)) throw fault(manifest, "plugin_registers_nothing", manifest.name);
  for (const tool of manifest.tools) checkTool(manifest, tool.name, others);
  for (const slot of manifest.slots) checkDeclared(built, slot.name, owners);
  for (const { slot } of manifest.layers) checkLayered(manifest, slot, others);
  for (const { slot } of manifest.judges)
    if (slotSpec(slot)?.judged !== true) throw fault(manifest, "unknown_slot", `${quoted(slot)}; judges stand on tool.<name>.input and tool.*.input`);
  for (const { slot } of manifest.redactors)
    if (!/^tool\..+\.output$/.test(slot))
      throw fault(manifest, "unknown_slot", `${quoted(slot)}; redactors stand on tool.<name>.output and tool.*.output`);
  for (const slot of manifest.steer) if (slotSpec(slot) === undefined) throw unknownSlot(manifest, slot);
  for (const event of manifest.autocmds.flatMap(({ events }) => events)) checkEvent(manifest, event);
}

export function ownSlots({ path, manifest }: BuiltPlugin, owners: SlotOwners): void {
  for (const { name } of manifest.slots) if (!owners.has(name)) owners.set(name, path);
}

/** Names of what is no plugin, and of who decides calls: marks and prompts would say that it was another one, and native tools are the program's own. */
const notPlugins = new Set<string>([
  PROGRAM,
  ...["host", "mortise", "builtin", "you", "user", "person", "nobody", "rule", "rules", "default", "yolo", "cancelled"],
]);

function checkName({ manifest, path }: BuiltPlugin, others: readonly LoadedPlugin[]): void {
  if (notPlugins.has(manifest.name)) throw fault(manifest, "plugin_name_taken", `${manifest.name}, which is no plugin's name, in ${path}`);
  const other = others.find(({ name }) => name === manifest.name);
  if (other !== undefined) throw fault(manifest, "plugin_name_taken", `${manifest.name}, in ${other.path} and in ${path}`);
}

/** What a person reads before saying yes must not be drawn by the plugin. */
function checkText(manifest: Manifest): void {
  const { name, version = "", description = "", capabilities, steer } = manifest;
  const shown = [name, version, description, ...steer, ...Object.values(capabilities).flatMap((held) => (held === true ? [] : (held ?? [])))];
  const bad = shown.find((text) => /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(text));
  if (bad !== undefined) throw fault(manifest, "plugin_invalid", `${quoted(bad)} in the definition holds control characters`);
}

function registersNothing({ layers, judges, redactors, autocmds: listened, slots, tools, commands, rules }: Manifest): boolean {
  return [layers, judges, redactors, listened, slots, tools, commands, rules].every((list) => list.length === 0);
}

function checkTool(manifest: Manifest, name: string, others: readonly LoadedPlugin[]): void {
  const holder = others.find((other) => other.manifest.tools.some((tool) => tool.name === name));
  if (holder !== undefined) throw fault(manifest, "tool_name_taken", `${name}, of ${holder.name}`);
  if (manifest.tools.filter((tool) => tool.name === name).length > 1) throw fault(manifest, "tool_name_taken", `${name}, registered twice`);
}

function checkDeclared({ manifest, path }: BuiltPlugin, name: string, owners: SlotOwners): void {
  if (isReserved(name) || !name.startsWith(`${manifest.name}.`) || !isPluginSlotName(name))
    throw fault(manifest, "slot_reserved", `${quoted(name)}; ${quoted(`${manifest.name}.name`)} would do`);
  const owner = owners.get(name);
  if (owner !== undefined && owner !== path) throw fault(manifest, "slot_taken", `${name}, of ${owner}`);
  if (manifest.slots.filter((slot) => slot.name === name).length > 1) throw fault(manifest, "slot_taken", `${name}, declared twice`);
}

function checkLayered(manifest: Manifest, slot: string, others: readonly LoadedPlugin[]): void {
  if (slotSpec(slot) !== undefined) return;
  if (!isPluginSlotName(slot)) throw unknownSlot(manifest, slot);
  // `tools.bash.input` could be a slot of a plugin called tools; without one it is a misspelt slot of the host, and a guard on it would never run.
  const declared = [manifest, ...others.map((other) => other.manifest)].some(({ slots }) => slots.some(({ name }) => name === slot));
  if (!declared && isNearMiss(slot)) throw unknownSlot(manifest, slot);
}

function checkEvent(manifest: Manifest, event: string): void {
  if (Object.hasOwn(autocmds, event) || /^[a-z][a-z0-9_-]{0,63}:.+$/.test(event)) return;
  throw fault(manifest, "unknown_event", quoteWithClose(event, Object.keys(autocmds)));
}

function unknownSlot(manifest: Manifest, slot: string): MortiseError {
  return fault(manifest, "unknown_slot", quoteSlot(slot));
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 120));
}

function fault(manifest: Manifest, code: ConstructorParameters<typeof MortiseError>[0], seen: string): MortiseError {
  return new MortiseError(code, { seen, plugin: manifest.name });
}
