import { visibleWidth } from "@earendil-works/pi-tui";
import { describe, expect, it } from "vitest";
import { createMarkdownView, isTame } from "../../../../../core/cli/chat/view/markdown-view.ts";

const plain = () => createMarkdownView((_style, text) => text);

describe("createMarkdownView()", () => {
  it("shows headings, lists, tables and code as they are meant", () => {
    const text = "# Title\n\n- one\n- `two`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```sh\necho $HOME $PATH\n```";
    const lines = plain()(1, text, 60);
    expect(lines).toContain("Title");
    expect(lines).toContain("- two");
    expect(lines).toContain("│ 1 │ 2 │");
    expect(lines.join("\n")).toContain("echo $HOME $PATH");
  });

  it("says where a link leads", () => {
    expect(plain()(1, "[docs](https://evil.example)", 60)).toEqual(["docs (https://evil.example)"]);
  });

  it("shows text that no parser reads in good time, or at all, as it is", () => {
    const begun = performance.now();
    for (const text of ["*a ".repeat(20_000), `${">".repeat(5_000)}deep`, "_a ".repeat(20_000), "- ".repeat(3_000), "**a *b ".repeat(5_000)]) {
      const lines = plain()(1, text, 80);
      expect(lines.length).toBeGreaterThan(1);
      expect(Math.max(...lines.map(visibleWidth))).toBeLessThanOrEqual(80);
    }
    expect(performance.now() - begun).toBeLessThan(60_000);
  });

  it("lets nothing steer the terminal, inside code and links neither", () => {
    const evil = "\u001b]0;t\u0007";
    const lines = plain()(1, `\`${evil}\` [${evil}](https://x/${evil})\n\n    ${evil}\n\n\`\`\`${evil}\n${evil}\n\`\`\``, 60);
    for (const line of lines) expect(line).not.toMatch(/\p{Cc}/u);
  });
});

describe("isTame()", () => {
  it.each([
    ["prose", "Some *words* and `code`.\n\n".repeat(2_000)],
    ["a long list", "* an item of a list\n".repeat(3_000)],
    ["a long table", "| a | b |\n".repeat(3_000)],
    ["much code", `\`\`\`js\n${"a[b*c*d] = `x`;\n".repeat(3_000)}\`\`\``],
  ])("takes %s for tame", (_name, text) => {
    expect(isTame(text)).toBe(true);
  });
});
