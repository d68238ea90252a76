import { describe, expect, it } from "vitest";
import { listensTo } from "../../../core/autocmds/listens.ts";

describe("listensTo()", () => {
  it.each<[string[] | null, string | undefined, boolean]>([
    [null, undefined, true],
    [null, "x", true],
    [["*"], undefined, true],
    [["*"], "x", true],
    [["x"], "x", true],
    [["x"], "y", false],
    [["x"], undefined, false],
    [["x", "y"], "y", true],
    [["x", "*"], undefined, true],
    [["x*"], "xy", false],
    [["X"], "x", false],
    [[""], "", true],
    [[""], undefined, false],
    [[], "x", false],
    [[], undefined, false],
  ])("with the pattern %j, an event fired with %j: %j", (pattern, match, expected) => {
    expect(listensTo({ events: ["a:done"], pattern }, { event: "a:done", match })).toBe(expected);
  });

  it("hears its own events alone, whatever the pattern", () => {
    expect(listensTo({ events: ["a:done", "TurnEnd"], pattern: null }, { event: "TurnEnd", match: undefined })).toBe(true);
    expect(listensTo({ events: ["a:done"], pattern: ["*"] }, { event: "a:begun", match: "x" })).toBe(false);
    expect(listensTo({ events: ["a:done"], pattern: null }, { event: "toString", match: undefined })).toBe(false);
  });
});
