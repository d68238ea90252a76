import type { Clock } from "./clock.ts";

export type IdleTimer = {
  /** Something came: it begins anew. */
  touch(): void;
  /** The clock stops until the last pause is over, and begins anew then. */
  pause(paused: boolean): void;
  stop(): void;
};

/** Calls `onIdle` once when nothing came for so long. 0 ms is never. */
export function idleTimer(clock: Clock, ms: number, onIdle: () => void): IdleTimer {
  let last = clock.now();
  let pauses = 0;
  let over = ms <= 0;
  let cancel = () => {};

  const check = () => {
    if (over || pauses > 0) return;
    const left = ms - (clock.now() - last);
    if (left > 0) {
      cancel = clock.timer(left, check);
      return;
    }
    over = true;
    onIdle();
  };
  check();
  return {
    touch() {
      last = clock.now();
    },
    pause(paused) {
      pauses += paused ? 1 : -1;
      cancel();
      last = clock.now();
      check();
    },
    stop() {
      over = true;
      cancel();
    },
  };
}
