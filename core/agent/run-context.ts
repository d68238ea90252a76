import { MortiseError } from "../../sdk/errors.ts";
import type { AgentState, RunContext } from "./agent-state.ts";
import type { RunLimits } from "./backend.ts";
import { createLedger, type Ledger, overLimit } from "./ledger.ts";
import { createRepeats } from "./repeats.ts";
import type { RunEnd, SessionEvent } from "./session-event.ts";
import { createPool } from "./tasks/pool.ts";

/** What a tool of a run that works may use, as one that starts subagents. */
export type CurrentRun = { readonly ledger: Ledger; readonly signal: AbortSignal; readonly limits: RunLimits; emit(event: SessionEvent): void };

export type Stop = { signal: AbortSignal; stop(reason: RunEnd): void; stopped(): RunEnd | null };

/** Stops one run and no other, also one that has not begun. */
export function createStop(): Stop {
  const controller = new AbortController();
  let reason: RunEnd | null = null;
  return {
    signal: controller.signal,
    stop(why) {
      if (reason !== null) return;
      reason = why;
      controller.abort(new MortiseError("cancelled", { seen: why === "timeout" ? "the run's time was up" : "the run was stopped" }));
    },
    stopped: () => reason,
  };
}

/** A run before anything of it happened. @param payer The ledger of what caused it. */
export function createRunContext(
  agent: AgentState,
  limits: RunLimits,
  stop: Stop,
  emit: (event: SessionEvent) => void,
  payer: Ledger | undefined,
): RunContext {
  let isTold = false;
  const keep = async (work: Promise<void>) => {
    try {
      await work;
    } catch (error) {
      if (isTold) return;
      isTold = true;
      emit({ type: "notice", code: "not_saved", text: `The session could not be saved: ${error instanceof Error ? error.message : String(error)}` });
    }
  };
  let isKept = true;
  const ledger = createLedger(payer, (model, usage, costUsd) => {
    if (!isKept) void keep(agent.journal.addUsage(model, usage, costUsd));
    // Whoever spent it, also a subagent that still works.
    const over = overLimit(ledger.total(), limits);
    if (over !== null) stop.stop(over);
  });
  for (const { model, usage, costUsd } of agent.owed.splice(0)) ledger.add(model, usage, costUsd);
  isKept = false;
  return {
    agent,
    limits,
    signal: stop.signal,
    stop: stop.stop,
    stopped: stop.stopped,
    endsAt: limits.timeoutMs > 0 ? agent.clock.now() + limits.timeoutMs : Number.POSITIVE_INFINITY,
    emit,
    ledger,
    pool: createPool(),
    repeats: createRepeats(agent.repeatLimits),
    polling: new Set(),
    added: false,
    carryFrom: agent.history.messages.length,
    turns: 0,
    text: "",
    nudges: 0,
    continuations: 0,
    stopContinuations: 0,
    stuckTurns: 0,
    futileCompactions: 0,
    compacted: null,
    estimates: false,
    thinking: true,
    reauths: 0,
    prompted: Promise.resolve(),
    alive: new Map(),
    sent: [],
    keep,
  };
}

/** What others may use of a run. */
export function currentRun({ ledger, signal, limits, emit, alive }: RunContext): CurrentRun {
  return {
    ledger,
    signal,
    limits,
    emit(event) {
      // A call whose subagent does something is not idle.
      if (event.type === "child") alive.get(event.parentToolId)?.();
      emit(event);
    },
  };
}
