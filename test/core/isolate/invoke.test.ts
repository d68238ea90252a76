import { describe, expect, it } from "vitest";
import { MortiseError } from "../../../sdk/errors.ts";
import { unpack } from "../../../sdk/wire.ts";
import { layer, openRig, scriptOf } from "./support.ts";

const answers = `const A = Symbol.for("mortise.answer"); const deny = (reason) => ({ [A]: "deny", reason }); const ask = (reason, o = {}) => ({ [A]: "ask", reason, ...o });`;
const tool = (run: string, scopes = '"none"') =>
  `api.registerTool({ name: "t", description: "d", input: { type: "object" }, scopes: ${scopes}, run: ${run} });`;

describe("invoke()", () => {
  const rig = openRig({}, async ({ method, args }) => {
    if (method === "store.get" && args.json === '["refused"]') throw new MortiseError("not_granted", { seen: "x" });
    if (method === "store.get" && args.json === '["slow"]') await new Promise((resolve) => setTimeout(resolve, 300));
    return unpack(args);
  });

  it("gives a tool its input and its call, and takes a result or a text", async () => {
    await rig.add("result", tool("(input, call) => ({ text: JSON.stringify([input, call.toolId, call.signal.aborted]), data: { n: 1 }, extra: 1 })"));
    await rig.add("text", tool("async () => 'plain'"));
    const call = { toolId: "7" };
    expect((await rig.invoke("result", "tool", [{ a: 1 }, call])).made).toEqual({ text: '[{"a":1},"7",false]', isError: false, data: { n: 1 } });
    expect((await rig.invoke("text", "tool", [{}, call])).made).toEqual({ text: "plain", isError: false });
  });

  it.each([["undefined"], ["null"], ["1"], ["({})"], ["({ text: 1 })"], ["({ text: 'a', isError: 'yes' })"]])(
    "takes %s of a tool as a wrong answer",
    async (answer) => {
      await rig.add("wrong", tool(`() => (${answer})`));
      expect(await rig.invoke("wrong", "tool", [{}, {}])).toMatchObject({ ok: false, failure: { code: "wrong_answer", plugin: "wrong" } });
    },
  );

  it("takes deny, ask or nothing of a judge, and nothing else", async () => {
    const judge = (run: string) => rig.add("judge", `api.judge("tool.bash.input", ${run});`, { before: answers });
    const said = async (run: string) => {
      await judge(run);
      return rig.invoke("judge", "judge", [{ command: "ls" }, {}]);
    };
    expect(await said("(input) => deny('no ' + input.command)")).toMatchObject({ ok: true, answer: { kind: "deny", reason: "no ls" } });
    expect(await said("() => ask('sure?')")).toMatchObject({ ok: true, answer: { kind: "ask", reason: "sure?", input: undefined } });
    expect(await said("() => undefined")).toMatchObject({ ok: true, answer: { kind: "nothing" } });
    for (const wrong of [
      "() => true",
      "() => null",
      "() => ({})",
      "() => 'ok'",
      "() => ask('x', { input: {} })",
      "() => ({ [A]: 'respond', text: 'x' })",
      "() => ({ [A]: 'deny' })",
    ]) {
      expect(await said(wrong)).toMatchObject({ ok: false, failure: { code: "wrong_answer" } });
    }
  });

  it("takes any JSON of scopes and bases, text of commands, and ignores what an autocmd answers", async () => {
    await rig.add(
      "mixed",
      `${tool("() => 'x'", "async () => ({ scopes: [], forcePrompt: true })")}
       api.declareSlot("mixed.slot", (v) => v && v + 1);
       api.registerCommand({ name: "c", description: "d", run: (args) => args === "none" ? undefined : args === "bad" ? 1 : args + "!" });
       api.createAutocmd("ToolDone", () => Symbol("ignored"));`,
    );
    expect((await rig.invoke("mixed", "scopes", [{}], { handler: 1 })).made).toEqual({ scopes: [], forcePrompt: true });
    expect((await rig.invoke("mixed", "base", [1], { handler: 2 })).made).toBe(2);
    expect(await rig.invoke("mixed", "base", [undefined], { handler: 2 })).toMatchObject({ ok: true, answer: { kind: "nothing" } });
    expect((await rig.invoke("mixed", "command", ["hi"], { handler: 3 })).made).toBe("hi!");
    expect(await rig.invoke("mixed", "command", ["none"], { handler: 3 })).toMatchObject({ answer: { kind: "nothing" } });
    expect(await rig.invoke("mixed", "command", ["bad"], { handler: 3 })).toMatchObject({ ok: false, failure: { code: "wrong_answer" } });
    expect(await rig.invoke("mixed", "autocmd", [{}], { handler: 4 })).toMatchObject({ ok: true, answer: { kind: "nothing" } });
    expect(await rig.invoke("mixed", "judge", [{}], { handler: 4 })).toMatchObject({ ok: false });
  });

  it("sends requests of plugin code to the host with the key of the call, and answers them", async () => {
    await rig.add("asks", tool("async (input) => { const got = await api.store.get(input.key); return { text: JSON.stringify(got) } }"));
    expect((await rig.invoke("asks", "tool", [{ key: "a" }, {}], { callKey: "k1" })).made).toEqual({ text: '["a"]', isError: false });
    expect(rig.calls.at(-1)).toMatchObject({ plugin: "asks", callKey: "k1", method: "store.get" });
    const big = "x".repeat(100_000);
    expect((await rig.invoke("asks", "tool", [{ key: big }, {}])).made).toEqual({ text: JSON.stringify([big]), isError: false });
    expect(await rig.invoke("asks", "tool", [{ key: "refused" }, {}])).toMatchObject({ ok: false, failure: { code: "not_granted" } });
  });

  it("attributes what runs after a timer to the call that started it, and to none once that is over", async () => {
    await rig.add(
      "timed",
      tool(
        "async (input) => { await new Promise((ok) => setTimeout(ok, 5)); await api.store.get('in'); setTimeout(() => api.store.get('after'), 30); return 'x' }",
      ),
    );
    await rig.invoke("timed", "tool", [{}, {}], { callKey: "timed" });
    expect(rig.calls.at(-1)).toMatchObject({ callKey: "timed", args: { json: '["in"]' } });
    await expect.poll(() => rig.calls.at(-1)).toMatchObject({ callKey: null, args: { json: '["after"]' } });
  });

  it("sends what a tool writes, lines of one turn together", async () => {
    await rig.add(
      "writes",
      tool(
        "async (input, call) => { for (let i = 0; i < 20000; i++) call.write(i + '\\n'); await api.store.get('x'); call.write('end'); return 'x' }",
      ),
    );
    const before = rig.calls.length;
    await rig.invoke("writes", "tool", [{}, {}], { callKey: "w" });
    const written = rig.calls.slice(before).filter((call) => call.method === "output.write");
    expect(written.map((call) => unpack(call.args))).toEqual([[Array.from({ length: 20000 }, (_, i) => `${i}\n`).join("")], ["end"]]);
    expect(written.map((call) => call.callKey)).toEqual(["w", "w"]);
  });

  it("aborts a tool's signal and keeps what it answers within its grace", async () => {
    await rig.add(
      "partial",
      tool("(input, call) => new Promise((ok) => call.signal.addEventListener('abort', () => ok('partial: ' + call.signal.reason.code)))"),
    );
    await rig.add("deaf", tool("() => new Promise(() => {})"));
    const cancelled = (plugin: string) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 50);
      return rig.invoke(plugin, "tool", [{}, {}], { signal: controller.signal, windowMs: 20_000, graceMs: 200 });
    };
    expect((await cancelled("partial")).made).toEqual({ text: "partial: cancelled", isError: false });
    expect(await cancelled("deaf")).toMatchObject({ ok: false, failure: { code: "cancelled" } });
    const late = { windowMs: 100, graceMs: 200 };
    expect((await rig.invoke("partial", "tool", [{}, {}], late)).made).toEqual({ text: "partial: cancelled", isError: false });
    expect(await rig.invoke("deaf", "tool", [{}, {}], late)).toMatchObject({ ok: false, failure: { code: "window_overrun" } });
  });

  it("ends anything but a tool at once when it is cancelled, also before it began", async () => {
    await rig.add("judges", `api.judge("tool.bash.input", () => new Promise(() => {}));`);
    const controller = new AbortController();
    const running = rig.invoke("judges", "judge", [{}], { signal: controller.signal, windowMs: 20_000 });
    setTimeout(() => controller.abort(), 50);
    expect(await running).toMatchObject({ ok: false, failure: { code: "cancelled" } });
    expect(await rig.invoke("judges", "judge", [{}], { signal: controller.signal })).toMatchObject({ ok: false, failure: { code: "cancelled" } });
  });

  it("gives each of many requests its own answer, long texts and refusals among them, where they come together", async () => {
    const key = `i % 5 === 0 ? "refused" : i % 5 === 1 ? "x".repeat(40_000 + i) : i % 5 === 2 ? undefined : "key " + i`;
    await rig.add(
      "many",
      tool(`async () => {
        const asked = Array.from({ length: 40 }, (_, i) => { const key = ${key}; return key === undefined ? api.store.keys() : api.store.get(key); });
        const all = await Promise.allSettled(asked);
        return JSON.stringify(all.map(({ value, reason }) => reason?.code ?? (value[0] ?? "").length + " " + (value[0] ?? "").slice(0, 6)));
      }`),
    );
    const { made } = await rig.invoke("many", "tool", [{}, {}]);
    const expected = Array.from({ length: 40 }, (_, i) =>
      i % 5 === 0 ? "not_granted" : i % 5 === 1 ? `${40_000 + i} xxxxxx` : i % 5 === 2 ? "0 " : `${`key ${i}`.length} ${`key ${i}`.slice(0, 6)}`,
    );
    expect(JSON.parse((made as { text: string }).text)).toEqual(expected);
  });

  it("refuses too many requests at once, and values that are too large", async () => {
    // Hundreds of MB cross here, which a busy machine takes its time for.
    const slow = { windowMs: 20_000 };
    await rig.add(
      "greedy",
      tool(
        "async () => { const all = await Promise.allSettled(Array.from({ length: 400 }, () => api.store.get('a'))); return String(all.filter((each) => each.reason?.code === 'too_many_requests').length) }",
      ),
    );
    expect((await rig.invoke("greedy", "tool", [{}, {}], slow)).made).toEqual({ text: String(400 - 256), isError: false });
    await rig.add("large", tool("() => 'x'.repeat(25 * 1024 * 1024)"), { memoryMb: 256 });
    expect(await rig.invoke("large", "tool", [{}, {}], slow)).toMatchObject({ ok: false, failure: { code: "payload_too_large" } });
    await rig.add(
      "floods",
      tool(
        "async () => { const s = 'x'.repeat(2e7); const all = await Promise.allSettled(Array.from({ length: 9 }, () => api.store.set('k', s))); return String(all.filter((each) => each.reason?.code === 'payload_too_large').length) }",
      ),
      { memoryMb: 256 },
    );
    expect((await rig.invoke("floods", "tool", [{}, {}], slow)).made).toEqual({ text: "7", isError: false });
    expect(await rig.invoke("floods", "tool", ["x".repeat(25 * 1024 * 1024), {}], slow)).toMatchObject({
      ok: false,
      failure: { code: "payload_too_large" },
    });
    await rig.add("fits", tool("() => 'x'.repeat(20 * 1024 * 1024)"), { memoryMb: 256 });
    expect(await rig.invoke("fits", "tool", [{}, {}], slow)).toMatchObject({ ok: true });
  });

  it("logs late throws and lost rejections as the plugin's, and goes on", async () => {
    await rig.add(
      "late",
      layer(
        "(prev, v) => { setTimeout(() => { throw new Error('late') }, 5); Promise.reject(new Error('lost')); queueMicrotask(() => { throw new Error('micro') }); return prev(v) }",
      ),
    );
    expect((await rig.chain(["late"], { a: 1 })).records).toMatchObject([{ outcome: "passed" }]);
    const logged = () =>
      rig.events.flatMap((event) => (event.kind === "log" && event.plugin === "late" && event.level === "error" ? [event.text] : []));
    await expect.poll(() => logged().length).toBe(3);
    for (const word of ["late", "lost", "micro"]) expect(logged().some((text) => text.includes(word))).toBe(true);
    expect((await rig.chain(["late"], { a: 1 })).made).toEqual({ a: 1 });
  });

  it("says where code of the plugin threw", async () => {
    await rig.add("throws", tool("() => { null.x }"));
    expect(await rig.invoke("throws", "tool", [{}, {}])).toMatchObject({ ok: false, failure: { code: "plugin_threw" } });
    const logged = rig.events.findLast((event) => event.kind === "log" && event.plugin === "throws");
    expect(logged).toMatchObject({ level: "error", text: expect.stringMatching(/TypeError[\s\S]*at /) });
  });
});

