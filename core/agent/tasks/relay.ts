import type { RunContext } from "../agent-state.ts";
import { callSummary } from "../call-summary.ts";
import type { SessionEvent } from "../session-event.ts";
import type { ChildCall, ChildRequest } from "./driver.ts";

/** What the run of a parent is told of a subagent. */
export type Relay = {
  /** An event of the subagent; the row of the call that waits for it shows what it does. */
  emit(event: SessionEvent): void;
  waits(inside: number): void;
  /** Keeps the call alive until the returned function is called. */
  beat(): () => void;
};

/** A subagent has watchdogs of its own: while they are content, the call that waits for it is not idle. In milliseconds. */
const BEAT_MS = 60_000;

export function createRelay(run: RunContext, { name, live }: ChildRequest, call: ChildCall, taskId: string): Relay {
  const parentToolId = call.callerId ?? call.toolId;
  const touch = () => run.alive.get(parentToolId)?.();
  const show = (line: string) => {
    if (live) call.live(`${line}\n`);
  };
  const tell = (event: SessionEvent) => {
    touch();
    // Whoever answers for a person is asked by the session, under the name of its subagent.
    if (event.type === "permission_asked") run.emit({ ...event, toolId: parentToolId, child: event.child ?? name });
    else if (event.type === "permission_answered") run.emit(event);
    else run.emit({ type: "child", parentToolId, name, taskId, event });
  };
  return {
    emit(event) {
      tell(event);
      if (event.type === "tool_start") show(callSummary(event.tool, event.input));
      else if (event.type === "permission_asked") show(`${event.tool} waits for permission`);
      else if (event.type === "retry") show(`asks the model again: ${event.message}`);
    },
    waits(inside) {
      show(`waits for a place: ${inside} at work`);
      tell({ type: "notice", code: "waiting", text: `${name} waits for a place: ${inside} at work.` });
    },
    beat() {
      let stop = () => {};
      const again = () => {
        touch();
        stop = run.agent.clock.timer(BEAT_MS, again);
      };
      again();
      return () => stop();
    },
  };
}
