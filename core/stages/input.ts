import { MortiseError } from "../../sdk/errors.ts";
import { type ActiveCall, layerCtx, stageWindow } from "../active-call.ts";
import type { Core } from "../core.ts";
import { fire, specOf } from "../slots/fire.ts";
import { traceLayers } from "../trace.ts";
import { guardFailed, reasonOf } from "./reason.ts";

/** Why a person has to be asked, in the words of a layer or judge. */
export type Reason = { plugin: string; reason: string };

/** What the input layers made of the call. */
export type Draft =
  | { kind: "run"; value: unknown; changed: boolean; asks: Reason[] }
  | { kind: "respond"; value: unknown; changed: boolean; text: string; plugin: string }
  | { kind: "denied"; value: unknown; changed: boolean; plugin: string; reason: string };

/**
 * Runs `tool.*.input` layers around `tool.<name>.input` layers, on what the model wrote.
 * @throws MortiseError `stopped` where a blocking layer failed, `cancelled`.
 */
export async function inputStage(core: Core, call: ActiveCall, wrote: unknown): Promise<Draft> {
  const layers = core.layers().tool("input", call.tool);
  if (layers.length === 0) return { kind: "run", value: wrote, changed: false, asks: [] };
  // Layers get an object, whatever the model wrote; the schema will say what is wrong with anything else.
  const value = typeof wrote === "object" && wrote !== null && !Array.isArray(wrote) ? wrote : {};
  const slot = `tool.${call.tool.name}.input`;
  const spec = specOf(slot);
  const { windowMs, deadlineMs } = stageWindow(call, spec.windowMs);
  const context = core.contexts.enter({ kind: "layer", call, depth: call.depth });
  const fired = await fire(core.isolates, {
    slot,
    spec,
    specName: "tool.*.input",
    layers,
    value,
    ctx: layerCtx(call, deadlineMs),
    base: "identity",
    limits: core.limits(spec, windowMs),
    callKey: context.key,
    signal: call.deadline.signal,
  });
  context.leave();
  call.trace.push(...traceLayers(fired.records, value, "layer"));
  const result = fired.changed ? fired.value : wrote;
  const { end } = fired;
  switch (end.kind) {
    case "value":
      return { kind: "run", value: result, changed: fired.changed, asks: [] };
    case "ask":
      return { kind: "run", value: result, changed: fired.changed, asks: [{ plugin: end.plugin, reason: reasonOf(end.plugin, end.reason) }] };
    case "respond":
      return { kind: "respond", value: result, changed: fired.changed, text: end.text, plugin: end.plugin };
    case "deny":
      return { kind: "denied", value: result, changed: fired.changed, plugin: end.plugin, reason: reasonOf(end.plugin, end.reason) };
    case "blocked":
      return { kind: "denied", value: result, changed: fired.changed, plugin: end.failure.plugin, reason: guardFailed(end.failure) };
    case "cancelled":
      throw call.deadline.signal.reason instanceof MortiseError ? call.deadline.signal.reason : new MortiseError("cancelled");
  }
}
