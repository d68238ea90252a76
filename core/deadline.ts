import { MortiseError } from "../sdk/errors.ts";

/** One deadline for a call. Its clock stops while a person is asked. */
export type Deadline = {
  /** Aborted with a MortiseError `deadline_passed`, or with the parent's reason. */
  signal: AbortSignal;
  /** Milliseconds until it, or until that of what waits for this, if that is sooner. */
  remainingMs(): number;
  /** Stops the clock until the returned function is called. */
  pause(): () => void;
  cancel(reason: MortiseError): void;
  dispose(): void;
};

/** Node clamps longer timers to 1 ms. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * @param ms Milliseconds; `Infinity` for none.
 * @param outer The deadline of what waits for this: its clock stops too.
 * @param onPause Told when the clock stops, and when it goes on.
 */
export function createDeadline(
  ms: number,
  parent?: AbortSignal,
  outer?: Pick<Deadline, "pause" | "remainingMs">,
  onPause?: (paused: boolean) => void,
): Deadline {
  const controller = new AbortController();
  let left = ms;
  let since = performance.now();
  let pauses = 0;
  let disposed = false;
  let timer: NodeJS.Timeout | undefined;

  const arm = () => {
    if (disposed || controller.signal.aborted || left === Number.POSITIVE_INFINITY) return;
    timer = setTimeout(late, Math.min(Math.max(Math.ceil(ownMs()), 0), MAX_TIMER_MS));
    timer.unref();
  };
  const late = () => {
    if (ownMs() > 0) return arm();
    controller.abort(new MortiseError("deadline_passed", { seen: `${Math.round(ms)} ms` }));
  };
  const ownMs = () => (pauses > 0 ? left : left - (performance.now() - since));
  const onParent = () => controller.abort(asReason(parent?.reason));

  if (parent?.aborted) onParent();
  else parent?.addEventListener("abort", onParent, { once: true });
  arm();

  return {
    signal: controller.signal,
    remainingMs: () => Math.min(ownMs(), outer?.remainingMs() ?? Number.POSITIVE_INFINITY),
    pause() {
      if (pauses++ === 0) {
        left -= performance.now() - since;
        clearTimeout(timer);
        onPause?.(true);
      }
      const resumeOuter = outer?.pause();
      let resumed = false;
      return () => {
        if (resumed) return;
        resumed = true;
        resumeOuter?.();
        if (--pauses > 0) return;
        since = performance.now();
        arm();
        onPause?.(false);
      };
    },
    cancel: (reason) => controller.abort(reason),
    dispose() {
      disposed = true;
      clearTimeout(timer);
      parent?.removeEventListener("abort", onParent);
    },
  };
}

function asReason(reason: unknown): MortiseError {
  return reason instanceof MortiseError ? reason : new MortiseError("cancelled");
}
