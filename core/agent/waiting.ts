import { MortiseError } from "../../sdk/errors.ts";
import type { RunContext } from "./agent-state.ts";
import { tellStatus } from "./told.ts";

/** Follows a call that waits for a person now and then: the session needs input meanwhile, and the wait may have an end. */
export function waitForPerson(run: RunContext, stop: (reason: MortiseError) => void): { set(isWaiting: boolean): void; end(): void } {
  const { clock, timers } = run.agent;
  let cancel = () => {};
  let waits = false;
  const set = (isWaiting: boolean) => {
    if (waits === isWaiting) return;
    waits = isWaiting;
    cancel();
    tellStatus(run.agent, isWaiting ? 1 : -1);
    if (isWaiting && timers.permissionMs > 0)
      cancel = clock.timer(timers.permissionMs, () => stop(new MortiseError("permission_timeout", { seen: `${timers.permissionMs / 1000} s` })));
  };
  return { set, end: () => set(false) };
}
