import { describe, expect, it } from "vitest";
import { harmless, shortened, unpadded, visible, visibleJson, visibleLine } from "../../../core/cli/visible.ts";

describe("visible()", () => {
  it.each([
    ["an escape sequence", "\u001b[2Jx", "\\u{1b}[2Jx"],
    ["a bell and a backspace", "a\u0007b\u0008", "a\\u{7}b\\u{8}"],
    ["a carriage return, which overwrites a line", "rm -rf /\rls", "rm -rf /\\rls"],
    ["C1 controls", "a\u009b31m", "a\\u{9b}31m"],
    ["bidi overrides and isolates", "a\u202eb\u2066c\u200f", "a\\u{202e}b\\u{2066}c\\u{200f}"],
    ["zero-width characters", "a\u200bb\u2060c\ufeff", "a\\u{200b}b\\u{2060}c\\u{feff}"],
    ["tag characters", "a\u{e0041}", "a\\u{e0041}"],
    ["blanks that are no space", "a\u00a0b\u3000c\u2800d\u3164", "a\\u{a0}b\\u{3000}c\\u{2800}d\\u{3164}"],
    ["line separators", "a\u2028b\u2029c\u0085", "a\\u{2028}b\\u{2029}c\\u{85}"],
    ["half a surrogate pair", "a\ud800b", "a\\u{d800}b"],
    ["a heap of combining marks", "e\u0301\u0301\u0301\u0301", "e\u0301\u0301\\u{301}\\u{301}"],
  ])("shows %s", (_name, text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it("leaves what a person reads as it is", () => {
    const text = "grep -r 'Größe' é src/日本/ 😀 | head\n\tnext".replace("\t", "");
    expect(visible(text)).toBe(text);
  });

  it("is JSON for visibleJson(), that says the same", () => {
    const value = { text: 'a\t"\u202e\u{e0041}\u200b\n', list: [1, null] };
    expect(visibleJson(value)).toMatch(/^[ -~]+$/);
    expect(JSON.parse(visibleJson(value))).toEqual(value);
  });

  it("keeps line ends, and visibleLine() does not", () => {
    expect(visible("a\nb")).toBe("a\nb");
    expect(visibleLine("a\nb")).toBe("a\\nb");
  });
});

describe("unpadded()", () => {
  it("folds any padding in good time", () => {
    const begun = performance.now();
    expect(unpadded(`a${" ".repeat(200_000)}b`)).toBe("a ⟨200000 spaces⟩ b");
    expect(unpadded(`a${" \n".repeat(50_000)}b`).length).toBeLessThan(100);
    expect(performance.now() - begun).toBeLessThan(20_000);
  });

  it("folds spaces that push a command out of sight", () => {
    expect(unpadded(`ls${" ".repeat(500)}; rm -rf /`)).toBe("ls ⟨500 spaces⟩ ; rm -rf /");
  });

  it("folds tabs, letters and empty lines too", () => {
    expect(unpadded(`a${"\t".repeat(90)}b`)).toBe("a⟨\\t 90 times⟩b");
    expect(unpadded("x".repeat(200))).toBe("⟨x 200 times⟩");
    expect(unpadded(`a${"\n".repeat(300)}b`)).toBe("a\n⟨299 empty lines⟩\nb");
    expect(unpadded(`a${" \t\n".repeat(300)}b`)).not.toContain("\n\n");
  });

  it("leaves an indented text as it is", () => {
    const text = "cat <<EOF\n        indented\n\n  less\nEOF";
    expect(unpadded(text)).toBe(text);
  });
});

describe("harmless()", () => {
  it("keeps colours and shows what else steers a terminal", () => {
    expect(harmless("\u001b[31mred\u001b[0m \u001b]0;title\u0007 \u001b[2J")).toBe("\u001b[31mred\u001b[0m \\u{1b}]0;title\\u{7} \\u{1b}[2J");
  });

  it("takes the line ends of other systems", () => {
    expect(harmless("a\r\nb\tc")).toBe("a\nb\tc");
  });
});

describe("shortened()", () => {
  it("keeps both ends and counts what is between", () => {
    expect(shortened(`${"a".repeat(100)}${"z".repeat(100)}`, 20)).toBe(`${"a".repeat(14)} … 180 more characters … ${"z".repeat(6)}`);
  });

  it("cuts no surrogate pair", () => {
    const text = shortened("😀".repeat(50), 21);
    expect(text.isWellFormed()).toBe(true);
  });
});
