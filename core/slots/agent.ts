import type { Core } from "../core.ts";
import type { AgentFired, AgentSlot } from "../host-types.ts";
import { guardFailed, reasonOf } from "../stages/reason.ts";
import { fire, specOf } from "./fire.ts";
import { recordFiring } from "./record-firing.ts";

/** Fires a slot of the agent: its layers around the value as it came. Layers that fail are passed over, unless they block. */
export async function fireAgent(
  core: Core,
  slot: AgentSlot,
  value: unknown,
  ctx: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<AgentFired> {
  const layers = core.layers().named(slot);
  if (layers.length === 0) return { kind: "value", value, by: [] };
  const spec = specOf(slot);
  const limits = core.limits(spec, spec.windowMs);
  const context = core.contexts.enter({ kind: "layer", call: null, depth: 0 });
  const started = performance.now();
  const { end, records, ...fired } = await fire(core.isolates, {
    slot,
    spec,
    specName: slot,
    layers,
    value,
    ctx: { ...ctx, deadlineMs: limits.windowMs },
    base: "identity",
    limits,
    callKey: context.key,
    signal,
  }).finally(context.leave);
  const { sessionId, taskId } = ctx;
  recordFiring(core, {
    slot,
    sessionId: typeof sessionId === "string" ? sessionId : core.sessionId,
    ...(typeof taskId === "string" ? { taskId } : {}),
    value,
    records,
    durationMs: performance.now() - started,
  });
  switch (end.kind) {
    case "value":
      return { kind: "value", value: fired.value, by: fired.changed ? changersIn(records) : [] };
    case "deny":
      return { kind: "denied", plugin: end.plugin, reason: reasonOf(end.plugin, end.reason) };
    case "blocked":
      return { kind: "denied", plugin: end.failure.plugin, reason: guardFailed(end.failure) };
    case "cancelled":
      return { kind: "cancelled" };
    default:
      return { kind: "value", value, by: [] };
  }
}

function changersIn(records: readonly { plugin: string; outcome: string }[]): string[] {
  return [...new Set(records.filter(({ outcome }) => outcome === "changed").map(({ plugin }) => plugin))];
}
