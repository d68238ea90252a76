import type { Clock } from "../clock.ts";

/** Time at work: its clock stops while anything pauses it. */
export type WorkTimer = {
  /** Until the returned function is called, once. */
  pause(): () => void;
  stop(): void;
};

/** Calls `onEnd` once so much time was worked. `Infinity` is never. */
export function workTimer(clock: Clock, ms: number, onEnd: () => void): WorkTimer {
  let left = ms;
  let since = clock.now();
  let pauses = 0;
  let over = ms === Number.POSITIVE_INFINITY;
  let cancel = () => {};

  const arm = () => {
    if (over || pauses > 0) return;
    since = clock.now();
    cancel = clock.timer(Math.max(left, 0), () => {
      over = true;
      onEnd();
    });
  };
  arm();
  return {
    pause() {
      if (pauses++ === 0 && !over) {
        cancel();
        left -= clock.now() - since;
      }
      let resumed = false;
      return () => {
        if (resumed) return;
        resumed = true;
        if (--pauses === 0) arm();
      };
    },
    stop() {
      over = true;
      cancel();
    },
  };
}
