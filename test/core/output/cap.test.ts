import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { border, CAP_CHARS, capText } from "../../../core/output/cap.ts";

const face = "\u{1f600}";

describe("capText()", () => {
  it("leaves text as it is up to the cap", () => {
    expect(capText("x".repeat(100), 100)).toEqual({ text: "x".repeat(100), droppedChars: 0 });
    expect(CAP_CHARS).toBe(8_388_608);
  });

  it("keeps head and tail, and counts what is left out", () => {
    expect(capText(`${"a".repeat(60)}${"b".repeat(60)}`, 100)).toEqual({
      text: `${"a".repeat(50)}\n[20 characters left out]\n${"b".repeat(50)}`,
      droppedChars: 20,
    });
  });

  it("takes what is left of a line with it, unless that is long", () => {
    const lines = `${"a".repeat(30)}\n${"b".repeat(30)}\n${"c".repeat(30)}\n${"d".repeat(30)}`;
    expect(capText(lines, 100).text).toBe(`${"a".repeat(30)}\n[63 characters left out]\n${"d".repeat(30)}`);
    const long = `a\n${"b".repeat(20_000)}\nc`;
    expect(capText(long, 10_000)).toEqual({
      text: `a\n${"b".repeat(4_998)}\n[10004 characters left out]\n${"b".repeat(4_998)}\nc`,
      droppedChars: 10_004,
    });
  });

  it("never cuts a character in two, and never gives more than the cap and the mark", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 0, maxLength: 300 }), fc.nat(100), (given, cap) => {
        const { text, droppedChars } = capText(given, cap);
        if (given.length <= cap) {
          expect(text).toBe(given);
          return;
        }
        const [, head = "", count = "", tail = ""] = /^([\s\S]*)\n\[(\d+) characters left out\]\n([\s\S]*)$/.exec(text) ?? [];
        expect(given.startsWith(head) && given.endsWith(tail)).toBe(true);
        expect(head.length + tail.length).toBeLessThanOrEqual(cap);
        expect(head.length + tail.length + droppedChars).toBe(given.length);
        expect(Number(count)).toBe(droppedChars);
        expect(text.isWellFormed()).toBe(given.isWellFormed());
      }),
    );
  });

  it("keeps nothing but the mark with no room at all", () => {
    expect(capText("\udc00ab", 0)).toEqual({ text: "\n[3 characters left out]\n", droppedChars: 3 });
  });
});

describe("border()", () => {
  it.each<[string, number, 1 | -1, number]>([
    [`a${face}b`, 1, -1, 1],
    [`a${face}b`, 2, -1, 1],
    [`a${face}b`, 2, 1, 3],
    [`a${face}b`, 3, 1, 3],
    ["abc", 1, -1, 1],
    ["", 0, -1, 0],
    [face, 2, 1, 2],
    // Half a character alone is no pair.
    ["\udc00a", 0, -1, 0],
    ["a\udc00", 1, -1, 1],
    ["\ud800a", 1, 1, 1],
  ])("of %j at %i by %i is %i", (text, at, step, expected) => {
    expect(border(text, at, step)).toBe(expected);
  });
});
