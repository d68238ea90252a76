import { describe, expect, it } from "vitest";
import type { Asked } from "../../../core/syntax/lane.ts";
import { together } from "../../../core/syntax/together.ts";

let lastId = 0;
const asked = (chars: number, { alone = false, ...more }: { alone?: boolean } & Record<string, unknown> = {}): Asked => ({
  id: ++lastId,
  request: { kind: "query", language: "go", query: "(_) @x", mask: null, mend: null, ...more, text: "x".repeat(chars) },
  limitMs: 1_000,
  alone,
  resolve: () => {},
});
const many = (count: number, chars: number, more = {}) => Array.from({ length: count }, () => asked(chars, more));

describe("together()", () => {
  it("takes nothing where nothing waits", () => expect(together([], 2)).toBe(0));

  it("takes short texts as they come, whatever they are asked, up to the first long one", () => {
    expect(together([asked(10), asked(10, { language: "c" }), asked(5_000), asked(10)], 2)).toBe(2);
    expect(together(many(40, 1_000), 2)).toBe(16);
  });

  it("takes of long texts a thread's share, and a few at most", () => {
    expect([1, 2, 3, 4, 7, 8, 100].map((count) => together(many(count, 5_000), 2))).toEqual([1, 1, 1, 2, 3, 4, 4]);
    expect(together(many(3, 5_000), 1)).toBe(3);
  });

  it("takes a short one behind a long one that is asked the same", () => {
    expect(together([asked(5_000), asked(10), ...many(8, 10)], 2)).toBe(4);
  });

  it.each([{ query: "(x) @x" }, { language: "c" }, { mask: "(a+)+$" }, { mend: "(a+)+$" }])(
    "lets none wait behind one that is asked with other %o",
    (other) => {
      expect(together([asked(5_000, other), ...many(8, 5_000)], 2)).toBe(1);
      expect(together([asked(5_000), asked(5_000, other), ...many(8, 5_000)], 2)).toBe(1);
    },
  );

  it("takes what is no query alone where it is long", () => {
    expect(together(many(9, 5_000, { query: undefined }), 1)).toBe(1);
  });

  it("ends where the texts become many characters, and takes one whatever its length", () => {
    expect(together(many(9, 100_000), 2)).toBe(2);
    expect(together(many(9, 4_000_000), 2)).toBe(1);
  });

  it("takes what is asked again alone, and nothing with it", () => {
    expect(together([asked(10, { alone: true }), ...many(8, 10)], 2)).toBe(1);
    expect(together([asked(10), asked(10, { alone: true }), asked(10)], 2)).toBe(1);
    expect(together([asked(5_000), asked(5_000, { alone: true }), ...many(8, 5_000)], 2)).toBe(1);
  });
});