describe("add()", () => {
  const rig = openRig();

  it("makes no isolate and no process before first use", () => {
    rig.isolates.add({ name: "lazy", code: "", manifest: {} as never, options: {}, memoryMb: 64, isolation: "shared" });
    expect(rig.isolates.runners()).toEqual([]);
    expect(rig.isolates.sent()).toBe(0);
  });

  it("replaces a plugin: calls in flight end in the old version, later ones run the new", async () => {
    await rig.add("changing", tool("async () => { await new Promise((ok) => setTimeout(ok, 200)); return 'old' }"));
    const old = rig.invoke("changing", "tool", [{}, {}]);
    await rig.add("changing", tool("() => 'new'"));
    expect((await rig.invoke("changing", "tool", [{}, {}])).made).toMatchObject({ text: "new" });
    expect((await old).made).toMatchObject({ text: "old" });
    await expect.poll(() => rig.isolates.runners().find((runner) => !runner.spare)!.plugins).toEqual(["changing"]);
  });

  it("is undone by remove(), which waits for calls in flight and stops timers", async () => {
    await rig.add(
      "going",
      `setInterval(() => api.store.get("tick"), 20); ${tool("async () => { await new Promise((ok) => setTimeout(ok, 200)); return 'done' }")}`,
    );
    const call = rig.invoke("going", "tool", [{}, {}]);
    await expect.poll(() => rig.calls.length).toBeGreaterThan(2);
    const removed = rig.isolates.remove("going");
    expect(await rig.invoke("going", "tool", [{}, {}])).toMatchObject({ ok: false, failure: { code: "unknown_plugin" } });
    await removed;
    expect((await call).made).toMatchObject({ text: "done" });
    await rig.add("other", tool("async () => { await new Promise((ok) => setTimeout(ok, 100)); return 'x' }"));
    const ticks = rig.calls.length;
    await rig.invoke("other", "tool", [{}, {}]);
    expect(rig.calls.length - ticks).toBeLessThanOrEqual(1);
  });

  it("refuses a plugin that registers something else than it was described with", async () => {
    const code = scriptOf("fickle", "api.setSlot(`tool.${api.options.tool}.input`, (prev, v) => prev(v));");
    const manifest = await rig.isolates.describe(code, { tool: "a" });
    const plugin = { name: "fickle", code, manifest, memoryMb: 64, isolation: "shared" } as const;
    rig.isolates.add({ ...plugin, options: { tool: "b" } });
    expect((await rig.chain(["fickle"], {})).records).toMatchObject([{ outcome: "skipped", failure: { code: "manifest_changed" } }]);
    rig.isolates.add({ ...plugin, options: { tool: "a" } });
    expect((await rig.chain(["fickle"], {})).records).toMatchObject([{ outcome: "passed" }]);
  });
});
