import { describe, expect, it } from "vitest";
import { exitOfCode, exitOfRecord } from "../../../core/cli/exits.ts";
import type { CallRecord } from "../../../core/record.ts";

const ok: CallRecord = {
  tool: "bash",
  toolId: "1",
  sessionId: "s",
  origin: "model",
  ran: true,
  input: { command: "true" },
  text: "",
  isError: false,
  code: null,
  stopped: null,
  respondedBy: null,
  permission: { decision: "allow", source: "yolo", scopes: [] },
  trace: [],
  durationMs: 1,
  cut: null,
  spill: null,
};

describe("exitOfRecord()", () => {
  it.each<[string, number, Partial<CallRecord>]>([
    ["a tool that ran", 0, {}],
    ["a tool that failed", 1, { isError: true }],
    ["a judge that denied", 1, { ran: false, isError: true, code: "stopped", stopped: { plugin: "p", by: "judge", reason: "no" } }],
    ["a text that was withheld", 1, { isError: true, code: "withheld" }],
    ["an unknown tool", 2, { ran: false, isError: true, code: "unknown_tool" }],
    ["input that fails the schema", 2, { ran: false, isError: true, code: "invalid_input" }],
    ["a deadline", 3, { isError: true, code: "deadline_passed" }],
    [
      "a deadline that passed while a person was asked",
      3,
      { ran: false, isError: true, code: "deadline_passed", permission: { decision: "deny", source: "cancelled", scopes: [] } },
    ],
    ["nobody to ask", 5, { ran: false, isError: true, code: "denied", permission: { decision: "deny", source: "nobody", scopes: [] } }],
    [
      "a permission.prompt layer that denied",
      5,
      { ran: false, isError: true, code: "denied", permission: { decision: "deny", source: "layer:p", scopes: [] } },
    ],
  ])("for %s is %i", (_name, exit, part) => {
    expect(exitOfRecord({ ...ok, ...part })).toBe(exit);
  });
});

describe("exitOfCode()", () => {
  it("is 2 for a settings file that does not parse, 4 for a session that is not there", () => {
    expect([exitOfCode("file_broken"), exitOfCode("no_session"), exitOfCode("internal")]).toEqual([2, 4, 1]);
  });
});
