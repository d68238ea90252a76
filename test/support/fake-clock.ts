import type { Clock } from "../../core/agent/clock.ts";

export type FakeClock = Clock & {
  /** Lets time pass, step by step: what is due runs in order, with what it causes. */
  advance(ms: number): Promise<void>;
  /** How many sleeps and timers wait. */
  waiting(): number;
};

type Due = { at: number; run: () => void };

/** A clock that stands still until it is turned. */
export function createFakeClock(): FakeClock {
  let now = 0;
  const due = new Set<Due>();
  const timer = (ms: number, run: () => void) => {
    const each = { at: now + ms, run };
    due.add(each);
    return () => void due.delete(each);
  };
  return {
    now: () => now,
    timer,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) return reject(signal.reason);
        const stop = () => {
          cancel();
          reject(signal?.reason);
        };
        const cancel = timer(ms, () => {
          signal?.removeEventListener("abort", stop);
          resolve();
        });
        signal?.addEventListener("abort", stop, { once: true });
      }),
    async advance(ms) {
      const end = now + ms;
      await settled();
      for (;;) {
        const [next] = [...due].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (next === undefined) break;
        due.delete(next);
        now = Math.max(now, next.at);
        next.run();
        await settled();
      }
      now = end;
    },
    waiting: () => due.size,
  };
}

/** Lets promises and streams run until nothing new happens at once. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}
