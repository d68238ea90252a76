import { type SlotSpec, slotSpec } from "../../sdk/contract.ts";
import { codes, MortiseError } from "../../sdk/errors.ts";
import { type Packed, pack, unpack } from "../../sdk/wire.ts";
import type { ChainRequest, ChainResult, Isolates, LayerRecord, Limits } from "../isolate/isolates.ts";
import type { Standing } from "./layers.ts";

export type FireRequest = {
  slot: string;
  spec: SlotSpec;
  /** The contract's entry, by name. */
  specName: string;
  layers: readonly Standing[];
  value: unknown;
  ctx: Readonly<Record<string, unknown>>;
  base: ChainRequest["base"];
  limits: Limits;
  callKey: string;
  signal?: AbortSignal;
};

export type Fired = {
  end: ChainResult["end"];
  /** The chain's value, checked against the contract; the very value that came in where nothing changed it. */
  value: unknown;
  changed: boolean;
  records: LayerRecord[];
};

/** Runs the layers of a slot around its base. Without layers nothing is sent, and the value is the one that came. */
export async function fire(isolates: Isolates, request: FireRequest): Promise<Fired> {
  if (request.layers.length === 0 && request.base === "identity")
    return { end: { kind: "value" }, value: request.value, changed: false, records: [] };

  const broken = request.layers.filter((layer) => layer.broken !== null);
  const records = broken.map((layer) => brokenRecord(layer));
  const blocking = broken.findIndex((layer) => layer.onFailure === "block");
  const failure = records[blocking]?.failure;
  if (failure !== undefined) return { end: { kind: "blocked", failure }, value: request.value, changed: false, records };

  const layers = request.layers.filter((layer) => layer.broken === null);
  if (layers.length === 0 && request.base === "identity") return { end: { kind: "value" }, value: request.value, changed: false, records };

  const value = pack(request.value);
  const result = await isolates.chain({
    slot: request.slot,
    layers: layers.map(({ plugin, handler, onFailure, data }) => ({ plugin, handler, onFailure, data })),
    value,
    ctx: request.ctx,
    spec: request.specName,
    base: request.base,
    callKey: request.callKey,
    ...request.limits,
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  });
  const entered = result.records.map((record) => ({ ...record, slot: slotOf(layers, record) ?? request.slot }));
  const all = [...records, ...entered, ...cutOff(layers, entered, result.end)];
  if (same(value, result.value)) return { end: result.end, value: request.value, changed: false, records: all };
  const checked = check(request.spec, result.value);
  if (checked.ok) return { end: result.end, value: checked.value, changed: true, records: all };
  if (result.end.kind !== "value" && result.end.kind !== "ask") return { end: result.end, value: request.value, changed: false, records: all };
  // Isolates check shapes themselves; what fails here came from something worse than a wrong answer.
  const fault = { code: "wrong_answer" as const, message: codes.wrong_answer[0], plugin: layers[0]?.plugin ?? "host" };
  return { end: { kind: "blocked", failure: fault }, value: request.value, changed: false, records: all };
}

export function specOf(slot: string): SlotSpec {
  const spec = slotSpec(slot);
  if (spec === undefined) throw new MortiseError("unknown_slot", { seen: slot });
  return spec;
}

function check(spec: SlotSpec, packed: Packed): { ok: true; value: unknown } | { ok: false } {
  try {
    const value = unpack(packed);
    return spec.answer.safeParse(value).success ? { ok: true, value } : { ok: false };
  } catch {
    return { ok: false };
  }
}

function same(a: Packed, b: Packed): boolean {
  return a.json === b.json && a.blobs.length === b.blobs.length && a.blobs.every((blob, i) => blob === b.blobs[i]);
}

function brokenRecord(layer: Standing): LayerRecord {
  const code = layer.broken?.code ?? "plugin_not_compiled";
  return {
    slot: layer.slot,
    plugin: layer.plugin,
    handler: layer.handler,
    ms: 0,
    outcome: layer.onFailure === "block" ? "failed" : "skipped",
    failure: { code, message: layer.broken?.message ?? codes[code][0], plugin: layer.plugin },
  };
}

/** A stage joins layers of `tool.*` and of the tool itself; each record keeps the name its layer was registered on. */
function slotOf(layers: readonly Standing[], record: LayerRecord): string | undefined {
  return layers.find((layer) => layer.plugin === record.plugin && layer.handler === record.handler)?.slot;
}

/** Layers that were never entered, because one above them answered without `prev` or ended the chain. */
function cutOff(layers: readonly Standing[], entered: readonly LayerRecord[], end: ChainResult["end"]): LayerRecord[] {
  const last = entered.at(-1)?.plugin ?? "a layer above";
  const why =
    end.kind === "cancelled" ? "the call was cancelled" : end.kind === "blocked" ? `${end.failure.plugin} failed` : `${last} answered without prev`;
  return layers
    .filter((layer) => !entered.some((record) => record.plugin === layer.plugin && record.handler === layer.handler))
    .map(({ slot, plugin, handler }) => ({
      slot,
      plugin,
      handler,
      ms: 0,
      outcome: "cut",
      reason: `never entered: ${why}`,
    }));
}
