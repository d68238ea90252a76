import { describe, expect, it } from "vitest";
import { accountOf, brief, milliseconds } from "../../../core/cli/account.ts";
import { traceLines } from "../../../core/cli/trace-lines.ts";
import type { CallRecord, TraceEntry } from "../../../core/record.ts";

const plain = (_style: unknown, text: string) => text;
const raw = { bytes: 1, sha256: "" };
const entry = (part: Partial<TraceEntry>): TraceEntry => ({
  slot: "tool.bash.input",
  plugin: "p",
  kind: "layer",
  handler: 0,
  ms: 1,
  outcome: "passed",
  ...part,
});
const record = (part: Partial<CallRecord>): CallRecord => ({
  tool: "bash",
  toolId: "1",
  sessionId: "s",
  origin: "model",
  ran: true,
  input: { command: "rg x" },
  text: "",
  isError: false,
  code: null,
  stopped: null,
  respondedBy: null,
  permission: { decision: "allow", source: "yolo", scopes: [] },
  trace: [],
  durationMs: 12.3456,
  cut: null,
  spill: null,
  ...part,
});

describe("accountOf()", () => {
  it("says nothing of changes where there were none", () => {
    expect(accountOf(record({}), plain)).toEqual(["permission allow (yolo)", "took       12.3 ms"]);
  });

  it("shows what the model wrote, what ran, and who changed it, only where they differ", () => {
    const lines = accountOf(
      record({
        wrote: { command: "grep -r x", workdir: "a" },
        input: { command: "rg x", workdir: "a" },
        trace: [entry({ plugin: "rewriter", outcome: "changed" })],
      }),
      plain,
    );
    expect(lines.slice(0, 3)).toEqual(["wrote      command: grep -r x", "ran        command: rg x", "changed by rewriter"]);
  });

  it("names who stopped it, with the reason, and shows hidden characters", () => {
    const lines = accountOf(record({ ran: false, stopped: { plugin: "guard", by: "judge", reason: "no\u001b[2J" } }), plain);
    expect(lines).toContain("stopped by guard: no\\u{1b}[2J (judge)");
    expect(lines.at(-1)).toContain("did not run");
  });

  it("names who asked, who answered, and what failed", () => {
    const lines = accountOf(
      record({
        respondedBy: "cache",
        trace: [
          entry({ plugin: "careful", outcome: "asked", reason: "sure?" }),
          entry({ plugin: "bad", outcome: "failed", failure: { code: "plugin_threw", message: "oops" } }),
        ],
      }),
      plain,
    ).join("\n");
    expect(lines).toMatch(/asked by +careful: sure\?/);
    expect(lines).toMatch(/answered by +cache/);
    expect(lines).toMatch(/failed +bad at tool\.bash\.input: oops/);
  });

  it("names the rules that decided", () => {
    const permission: CallRecord["permission"] = {
      decision: "deny",
      source: "rule",
      scopes: [{ kind: "command", text: "rm", effect: "deny", rule: "bash: rm *" }],
    };
    expect(accountOf(record({ permission }), plain)).toContain("permission deny (rule: bash: rm *)");
  });
});

describe("traceLines()", () => {
  it("shows both sides of a change around the first difference", () => {
    const long = "x".repeat(1_000);
    const lines = traceLines([entry({ outcome: "changed", before: { value: `${long}before`, raw }, after: { value: `${long}after` } })], plain);
    expect(lines[0]).toMatch(/tool\.bash\.input +p +layer +1 ms +changed/);
    expect(lines[1]).toContain("before");
    expect(lines[1]?.length).toBeLessThan(250);
    expect(lines[2]).toContain("after");
  });

  it("shows a layer that has not ended, and values that were not kept", () => {
    const lines = traceLines(
      [entry({ ms: null, outcome: "running" }), entry({ outcome: "changed", before: { bytes: 9, sha256: "", raw }, after: { value: 1 } })],
      plain,
    );
    expect(lines[0]).toContain("running");
    expect(lines.join("\n")).toContain("9 bytes, not kept");
  });
});

describe("brief()", () => {
  it("fits one line", () => {
    expect(brief("a\nb")).toBe("a\\nb");
    expect(brief({ a: [1, "x".repeat(1_000)] }).length).toBeLessThan(220);
    expect(brief(undefined)).toBe("nothing");
  });
});

describe("milliseconds()", () => {
  it("keeps what is of use", () => {
    expect([0.1234, 12.34, 1_234, 61_000].map(milliseconds)).toEqual(["0.12 ms", "12.3 ms", "1234 ms", "61.0 s"]);
  });
});
