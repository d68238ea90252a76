import * as z from "zod/mini";
import type { Core } from "../core.ts";
import { fire, specOf } from "../slots/fire.ts";
import { recordFiring } from "../slots/record-firing.ts";
import type { FoundSource } from "./completion-types.ts";
import type { Faults } from "./faults.ts";

const SLOT = "completion.sources";
const LAYER = `layer on ${SLOT}`;
const MOST_SOURCES = 64;

/** The host's own: files after an `@`. */
export const fileSource: FoundSource = { trigger: "@", name: "files", plugin: "host" };
const own: readonly FoundSource[] = [fileSource];

/** Whether the host answers for a source itself: whatever else says that it is the host's is nobody's. */
export function isHosts({ trigger, name, plugin }: FoundSource): boolean {
  return plugin === fileSource.plugin && name === fileSource.name && trigger === fileSource.trigger;
}

const Found = z.array(z.object({ trigger: z.string(), name: z.string(), plugin: z.string() }));

/** What the trace of a host was told last. */
const recorded = new WeakMap<Core, string>();

/** The sources that the chain of the slot makes of the host's own. Where it fails as a whole, those are what there is. */
export async function findSources(core: Core, sessionId: string, faults: Faults): Promise<readonly FoundSource[]> {
  const layers = core.layers().named(SLOT);
  if (layers.length === 0) return own;
  const spec = specOf(SLOT);
  const limits = core.limits(spec, spec.windowMs);
  const context = core.contexts.enter({ kind: "layer", call: null, depth: 0 });
  const started = performance.now();
  const fired = await fire(core.isolates, {
    slot: SLOT,
    spec,
    specName: SLOT,
    layers,
    value: own,
    ctx: { sessionId, deadlineMs: limits.windowMs },
    base: "identity",
    limits,
    callKey: context.key,
  }).finally(context.leave);
  // It is asked every few seconds while a person types: the trace has what is new.
  const done = JSON.stringify([sessionId, fired.records.map(({ plugin, handler, outcome }) => [plugin, handler, outcome])]);
  if (recorded.get(core) !== done) {
    recorded.set(core, done);
    recordFiring(core, { slot: SLOT, sessionId, value: own, records: fired.records, durationMs: performance.now() - started });
  }
  for (const { plugin, failure } of fired.records) {
    if (failure === undefined) faults.well(plugin, LAYER);
    else faults.failed(plugin, LAYER, failure.message);
  }
  const found = fired.end.kind === "value" ? Found.safeParse(fired.value) : undefined;
  return found?.success ? usable(found.data, faults) : own;
}

function usable(found: readonly FoundSource[], faults: Faults): FoundSource[] {
  const names = new Set<string>();
  return found.filter(({ trigger, name, plugin }) => {
    const fault =
      faultOf(trigger, name) ?? (names.has(name) ? "another source has this name" : names.size >= MOST_SOURCES ? "there are too many" : undefined);
    if (fault !== undefined) faults.failed(plugin, `source of completions ${JSON.stringify(name.slice(0, 100))}`, `it is left out, since ${fault}`);
    else names.add(name);
    return fault === undefined;
  });
}

function faultOf(trigger: string, name: string): string | undefined {
  if (trigger.length !== 1 || trigger === "/" || !/[\p{P}\p{S}]/u.test(trigger))
    return `its trigger ${JSON.stringify(trigger.slice(0, 20))} is not one character, and no letter, digit, space or /`;
  return /^[\w.:-]{1,100}$/.test(name) ? undefined : "its name is not made of letters, digits, and . : - _";
}
