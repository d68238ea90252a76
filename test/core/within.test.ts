import { describe, expect, it } from "vitest";
import { within } from "../../core/within.ts";

describe("within()", () => {
  it("gives the value", () => {
    expect(within(1_000, () => ({ a: undefined }))).toEqual({ value: { a: undefined } });
    expect(within(1_000, () => undefined)).toEqual({ value: undefined });
  });

  it("throws what the function throws", () => {
    const error = new TypeError("no");
    expect(() =>
      within(1_000, () => {
        throw error;
      }),
    ).toThrow(error);
  });

  it("ends a loop and a regular expression that would go on for years", () => {
    expect(
      within(50, () => {
        for (;;);
      }),
    ).toBeUndefined();
    expect(within(50, () => /^(a+)+$/.test(`${"a".repeat(64)}!`))).toBeUndefined();
    expect(within(1_000, () => 1)).toEqual({ value: 1 });
  });
});
