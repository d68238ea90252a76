import type { SlotInfo } from "../../sdk/api.ts";
import { type Capability, capabilityNames, slotKey, slotSpec } from "../../sdk/contract.ts";
import type { LoadedPlugin } from "../plugins/plugin.ts";
import type { Tool } from "../tools.ts";
import { orderLayers } from "./order.ts";
import { entitled, hostPrice } from "./price.ts";

export type Standing = {
  plugin: string;
  handler: number;
  slot: string;
  onFailure: "skip" | "block";
  data: boolean;
  /** Why it cannot run though it should: the plugin did not load, or lost a grant. Its failure policy counts. */
  broken: { code: "plugin_not_compiled" | "not_granted"; message: string } | null;
};

export type StandingRedactor = Standing & { overlap: number };

/** Who stands on which slot, worked out anew when plugins or grants change. */
export type Layers = {
  /** Layers around a tool's stage, outermost first: those of `tool.*` around the tool's own. */
  tool(stage: "input" | "output", tool: Tool): readonly Standing[];
  judges(tool: Tool): readonly Standing[];
  redactors(tool: Tool | null): readonly StandingRedactor[];
  /** Layers on `permission.prompt` for a tool. */
  prompt(tool: Tool): readonly Standing[];
  /** Layers on a slot that is no tool's: `agent.*`, `completion.sources`. */
  named(slot: string): readonly Standing[];
  /** Layers on a plugin's slot, and who owns it. */
  declared(slot: string): { owner: LoadedPlugin; base: number; layers: readonly Standing[] } | undefined;
  info(tools: readonly Tool[]): SlotInfo[];
};

/** Forced `block` of the user's config: plugin to slots, `*` for all. */
export type ForcedBlocks = Readonly<Record<string, readonly string[]>>;

type Registered = LoadedPlugin["manifest"]["layers"][number] & { owner: LoadedPlugin };

export function createLayers(
  plugins: readonly LoadedPlugin[],
  forced: ForcedBlocks,
  lostBefore: (plugin: string, slot: string, tool: string) => boolean,
): Layers {
  const registered: Registered[] = plugins.flatMap((owner) => owner.manifest.layers.map((layer) => ({ ...layer, owner })));
  const bySlot = new Map<string, Registered[]>();
  for (const layer of registered) bySlot.set(layer.slot, [...(bySlot.get(layer.slot) ?? []), layer]);
  const ordered = new Map([...bySlot].map(([slot, layers]) => [slot, orderLayers(layers.map((layer) => ({ ...layer, plugin: layer.owner.name })))]));
  const cached = new Map<string, readonly StandingRedactor[]>();

  const stands = (
    layer: { owner: LoadedPlugin; handler: number; slot: string; onFailure: "skip" | "block"; data: boolean; overlap?: number },
    slot: string,
    price: readonly Capability[],
    tool: string,
  ): StandingRedactor[] => {
    const standing = {
      plugin: layer.owner.name,
      handler: layer.handler,
      slot,
      data: layer.data,
      overlap: layer.overlap ?? 0,
      onFailure: isForced(forced, layer.owner.name, slot) ? ("block" as const) : layer.onFailure,
    };
    const { failed } = layer.owner;
    // A failed load leaves the last good manifest with the grants it had; what it guarded goes on being guarded.
    if (entitled(layer.owner, slot, price)) {
      return [{ ...standing, broken: failed === null ? null : { code: "plugin_not_compiled", message: failed.message } }];
    }
    if (!lostBefore(layer.owner.name, slot, tool)) return [];
    return [{ ...standing, broken: { code: "not_granted", message: `${layer.owner.name} lost its grant for ${slot}` } }];
  };

  const onSlot = (slot: string, price: readonly Capability[], tool: string) =>
    (ordered.get(slot) ?? []).flatMap((layer) => stands(layer, slot, price, tool));
  const keep = (key: string, make: () => StandingRedactor[]): readonly StandingRedactor[] => {
    const known = cached.get(key);
    if (known !== undefined) return known;
    const made = make();
    cached.set(key, made);
    return made;
  };

  return {
    tool: (stage, tool) =>
      keep(`${stage} ${tool.name}`, () => {
        const price = hostPrice(`tool.${tool.name}.${stage}`, tool);
        return [...onSlot(`tool.*.${stage}`, price, tool.name), ...onSlot(`tool.${tool.name}.${stage}`, price, tool.name)];
      }),
    judges: (tool) =>
      keep(`judge ${tool.name}`, () =>
        plugins.flatMap((owner) =>
          owner.manifest.judges
            .filter(({ slot }) => slot === "tool.*.input" || slot === `tool.${tool.name}.input`)
            .flatMap((judge) => stands({ ...judge, owner, onFailure: "block", data: false }, judge.slot, hostPrice(judge.slot, tool), tool.name)),
        ),
      ),
    redactors: (tool) =>
      keep(`redact ${tool?.name ?? ""}`, () =>
        plugins.flatMap((owner) =>
          owner.manifest.redactors
            .filter(({ slot }) => slot === "tool.*.output" || (tool !== null && slot === `tool.${tool.name}.output`))
            .flatMap((redactor) =>
              stands({ ...redactor, owner, onFailure: "block", data: false }, redactor.slot, hostPrice(redactor.slot, tool), tool?.name ?? "*"),
            ),
        ),
      ),
    prompt: (tool) => keep(`prompt ${tool.name}`, () => onSlot("permission.prompt", hostPrice(`tool.${tool.name}.input`, tool), tool.name)),
    named: (slot) => keep(`named ${slot}`, () => onSlot(slot, hostPrice(slot, null), "*")),
    declared: (slot) => {
      const owner = plugins.find((plugin) => plugin.failed === null && plugin.manifest.slots.some(({ name }) => name === slot));
      const declaration = owner?.manifest.slots.find(({ name }) => name === slot);
      if (owner === undefined || declaration === undefined) return undefined;
      const layers = keep(`declared ${slot}`, () =>
        (ordered.get(slot) ?? []).flatMap((layer) => stands(layer, slot, layer.owner === owner ? [] : declaredPrice(declaration.capability), "*")),
      );
      return { owner, base: declaration.handler, layers };
    },
    info: (tools) => slotInfo(plugins, ordered, forced, tools),
  };
}

