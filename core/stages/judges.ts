import { slices } from "../../sdk/contract.ts";
import { sentence } from "../../sdk/errors.ts";
import { pack } from "../../sdk/wire.ts";
import { type ActiveCall, layerCtx, stageWindow } from "../active-call.ts";
import type { Core } from "../core.ts";
import type { Failure, InvokeResult } from "../isolate/isolates.ts";
import type { TraceEntry } from "../record.ts";
import { specOf } from "../slots/fire.ts";
import type { Standing } from "../slots/layers.ts";
import type { Reason } from "./input.ts";
import { guardFailed, reasonOf } from "./reason.ts";

export type Judged = { denied: Reason[]; asks: Reason[] };

/**
 * Asks every judge about the input that would run. Deny beats ask; a judge that fails, in whatever way, denies.
 * @throws MortiseError `cancelled`, `deadline_passed` where the call ended meanwhile and no judge had denied it.
 */
export async function judgeStage(core: Core, call: ActiveCall, input: Record<string, unknown>): Promise<Judged> {
  const judges = core.layers().judges(call.tool);
  if (judges.length === 0) return { denied: [], asks: [] };
  const { windowMs, deadlineMs } = stageWindow(call, specOf("tool.*.input").windowMs);
  const args = [pack(input), pack(layerCtx(call, deadlineMs))];
  const context = core.contexts.enter({ kind: "judge", call, depth: call.depth });
  const answers = await Promise.all(
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
      return { judge, result, ms: performance.now() - started };
    }),
  );
  context.leave();
  const { signal } = call.deadline;
  const judged: Judged = { denied: [], asks: [] };
  for (const { judge, result, ms } of answers) call.trace.push(record(judge, result, ms, judged, signal));
  // A judge that was cut says nothing of the call.
  if (judged.denied.length === 0) signal.throwIfAborted();
  return judged;
}

function record(judge: Standing, result: InvokeResult, ms: number, judged: Judged, signal: AbortSignal): TraceEntry {
  const { slot, plugin, handler } = judge;
  const entry = { slot, plugin, kind: "judge" as const, handler, ms: Math.round(ms * 1000) / 1000 };
  const fail = (failure: Pick<Failure, "code" | "message">): TraceEntry => {
    judged.denied.push({ plugin, reason: guardFailed({ plugin, message: failure.message }) });
    return { ...entry, outcome: "failed", failure: { code: failure.code, message: failure.message } };
  };
  if (!result.ok) return result.failure.code === "cancelled" && signal.aborted ? { ...entry, outcome: "cut" } : fail(result.failure);
  const { answer } = result;
  if (answer.kind === "nothing") return { ...entry, outcome: "passed" };
  if (answer.kind !== "deny" && answer.kind !== "ask")
    return fail({ code: "wrong_answer", message: sentence("wrong_answer", `a judge answered a ${answer.kind}`) });
  const reason = reasonOf(plugin, answer.reason);
  judged[answer.kind === "deny" ? "denied" : "asks"].push({ plugin, reason });
  return { ...entry, outcome: answer.kind === "deny" ? "denied" : "asked", reason };
}
