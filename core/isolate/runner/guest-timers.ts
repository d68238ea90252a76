import type { Said } from "./outbox.ts";
import type { Live } from "./residents.ts";

type Started = Extract<Said, { kind: "timer" }>;

/** Timers of plugin code: the runner keeps them, each tick is a turn. */
export type GuestTimers = {
  start(live: Live, timer: Started): void;
  stop(live: Live, timer: number): void;
  stopAll(live: Live): void;
};

export function createGuestTimers(tick: (live: Live, timer: Started) => void): GuestTimers {
  return {
    start(live, timer) {
      const run = (): void => {
        if (!timer.repeat) live.timers.delete(timer.timer);
        tick(live, timer);
      };
      live.timers.set(timer.timer, timer.repeat ? setInterval(run, timer.ms) : setTimeout(run, timer.ms));
    },
    stop(live, timer) {
      clearTimeout(live.timers.get(timer));
      live.timers.delete(timer);
    },
    stopAll(live) {
      for (const timer of live.timers.values()) clearTimeout(timer);
      live.timers.clear();
    },
  };
}
