import { setTimeout as after } from "node:timers/promises";

/** The one source of time, in milliseconds, so that tests can turn it by hand. */
export type Clock = {
  now(): number;
  /** Rejects with the signal's reason once it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `fn` once after `ms`; the answer calls it off. */
  timer(ms: number, fn: () => void): () => void;
};

/** Node takes longer times for none: some 24 days. */
const MAX_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => performance.now(),
  async sleep(ms, signal) {
    signal?.throwIfAborted();
    await after(Math.min(ms, MAX_MS), undefined, signal === undefined ? {} : { signal }).catch((error: unknown) => {
      signal?.throwIfAborted();
      throw error;
    });
  },
  timer(ms, fn) {
    const timer = setTimeout(fn, Math.min(ms, MAX_MS));
    return () => clearTimeout(timer);
  },
};
