import { describe, expect, it } from "vitest";
import { cutLine } from "../../../plugins/files/cut-line.ts";

describe("cutLine()", () => {
  it("cuts at a character border", () => {
    expect(cutLine("abcd", 4)).toBe("abcd");
    expect(cutLine("abcde", 4)).toBe("abcd...");
    expect(cutLine("abc😀", 4)).toBe("abc...");
    expect(cutLine("ab😀c", 4)).toBe("ab😀...");
  });
});
