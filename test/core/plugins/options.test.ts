import { describe, expect, it } from "vitest";
import { mergeOptions } from "../../../core/plugins/options.ts";

const manifest = { name: "a", options: { limit: 10, mode: "strict", on: true } };

describe("mergeOptions()", () => {
  it("sets the config over the definition's own", () => {
    expect(mergeOptions(manifest, { limit: 5, on: false })).toEqual({ limit: 5, mode: "strict", on: false });
  });

  it.each([
    [{ limt: 5 }, /options\.a.*"limt".*"limit"/],
    [{ toString: 5 }, /"toString"/],
    [{ limit: "5" }, /options\.a\.limit: expected a number/],
  ])("refuses %j and names the option", (set, seen) => {
    expect(() => mergeOptions(manifest, set)).toThrow(expect.objectContaining({ code: "plugin_invalid", seen: expect.stringMatching(seen) }));
  });

  it("refuses a default that no config could set", () => {
    expect(() => mergeOptions({ name: "a", options: { list: [] } }, {})).toThrow(expect.objectContaining({ code: "plugin_invalid" }));
  });
});
