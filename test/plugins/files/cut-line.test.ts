import { describe, expect, it } from "vitest";
import { cutLine } from "../../../plugins/files/cut-line.ts";

describe("cutLine()", () => {
  it("cuts at a character border", () => {
    expect(cutLine("abcd", 4)).toBe("abcd");
    expect(cutLine("abcde", 4)).toBe("abcd...");
    expect(cutLine("abc😀", 4)).toBe("abc...");
    expect(cutLine("ab😀c", 4)).toBe("ab😀...");
  });

  it("takes the word with it that it would go through, unless that is long or all there is", () => {
    expect(cutLine("one two three", 9)).toBe("one two ...");
    expect(cutLine("one two three", 8)).toBe("one two ...");
    expect(cutLine('{"key":"sk-12345678"}', 15)).toBe('{"key":"...');
    expect(cutLine("one two", 3)).toBe("one...");
    expect(cutLine(`a ${"x".repeat(300)}`, 200)).toBe(`a ${"x".repeat(198)}...`);
    expect(cutLine("x".repeat(20), 10)).toBe("xxxxxxxxxx...");
  });
});
