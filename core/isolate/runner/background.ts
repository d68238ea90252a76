import type { Limits } from "./calls.ts";

/** A turn of code that no call waits for: timers, answers that come late. */
export const BACKGROUND: Limits = { windowMs: 0, sliceMs: 250, budgetMs: 250 };

/** What such turns of one plugin may take together, in milliseconds of processor time within so many of wall time. */
const TOGETHER_MS = 1_000;
const SPAN_MS = 5_000;

export type BackgroundUse = { since: number; cpuMs: number };

/** Counts a turn; true where there was too much of them. */
export function usedUp(use: BackgroundUse, cpuMs: number): boolean {
  const now = performance.now();
  if (now - use.since > SPAN_MS) {
    use.since = now;
    use.cpuMs = 0;
  }
  use.cpuMs += cpuMs;
  return use.cpuMs > TOGETHER_MS;
}
