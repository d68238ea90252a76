import { describe, expect, it } from "vitest";
import { checkPlugin, ownSlots, type SlotOwners } from "../../../core/plugins/checks.ts";
import type { LoadedPlugin } from "../../../core/plugins/plugin.ts";
import type { Manifest } from "../../../sdk/wire.ts";
import { builtPlugin } from "./built.ts";

const layer = (slot: string) => ({ layers: [{ handler: 0, slot, onFailure: "skip" as const, before: [], after: [], data: false }] });
const declares = (name: string) => ({ slots: [{ handler: 0, name, capability: null }] });
const listens = (event: string) => ({ autocmds: [{ handler: 0, events: [event], pattern: null, once: false, group: null }] });
const tool = (name: string): Manifest["tools"][number] => ({
  handler: 0,
  scopes: null,
  name,
  description: "A tool.",
  kind: null,
  capability: null,
  audiences: null,
  timeoutMs: null,
  writes: null,
  aliases: {},
  inputSchema: { type: "object" },
});

function loaded(manifest: Parameters<typeof builtPlugin>[0]): LoadedPlugin {
  const built = builtPlugin(manifest);
  return { ...built, name: built.manifest.name, origin: "user", granted: {}, steer: [], order: 0, failed: null, options: {} };
}

const check =
  (manifest: Parameters<typeof builtPlugin>[0], others: LoadedPlugin[] = [], owners: SlotOwners = new Map()) =>
  () =>
    checkPlugin(builtPlugin(manifest), others, owners);

describe("checkPlugin()", () => {
  it.each(["tool.*.input", "tool.bash.output", "tool.some.dotted.name.input", "agent.stop", "completion.sources", "other.render", "toolbox.run"])(
    "takes a layer on %s",
    (slot) => {
      expect(check(layer(slot))).not.toThrow();
    },
  );

  it.each([
    ["tool.bash.inptu", "tool.bash.input"],
    ["tools.bash.input", "tool.bash.input"],
    ["agent.stpo", "agent.stop"],
    ["permission.promt", "permission.prompt"],
    ["tool.bash", undefined],
    ["bash", undefined],
    ["", undefined],
    ["ui.anything", undefined],
  ])("refuses a layer on %s and names what is close", (slot, close) => {
    expect(check(layer(slot))).toThrow(expect.objectContaining({ code: "unknown_slot", seen: expect.stringContaining(close ?? slot) }));
  });

  it.each(["program", "host", "you", "person", "nobody", "rule"])("refuses a plugin that calls itself %s", (name) => {
    expect(check({ name, ...layer("tool.*.input") })).toThrow(expect.objectContaining({ code: "plugin_name_taken", plugin: name }));
  });

  it("takes a slot that a plugin does declare, however close its name is to one of the host", () => {
    expect(check(layer("tools.bash.input"), [loaded({ name: "tools", ...declares("tools.bash.input") })])).not.toThrow();
  });

  it("refuses judges and redactors where there are none, and steering of what is no slot", () => {
    const slot = { handler: 0, slot: "tool.bash.output" };
    expect(check({ judges: [slot] })).toThrow(expect.objectContaining({ code: "unknown_slot" }));
    expect(check({ redactors: [{ handler: 0, slot: "tool.bash.input", overlap: 0 }] })).toThrow(expect.objectContaining({ code: "unknown_slot" }));
    expect(check({ redactors: [{ ...slot, overlap: 0 }], steer: ["tool.bash.otput"] })).toThrow(expect.objectContaining({ code: "unknown_slot" }));
    expect(
      check({ judges: [{ handler: 0, slot: "tool.bash.input" }], redactors: [{ ...slot, overlap: 0 }], steer: ["tool.bash.output"] }),
    ).not.toThrow();
  });

  it("takes events of the host and of plugins, and refuses a misspelt one", () => {
    expect(check(listens("ToolDone"))).not.toThrow();
    expect(check(listens("other:done"))).not.toThrow();
    expect(check(listens("ToolDnoe"))).toThrow(expect.objectContaining({ code: "unknown_event", seen: expect.stringContaining("ToolDone") }));
    expect(check(listens("toString"))).toThrow(expect.objectContaining({ code: "unknown_event" }));
  });

  it("names both files of plugins with one name", () => {
    const other = loaded({ path: "/one.ts", ...declares("a.x") });
    expect(check({ path: "/two.ts", ...declares("a.y") }, [other])).toThrow(
      expect.objectContaining({ code: "plugin_name_taken", seen: expect.stringMatching(/\/one\.ts.*\/two\.ts/) }),
    );
  });

  it("refuses a tool that another plugin has, or that it has twice", () => {
    expect(check({ tools: [tool("deploy")] }, [loaded({ name: "b", tools: [tool("deploy")] })])).toThrow(
      expect.objectContaining({ code: "tool_name_taken", seen: expect.stringContaining("b") }),
    );
    expect(check({ tools: [tool("deploy"), tool("deploy")] })).toThrow(expect.objectContaining({ code: "tool_name_taken" }));
    expect(check({ tools: [tool("deploy"), tool("undo")] })).not.toThrow();
  });

  it.each(["tool.mine.input", "ui.x", "other.x", "a", "a.", "a.b c", "A.b"])("refuses to declare %s", (name) => {
    expect(check(declares(name))).toThrow(expect.objectContaining({ code: "slot_reserved" }));
  });

  it("refuses a plugin that is called like what the host keeps to declare under its name", () => {
    expect(check({ name: "agent", ...declares("agent.x") })).toThrow(expect.objectContaining({ code: "slot_reserved" }));
  });

  it("leaves a declared name to its file for the life of the process", () => {
    const owners: SlotOwners = new Map();
    ownSlots(builtPlugin({ path: "/one.ts", ...declares("a.x") }), owners);
    expect(check({ path: "/one.ts", ...declares("a.x") }, [], owners)).not.toThrow();
    expect(check({ path: "/two.ts", ...declares("a.x") }, [], owners)).toThrow(expect.objectContaining({ code: "slot_taken" }));
  });

  it("refuses a plugin that registers nothing", () => {
    expect(check({})).toThrow(expect.objectContaining({ code: "plugin_registers_nothing" }));
  });

  it("refuses text that would draw on a person's terminal", () => {
    for (const bad of [{ description: "\u001b[2J" }, { steer: ["tool.*.output\n"] }, { capabilities: { run: ["gh *\u202e"] } }]) {
      expect(check({ ...layer("agent.stop"), ...bad })).toThrow(expect.objectContaining({ code: "plugin_invalid" }));
    }
  });
});
