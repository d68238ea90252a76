import { describe, expect, it } from "vitest";
import { numbered } from "../../../plugins/read/numbered.ts";

const window = (lines: string[], totalLines = lines.length, invalid = false) =>
  ({ lines, totalLines, invalid, bytes: 0, encoding: "utf-8" }) as const;
const whole = { offset: 1, maxLineChars: 10, maxLines: 100, maxBytes: 1_000 };

describe("numbered()", () => {
  it("numbers the lines of a whole file and says nothing more", () => {
    expect(numbered(window(["a", "", "c"]), whole)).toBe("1: a\n2: \n3: c");
  });

  it("says where a window stands and how to go on", () => {
    expect(numbered(window(["b", "c"], 9), { ...whole, offset: 2 })).toBe("2: b\n3: c\n\n[lines 2-3 of 9; go on with offset 4]");
    expect(numbered(window(["b", "c"], 3), { ...whole, offset: 2 })).toBe("2: b\n3: c\n\n[lines 2-3 of 3, the last one included]");
  });

  it("leaves what does not fit for the next read, one line at least", () => {
    expect(numbered(window(["aaa", "bbb", "ccc"]), { ...whole, maxBytes: 14 })).toBe("1: aaa\n2: bbb\n\n[lines 1-2 of 3; go on with offset 3]");
    expect(numbered(window(["ä€😀", "b"]), { ...whole, maxBytes: 12 })).toBe("1: ä€😀\n\n[lines 1-1 of 2; go on with offset 2]");
    expect(numbered(window(["ä€😀", "b"]), { ...whole, maxBytes: 18 })).toBe("1: ä€😀\n2: b");
    expect(numbered(window(["aaa", "b"]), { ...whole, maxBytes: 1 })).toBe("1: aaa\n\n[lines 1-1 of 2; go on with offset 2]");
  });

  it("says that bytes were replaced", () => {
    expect(numbered(window(["\ufffd"], 1, true), whole)).toBe("1: \ufffd\n\n[bytes that are no UTF-8 are shown as \ufffd]");
  });
});
