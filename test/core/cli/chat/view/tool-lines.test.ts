import { visibleWidth } from "@earendil-works/pi-tui";
import { describe, expect, it } from "vitest";
import type { CallMarks } from "../../../../../core/agent/session-event.ts";
import { newRow, type ToolRow } from "../../../../../core/cli/chat/state/chat-state.ts";
import type { Look } from "../../../../../core/cli/chat/view/look.ts";
import { shortLine, ticking, toolLines } from "../../../../../core/cli/chat/view/tool-lines.ts";

const look: Look = { paint: (_style, text) => text, width: 80, now: 10_000, expanded: false };
const marks: CallMarks = {
  rewrittenBy: [],
  allowedBy: null,
  stoppedBy: null,
  respondedBy: null,
  permission: { decision: "allow", source: "no_scopes", scopes: [] },
  nested: [],
};
const row = (change: Partial<ToolRow> = {}): ToolRow => ({ ...newRow("1", "bash", "ls -la"), ...change });
const done = (change: Partial<ToolRow> = {}): ToolRow => row({ state: "ok", durationMs: 1_230, marks, text: "a\nb", ...change });
const numbers = (count: number) => Array.from({ length: count }, (_, i) => `${i + 1}`).join("\n");

describe("toolLines()", () => {
  it("shows what runs, for how long, and the last that it printed", () => {
    expect(toolLines(row({ state: "running", begunAt: 7_000, output: numbers(20) }), look)).toEqual([
      "* bash ls -la",
      "  running 3 s",
      ...["16", "17", "18", "19", "20"].map((line) => `  | ${line}`),
    ]);
  });

  it("shows what came of it", () => {
    expect(toolLines(done(), look)).toEqual(["* bash ls -la", "  ok in 1.2 s", "  | a", "  | b"]);
    expect(toolLines(done({ state: "error", text: "no" }), look)[1]).toBe("  failed in 1.2 s");
  });

  it("says how much it does not show, and shows it when asked", () => {
    expect(toolLines(done({ text: numbers(30) }), look).slice(2)).toEqual([
      ...["1", "2", "3", "4"].map((line) => `  | ${line}`),
      "  26 more lines (Ctrl+O shows all)",
    ]);
    expect(toolLines(done({ text: numbers(30) }), { ...look, expanded: true })).toHaveLength(32);
  });

  it.each<[string, Partial<CallMarks>, string]>([
    ["a rewrite", { rewrittenBy: ["rtk", "trim"] }, "rewritten by rtk, trim"],
    ["a plugin's yes", { allowedBy: "safe", permission: { decision: "allow", source: "layer:safe", scopes: [] } }, "allowed by safe"],
    ["the person's", { permission: { decision: "allow", source: "person", scopes: [] } }, "allowed by you"],
    ["yolo", { permission: { decision: "allow", source: "yolo", scopes: [] } }, "allowed by --yolo"],
    [
      "a rule",
      {
        permission: {
          decision: "allow",
          source: "rules",
          scopes: [{ kind: "command", text: "ls", effect: "allow", rule: 'allow bash "ls *", project /p/x:1' }],
        },
      },
      'allowed by the rule allow bash "ls *", project /p/x:1',
    ],
    ["an answer without a run", { respondedBy: "cache" }, "answered by cache without running it"],
    ["a stop", { stoppedBy: "guard" }, "stopped by guard"],
    ["the person's no", { permission: { decision: "deny", source: "person", scopes: [] } }, "denied by you"],
    ["nobody", { permission: { decision: "deny", source: "nobody", scopes: [] } }, "nobody was there to allow it"],
  ])("marks %s", (_name, change, mark) => {
    const state = change.stoppedBy || change.permission?.decision === "deny" ? "error" : "ok";
    const status = toolLines(done({ state, marks: { ...marks, ...change } }), look)[1];
    expect(status).toBe(`  ${state === "ok" ? "ok in 1.2 s" : "not run"}, ${mark}`);
  });

  it("does not mark what everybody may do", () => {
    const scopes = [{ kind: "path" as const, text: "/p", effect: "allow", rule: 'allow glob "/p/**", builtin the project' }];
    expect(toolLines(done({ marks: { ...marks, permission: { decision: "allow", source: "rules", scopes } } }), look)[1]).toBe("  ok in 1.2 s");
  });

  it("shows the calls that it made under it, each with its marks", () => {
    const nested = [
      { tool: "read", input: { path: "a.ts" }, isError: false, marks },
      { tool: "bash", input: { command: "rm x" }, isError: true, marks: { ...marks, stoppedBy: "guard" } },
    ];
    expect(toolLines(done({ marks: { ...marks, nested } }), look).slice(2, 6)).toEqual([
      "    - read a.ts",
      "      ok",
      "    - bash rm x",
      "      failed, stopped by guard",
    ]);
  });

  it("shows a subagent by its name, with its last calls", () => {
    const child = { name: "scout", rows: [row({ state: "running", begunAt: 8_000 })], said: "Looking.\nStill.", remarks: [], over: false };
    expect(toolLines(row({ state: "running", begunAt: 5_000, children: [child] }), look)).toEqual([
      "* bash ls -la",
      "  running 5 s",
      "  scout",
      "    - bash ls -la",
      "      running 2 s",
      "    Still.",
    ]);
  });

  it.each([80, 40, 12])("has no line wider than %i columns, and lets nothing steer the terminal", (width) => {
    const evil = "x\u001b[31m\u001b]0;t\u0007\u202e日本語 ".repeat(20);
    const nested = [{ tool: evil, input: { command: evil }, isError: true, marks }];
    const child = { name: evil, rows: [done({ tool: evil, about: evil })], said: evil, remarks: [evil], over: false };
    for (const state of ["written", "asked", "running", "ok", "error", "stopped"] as const) {
      const one = row({ state, tool: evil, about: evil, output: evil, text: evil, begunAt: 0, remarks: [evil], children: [child] });
      for (const expanded of [true, false]) {
        const lines = toolLines({ ...one, marks: { ...marks, stoppedBy: evil, nested } }, { ...look, width, expanded });
        for (const line of lines) expect(line).not.toMatch(/[\p{Cc}\u202e]/u);
        expect(Math.max(...lines.map(visibleWidth))).toBeLessThanOrEqual(width);
      }
    }
  });
});

describe("shortLine()", () => {
  it("is one line with its state", () => {
    expect(shortLine(row({ state: "running", begunAt: 8_000, about: "x".repeat(200) }), { ...look, width: 40 })).toMatch(
      /^\* bash x+….*running 2 s$/,
    );
  });
});

describe("ticking()", () => {
  it.each([
    [900, ""],
    [1_900, "1 s"],
    [61_000, "1 min 1 s"],
  ])("tells %i milliseconds", (ms, text) => {
    expect(ticking(ms)).toBe(text);
  });
});
