import { describe, expect, it } from "vitest";
import { costOf, usageOf } from "../../../core/models/cost.ts";

const price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };

describe("costOf()", () => {
  it("sums what each kind of token costs by the million", () => {
    expect(costOf({ input: 1_000_000, output: 0, cacheRead: 0, cacheWrite: 0 }, price)).toBe(3);
    expect(costOf({ input: 1_000, output: 200, cacheRead: 10_000, cacheWrite: 400 }, price)).toBeCloseTo(0.0105, 10);
    expect(costOf({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }, price)).toBe(0);
  });

  it("is null without a price, and not nothing", () => {
    expect(costOf({ input: 1_000, output: 200, cacheRead: 0, cacheWrite: 0 }, null)).toBeNull();
  });

  it("takes the rates of long requests once the whole input is longer", () => {
    const steep = { ...price, above: { inputTokens: 200_000, input: 6, output: 22, cacheRead: 0.6, cacheWrite: 7.5 } };
    expect(costOf({ input: 100_000, output: 0, cacheRead: 100_000, cacheWrite: 0 }, steep)).toBeCloseTo(0.33, 10);
    expect(costOf({ input: 100_000, output: 0, cacheRead: 100_001, cacheWrite: 0 }, steep)).toBeCloseTo(0.6600006, 10);
  });
});

describe("usageOf()", () => {
  const of = (total: number | undefined, noCache: number | undefined, cacheRead: number | undefined, cacheWrite: number | undefined) =>
    usageOf({ inputTokens: { total, noCache, cacheRead, cacheWrite }, outputTokens: { total: 7, text: undefined, reasoning: undefined } });

  it("counts input that came from no cache", () => {
    expect(of(120, 100, 15, 5)).toEqual({ input: 100, output: 7, cacheRead: 15, cacheWrite: 5 });
    expect(of(120, undefined, 20, undefined)).toEqual({ input: 100, output: 7, cacheRead: 20, cacheWrite: 0 });
    expect(of(undefined, undefined, undefined, undefined)).toEqual({ input: 0, output: 7, cacheRead: 0, cacheWrite: 0 });
    expect(of(10, undefined, 20, undefined).input).toBe(0);
    expect(of(-5, undefined, undefined, undefined).input).toBe(0);
  });

  it("counts no less than nothing, and no more than can be added up", () => {
    const used = (total: number) =>
      usageOf({ inputTokens: { total, noCache: total, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total, text: total, reasoning: 0 } });
    expect(used(-5)).toMatchObject({ input: 0, output: 0 });
    expect(Number.isFinite(used(1e308).input + used(1e308).output)).toBe(true);
  });

  it("reads usage as streamText gives it", () => {
    const usage = {
      inputTokens: 120,
      inputTokenDetails: { noCacheTokens: 100, cacheReadTokens: 15, cacheWriteTokens: 5 },
      outputTokens: 30,
      outputTokenDetails: { textTokens: 20, reasoningTokens: 10 },
      totalTokens: 150,
    };
    expect(usageOf(usage)).toEqual({ input: 100, output: 30, cacheRead: 15, cacheWrite: 5 });
  });
});
