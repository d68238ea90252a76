import { describe, expect, it } from "vitest";
import { oneLine } from "../../../plugins/files/one-line.ts";

describe("oneLine()", () => {
  it("leaves words, and one blank between them", () => {
    expect(oneLine(" a\r\n\tb\u2028c ")).toBe("a b c");
    expect(oneLine("a\u001b[2Jb\u202ec\u200bd\ud800e")).toBe("a [2Jb c d e");
    expect(oneLine("\u{1f468}\u200d\u{1f469} \u{1f600}")).toBe("\u{1f468}\u200d\u{1f469} \u{1f600}");
    expect(oneLine("\u200b\u0007")).toBe("");
  });
});
