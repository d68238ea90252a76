import { describe, expect, it } from "vitest";
import { retryBudgets, retryDelayMs } from "../../../../core/models/errors/retry.ts";

describe("retryDelayMs()", () => {
  const delay = (attempt: number, random: number, retryAfterMs?: number) => retryDelayMs({ class: "transient", attempt, random, retryAfterMs });

  it("grows by two seconds a try, half of it by chance, up to a minute", () => {
    expect([delay(1, 0), delay(1, 1), delay(3, 0), delay(3, 1), delay(100, 0), delay(100, 1)]).toEqual([1_000, 2_000, 3_000, 6_000, 30_000, 60_000]);
  });

  it("waits as the server says, at least two seconds and at most an hour", () => {
    expect([delay(9, 1, 7_000), delay(9, 1, 10), delay(9, 1, 86_400_000)]).toEqual([7_000, 2_000, 3_600_000]);
  });

  it("asks for a smaller answer at once", () => {
    expect(retryDelayMs({ class: "budget_overflow", attempt: 2, random: 1 })).toBe(0);
  });
});

describe("retryBudgets", () => {
  it("gives up on what does not pass by itself", () => {
    expect([retryBudgets.auth.withoutHint, retryBudgets.overflow.withoutHint, retryBudgets.fatal.withHint]).toEqual([0, 0, 0]);
    expect(retryBudgets.rate_limit).toEqual({ withoutHint: 5, withHint: Number.POSITIVE_INFINITY });
  });
});
