import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import type { MortiseError } from "../../../sdk/errors.ts";
import { layer, openRig, scriptOf } from "./support.ts";

describe("describe()", () => {
  const rig = openRig();
  const codeOf = (script: string) =>
    rig.isolates.describe(script).then(
      () => "described",
      (error: MortiseError) => error.code,
    );

  it("says everything that setup registers, handlers numbered in order", async () => {
    const body = `
      api.setSlot("tool.bash.input", (prev, v) => v, { onFailure: "block", before: "a", after: ["b", "c"] });
      api.setSlot("tool.*.output", (prev, v) => v, { data: true });
      api.judge("tool.bash.input", () => {});
      api.redact((t) => t, { overlap: 10, slot: "tool.bash.output" });
      api.createAutocmd(["ToolDone", "other:event"], () => {}, { pattern: "x", once: true, group: "g" });
      const gone = api.createAutocmd("ToolStart", () => {});
      api.delAutocmd(gone);
      api.declareSlot("all.slot", (v) => v, { capability: ["run"] });
      api.registerTool({ name: "t", description: "d", kind: "read", capability: "fs_read", audiences: ["main"], timeoutMs: 5, writes: "path",
        aliases: { file: "path" }, input: { type: "object", properties: { path: { type: "string" } } }, scopes: () => ({ scopes: [] }), run: () => "" });
      api.registerCommand({ name: "c", description: "d", run: () => {} });
      api.registerPermissionRule({ tool: "bash", pattern: "ls", effect: "allow" });`;
    const definition = `version: "1", description: "d", capabilities: { run: ["gh *"], net: true }, steer: ["tool.*.output"], isolation: "process", memoryMb: 32, options: { a: 1 }`;
    expect(await rig.isolates.describe(scriptOf("all", body, "", definition))).toEqual({
      name: "all",
      version: "1",
      description: "d",
      capabilities: { run: ["gh *"], net: true },
      steer: ["tool.*.output"],
      isolation: "process",
      memoryMb: 32,
      layers: [
        { handler: 0, slot: "tool.bash.input", onFailure: "block", before: ["a"], after: ["b", "c"], data: false },
        { handler: 1, slot: "tool.*.output", onFailure: "skip", before: [], after: [], data: true },
      ],
      judges: [{ handler: 2, slot: "tool.bash.input" }],
      redactors: [{ handler: 3, slot: "tool.bash.output", overlap: 10 }],
      autocmds: [{ handler: 4, events: ["ToolDone", "other:event"], pattern: ["x"], once: true, group: "g" }],
      slots: [{ handler: 6, name: "all.slot", capability: ["run"] }],
      tools: [
        {
          handler: 7,
          scopes: 8,
          name: "t",
          description: "d",
          kind: "read",
          capability: "fs_read",
          audiences: ["main"],
          timeoutMs: 5,
          writes: "path",
          needsPerson: false,
          polls: false,
          parses: false,
          needsAgent: false,
          describe: null,
          aliases: { file: "path" },
          inputSchema: { type: "object", properties: { path: { type: "string" } } },
        },
      ],
      commands: [{ handler: 9, name: "c", description: "d" }],
      rules: [{ tool: "bash", pattern: "ls", effect: "allow" }],
      options: { a: 1 },
    });
  });

  it("takes the field that holds the one path of a call for the scopes of a tool, and registers no handler for it", async () => {
    const tool = (name: string, scopes: string) =>
      `api.registerTool({ name: "${name}", description: "d", input: {}, scopes: ${scopes}, run: () => "" });`;
    const body = tool("a", '{ path: "file", access: "write" }') + tool("b", '{ path: "folder", access: "read", otherwise: "." }');
    const { tools } = await rig.isolates.describe(scriptOf("paths", body));
    expect(tools.map(({ handler, scopes }) => ({ handler, scopes }))).toEqual([
      { handler: 0, scopes: { path: "file", access: "write" } },
      { handler: 1, scopes: { path: "folder", access: "read", otherwise: "." } },
    ]);
  });

  it("turns a zod schema into JSON Schema", async () => {
    const source = `import * as z from "zod/mini";
      export default { definition: { name: "zod" }, setup(api) {
        api.registerTool({ name: "t", description: "d", scopes: "none", run: () => "",
          input: z.object({ command: z.string(), lines: z.optional(z.int().check(z.minimum(1))) }) }) } };`;
    const built = await build({
      stdin: { contents: source, resolveDir: import.meta.dirname },
      bundle: true,
      format: "iife",
      globalName: "plugin",
      write: false,
      platform: "neutral",
      mainFields: ["module", "main"],
    });
    const code = `${built.outputFiles[0]!.text};plugin.default`;
    const manifest = await rig.isolates.describe(code);
    expect(manifest.tools[0]!.inputSchema).toEqual({
      type: "object",
      properties: { command: { type: "string" }, lines: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER } },
      required: ["command"],
    });
    rig.isolates.add({ name: "zod", code, manifest, options: {}, memoryMb: 64, isolation: "shared" });
    expect(await rig.invoke("zod", "tool", [{}, {}])).toMatchObject({ ok: true });
  });

  it("refuses every capability while it describes", async () => {
    const body = `return api.fs.read("x").then(() => {}, (error) => api.setSlot("tool." + error.code + ".input", (prev, v) => v))`;
    const manifest = await rig.isolates.describe(scriptOf("early", body, "", "capabilities: { fs_read: true }"));
    expect(manifest.layers[0]!.slot).toBe("tool.describing.input");
    expect(rig.calls).toEqual([]);
  });

  it.each([
    ["plugin_threw", "throw new Error('x')"],
    ["plugin_undefined", "42"],
    ["plugin_undefined", "({ definition: {} })"],
    ["plugin_threw", "syntax error"],
    ["slice_overrun", "for (;;);"],
    ["plugin_invalid", "({ definition: {}, setup() {} })"],
    ["plugin_invalid", scriptOf("Bad Name", layer("() => {}"))],
    ["plugin_invalid", scriptOf("a", layer("() => {}"), "", "memoryMb: 1")],
    ["plugin_invalid", scriptOf("a", layer("'no function'"))],
    ["plugin_invalid", scriptOf("a", layer("() => {}", "{ onFailure: 'maybe' }"))],
    ["plugin_invalid", scriptOf("a", "api.registerTool({ name: 'x y', description: 'd', input: {}, scopes: 'none', run() {} })")],
    ["plugin_invalid", scriptOf("a", "api.registerTool({ name: 't', description: 'd', input: {}, run() {} })")],
    ["plugin_invalid", scriptOf("a", "api.registerTool({ name: 't', description: 'd', input: {}, scopes: { path: 'p' }, run() {} })")],
    ["plugin_invalid", scriptOf("a", "api.registerTool({ name: 't', description: 'd', input: {}, scopes: { access: 'read' }, run() {} })")],
    ["plugin_invalid", scriptOf("a", layer("() => {}"), "", "capabilities: { fs_raed: true }")],
    ["plugin_invalid", scriptOf("a", layer("() => {}"), "", "capabilitys: { run: true }")],
    ["plugin_invalid", scriptOf("a", layer("() => {}"), "", 'options: JSON.parse(\'{"__proto__":{"yolo":true}}\')')],
    ["plugin_registers_nothing", scriptOf("a", "")],
    ["plugin_threw", scriptOf("a", "throw new Error('x')")],
    ["slice_overrun", scriptOf("a", "for (;;);")],
    ["window_overrun", scriptOf("a", "return new Promise(() => {})")],
    ["unknown_slot", scriptOf("a", "api.setSlot('tool.bash.inptu', () => {})")],
    ["unknown_slot", scriptOf("a", "api.setSlot('agent.never', () => {})")],
    ["unknown_slot", scriptOf("a", "api.judge('tool.bash.output', () => {})")],
    ["unknown_slot", scriptOf("a", "api.redact((t) => t, { slot: 'tool.bash.input' })")],
    ["slot_reserved", scriptOf("a", "api.declareSlot('tool.x', () => {})")],
    ["slot_reserved", scriptOf("a", "api.declareSlot('b.x', () => {})")],
    ["unknown_event", scriptOf("a", "api.createAutocmd('ToolDun', () => {})")],
    ["plugin_threw", scriptOf("a", "throw Object.assign(new Error('x'), { code: 'not_here' })")],
  ])("fails with %s for %s", async (code, script) => {
    expect(await codeOf(script!)).toBe(code);
  });

  it("survives a setup that ends its runner, and says whose it was", async () => {
    expect(await codeOf(scriptOf("a", "Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)"))).toBe("slice_overrun");
    expect(await codeOf(scriptOf("a", layer("(prev, v) => v")))).toBe("described");
  });
});
