import { describe, expect, it } from "vitest";
import { pluginRules } from "../../core/plugin-rules.ts";
import { loadedPlugin } from "../support/loaded-plugin.ts";

const tool = (capability: "run" | null) => ({
  handler: 0,
  scopes: null,
  name: "bash",
  description: "x",
  kind: null,
  capability,
  audiences: null,
  timeoutMs: null,
  writes: null,
  aliases: {},
  inputSchema: {},
});
const allow = (pattern?: string) => ({ tool: "bash", pattern, effect: "allow" as const });
const of = (rules: ReturnType<typeof allow>[], granted: object, capability: "run" | null = "run") =>
  pluginRules([loadedPlugin("tools", { tools: [tool(capability)] }), loadedPlugin("p", { rules }, { granted })]).map(({ pattern }) => pattern);

describe("pluginRules()", () => {
  it("lets a plugin allow what it could do itself", () => {
    expect(of([allow("git status")], { run: true })).toEqual(["git status"]);
  });

  it.each([{}, { run: ["git *"] }, { net: true }])("takes no allow rule of a plugin that holds %j", (granted) => {
    expect(of([allow("git status")], granted)).toEqual([]);
  });

  it("takes all five capabilities for a tool that declares none", () => {
    expect(of([allow("x")], { run: true }, null)).toEqual([]);
    expect(of([allow("x")], { run: true, net: true, env: true, fs_read: true, fs_write: true }, null)).toEqual(["x"]);
  });

  it.each([undefined, "*", "**", "/*", "/**", "//**", "/./**", "/tmp/../**", " * "])("refuses to allow everything by %j", (pattern) => {
    expect(of([allow(pattern)], { run: true })).toEqual([]);
  });

  it("takes deny and ask rules from anybody", () => {
    const rules = [
      { tool: "bash", effect: "deny" as const },
      { tool: "bash", pattern: "rm *", effect: "ask" as const },
    ];
    expect(pluginRules([loadedPlugin("p", { rules })])).toMatchObject([
      { effect: "deny", layer: "plugin", from: "p" },
      { effect: "ask", pattern: "rm *" },
    ]);
  });
});
