import { describe, expect, it } from "vitest";
import type { LoadedPlugin } from "../../../core/plugins/plugin.ts";
import { createLayers, type ForcedBlocks } from "../../../core/slots/layers.ts";
import { listTools, type Tool } from "../../../core/tools.ts";
import { layer, loadedPlugin, tool } from "../../support/loaded-plugin.ts";

const all = { fs_read: true, fs_write: true, net: true, run: true, env: true } as const;
const failed = { code: "plugin_threw", message: "It threw." };
const built = loadedPlugin("built", {
  tools: [tool("bash", { capability: "run" }), tool("read", { capability: "fs_read" }), tool("batch")],
});
const tools = listTools([built]);
const [bash, read, batch] = tools as [Tool, Tool, Tool];

const layersOf = (
  plugins: readonly LoadedPlugin[],
  forced: ForcedBlocks = {},
  lost: (plugin: string, slot: string, tool: string) => boolean = () => false,
) => createLayers([built, ...plugins], forced, lost);
const who = (standings: readonly { plugin: string; handler: number }[]) => standings.map(({ plugin, handler }) => `${plugin} ${handler}`);

describe("createLayers()", () => {
  it("puts layers of tool.* around the tool's own, the last registered outermost in each group", () => {
    const layers = layersOf([
      loadedPlugin("a", { layers: [layer("tool.*.input", { handler: 0 }), layer("tool.bash.input", { handler: 1 })] }, { granted: all }),
      loadedPlugin(
        "b",
        { layers: [layer("tool.bash.input", { handler: 0 }), layer("tool.*.input", { handler: 1 }), layer("tool.bash.output", { handler: 2 })] },
        { granted: all },
      ),
    ]);
    expect(who(layers.tool("input", bash))).toEqual(["b 1", "a 0", "b 0", "a 1"]);
    expect(who(layers.tool("input", read))).toEqual(["b 1", "a 0"]);
    expect(who(layers.tool("output", bash))).toEqual(["b 2"]);
    expect(layers.tool("output", read)).toEqual([]);
    expect(layers.tool("input", bash)[2]).toEqual({
      plugin: "b",
      handler: 0,
      slot: "tool.bash.input",
      onFailure: "skip",
      data: false,
      overlap: 0,
      broken: null,
    });
  });

  it("heeds before and after within a slot", () => {
    const layers = layersOf([
      loadedPlugin("a", { layers: [layer("tool.bash.input", { before: ["b"] })] }, { granted: all }),
      loadedPlugin("b", { layers: [layer("tool.bash.input")] }, { granted: all }),
    ]);
    expect(who(layers.tool("input", bash))).toEqual(["a 0", "b 0"]);
  });

  it("refuses plugins that form a cycle", () => {
    const make = () =>
      layersOf([
        loadedPlugin("a", { layers: [layer("tool.bash.input", { before: ["b"] })] }),
        loadedPlugin("b", { layers: [layer("tool.bash.input", { before: ["a"] })] }),
      ]);
    expect(make).toThrow(expect.objectContaining({ code: "layer_cycle" }));
  });

  it("weighs a layer of tool.* for each tool, and skips the one that does not pay", () => {
    const layers = layersOf([loadedPlugin("a", { layers: [layer("tool.*.input")] }, { granted: { run: true } })]);
    expect(who(layers.tool("input", bash))).toEqual(["a 0"]);
    expect(layers.tool("input", read)).toEqual([]);
    expect(layers.tool("input", batch)).toEqual([]);
  });

  it("lets a steer pay", () => {
    const layers = layersOf([
      loadedPlugin("a", { layers: [layer("tool.*.output"), layer("tool.bash.output", { handler: 1 })] }, { steer: ["tool.*.output"] }),
      loadedPlugin("b", { layers: [layer("tool.*.output"), layer("tool.bash.output", { handler: 1 })] }, { steer: ["tool.bash.output"] }),
    ]);
    expect(who(layers.tool("output", bash))).toEqual(["a 0", "b 1", "a 1"]);
    expect(who(layers.tool("output", batch))).toEqual(["a 0"]);
  });

  it("keeps a layer that lost its grant, as one that cannot run", () => {
    const plugin = loadedPlugin("a", { layers: [layer("tool.bash.input", { onFailure: "block" })] });
    const asked: string[][] = [];
    const layers = layersOf([plugin], {}, (...args) => {
      asked.push(args);
      return true;
    });
    expect(layers.tool("input", bash)).toMatchObject([{ plugin: "a", onFailure: "block", broken: { code: "not_granted" } }]);
    expect(asked).toEqual([["a", "tool.bash.input", "bash"]]);
    expect(layersOf([plugin]).tool("input", bash)).toEqual([]);
  });

  it("keeps the guards of a plugin that does not load any more, as such that cannot run", () => {
    const layers = layersOf([
      loadedPlugin(
        "a",
        {
          layers: [layer("tool.bash.input")],
          judges: [{ handler: 1, slot: "tool.bash.input" }],
          redactors: [{ handler: 2, slot: "tool.*.output", overlap: 9 }],
        },
        { granted: { run: true }, steer: ["tool.*.output"], failed },
      ),
    ]);
    const broken = { code: "plugin_not_compiled", message: "It threw." };
    expect(layers.tool("input", bash)).toMatchObject([{ onFailure: "skip", broken }]);
    expect(layers.judges(bash)).toMatchObject([{ onFailure: "block", broken }]);
    expect(layers.redactors(bash)).toMatchObject([{ onFailure: "block", broken }]);
  });

  it("forces the policy of a plugin's layers, for the slots that the user names", () => {
    const slots = ["tool.*.input", "tool.bash.input", "tool.bash.output"];
    const plugin = loadedPlugin("a", { layers: slots.map((slot, handler) => layer(slot, { handler })) }, { granted: all });
    const policies = (forced: ForcedBlocks) => {
      const layers = layersOf([plugin], forced);
      return [...layers.tool("input", bash), ...layers.tool("output", bash)].map(({ onFailure }) => onFailure);
    };
    expect(policies({})).toEqual(["skip", "skip", "skip"]);
    expect(policies({ a: ["*"] })).toEqual(["block", "block", "block"]);
    expect(policies({ a: ["tool.*.input"] })).toEqual(["block", "block", "skip"]);
    expect(policies({ a: ["tool.bash.input"] })).toEqual(["skip", "block", "skip"]);
    expect(policies({ b: ["*"] })).toEqual(["skip", "skip", "skip"]);
  });

  it("reads no policy from the prototype", () => {
    const plugin = loadedPlugin("constructor", { layers: [layer("tool.bash.input")] }, { granted: all });
    expect(layersOf([plugin]).tool("input", bash)).toMatchObject([{ plugin: "constructor", onFailure: "skip" }]);
  });

  it("finds judges of the tool and of every tool, in order of loading, blocking all", () => {
    const judges = [
      { handler: 0, slot: "tool.bash.input" },
      { handler: 1, slot: "tool.read.input" },
      { handler: 2, slot: "tool.*.input" },
    ];
    const layers = layersOf([
      loadedPlugin("a", { judges }, { granted: { run: true } }),
      loadedPlugin("b", { judges }, { steer: ["tool.*.input"] }),
      loadedPlugin("c", { judges }, { granted: { run: ["git *"] } }),
    ]);
    expect(who(layers.judges(bash))).toEqual(["a 0", "a 2", "b 0", "b 2"]);
    expect(who(layers.judges(read))).toEqual(["b 1", "b 2"]);
    expect(layers.judges(bash).every(({ onFailure }) => onFailure === "block")).toBe(true);
  });

  it("finds redactors of the tool and of every tool, with their overlaps, and those of every tool for a call of none", () => {
    const redactors = [
      { handler: 0, slot: "tool.*.output", overlap: 256 },
      { handler: 1, slot: "tool.bash.output", overlap: 20 },
    ];
    const layers = layersOf([
      loadedPlugin("a", { redactors }, { steer: ["tool.*.output"] }),
      loadedPlugin("b", { redactors }, { granted: { run: true } }),
    ]);
    expect(layers.redactors(bash).map(({ plugin, handler, overlap, onFailure }) => [plugin, handler, overlap, onFailure])).toEqual([
      ["a", 0, 256, "block"],
      ["a", 1, 20, "block"],
      ["b", 0, 256, "block"],
      ["b", 1, 20, "block"],
    ]);
    expect(who(layers.redactors(read))).toEqual(["a 0"]);
    expect(who(layers.redactors(null))).toEqual(["a 0"]);
  });

  it("prices the prompt as the tool's input", () => {
    const layers = layersOf([loadedPlugin("a", { layers: [layer("permission.prompt")] }, { granted: { run: true } })]);
    expect(who(layers.prompt(bash))).toEqual(["a 0"]);
    expect(layers.prompt(read)).toEqual([]);
    expect(layers.prompt(batch)).toEqual([]);
  });

  it("asks all five for slots of the agent, and nothing for completion sources", () => {
    const slots = [layer("agent.stop"), layer("completion.sources", { handler: 1 })];
    const layers = layersOf([
      loadedPlugin("a", { layers: slots }, { granted: all }),
      loadedPlugin("b", { layers: slots }, { granted: { run: true } }),
    ]);
    expect(who(layers.named("agent.stop"))).toEqual(["a 0"]);
    expect(who(layers.named("completion.sources"))).toEqual(["b 1", "a 1"]);
    expect(layers.named("agent.user_message")).toEqual([]);
    expect(layers.named("toString")).toEqual([]);
  });

  describe("slots of plugins", () => {
    const owner = (capability: string[] | null, more: Partial<LoadedPlugin> = {}) =>
      loadedPlugin("shout", { slots: [{ handler: 7, name: "shout.render", capability }], layers: [layer("shout.render", { handler: 8 })] }, more);
    const others = [
      loadedPlugin("free", { layers: [layer("shout.render")] }),
      loadedPlugin("net", { layers: [layer("shout.render")] }, { granted: { net: true } }),
      loadedPlugin("full", { layers: [layer("shout.render")] }, { granted: all }),
    ];

    it("know who declared them, and with which base", () => {
      expect(layersOf([owner([]), ...others]).declared("shout.render")).toMatchObject({ owner: { name: "shout" }, base: 7 });
    });

    it.each<[string, string[] | null, string[]]>([
      ["nothing", [], ["full 0", "net 0", "free 0", "shout 8"]],
      ["what the owner says", ["net"], ["full 0", "net 0", "shout 8"]],
      ["all that the owner says", ["net", "run", "net"], ["full 0", "shout 8"]],
      ["all five where the owner says none", null, ["full 0", "shout 8"]],
      ["all five where the owner names what does not exist", ["nte"], ["full 0", "shout 8"]],
      ["all five where the owner names one that exists and one that does not", ["net", "toString"], ["full 0", "shout 8"]],
    ])("cost %s", (_, capability, expected) => {
      expect(who(layersOf([owner(capability), ...others]).declared("shout.render")?.layers ?? [])).toEqual(expected);
    });

    it("are not there where nobody declared them, or the owner did not load", () => {
      expect(layersOf(others).declared("shout.render")).toBeUndefined();
      expect(layersOf([owner([], { failed }), ...others]).declared("shout.render")).toBeUndefined();
    });
  });

  describe("info()", () => {
    const info = (plugins: readonly LoadedPlugin[], forced: ForcedBlocks = {}, of = tools) => layersOf(plugins, forced).info(of);

    it("lists slots by name, with owner, price, and who runs on them, outermost first", () => {
      const plugins = [
        loadedPlugin(
          "shout",
          { slots: [{ handler: 7, name: "shout.render", capability: ["net"] }], layers: [layer("shout.render", { handler: 8 })] },
          { granted: { run: true } },
        ),
        loadedPlugin("a", {
          layers: [layer("tool.bash.input", { onFailure: "block" }), layer("shout.render", { handler: 1 }), layer("nobody.declared", { handler: 2 })],
        }),
        loadedPlugin("b", { layers: [layer("tool.bash.input"), layer("completion.sources", { handler: 1 })] }, { granted: { run: true } }),
      ];
      expect(info(plugins)).toEqual([
        {
          name: "completion.sources",
          owner: "host",
          declared: true,
          capability: [],
          layers: [{ plugin: "b", handler: 1, onFailure: "skip", entitled: true }],
          judges: [],
          redactors: [],
        },
        {
          name: "nobody.declared",
          owner: null,
          declared: false,
          capability: null,
          layers: [{ plugin: "a", handler: 2, onFailure: "skip", entitled: false }],
          judges: [],
          redactors: [],
        },
        {
          name: "shout.render",
          owner: "shout",
          declared: true,
          capability: ["net"],
          layers: [
            { plugin: "a", handler: 1, onFailure: "skip", entitled: false },
            { plugin: "shout", handler: 8, onFailure: "skip", entitled: true },
          ],
          judges: [],
          redactors: [],
        },
        {
          name: "tool.bash.input",
          owner: "host",
          declared: true,
          capability: ["run"],
          layers: [
            { plugin: "b", handler: 0, onFailure: "skip", entitled: true },
            { plugin: "a", handler: 0, onFailure: "block", entitled: false },
          ],
          judges: [],
          redactors: [],
        },
      ]);
    });

    it("lists who judges and who redacts, and who of them runs", () => {
      const guard = loadedPlugin(
        "guard",
        { judges: [{ handler: 0, slot: "tool.bash.input" }], redactors: [{ handler: 1, slot: "tool.*.output", overlap: 64 }] },
        { steer: ["tool.bash.input"] },
      );
      expect(info([guard])).toMatchObject([
        { name: "tool.*.output", layers: [], judges: [], redactors: [{ plugin: "guard", handler: 1, overlap: 64, entitled: false }] },
        { name: "tool.bash.input", layers: [], judges: [{ plugin: "guard", handler: 0, entitled: true }], redactors: [] },
      ]);
    });

    it.each(["tool.*.input", "permission.prompt"])("calls a layer on %s entitled that runs for some tool", (slot) => {
      const plugins = [
        loadedPlugin("a", { layers: [layer(slot)] }, { granted: { run: true } }),
        loadedPlugin("b", { layers: [layer(slot)] }, { granted: { net: true } }),
      ];
      expect(info(plugins)[0]?.layers.map(({ plugin, entitled }) => [plugin, entitled])).toEqual([
        ["b", false],
        ["a", true],
      ]);
      expect(info(plugins, {}, [])[0]?.layers.map(({ entitled }) => entitled)).toEqual([false, false]);
    });

    it("shows the policy that counts", () => {
      const plugin = loadedPlugin("a", { layers: [layer("tool.bash.input")] }, { granted: all });
      expect(info([plugin], { a: ["*"] })[0]?.layers[0]?.onFailure).toBe("block");
    });
  });
});
