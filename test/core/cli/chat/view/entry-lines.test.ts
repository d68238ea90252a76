import { describe, expect, it } from "vitest";
import { initialState } from "../../../../../core/cli/chat/state/chat-state.ts";
import { reduce } from "../../../../../core/cli/chat/state/reduce.ts";
import { entryLines } from "../../../../../core/cli/chat/view/entry-lines.ts";
import { createMarkdownView } from "../../../../../core/cli/chat/view/markdown-view.ts";

const paint = (_style: unknown, text: string) => text;
const look = { paint, width: 40, now: 0, expanded: false };
const start = initialState({ model: "a/b", context: { tokens: 0, window: 100 }, costUsd: null, title: null });

function shownOf(text: string, expanded = false): string[] {
  const [entry] = reduce(start, { type: "said", tone: "info", text }, 0).entries;
  if (entry === undefined) throw new Error("nothing was said");
  return entryLines(entry, { ...look, expanded }, createMarkdownView(paint));
}

describe("entryLines()", () => {
  it.each([
    ["many lines", Array.from({ length: 200_000 }, (_, i) => `line ${i}`).join("\n"), "line 0", "line 199999"],
    ["one long line", `begin ${"y".repeat(5_000_000)} end`, "begin", "end"],
  ])("shows head and tail of a notice of %s", (_name, text, head, tail) => {
    const lines = shownOf(text);
    expect(lines.length).toBeLessThan(500);
    expect(lines[1]).toContain(head);
    expect(lines.at(-1)).toContain(tail);
    expect(lines.join("\n")).toMatch(/\[\d+ lines in between are not shown\]/);
  });

  it("shows all of a notice of a few hundred lines", () => {
    const lines = shownOf(Array.from({ length: 300 }, (_, i) => `line ${i}`).join("\n"));
    expect(lines).toHaveLength(301);
  });
});
