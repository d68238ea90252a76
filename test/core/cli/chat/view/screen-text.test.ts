import { describe, expect, it } from "vitest";
import { guarded, outputText, screenLine, screenText } from "../../../../../core/cli/chat/view/screen-text.ts";

describe("screenText()", () => {
  it.each([
    ["a clipboard sequence", "\u001b]52;c;aGk=\u0007x", "\\u{1b}]52;c;aGk=\\u{7}x"],
    ["a cursor that moves", "a\u001b[2Jb", "a\\u{1b}[2Jb"],
    ["controls of eight bits", "\u009b31m", "\\u{9b}31m"],
    ["text that runs backwards", "a\u202eb", "a\\u{202e}b"],
    ["nothing that is wide", "a\u200bb", "a\\u{200b}b"],
    ["a line that is written over", "safe\revil", "safe\\revil"],
  ])("shows %s", (_name, text, seen) => {
    expect(screenText(text)).toBe(seen);
  });

  it("leaves words, tabs as blanks, and emoji as they are", () => {
    expect(screenText("héllo\tdone\r\n✔️ 👨‍👩‍👧 日本")).toBe("héllo    done\n✔️ 👨‍👩‍👧 日本");
  });

  it("takes an emoji for no hiding place", () => {
    expect(screenText("👍\u200d\u202e")).toContain("\\u{202e}");
  });
});

describe("screenLine()", () => {
  it("is one line", () => {
    expect(screenLine("a\n\n  b")).toBe("a b");
  });
});

describe("outputText()", () => {
  it("shows a program's lines as it left them, without colours", () => {
    expect(outputText("\u001b[31mred\u001b[0m\n10%\r50%\r100%\r\nend")).toBe("red\n100%\nend");
  });

  it("lets nothing through that is no colour", () => {
    expect(outputText("\u001b[?1049h\u001b]0;t\u0007\u001bPq\u001b\\ok")).not.toMatch(/\p{Cc}/u);
  });
});

describe("guarded()", () => {
  it("keeps styles and the markers it is told of, and nothing else", () => {
    const marker = "\u001b_pi:c\u0007";
    expect(guarded(`\u001b[1mbold\u001b[0m\u001b[2J${marker}\u001b_Gx\u0007\u009b`, [marker])).toBe(`\u001b[1mbold\u001b[0m[2J${marker}_Gx`);
    expect(guarded(`a${marker}b`)).toBe("a_pi:cb");
  });
});
