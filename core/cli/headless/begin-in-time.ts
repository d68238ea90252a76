import { MortiseError } from "../../../sdk/errors.ts";
import type { Clock } from "../../agent/clock.ts";
import { STOP_GRACE_MS } from "./drive-run.ts";

export type BeginOptions = { aborted: AbortSignal; timeoutMs: number | undefined; clock: Pick<Clock, "timer">; graceMs?: number };

/**
 * Does the work, which calls `begun` once it tells how it ends by itself. Until then a start that hangs is given up: a while after a signal
 * with `cancelled`, and at the timeout with `deadline_passed`.
 */
export async function beginInTime(
  work: (begun: () => void) => Promise<void>,
  { aborted, timeoutMs, clock, graceMs = STOP_GRACE_MS }: BeginOptions,
): Promise<void> {
  const late = Promise.withResolvers<never>();
  const undo: (() => void)[] = [];
  const onAbort = () =>
    undo.push(clock.timer(graceMs, () => late.reject(new MortiseError("cancelled", { seen: "a signal came before the run began" }))));
  if (aborted.aborted) onAbort();
  else aborted.addEventListener("abort", onAbort, { once: true });
  undo.push(() => aborted.removeEventListener("abort", onAbort));
  if (timeoutMs !== undefined)
    undo.push(clock.timer(timeoutMs, () => late.reject(new MortiseError("deadline_passed", { seen: "the run had not begun" }))));
  const begun = () => {
    for (const each of undo.splice(0)) each();
  };
  try {
    await Promise.race([work(begun), late.promise]);
  } finally {
    begun();
  }
}
