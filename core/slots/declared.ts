import { pluginSlot } from "../../sdk/contract.ts";
import { codes, MortiseError } from "../../sdk/errors.ts";
import type { ActiveCall } from "../active-call.ts";
import type { Core } from "../core.ts";
import { asError } from "../isolate/as-error.ts";
import { traceLayers } from "../trace.ts";
import { fire } from "./fire.ts";
import { recordFiring } from "./record-firing.ts";

/** How deeply calls and slots may make each other. */
export const MAX_DEPTH = 8;

/**
 * Fires a slot that a plugin declared: its layers around the owner's base.
 * @throws MortiseError `unknown_slot`, `too_deep`, or the code of what failed in the base or in a blocking layer.
 */
export async function fireDeclared(core: Core, slot: string, value: unknown, from: { call: ActiveCall | null; depth: number }): Promise<unknown> {
  const declared = core.layers().declared(slot);
  if (declared === undefined) throw new MortiseError("unknown_slot", { seen: `${slot} is not declared` });
  if (from.depth >= MAX_DEPTH) throw new MortiseError("too_deep", { seen: slot });
  const { windowMs } = pluginSlot;
  const started = performance.now();
  const context = core.contexts.enter({ kind: "base", call: from.call, depth: from.depth + 1 });
  const fired = await fire(core.isolates, {
    slot,
    spec: pluginSlot,
    specName: "plugin",
    layers: declared.layers,
    value,
    ctx: { sessionId: from.call?.sessionId ?? core.sessionId, deadlineMs: windowMs },
    base: { plugin: declared.owner.name, handler: declared.base },
    limits: core.limits(pluginSlot, windowMs),
    callKey: context.key,
    ...(from.call === null ? {} : { signal: from.call.deadline.signal }),
  });
  context.leave();
  if (from.call !== null) from.call.trace.push(...traceLayers(fired.records, value, "layer"));
  else recordFiring(core, { slot, sessionId: core.sessionId, value, records: fired.records, durationMs: performance.now() - started });
  switch (fired.end.kind) {
    case "value":
      return fired.value;
    case "blocked":
      throw asError(fired.end.failure);
    case "cancelled":
      throw new MortiseError("cancelled");
    default:
      throw new MortiseError("wrong_answer", { seen: `${slot}: ${codes.wrong_answer[0]}` });
  }
}
