import * as z from "zod/mini";
import { slices } from "../../sdk/contract.ts";
import { MortiseError } from "../../sdk/errors.ts";
import { type PathField, pack, unpack } from "../../sdk/wire.ts";
import { type ActiveCall, layerCtx, stageWindow, taskOf } from "../active-call.ts";
import type { RunningPrompt } from "../contexts.ts";
import type { Core } from "../core.ts";
import type { NativeTool } from "../host-types.ts";
import type { Answer, LayerRecord } from "../isolate/isolates.ts";
import type { Scope, ScopeList } from "../permission/permission.ts";
import type { Decision, LayerDecision } from "../permission/permissions.ts";
import { fire, specOf } from "../slots/fire.ts";
import { traceLayers } from "../trace.ts";
import { unlessAborted } from "../unless-aborted.ts";
import type { Reason } from "./input.ts";

/** Milliseconds that a tool has to say what a call would do. */
const SCOPES_MS = 10_000;

const DecisionAnswer = z.object({ decision: z.enum(["allow", "deny"]), guidance: z.optional(z.string()) });

/**
 * What the call would do, by the tool's own `scopes`. A callback that fails yields what forces a prompt.
 * @throws MortiseError `cancelled`, `deadline_passed` where that takes longer than the call may.
 */
export async function scopesStage(core: Core, call: ActiveCall, input: Record<string, unknown>): Promise<ScopeList> {
  // Nothing is asked then that could take its time.
  if (asksNothing(call.tool)) {
    call.deadline.signal.throwIfAborted();
    return core.permissions.scopesOf({ tool: call.tool.name, input, declared: "none", cwd: call.cwd });
  }
  const work = async () =>
    core.permissions.scopesOf({ tool: call.tool.name, input, declared: await declaredScopes(core, call, input), cwd: call.cwd });
  return unlessAborted(work(), call.deadline.signal);
}

/** Decides the call by rules, layers of `permission.prompt` and, where those leave it, a person. Waiting for a person stops the call's clock. */
export async function permitStage(
  core: Core,
  call: ActiveCall,
  input: Record<string, unknown>,
  list: ScopeList,
  asks: readonly Reason[],
): Promise<Decision> {
  let resume: (() => void) | undefined;
  const decision = await core.permissions.decide({
    tool: call.tool.name,
    toolId: call.toolId,
    ...(call.callerId === undefined ? {} : { callerId: call.callerId }),
    ...(call.parent === undefined ? {} : { parent: call.parent }),
    sessionId: call.sessionId,
    ...(call.task === undefined ? {} : { task: { id: call.task.id, name: call.task.name } }),
    input,
    list,
    reasons: asks,
    ...(call.yolo === undefined ? {} : { yolo: call.yolo }),
    signal: call.deadline.signal,
    askLayers: (request, person) => askLayers(core, call, request, person),
    onWaiting(waiting) {
      resume?.();
      resume = waiting ? call.deadline.pause() : undefined;
    },
  });
  resume?.();
  const by = decision.denial?.by;
  core.autocmds.tell(
    "PermissionDecided",
    {
      sessionId: call.sessionId,
      ...taskOf(call),
      toolId: call.toolId,
      tool: call.tool.name,
      decision: decision.allowed ? "allow" : "deny",
      source: by ?? decision.record.source,
    },
    call.depth,
  );
  return decision;
}

function asksNothing({ native, scopes }: ActiveCall["tool"]): boolean {
  return native === undefined ? scopes === null : native.scopes === "none";
}

async function declaredScopes(core: Core, call: ActiveCall, input: Record<string, unknown>): Promise<unknown> {
  const { native, scopes } = call.tool;
  if (native !== undefined) return nativeScopes(native, input);
  if (scopes === null) return "none";
  return typeof scopes === "number" ? askScopes(core, call, scopes, input) : { scopes: [pathIn(input, scopes)] };
}

/** The path that a field holds. What is no path there is found out where scopes are read. */
function pathIn(input: Record<string, unknown>, { path, access, otherwise }: PathField): object {
  const named = Object.hasOwn(input, path) ? input[path] : undefined;
  return { kind: "path", path: named === undefined ? otherwise : named, access };
}

