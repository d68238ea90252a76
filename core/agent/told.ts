import type { AgentState, RunContext } from "./agent-state.ts";
import type { RunEnd } from "./session-event.ts";

/** How many calls of a session wait for a person. */
const waiting = new WeakMap<AgentState, number>();

/** A call begins or ends to wait for a person. */
export function tellStatus(agent: AgentState, change: 1 | -1): void {
  const before = waiting.get(agent) ?? 0;
  const now = before + change;
  waiting.set(agent, now);
  if (before > 0 === now > 0) return;
  tell(agent, "SessionStatusChanged", { status: now > 0 ? "needs_input" : "working" });
}

/** The end of a run. A compaction that a person asked for is no turn. */
export function tellEnd(run: RunContext, reason: RunEnd, error: { message: string } | null): void {
  const { agent, ledger, turns } = run;
  if (reason === "error") tell(agent, "TurnError", { message: error?.message ?? "" });
  else if (reason !== "compact") {
    const { usage, costUsd } = ledger.total();
    tell(agent, "TurnEnd", {
      reason: reason === "end_turn" ? "finished" : reason,
      usage,
      ...(costUsd === null ? {} : { cost: costUsd }),
      contextSize: agent.gauge.tokens(),
      contextWindow: agent.model.contextWindow,
      numTurns: turns,
    });
  }
  tell(agent, "SessionStatusChanged", { status: "idle" });
}

/** A session is known by its first message, as in its log. */
export function tellTitle({ agent, emit }: RunContext, title: string): void {
  if (agent.taskId !== undefined) return;
  emit({ type: "title", title });
  tell(agent, "SessionTitleChanged", { title });
}

type EventName = Parameters<AgentState["host"]["agent"]["tell"]>[0];

/** Subagents tell nothing: what they do is part of a call that does. */
export function tell(agent: AgentState, event: EventName, data: Record<string, unknown>): void {
  if (agent.taskId === undefined) tellOfAny(agent, event, data);
}

/** What of a subagent listeners have to know too, since it has a context of its own. */
export function tellOfAny({ host, sessionId, taskId }: AgentState, event: EventName, data: Record<string, unknown>): void {
  host.agent.tell(event, { sessionId, ...(taskId === undefined ? {} : { taskId }), ...data });
}
