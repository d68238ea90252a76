import { describe, expect, it } from "vitest";
import { closeNames, quoteWithClose } from "../../core/close-names.ts";

const tools = ["bash", "batch", "read", "write", "edit", "glob", "grep", "tool_search", "code_execution"];

describe("closeNames()", () => {
  it.each([
    ["bsh", ["bash"]],
    ["Bash", ["bash", "batch"]],
    ["raed", ["read"]],
    ["tool_serach", ["tool_search"]],
    ["code", ["code_execution"]],
    ["grep_files", ["grep"]],
    ["kubernetes", []],
    ["zz", []],
  ])("finds for %s what a person may have meant", (name, close) => {
    expect(closeNames(name, tools)).toEqual(close);
  });

  it("gives three at most, nearest first, and equally near ones by name", () => {
    expect(closeNames("aaaa", ["aabb", "aaac", "aaaaa", "aaab"])).toEqual(["aaaaa", "aaab", "aaac"]);
  });

  it("does not call a short name close to one that shares nothing with it", () => {
    expect(closeNames("ls", ["rm", "ps", "cd"])).toEqual(["ps"]);
    expect(closeNames("a", ["b"])).toEqual([]);
  });

  it("ends soon for a name of many megabytes", () => {
    const began = performance.now();
    expect(closeNames("x".repeat(8_000_000), tools)).toEqual([]);
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});

describe("quoteWithClose()", () => {
  it("quotes the name and what may have been meant", () => {
    expect(quoteWithClose("bsh", tools)).toBe('"bsh"; did you mean "bash"?');
    expect(quoteWithClose("Bash", tools)).toBe('"Bash"; did you mean "bash" or "batch"?');
  });

  it("quotes the name alone where nothing is close", () => {
    expect(quoteWithClose("kubernetes", tools)).toBe('"kubernetes"');
  });

  it("shows the beginning of a long name, with control characters escaped", () => {
    expect(quoteWithClose(`\u001b[31m${"x".repeat(1_000)}`, tools)).toBe(`"\\u001b[31m${"x".repeat(75)}"`);
  });
});
