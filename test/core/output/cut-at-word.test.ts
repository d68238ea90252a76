import { describe, expect, it } from "vitest";
import { cutAtWord } from "../../../core/output/cut-at-word.ts";

describe("cutAtWord()", () => {
  it.each([
    ["short", 5, "short"],
    ["one two three", 9, "one two "],
    ["one two three", 7, "one two"],
    ["one two three", 8, "one two "],
    ["curl -H token=sk-12345678 url", 20, "curl -H "],
    ["x".repeat(50), 10, "x".repeat(10)],
    [`a ${"x".repeat(50)}`, 30, `a ${"x".repeat(28)}`],
    ["aaaa bbbb\u{1f600}", 10, "aaaa bbbb"],
    ["", 0, ""],
  ])("of %j at %i is %j", (text, most, expected) => {
    expect(cutAtWord(text, most)).toBe(expected);
  });
});
