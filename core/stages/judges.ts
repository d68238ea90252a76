import { slices } from "../../sdk/contract.ts";
import { sentence } from "../../sdk/errors.ts";
import { pack } from "../../sdk/wire.ts";
import { type ActiveCall, layerCtx } from "../active-call.ts";
import type { Core } from "../core.ts";
import type { Failure, InvokeResult } from "../isolate/isolates.ts";
import type { TraceEntry } from "../record.ts";
import { specOf } from "../slots/fire.ts";
import type { Standing } from "../slots/layers.ts";
import { guardFailed, type Reason } from "./input.ts";

export type Judged = { denied: Reason[]; asks: Reason[] };

/** Asks every judge about the input that would run. Deny beats ask; a judge that fails, in whatever way, denies. */
export async function judgeStage(core: Core, call: ActiveCall, input: Record<string, unknown>): Promise<Judged> {
  const judges = core.layers().judges(call.tool);
  if (judges.length === 0) return { denied: [], asks: [] };
  const windowMs = Math.max(Math.min(call.deadline.remainingMs(), specOf("tool.*.input").windowMs), 1);
  const args = [pack(input), pack(layerCtx(call, windowMs))];
  const context = core.contexts.enter({ kind: "judge", call, depth: 0 });
  const judged: Judged = { denied: [], asks: [] };
  await Promise.all(
    judges.map(async (judge) => {
      const started = performance.now();
      const result: InvokeResult =
        judge.broken === null
          ? await core.isolates.invoke({
              plugin: judge.plugin,
              handler: judge.handler,
              kind: "judge",
              args,
              callKey: context.key,
              signal: call.deadline.signal,
              ...core.limits({ sliceMs: slices.judge, budgetMs: 1_000 }, windowMs),
            })
          : { ok: false, failure: { ...judge.broken, plugin: judge.plugin }, cpuMs: 0 };
      call.trace.push(record(judge, result, performance.now() - started, judged));
    }),
  );
  context.leave();
  return judged;
}

function record(judge: Standing, result: InvokeResult, ms: number, judged: Judged): TraceEntry {
  const entry = { slot: judge.slot, plugin: judge.plugin, kind: "judge" as const, handler: judge.handler, ms: Math.round(ms * 1000) / 1000 };
  const fail = (failure: Pick<Failure, "code" | "message">): TraceEntry => {
    judged.denied.push({ plugin: judge.plugin, reason: guardFailed({ plugin: judge.plugin, message: failure.message }) });
    return { ...entry, outcome: "failed", failure: { code: failure.code, message: failure.message } };
  };
  if (!result.ok) return fail(result.failure);
  switch (result.answer.kind) {
    case "nothing":
      return { ...entry, outcome: "passed" };
    case "deny":
      judged.denied.push({ plugin: judge.plugin, reason: result.answer.reason });
      return { ...entry, outcome: "denied", reason: result.answer.reason };
    case "ask":
      judged.asks.push({ plugin: judge.plugin, reason: result.answer.reason });
      return { ...entry, outcome: "asked", reason: result.answer.reason };
    default:
      return fail({ code: "wrong_answer", message: sentence("wrong_answer", `a judge answered a ${result.answer.kind}`) });
  }
}
