import { describe, expect, it } from "vitest";
import { oneLine } from "../../../core/capabilities/search/shown-path.ts";
import { shownPath } from "../../../plugins/files/shown-path.ts";

describe("shownPath()", () => {
  it("quotes and escapes what passes for more lines, steers a terminal, hides or reorders, as the host does with names", () => {
    for (const [path, shown] of [
      ["src/a b.ts", "src/a b.ts"],
      ['quo"te', 'quo"te'],
      ["a\nb", '"a\\nb"'],
      ["a\u001b[2J", '"a\\u001b[2J"'],
      ["a\u009b31m", '"a\\u009b31m"'],
      ["a\u007f", '"a\\u007f"'],
      ["a\u2028b", '"a\\u2028b"'],
      ["a\u202egpj.sh", '"a\\u202egpj.sh"'],
      ["a\u200b.ts", '"a\\u200b.ts"'],
      ["a\u{e0041}", '"a\\udb40\\udc41"'],
      // A family, and a word of Persian.
      ["\u{1f468}\u200d\u{1f469}.png", "\u{1f468}\u200d\u{1f469}.png"],
      ["\u0645\u06cc\u200c\u0634\u0648\u062f", "\u0645\u06cc\u200c\u0634\u0648\u062f"],
    ] as const) {
      expect(shownPath(path)).toBe(shown);
      expect(oneLine(path)).toBe(shown);
      if (shown.startsWith('"')) expect(JSON.parse(shown)).toBe(path);
    }
  });
});