/** A plugin may have the name of something that every object has. */
function isForced(forced: ForcedBlocks, plugin: string, slot: string): boolean {
  const blocks = Object.hasOwn(forced, plugin) ? forced[plugin] : undefined;
  return blocks?.some((each) => each === "*" || each === slot || each === slotKey(slot)) === true;
}

/** A slot that names no price costs all five, since nobody said that its base uses none; one that names a price nobody knows does too. */
function declaredPrice(capability: readonly string[] | null): readonly Capability[] {
  const price = capabilityNames.filter((name) => capability?.includes(name));
  return capability === null || price.length < new Set(capability).size ? capabilityNames : price;
}

function slotInfo(
  plugins: readonly LoadedPlugin[],
  ordered: ReadonlyMap<string, readonly Registered[]>,
  forced: ForcedBlocks,
  tools: readonly Tool[],
): SlotInfo[] {
  const declared = new Map(plugins.flatMap((owner) => owner.manifest.slots.map((slot) => [slot.name, { owner, slot }] as const)));
  const judges = plugins.flatMap((owner) => owner.manifest.judges.map((judge) => ({ ...judge, owner })));
  const redactors = plugins.flatMap((owner) => owner.manifest.redactors.map((redactor) => ({ ...redactor, owner })));
  const names = [...new Set([...ordered.keys(), ...declared.keys(), ...[...judges, ...redactors].map(({ slot }) => slot)])].sort();
  return names.map((name) => {
    const own = declared.get(name);
    const tool = tools.find((each) => name === `tool.${each.name}.input` || name === `tool.${each.name}.output`) ?? null;
    const price = own === undefined ? hostPrice(name, tool) : declaredPrice(own.slot.capability);
    // A slot of every tool, or of the prompt, is paid per call: one is entitled there where at least one tool lets it run.
    const paidPerTool = slotSpec(name)?.price === "tool" && tool === null && tools.length > 0;
    const runs = (owner: LoadedPlugin) =>
      owner.name === own?.owner.name ||
      (paidPerTool ? tools.some((each) => entitled(owner, name, hostPrice(name, each))) : entitled(owner, name, price));
    return {
      name,
      owner: own?.owner.name ?? (slotKey(name) === undefined ? null : "host"),
      declared: own !== undefined || slotKey(name) !== undefined,
      capability: (own === undefined ? price.length === capabilityNames.length : own.slot.capability === null) ? null : [...price],
      layers: (ordered.get(name) ?? []).map(({ owner, handler, onFailure }) => ({
        plugin: owner.name,
        handler,
        onFailure: isForced(forced, owner.name, name) ? "block" : onFailure,
        entitled: runs(owner),
      })),
      judges: judges.filter(({ slot }) => slot === name).map(({ owner, handler }) => ({ plugin: owner.name, handler, entitled: runs(owner) })),
      redactors: redactors
        .filter(({ slot }) => slot === name)
        .map(({ owner, handler, overlap }) => ({ plugin: owner.name, handler, overlap, entitled: runs(owner) })),
    };
  });
}
