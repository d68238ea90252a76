import type { ErrorClass } from "./classify-error.ts";

/** How often a request of a class is sent again before the run gives up. Budgets share no counter. */
export const retryBudgets: Readonly<Record<ErrorClass, { withoutHint: number; withHint: number }>> = {
  transient: { withoutHint: Number.POSITIVE_INFINITY, withHint: Number.POSITIVE_INFINITY },
  rate_limit: { withoutHint: 5, withHint: Number.POSITIVE_INFINITY },
  connect: { withoutHint: 5, withHint: 5 },
  quiet: { withoutHint: 10, withHint: 10 },
  budget_overflow: { withoutHint: 2, withHint: 2 },
  auth: { withoutHint: 0, withHint: 0 },
  overflow: { withoutHint: 0, withHint: 0 },
  fatal: { withoutHint: 0, withHint: 0 },
};

const BASE_MS = 2_000;
const CAP_MS = 60_000;
const HINT_CAP_MS = 3_600_000;

/** Milliseconds to wait before try number `attempt`, counted from 1. `random` is in [0, 1). A smaller answer is asked for at once. */
export function retryDelayMs(of: { class: ErrorClass; attempt: number; retryAfterMs?: number | undefined; random: number }): number {
  if (of.class === "budget_overflow") return 0;
  if (of.retryAfterMs !== undefined) return Math.min(Math.max(of.retryAfterMs, BASE_MS), HINT_CAP_MS);
  const most = Math.min(BASE_MS * of.attempt, CAP_MS);
  return Math.round(most / 2 + (most / 2) * of.random);
}
