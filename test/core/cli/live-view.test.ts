import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createLiveView } from "../../../core/cli/live-view.ts";

const ESCAPE = "\u001b";
const PARTS = new RegExp(`${ESCAPE}\\[\\d*[AJ]|\\r|\\n|[^\\r\\n${ESCAPE}]+`, "g");

/** What a terminal shows of what was written to it: line ends, carriage returns, the cursor up, and all below erased. */
function terminal(columns = 40) {
  let lines = [""];
  let row = 0;
  let written = 0;
  return {
    columns,
    lines: () => lines.filter((line, at) => line !== "" || at < lines.length - 1),
    written: () => written,
    write(text: string) {
      written += text.length;
      for (const part of text.match(PARTS) ?? []) {
        if (part.startsWith(ESCAPE) && part.endsWith("A")) row -= Number(part.slice(2, -1));
        else if (part === "\u001b[J") lines = [...lines.slice(0, row), ""];
        else if (part === "\n") {
          row++;
          if (row === lines.length) lines.push("");
        } else if (part !== "\r") lines[row] += part;
      }
    },
  };
}

const painted = () => vi.advanceTimersByTime(50);
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("createLiveView()", () => {
  it("shows the last lines as they come, and leaves nothing of them", () => {
    const screen = terminal();
    screen.write("before\n");
    const view = createLiveView(screen, (line) => line);
    view.write("one\ntw");
    painted();
    expect(screen.lines()).toEqual(["before", "│ one", "│ tw"]);
    view.write("o\n3\n4\n5\n6\n7\n");
    painted();
    expect(screen.lines()).toEqual(["before", "│ 3", "│ 4", "│ 5", "│ 6", "│ 7"]);
    view.clear();
    expect(screen.lines()).toEqual(["before"]);
    painted();
    screen.write("after\n");
    view.write("again\n");
    painted();
    expect(screen.lines()).toEqual(["before", "after", "│ again"]);
    view.clear();
    expect(screen.lines()).toEqual(["before", "after"]);
  });

  it("keeps a line within the terminal, and shows what steers one as text", () => {
    const screen = terminal(20);
    const view = createLiveView(screen, (line) => line);
    view.write(`\u001b[2J\u202e${"x".repeat(100)}\n${"\u6f22".repeat(50)}\n`);
    painted();
    expect(screen.lines()).toEqual(["│ \\u{1b}[2J\\u{202e}", `│ ${"\u6f22".repeat(8)}`]);
  });

  it("writes little of much", () => {
    const screen = terminal();
    const view = createLiveView(screen, (line) => line);
    for (let i = 0; i < 100_000; i++) view.write(`line ${i}\n`);
    painted();
    expect(screen.lines().at(-1)).toBe("│ line 99999");
    expect(screen.written()).toBeLessThan(500);
  });

  it("draws nothing that was cleared before it was drawn", () => {
    const screen = terminal();
    const view = createLiveView(screen, (line) => line);
    view.write("one\n");
    view.clear();
    painted();
    expect(screen.written()).toBe(0);
  });
});
