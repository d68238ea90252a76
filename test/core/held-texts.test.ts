import { describe, expect, it } from "vitest";
import { createHeldTexts } from "../../core/held-texts.ts";

describe("createHeldTexts()", () => {
  it("keeps texts by names of its own", () => {
    const held = createHeldTexts();
    const [one, two] = [held.hold(["a", "b"]), held.hold(["c"])];
    expect([one, two].map((name) => held.take(name ?? ""))).toEqual([["a", "b"], ["c"]]);
    expect(held.take("other")).toBeUndefined();
    held.clear();
    expect(held.take(one ?? "")).toBeUndefined();
  });

  it("does not keep more than 32 MB", () => {
    const held = createHeldTexts();
    const much = "x".repeat(20 * 1024 * 1024);
    expect(held.hold([much])).toBeDefined();
    expect(held.hold([much])).toBeUndefined();
    held.clear();
    expect(held.hold([much])).toBeDefined();
  });
});
