import { visibleWidth } from "@earendil-works/pi-tui";
import { describe, expect, it } from "vitest";
import { type ChatState, initialState } from "../../../../../core/cli/chat/state/chat-state.ts";
import { type About, statusLine, workingLines } from "../../../../../core/cli/chat/view/status-line.ts";

const look = { paint: (_style: unknown, text: string) => text, width: 80, now: 20_000, expanded: false };
const state = initialState({ model: "a/model", context: { tokens: 1_234, window: 10_000 }, costUsd: 0.0123, title: null });
const about: About = { cwd: "/home/me/project", home: "/home/me", sessionId: "1ChZabc", yolo: false };

describe("statusLine()", () => {
  it("tells the model, the context, the cost, the folder and the session", () => {
    expect(statusLine(state, about, look)).toBe("a/model · context 12% · $0.012 · ~/project · session 1ChZabc");
  });

  it("tells what works in the background", () => {
    expect(statusLine({ ...state, tasks: ["Find\nit"] }, about, look)).toMatch(/^in the background: Find it · a\/model/);
    expect(statusLine({ ...state, tasks: ["Find it", "Other"] }, about, look)).toMatch(/^2 tasks in the background · a\/model/);
  });

  it("says that nothing is asked", () => {
    expect(statusLine(state, { ...about, yolo: true }, look)).toMatch(/^yolo: runs without asking · /);
  });

  it.each([60, 40, 20, 5])("fits %i columns", (width) => {
    expect(visibleWidth(statusLine(state, { ...about, yolo: true, cwd: `/x/${"y".repeat(100)}` }, { ...look, width }))).toBeLessThanOrEqual(width);
  });
});

describe("workingLines()", () => {
  const working: ChatState["working"] = { since: 15_500, what: "answering", retry: null, costUsd: null };

  it("tells what goes on, for how long, and what waits", () => {
    expect(workingLines({ ...state, working, queued: [{ id: 1, text: "next\nline" }] }, look)).toEqual([
      "",
      "answering · 4 s · Esc stops it",
      "  to be sent: next line",
    ]);
    expect(workingLines(state, look)).toEqual([]);
  });

  it("tells which commands go on that are not over at once", () => {
    const commands = [
      { id: Symbol(), text: `!sleep ${"9".repeat(200)}`, since: 15_500 },
      { id: Symbol(), text: "/tools", since: 19_900 },
    ];
    const [, line = "", ...rest] = workingLines({ ...state, commands }, look);
    expect(line).toMatch(/^!sleep 9+… · 4 s · Esc stops it$/);
    expect(visibleWidth(line)).toBe(80);
    expect(rest).toEqual([]);
  });

  it("counts down to the next attempt", () => {
    const retry = { attempt: 2, at: 22_500 };
    expect(workingLines({ ...state, working: { ...working, retry } }, look)[1]).toBe("trying again in 3 s (attempt 3) · 4 s · Esc stops it");
  });
});
