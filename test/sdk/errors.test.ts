import { describe, expect, it } from "vitest";
import { codes, isCode, MortiseError, seenIn, sentence } from "../../sdk/errors.ts";

describe("codes", () => {
  it("are these, since plugins and programs test them", () => {
    expect(Object.keys(codes)).toEqual([
      // One call
      "unknown_tool",
      "not_in_audience",
      "invalid_input",
      "denied",
      "stopped",
      "nobody_there",
      "cancelled",
      "deadline_passed",
      "withheld",
      "tool_failed",
      "stale_file",
      // A layer, judge, redactor, autocmd or tool of a plugin
      "plugin_threw",
      "wrong_answer",
      "slice_overrun",
      "budget_overrun",
      "window_overrun",
      "memory_exceeded",
      "payload_too_large",
      "too_many_requests",
      "isolate_lost",
      "runner_lost",
      "prev_consumed",
      "prev_expired",
      "stopped_below",
      "never_settles",
      "printed_too_much",
      "too_deep",
      "plugin_disabled",
      // Loading
      "plugin_not_found",
      "plugin_unreadable",
      "plugin_not_compiled",
      "plugin_undefined",
      "plugin_invalid",
      "plugin_registers_nothing",
      "plugin_name_taken",
      "tool_name_taken",
      "slot_reserved",
      "slot_taken",
      "unknown_slot",
      "unknown_event",
      "source_unknown",
      "layer_cycle",
      "registered_late",
      "manifest_changed",
      "describing",
      "unknown_plugin",
      // Capabilities
      "not_granted",
      "protected_path",
      "file_failed",
      "bad_pattern",
      "run_failed",
      "no_folder",
      "unknown_job",
      "net_refused",
      "net_failed",
      "not_here",
      "unknown_command",
      "unknown_method",
      "wrong_argument",
      "syntax_failed",
      // Models and the agent
      "unknown_model",
      "package_missing",
      "key_missing",
      "not_recorded",
      "model_failed",
      "model_key_refused",
      "model_timeout",
      "llm_idle",
      "context_overflow",
      "context_budget_exhausted",
      "summary_failed",
      "permission_timeout",
      // Files and the command line
      "file_broken",
      "not_trusted",
      "store_busy",
      "usage",
      "no_session",
      "session_locked",
      "session_exists",
      "session_broken",
      "internal",
    ]);
  });

  it.each(Object.entries(codes))("%s says what is wrong and what to do, in plain sentences", (_, [says, advice]) => {
    expect(says).toMatch(/^[A-Z`].*[^.\s]$/);
    expect(advice).toMatch(/^[A-Z`].*[^.\s]$/);
    expect(`${says} ${advice}`).toMatch(/^[\x20-\x7e]+$/);
  });
});

describe("sentence()", () => {
  it("says, shows what was seen, and advises", () => {
    expect(sentence("unknown_tool", '"bsh"')).toBe(`${codes.unknown_tool[0]}: "bsh". ${codes.unknown_tool[1]}.`);
  });

  it.each([undefined, ""])("shows nothing where %j was seen", (seen) => {
    expect(sentence("denied", seen)).toBe(`${codes.denied[0]}. ${codes.denied[1]}.`);
  });

  it("ends what was seen with one full stop, and leaves the dots of what was cut", () => {
    expect(sentence("denied", "A reason.")).toBe(`${codes.denied[0]}: A reason. ${codes.denied[1]}.`);
    expect(sentence("denied", "cut...")).toBe(`${codes.denied[0]}: cut... ${codes.denied[1]}.`);
  });

  it("takes a megabyte of dots soon", () => {
    const began = performance.now();
    sentence("file_failed", `${".".repeat(1_000_000)}x`);
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});

describe("MortiseError", () => {
  it("carries code, what was seen, plugin and cause", () => {
    const cause = new Error("below");
    const error = new MortiseError("plugin_threw", { seen: "oh", plugin: "guard", cause });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: "MortiseError", code: "plugin_threw", seen: "oh", plugin: "guard", cause });
    expect(error.message).toBe(sentence("plugin_threw", "oh"));
  });

  it("has no cause where none was given", () => {
    expect(new MortiseError("denied")).not.toHaveProperty("cause");
    expect(new MortiseError("denied")).toMatchObject({ seen: undefined, plugin: undefined });
  });
});

describe("isCode()", () => {
  it.each<[unknown, boolean]>([
    ["denied", true],
    ["internal", true],
    ["Denied", false],
    ["", false],
    ["toString", false],
    ["__proto__", false],
    ["constructor", false],
    [undefined, false],
    [null, false],
    [0, false],
    [["denied"], false],
  ])("of %j is %j", (value, expected) => {
    expect(isCode(value)).toBe(expected);
  });
});

describe("seenIn()", () => {
  it("reads back what a sentence was made of", () => {
    for (const seen of ["oh", "An error: with. signs", ""])
      expect(seenIn("plugin_threw", sentence("plugin_threw", seen)).replace(/\.$/, "")).toBe(seen);
  });

  it("takes any other message for what was seen", () => {
    expect(seenIn("plugin_threw", "Something else.")).toBe("Something else.");
    expect(seenIn("plugin_threw", sentence("denied", "x"))).toBe(sentence("denied", "x"));
  });
});