async function nativeScopes(native: NativeTool, input: Record<string, unknown>): Promise<unknown> {
  if (native.scopes === "none") return "none";
  try {
    return await native.scopes(input);
  } catch {
    return undefined;
  }
}

async function askScopes(core: Core, call: ActiveCall, handler: number, input: Record<string, unknown>): Promise<unknown> {
  const context = core.contexts.enter({ kind: "scopes", call, depth: call.depth });
  const result = await core.isolates.invoke({
    plugin: call.tool.plugin,
    handler,
    kind: "scopes",
    args: [pack(input)],
    callKey: context.key,
    signal: call.deadline.signal,
    ...core.limits({ sliceMs: slices.judge, budgetMs: 1_000 }, stageWindow(call, SCOPES_MS).windowMs),
  });
  context.leave();
  return result.ok && result.answer.kind === "value" ? unpack(result.answer.value) : undefined;
}

/** Only a decision that the contract knows counts; anything else leaves the call to the prompt, which is the base of the chain. */
async function askLayers(
  core: Core,
  call: ActiveCall,
  request: { tool: string; toolId: string; input: Record<string, unknown>; scopes: Scope[]; forcePrompt: boolean },
  person: () => Promise<Decision>,
): Promise<LayerDecision> {
  const layers = core.layers().prompt(call.tool);
  if (layers.length === 0) return undefined;
  const spec = specOf("permission.prompt");
  const { windowMs } = spec;
  const limits = core.limits(spec, windowMs);
  const over = new AbortController();
  const until = performance.now() + limits.windowMs;
  const prompt: RunningPrompt = {
    signal: AbortSignal.any([call.deadline.signal, over.signal]),
    remainingMs: () => Math.min(call.deadline.remainingMs(), until - performance.now()),
  };
  const context = core.contexts.enter({ kind: "layer", call, depth: call.depth, prompt });
  const fired = await fire(core.isolates, {
    slot: "permission.prompt",
    spec,
    specName: "permission.prompt",
    layers,
    value: request,
    ctx: layerCtx(call, windowMs),
    base: async (): Promise<Answer> => {
      const { allowed, denial } = await person();
      return { kind: "value", value: pack({ decision: allowed ? "allow" : "deny", guidance: denial?.guidance }) };
    },
    limits,
    callKey: context.key,
    signal: call.deadline.signal,
  }).finally(() => {
    context.leave();
    over.abort(new MortiseError("cancelled", { seen: "the permission was decided" }));
    void core.conversations.endPrompt(prompt);
  });
  call.trace.push(...traceLayers(fired.records, request, "layer"));
  if (fired.end.kind === "deny") return { decision: "deny", plugin: fired.end.plugin, guidance: fired.end.reason };
  if (fired.end.kind === "blocked") return { decision: "deny", plugin: fired.end.failure.plugin, guidance: fired.end.failure.message };
  const answer = DecisionAnswer.safeParse(fired.value);
  const decider = deciderIn(fired.records);
  if (fired.end.kind !== "value" || !answer.success || decider === undefined) return undefined;
  return { decision: answer.data.decision, plugin: decider.plugin, guidance: answer.data.guidance };
}

/** The innermost layer that answered instead of asking on, unless one around it decided otherwise: that one then. */
function deciderIn(records: readonly LayerRecord[]): LayerRecord | undefined {
  let decider: LayerRecord | undefined;
  let decided: string | undefined;
  for (const record of records.toReversed()) {
    if (record.outcome !== "changed") continue;
    const decision = decisionIn(record.after);
    if (decider === undefined || decision !== decided) decider = record;
    decided = decision;
  }
  return decider;
}

/** Undefined for what is no decision, or too long to be kept. */
function decisionIn(after: LayerRecord["after"]): string | undefined {
  return after === undefined || "sha256" in after ? undefined : DecisionAnswer.safeParse(unpack(after)).data?.decision;
}
