import { describe, expect, it } from "vitest";
import { createPool, type Member, SHARE } from "../../../../core/agent/tasks/pool.ts";

const spent = (tokens = 0, costUsd = 0) => ({ usage: { input: tokens, output: 0, cacheRead: 0, cacheWrite: 0 }, costUsd });
const asks = (tokens: number, used = 0): Member & { used: number } => {
  const member = { budget: { turns: 10, tokens, costUsd: 5, timeMs: 1_000 }, used, spent: () => spent(member.used) };
  return member;
};
const limits = (maxTotalTokens: number | null, maxCostUsd: number | null = null) => ({ maxTotalTokens, maxCostUsd });
const left = (member: Member & { used: number }) => member.budget.tokens - member.used;

describe("createPool()", () => {
  it("gives what was asked for where there is no limit, or enough", () => {
    const pool = createPool();
    const [a, b] = [asks(1_000), asks(1_000)];
    pool.join(a, limits(null), spent());
    pool.join(b, limits(100_000), spent());
    expect([left(a), left(b)]).toEqual([1_000, 1_000]);
  });

  it("gives each at least an equal part of what is left, and all together no more than that", () => {
    const pool = createPool();
    const all = [asks(1_000_000), asks(1_000_000), asks(100), asks(1_000_000)];
    let used = 0;
    for (const [i, member] of all.entries()) {
      const whole = (10_000 - used) * SHARE;
      pool.join(member, limits(10_000), spent(used));
      const sum = all.slice(0, i + 1).reduce((so, each) => so + left(each), 0);
      expect(sum).toBeLessThanOrEqual(whole + 1e-6);
      expect(left(member)).toBeGreaterThanOrEqual(Math.min(100, whole / (i + 1)) - 1e-6);
      // Each spends something before the next one comes.
      member.used += 50;
      used += 50;
    }
    for (const member of all) expect(left(member)).toBeGreaterThanOrEqual(0);
  });

  it("gives what one leaves to those who come later", () => {
    const pool = createPool();
    const [a, b, c] = [asks(1_000_000), asks(1_000_000), asks(1_000_000)];
    const leave = pool.join(a, limits(10_000), spent());
    expect(left(a)).toBe(9_000);
    pool.join(b, limits(10_000), spent());
    expect([left(a), left(b)]).toEqual([4_500, 4_500]);
    leave();
    pool.join(c, limits(10_000), spent());
    expect([left(b), left(c)]).toEqual([4_500, 4_500]);
  });

  it("shares cost alike, and gives nothing where nothing is left", () => {
    const pool = createPool();
    const [a, b] = [asks(1_000), asks(1_000)];
    pool.join(a, limits(null, 1), spent(0, 0.5));
    expect(a.budget.costUsd).toBeCloseTo(0.45);
    pool.join(b, limits(500, 1), spent(600, 2));
    expect(b.budget).toMatchObject({ tokens: 0, costUsd: 0 });
  });
});
