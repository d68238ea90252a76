import type { Run, RunLimits } from "../../agent/backend.ts";
import type { Clock } from "../../agent/clock.ts";
import type { RunEnd, SessionEvent } from "../../agent/session-event.ts";
import type { Done } from "./run-end.ts";
import type { Tally } from "./tally.ts";

/** Milliseconds that a run which was stopped has to end by itself. */
export const STOP_GRACE_MS = 7_000;

export type DriveOptions = {
  start(): Run;
  limits: Pick<Partial<RunLimits>, "timeoutMs">;
  tally: Tally;
  clock: Clock;
  /** Cancels the run once it is aborted. */
  stop: AbortSignal;
  /** Shows an event. Nothing more is shown once the run is over. */
  show(event: SessionEvent): Promise<void>;
  graceMs?: number;
};

/** Follows one run to its one end, which comes even where the backend never tells it. Never throws. */
export async function driveRun({ start, limits, tally, clock, stop, show, graceMs = STOP_GRACE_MS }: DriveOptions): Promise<Done> {
  const forced = Promise.withResolvers<Done>();
  const undo: (() => void)[] = [];
  let isOver = false;
  try {
    const run = start();
    const endAfter = (ms: number, reason: RunEnd) =>
      undo.push(
        clock.timer(ms, () => {
          run.cancel();
          forced.resolve(tally.cutShort(reason));
        }),
      );
    const onStop = () => {
      run.cancel();
      endAfter(graceMs, "cancelled");
    };
    if (stop.aborted) onStop();
    else stop.addEventListener("abort", onStop, { once: true });
    undo.push(() => stop.removeEventListener("abort", onStop));
    if (limits.timeoutMs !== undefined && limits.timeoutMs > 0) endAfter(limits.timeoutMs + graceMs, "timeout");

    const read = async (): Promise<Done> => {
      for await (const event of run.events) {
        if (isOver) break;
        tally.see(event);
        await show(event);
        if (event.type === "done") return event;
      }
      return tally.cutShort("error", { code: "internal", message: "The run ended without saying how." });
    };
    return await Promise.race([read(), forced.promise]);
  } catch (error) {
    return tally.cutShort("error", { code: "internal", message: error instanceof Error ? error.message : String(error) });
  } finally {
    isOver = true;
    for (const each of undo) each();
  }
}
