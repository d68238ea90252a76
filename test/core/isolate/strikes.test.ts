import { describe, expect, it } from "vitest";
import { createStrikes } from "../../../core/isolate/strikes.ts";

describe("createStrikes()", () => {
  const setUp = () => {
    let now = 1_000;
    const strikes = createStrikes(() => now);
    const later = (ms: number): void => {
      now += ms;
    };
    return { strikes, later };
  };

  it("moves after two in a row and disables after two more", () => {
    const { strikes } = setUp();
    expect(strikes.standing("a")).toBe("shared");
    expect([1, 2, 3, 4, 5].map(() => strikes.strike("a").standing)).toEqual(["shared", "own", "own", "disabled", "disabled"]);
    expect(strikes.standing("b")).toBe("shared");
  });

  it("forgives after 60 seconds or 200 clean calls, not before", () => {
    const { strikes, later } = setUp();
    strikes.strike("a");
    later(59_999);
    expect(strikes.strike("a").standing).toBe("own");
    strikes.strike("b");
    later(60_000);
    expect(strikes.strike("b")).toEqual({ strikes: 1, standing: "shared" });
    strikes.strike("c");
    for (let i = 0; i < 199; i++) strikes.clean("c");
    expect(strikes.strike("c").standing).toBe("own");
    strikes.strike("d");
    for (let i = 0; i < 200; i++) strikes.clean("d");
    expect(strikes.strike("d")).toEqual({ strikes: 1, standing: "shared" });
  });

  it("starts over from where it is told to", () => {
    const { strikes } = setUp();
    strikes.reset("a", "own");
    strikes.strike("a");
    expect(strikes.strike("a").standing).toBe("disabled");
    strikes.reset("a", "shared");
    expect(strikes.standing("a")).toBe("shared");
  });
});
