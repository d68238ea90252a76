import { describe, expect, it } from "vitest";
import { minus, quantile, ratio, type Samples, summary } from "./samples.ts";

const us = (...rounds: number[][]): Samples => ({ unit: "us", rounds });

describe("quantile()", () => {
  it("lies between the two nearest values, whatever their order", () => {
    expect(quantile([30, 10, 20], 0.5)).toBe(20);
    expect(quantile([10, 20], 0.5)).toBe(15);
    expect(quantile([0, 10], 0.9)).toBeCloseTo(9);
  });

  it("is no number where nothing was measured", () => {
    expect(quantile([], 0.5)).toBeNaN();
  });
});

describe("summary()", () => {
  it("counts the values of all rounds", () => {
    expect(summary(us([1, 2], [3, 4, 5]))).toMatchObject({ median: 3, n: 5 });
  });
});

describe("minus()", () => {
  it("compares within a round, so that a slow round does not count", () => {
    expect(minus(us([15], [115], [16]), us([10], [110], [10])).rounds).toEqual([[5], [5], [6]]);
  });

  it("leaves out rounds that only one of them has", () => {
    expect(minus(us([15], [16]), us([10])).rounds).toEqual([[5]]);
  });
});

describe("ratio()", () => {
  it("is of the rounds", () => {
    expect(ratio(us([20], [40], [30]), us([10], [10], [10]))).toMatchObject({ median: 3, p10: expect.closeTo(2.2), p90: expect.closeTo(3.8) });
  });
});
