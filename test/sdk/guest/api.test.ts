import { describe, expect, it } from "vitest";
import { unpack } from "../../../sdk/wire.ts";
import { openRig } from "../../core/isolate/support.ts";

const command = (run: string) => `api.registerCommand({ name: "c", description: "d", run: ${run} });`;

describe("api", () => {
  const rig = openRig({}, ({ args }) => unpack(args));
  const run = async (body: string, definition = "", setup = "") => {
    await rig.add(
      "plugin",
      `${setup}${command(`async () => { const answer = await (async () => { ${body} })(); return JSON.stringify(answer) ?? "nothing" }`)}`,
      { definition },
    );
    const result = await rig.invoke("plugin", "command", [""]);
    if (!result.ok) throw new Error(result.failure.message);
    return JSON.parse(String(result.made));
  };

  it.each([
    [
      "",
      [
        "agent",
        "clearGroup",
        "createAutocmd",
        "declareSlot",
        "delAutocmd",
        "execAutocmds",
        "getSlots",
        "isolate",
        "judge",
        "log",
        "name",
        "options",
        "person",
        "projectStore",
        "redact",
        "registerCommand",
        "registerPermissionRule",
        "registerTool",
        "setSlot",
        "store",
        "syntax",
        "tools",
      ],
    ],
    ["capabilities: { fs_read: ['src/**'] }", ["fs: cwd find glob list places read readBytes readWindow realpath search stat walk"]],
    ["capabilities: { fs_write: true }", ["fs: append mkdir remove write"]],
    [
      "capabilities: { fs_read: true, fs_write: true }",
      ["fs: append cwd find glob list mkdir places read readBytes readWindow realpath remove search stat walk write"],
    ],
    ["capabilities: { run: ['gh *'] }", ["run: exec list start stop tail wait"]],
    ["capabilities: { net: true }", ["net: fetch"]],
    ["capabilities: { env: ['A'] }", ["env: get"]],
  ])("has with { %s } what was asked for and nothing else", async (definition, expected) => {
    const gated = `["fs", "run", "net", "env"].filter((key) => key in api).map((key) => key + ": " + Object.keys(api[key]).sort().join(" "))`;
    expect(await run(`return ${definition === "" ? "Object.keys(api).sort()" : gated}`, definition)).toEqual(expected);
  });

  it("cannot be changed", async () => {
    expect(await run("try { api.fs = 1 } catch {} try { api.store.get = 1 } catch {} return [typeof api.fs, typeof api.store.get]")).toEqual([
      "undefined",
      "function",
    ]);
  });

  it.each([
    ["store.get", "api.store.get('k')", ["k"]],
    ["store.set", "api.store.set('k', { a: null })", ["k", { a: null }]],
    ["store.keys", "api.store.keys()", []],
    ["projectStore.set", "api.projectStore.set('k', 1)", ["k", 1]],
    ["person.ask", "api.person.ask({ question: 'Which?' })", [{ question: "Which?" }]],
    ["tools.call", "api.tools.call('read', { path: 'x' })", ["read", { path: "x" }]],
    ["syntax.commands", "api.syntax.commands('ls')", ["ls"]],
    ["slots.list", "api.getSlots()", []],
    ["autocmds.exec", "api.execAutocmds('plugin:done', { data: { a: 1 } })", [["plugin:done"], { data: { a: 1 } }]],
    ["fs.read", "api.fs.read('x')", ["x"]],
    ["run.exec", "api.run.exec({ argv: ['ls'] })", [{ argv: ["ls"] }]],
    ["net.fetch", "api.net.fetch('https://x', { method: 'POST' })", ["https://x", { method: "POST" }]],
    ["env.get", "api.env.get('A')", ["A"]],
  ])("asks the host for %s", async (method, expression, args) => {
    expect(await run(`return ${expression}`, "capabilities: { fs_read: true, run: true, net: true, env: true }")).toEqual(args);
    expect(rig.calls.at(-1)).toMatchObject({ plugin: "plugin", method, callKey: "call" });
  });

  it("fires a declared slot through the host", async () => {
    expect(await run("return fire({ a: 1 })", "", "const fire = api.declareSlot('plugin.slot', (v) => v);").catch(String)).toMatch(/handler/i);
    await rig.add("firing", `const fire = api.declareSlot("firing.slot", (v) => v); ${command("async () => JSON.stringify(await fire({ a: 1 }))")}`);
    expect((await rig.invoke("firing", "command", [""], { handler: 1 })).made).toBe('["firing.slot",{"a":1}]');
  });

  it("takes registrations until setup has resolved", async () => {
    for (const late of [
      "api.setSlot('tool.*.input', () => {})",
      "api.judge('tool.*.input', () => {})",
      "api.redact((t) => t)",
      "api.declareSlot('plugin.x', () => {})",
      "api.createAutocmd('ToolDone', () => {})",
      "api.registerTool({ name: 't', description: 'd', input: {}, scopes: 'none', run() {} })",
      "api.registerCommand({ name: 'd', description: 'd', run() {} })",
      "api.registerPermissionRule({ tool: 't', effect: 'allow' })",
    ]) {
      expect(await run(`try { ${late}; return "registered" } catch (error) { return error.code }`)).toBe("registered_late");
    }
    await rig.add("patient", `return new Promise((ok) => setTimeout(() => { ${command("() => 'x'")} ok() }, 20));`);
    expect((await rig.invoke("patient", "command", [""])).made).toBe("x");
  });

  it("tells the host of autocmds that go", async () => {
    await run("api.delAutocmd(3); api.clearGroup('g'); return 1");
    expect(rig.calls.slice(-2).map(({ method, args }) => [method, args.json])).toEqual([
      ["autocmds.delete", "[3]"],
      ["autocmds.clear", '["g"]'],
    ]);
  });

  it("refuses events that are not the plugin's own", async () => {
    expect(await run("return api.execAutocmds('ToolDone').catch((error) => error.code)")).toBe("unknown_event");
    expect(await run("return api.execAutocmds('other:x').catch((error) => error.code)")).toBe("unknown_event");
  });

  it("gives options of the definition, with those of the host over them, frozen", async () => {
    expect(await run("try { api.options.a = 5 } catch {} return api.options", "options: { a: 1, b: 2 }")).toEqual({ a: 1, b: 2 });
  });

  it("logs what it is told, in a bounded way", async () => {
    await run(
      "api.log.warn('a', { b: 1 }, new Error('boom').message); console.log('x'.repeat(5000)); for (let i = 0; i < 500; i++) console.info(i); return 1",
    );
    const lines = rig.events.flatMap((event) => (event.kind === "log" ? [event] : []));
    expect(lines).toContainEqual({ kind: "log", plugin: "plugin", level: "warn", text: 'a {"b":1} boom' });
    expect(Math.max(...lines.map(({ text }) => text.length))).toBe(2_000);
    expect(lines.length).toBeLessThan(80);
  });
});
