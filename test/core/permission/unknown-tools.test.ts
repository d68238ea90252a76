import { describe, expect, it } from "vitest";
import type { Rule } from "../../../core/permission/permission.ts";
import { unknownToolsOf } from "../../../core/permission/unknown-tools.ts";

const rule = (tool: string): Rule => ({ tool, pattern: "rm *", effect: "deny", layer: "user", from: "permissions.jsonc:3" });
const none = { user: { defaults: {} }, project: { defaults: {} } };
const tools = [{ name: "bash" }, { name: "read" }];

describe("unknownToolsOf()", () => {
  it.each(["Bash", "bsh", "BASH", "basch"])("names a rule for %s with its place and the tool that is meant", (tool) => {
    const [message] = unknownToolsOf({ rules: [rule(tool)], defaults: none }, tools);
    expect(message).toContain("permissions.jsonc:3");
    expect(message).toContain(JSON.stringify(tool));
    expect(message).toContain('"bash"');
  });

  it("names a default for such a tool", () => {
    const [message] = unknownToolsOf({ rules: [], defaults: { ...none, project: { defaults: { Bash: "deny" } } } }, tools);
    expect(message).toContain("project");
    expect(message).toContain('"bash"');
  });

  it("says nothing of tools that are there, of patterns, and of tools that may come", () => {
    const defaults = { ...none, user: { defaults: { bash: "prompt", linear__search: "deny" } } };
    expect(unknownToolsOf({ rules: ["bash", "*", "ba*", "linear__search"].map(rule), defaults }, tools)).toEqual([]);
  });
});
