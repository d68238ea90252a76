import type { Audience } from "../../../sdk/contract.ts";
import { MortiseError } from "../../../sdk/errors.ts";
import type { Model } from "../../models/model.ts";
import { tiers as ranked, type Tier } from "../../models/model.ts";
import { createGate } from "../../programs/gate.ts";
import { createChild, type Parent } from "./child.ts";
import { createConsultation } from "./consultation.ts";
import { detached } from "./detached.ts";
import type { Driver } from "./driver.ts";
import { outputSchema } from "./output.ts";

/** Which tier a model is of, and which model a subagent of another one gets for a tier. */
export type Tiers = { of(spec: string): Tier; model(tier: Tier | undefined, parent: string): string };

/** Subagents in subagents. */
const MAX_DEPTH = 3;

/** Opens conversations for the calls of an agent: they are its children. */
export function createDriver(parent: Omit<Parent, "seat">): Driver {
  // What waits for a subagent of its own leaves its place to it: else all places could be taken by those who wait for one.
  const seat = parent.depth === 0 ? undefined : createGate(1);
  return {
    async open(request, call) {
      const run = parent.run();
      if (run === undefined || call.signal.aborted) throw call.signal.reason ?? new MortiseError("not_here", { seen: "agent.session outside a run" });
      if (parent.depth >= MAX_DEPTH) throw new MortiseError("too_deep", { seen: `${MAX_DEPTH} subagents in each other` });
      if (request.audience !== undefined && reach(request.audience) > reach(call.audience))
        throw new MortiseError("not_in_audience", { seen: `an agent of ${call.audience} may open none of ${request.audience}` });
      const schema = request.outputSchema === undefined ? undefined : outputSchema(request.outputSchema);
      // It stands beside calls and in events, whose texts are redacted.
      const [name = ""] = await parent.host.agent.clean([request.name]);
      if (request.background === true && parent.depth > 0)
        throw new MortiseError("not_here", { seen: "agent.session in the background of a subagent" });
      const own = request.background === true ? detached(parent, run, call) : { run, call };
      const chosen = await modelFor(parent, request.tier, request.model);
      return createChild({ ...parent, seat }, own.run, { ...request, name }, own.call, { ...chosen, schema });
    },
    async consult(request, call) {
      const run = parent.run();
      if (run === undefined || call.signal.aborted) throw call.signal.reason ?? new MortiseError("not_here", { seen: "agent.session outside a run" });
      return createConsultation(run, request, call, await modelFor(parent, request.tier ?? "weak"));
    },
    ...(parent.depth === 0 ? { background: parent.agent.background } : {}),
  };
}

/** How much an audience may do. */
function reach(audience: Audience): number {
  return { code: 0, research: 1, general: 2, main: 3 }[audience];
}

/** The one that is named, else never of a stronger tier than the parent's own model, which it is where no other can be opened. */
async function modelFor(
  { agent, options }: Omit<Parent, "seat">,
  tier: Tier | undefined,
  named?: string,
): Promise<{ model: Model; tier: Tier; clamped: boolean }> {
  const { tiers, openModel } = options;
  if (named !== undefined) {
    if (openModel === undefined) throw new MortiseError("unknown_model", { seen: named });
    const model = await openModel(named);
    return { model, tier: tiers?.of(model.id) ?? "medium", clamped: false };
  }
  const own = agent.model;
  const most = tiers?.of(own.id) ?? "medium";
  const parents = { model: own, tier: most, clamped: tier !== undefined && ranked.indexOf(tier) > ranked.indexOf(most) };
  if (tier === undefined || tiers === undefined || openModel === undefined) return parents;
  const spec = tiers.model(tier, own.id);
  if (spec === own.id || ranked.indexOf(tiers.of(spec)) > ranked.indexOf(most)) return parents;
  const model = await openModel(spec).catch(() => undefined);
  return model === undefined ? parents : { model, tier: tiers.of(spec), clamped: parents.clamped };
}
