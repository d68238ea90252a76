import { readFile } from "node:fs/promises";
import { type TestHost, testHost } from "mortise/testing";
import { afterEach, describe, expect, it } from "vitest";
import type { NativeTool } from "../../core/host-types.ts";

const native = (name: string, more: Partial<NativeTool> = {}): NativeTool => ({
  name,
  description: "x",
  inputSchema: { type: "object" },
  capability: "run",
  scopes: "none",
  run: (_, { outputMode }) => `${outputMode} ${"long line\n".repeat(6_000)}`,
  ...more,
});
const plugin = (run: string, more = "") => ({
  name: "caller",
  source: `import { definePlugin, deny } from "mortise/sdk";
export default definePlugin({ name: "caller", capabilities: { run: true } }, (api) => {
  api.registerTool({ name: "caller", description: "x", input: { type: "object" }, capability: "run", scopes: "none", run: async (input) => JSON.stringify(await (${run})(input)) });
  ${more}
});`,
});

let host: TestHost | undefined;
afterEach(() => host?.close());

const answer = async (run: string, request = {}, more = "") => {
  host = await testHost({ builtins: false, tools: [native("inner"), native("main_only", { audiences: ["main"] })], plugins: [plugin(run, more)] });
  return JSON.parse((await host.call("caller", {}, { outputMode: "full", ...request })).text);
};

describe("callForPlugin()", () => {
  it("gives whole texts unless less is wanted, and wherever the caller has them whole", async () => {
    expect(await answer(`() => api.tools.call("inner", {}).then(({ text }) => text.slice(0, 5))`, { outputMode: "compact" })).toBe("full ");
    await host?.close();
    const cut = await answer(
      `() => api.tools.call("inner", {}, { outputMode: "compact" }).then(({ text, spill }) => ({ text: text.slice(0, 8), spill }))`,
      {
        outputMode: "compact",
      },
    );
    expect(cut.text).toBe("compact ");
    expect((await readFile(cut.spill, "utf8")).length).toBeGreaterThan(60_000);
    await host?.close();
    expect((await answer(`() => api.tools.call("inner", {}, { outputMode: "compact" })`)).text.slice(0, 5)).toBe("full ");
  });

  it("holds a call to the audience of the caller, and to one that is asked for", async () => {
    expect(await answer(`() => api.tools.call("main_only", {}, { audience: "code" })`)).toMatchObject({ isError: true, code: "not_in_audience" });
    await host?.close();
    expect(await answer(`() => api.tools.call("main_only", {})`, { audience: "research" })).toMatchObject({ isError: true, code: "not_in_audience" });
    await host?.close();
    expect(await answer(`() => api.tools.list({ audience: "code" }).then((all) => all.map(({ name }) => name))`)).toEqual(["inner", "caller"]);
  });

  it("lists tools without what they say anew to those who may call them", async () => {
    const says = (name: string, definition = "", run = `() => "x"`) => ({
      name,
      source: `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "${name}", ${definition} }, (api) => {
  api.registerTool({ name: "${name}", description: "Old.", input: { type: "object" }, capability: "run", scopes: "none", describe: () => "a-file.md", run: ${run} });
});`,
    });
    const list = `async () => JSON.stringify(Object.fromEntries((await api.tools.list()).map(({ name, description }) => [name, description])))`;
    host = await testHost({
      builtins: false,
      plugins: [says("other"), says("stranger", "capabilities: { fs_read: true }", list), says("granted", "capabilities: { run: true }", list)],
    });
    const whole = "Old.\n\na-file.md";
    expect(JSON.parse((await host.call("granted", {})).text)).toEqual({ other: whole, stranger: whole, granted: whole });
    expect(JSON.parse((await host.call("stranger", {})).text)).toEqual({ other: "Old.", stranger: whole, granted: "Old." });
  });

  it("says who stopped a call, and why", async () => {
    const judge = `api.judge("tool.inner.input", () => deny("Not today."));`;
    expect(await answer(`() => api.tools.call("inner", {})`, {}, judge)).toMatchObject({
      isError: true,
      code: "stopped",
      stopped: { plugin: "caller", by: "judge", reason: "Not today." },
    });
  });
});

describe("keepForPlugin()", () => {
  it("keeps the text of a call that was made here, and of no other", async () => {
    const made = await answer(
      `async () => { const { id } = await api.tools.call("inner", {}); const other = await api.tools.keep("x").catch((error) => error.code); return { path: await api.tools.keep(id), other }; }`,
    );
    expect(made.other).toBe("wrong_argument");
    expect((await readFile(made.path, "utf8")).slice(0, 5)).toBe("full ");
  });
});
