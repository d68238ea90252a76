import { describe, expect, it } from "vitest";
import { digestOf } from "../../../core/isolate/protocol/digest.ts";
import { MortiseError } from "../../../sdk/errors.ts";
import { pack, unpack } from "../../../sdk/wire.ts";
import { answerWith, layer, openRig, output, outputLayer } from "./support.ts";

const answers = `const A = Symbol.for("mortise.answer"); const deny = (reason) => ({ [A]: "deny", reason });
const ask = (reason, o = {}) => ({ [A]: "ask", reason, ...o }); const respond = (text) => ({ [A]: "respond", text });`;

describe("chain()", () => {
  const rig = openRig();
  const add = (name: string, run: string, options = "") => rig.add(name, layer(run, options), { before: answers });
  const addOutput = (name: string, run: string, options = "") => rig.add(name, outputLayer(run, options), { before: answers });
  const outcomes = (result: { records: { plugin: string; outcome: string }[] }) =>
    result.records.map(({ plugin, outcome }) => `${plugin} ${outcome}`);

  it("passes a value through nested layers and says who changed it", async () => {
    await add("outer", "async (prev, v) => ({ ...(await prev({ ...v, down: 1 })), up: 1 })");
    await add("middle", "(prev, v) => prev(v)");
    await add("inner", "async (prev, v) => prev({ ...v, inner: v.down })");
    const result = await rig.chain(["outer", "middle", "inner"], { command: "ls" });
    expect(result.end).toEqual({ kind: "value" });
    expect(result.made).toEqual({ command: "ls", down: 1, inner: 1, up: 1 });
    expect(outcomes(result)).toEqual(["outer changed", "middle passed", "inner changed"]);
    expect(result.records[2]!.after).toEqual(pack({ command: "ls", down: 1, inner: 1 }));
  });

  it("is one message, however many layers", async () => {
    const before = rig.isolates.sent();
    await rig.chain(["outer", "middle", "inner"], {});
    expect(rig.isolates.sent() - before).toBe(1);
  });

  it("takes nothing after prev as what prev gave, and nothing without prev as the value as it came", async () => {
    await add("silent", "async (prev) => { await prev({ made: 1 }) }");
    await add("mute", "() => undefined");
    expect((await rig.chain(["silent", "inner"], {})).made).toEqual({ made: 1 });
    const cutOff = await rig.chain(["mute", "inner"], { a: 1 });
    expect(cutOff.made).toEqual({ a: 1 });
    expect(outcomes(cutOff)).toEqual(["mute passed"]);
  });

  it("passes the current value on where prev gets no argument", async () => {
    await add("bare", "(prev) => prev()");
    expect((await rig.chain(["bare", "inner"], { a: 1 })).made).toEqual({ a: 1 });
  });

  it("awaits a prev that the layer did not await", async () => {
    await add("careless", "(prev) => { prev({ careless: 1 }) }");
    await add("hasty", "(prev) => { prev({ down: 1 }); return { own: 1 } }");
    expect((await rig.chain(["careless", "inner"], {})).made).toEqual({ careless: 1 });
    const result = await rig.chain(["hasty", "inner"], {});
    expect(result.made).toEqual({ own: 1 });
    expect(outcomes(result)).toEqual(["hasty changed", "inner changed"]);
  });

  it("refuses a second prev, and one after the answer, inside the layer that calls it", async () => {
    await add("twice", "async (prev, v) => { await prev(v); try { await prev(v) } catch (e) { return { code: e.code } } }");
    await add("stash", "(prev, v) => { globalThis.kept ??= prev; return v }", "");
    await rig.add(
      "late",
      `let kept; ${layer("async (prev, v) => { if (kept) { try { await kept() } catch (e) { return { code: e.code } } } kept = prev; return v }")}`,
    );
    expect((await rig.chain(["twice"], {})).made).toEqual({ code: "prev_consumed" });
    await rig.chain(["late"], {});
    expect((await rig.chain(["late"], {})).made).toEqual({ code: "prev_expired" });
  });

  it("passes over a layer that fails before prev, and keeps prev's answer of one that fails after it", async () => {
    await add("early", "() => { throw new Error('boom') }");
    await add("after", "async (prev, v) => { await prev({ ...v, after: 1 }); throw new Error('boom') }");
    const early = await rig.chain(["early", "inner"], { a: 1 });
    expect(early.made).toEqual({ a: 1 });
    expect(outcomes(early)).toEqual(["early skipped", "inner passed"]);
    expect(early.records[0]!.failure).toMatchObject({ code: "plugin_threw", plugin: "early" });
    const after = await rig.chain(["after", "inner"], { down: 2 });
    expect(after.made).toEqual({ down: 2, after: 1, inner: 2 });
    expect(outcomes(after)).toEqual(["after skipped", "inner changed"]);
  });

  it("ends blocked where a layer that blocks fails", async () => {
    const result = await rig.chain(["outer", "!early", "inner"], {});
    expect(result.end).toMatchObject({ kind: "blocked", failure: { code: "plugin_threw", plugin: "early" } });
    expect(outcomes(result)).toEqual(["outer passed", "early failed"]);
  });

  it("lets a verdict pass: values above it are ignored, another denial takes its place", async () => {
    await add("denier", "() => deny('no')");
    await add("asker", "(prev, v) => ask('sure?', { input: { ...v, asked: 1 } })");
    await add("responder", "() => respond('done')");
    await add("catcher", "async (prev, v) => { try { return await prev(v) } catch (e) { return { caught: e.verdict } } }");
    await add(
      "harder",
      "async (prev, v) => { try { return await prev(v) } catch (e) { return deny([e.name, e.verdict, e.plugin, e.reason].join()) } }",
    );
    await add("softer", "async (prev, v) => { try { return await prev(v) } catch (e) { return respond('instead') } }");
    expect((await rig.chain(["outer", "denier"], {})).end).toEqual({ kind: "deny", plugin: "denier", reason: "no" });
    expect((await rig.chain(["catcher", "denier"], {})).end).toEqual({ kind: "deny", plugin: "denier", reason: "no" });
    expect((await rig.chain(["softer", "denier"], {})).end).toEqual({ kind: "deny", plugin: "denier", reason: "no" });
    expect((await rig.chain(["harder", "denier"], {})).end).toEqual({ kind: "deny", plugin: "harder", reason: "Stopped,deny,denier,no" });
    const asked = await rig.chain(["catcher", "asker"], { command: "ls" });
    expect(asked.end).toEqual({ kind: "ask", plugin: "asker", reason: "sure?" });
    expect(asked.made).toEqual({ command: "ls", asked: 1 });
    expect((await rig.chain(["harder", "asker"], {})).end).toMatchObject({ kind: "deny", plugin: "harder" });
    expect((await rig.chain(["catcher", "responder"], {})).end).toEqual({ kind: "respond", plugin: "responder", text: "done" });
    expect(outcomes(await rig.chain(["outer", "denier"], {}))).toEqual(["outer passed", "denier denied"]);
  });

  it("still counts a denial after prev gave a value", async () => {
    await add("second", "async (prev, v) => { await prev(v); return deny('on second thought') }");
    expect((await rig.chain(["second", "inner"], {})).end).toMatchObject({ kind: "deny", plugin: "second" });
  });

  it.each([
    ["null", "null"],
    ["an array", "[]"],
    ["a text", "'x'"],
    ["a function", "() => 1"],
    ["a symbol", "Symbol('x')"],
    ["a Map", "new Map()"],
    ["a BigInt within", "({ a: 1n })"],
    ["a cycle", "(() => { const a = {}; a.a = a; return a })()"],
    ["a verdict without a reason", "({ [A]: 'deny' })"],
    ["an unknown verdict", "({ [A]: 'allow', reason: 'x' })"],
    ["toJSON that is no object", "({ toJSON: () => 'x' })"],
    ["a getter that throws", "({ get a() { throw new Error('x') } })"],
  ])("counts %s as a wrong answer of that layer alone", async (_what, answer) => {
    await add("wrong", `(prev, v) => (${answer})`);
    const result = await rig.chain(["outer", "wrong", "inner"], { a: 1 });
    expect(result.records[1]).toMatchObject({ plugin: "wrong", outcome: "skipped", failure: { code: "wrong_answer" } });
    expect(result.made).toEqual({ a: 1, down: 1, inner: 1, up: 1 });
    expect((await rig.chain(["!wrong", "inner"], {})).end).toMatchObject({ kind: "blocked", failure: { code: "wrong_answer" } });
  });

  it("checks what prev is given like an answer", async () => {
    await add("badprev", "(prev) => prev('text')");
    const result = await rig.chain(["badprev", "inner"], { a: 1 });
    expect(result.records[0]).toMatchObject({ outcome: "skipped", failure: { code: "wrong_answer" } });
    expect(outcomes(result)).toEqual(["badprev skipped", "inner passed"]);
  });

  it("refuses verdicts that the slot does not take", async () => {
    await addOutput("asksout", "() => ask('x')");
    const result = await rig.chain(["asksout"], { text: "t", isError: false }, output);
    expect(result.records[0]).toMatchObject({ outcome: "skipped", failure: { code: "wrong_answer" } });
  });

  it("keeps isError where it is left out and drops unknown fields of an output", async () => {
    await addOutput("short", "async (prev, v) => ({ text: 'b', extra: 1 })");
    expect((await rig.chain(["short"], { text: "a", isError: true }, output)).made).toEqual({ text: "b", isError: true });
  });

  it("hides data from layers that do not ask for it, and drops it with the text it belonged to", async () => {
    const value = { text: "a", isError: false, data: { secret: 1 } };
    await addOutput("plain", "async (prev, v) => { const r = await prev(v); if ('data' in v || 'data' in r) throw new Error('seen'); return r }");
    await addOutput("rewriter", "(prev, v) => prev({ ...v, text: v.text + 'b' })");
    await addOutput("upper", "async (prev, v) => { const r = await prev(v); return { text: r.text + 'c' } }");
    await addOutput("reader", "async (prev, v) => prev({ text: v.text + v.data.secret, data: { secret: v.data.secret + 1 } })", "{ data: true }");
    const through = await rig.chain(["plain"], value, output);
    expect(through.made).toEqual(value);
    expect(outcomes(through)).toEqual(["plain passed"]);
    expect((await rig.chain(["plain", "rewriter"], value, output)).made).toEqual({ text: "ab", isError: false });
    expect((await rig.chain(["upper", "plain"], value, output)).made).toEqual({ text: "ac", isError: false });
    expect((await rig.chain(["plain", "+reader"], value, output)).made).toEqual({ text: "a1", isError: false, data: { secret: 2 } });
    expect((await rig.chain(["+reader", "plain"], value, output)).made).toEqual({ text: "a1", isError: false, data: { secret: 2 } });
  });

  it("asks the host's base, and lets a layer recover from its error", async () => {
    const asked: unknown[] = [];
    const base = async (value: Parameters<typeof unpack>[0]) => {
      asked.push(unpack(value));
      return { kind: "value" as const, value: pack({ based: 1 }) };
    };
    expect((await rig.chain(["outer", "inner"], {}, { base })).made).toEqual({ based: 1, up: 1 });
    expect(asked).toEqual([{ down: 1, inner: 1 }]);
    const broken = async () => {
      throw new MortiseError("file_failed");
    };
    expect((await rig.chain(["outer"], {}, { base: broken })).end).toMatchObject({ kind: "blocked", failure: { code: "file_failed" } });
    await add("recovers", "async (prev, v) => { try { return await prev(v) } catch (e) { return { code: e.code } } }");
    expect((await rig.chain(["recovers"], {}, { base: broken })).made).toEqual({ code: "file_failed" });
    expect((await rig.chain(["catcher"], {}, { base: answerWith({ kind: "deny", reason: "no" }) })).end).toMatchObject({
      kind: "deny",
      reason: "no",
    });
  });

  it("ends with the base alone where there are no layers", async () => {
    const result = await rig.chain([], { a: 1 });
    expect(result).toMatchObject({ end: { kind: "value" }, made: { a: 1 }, records: [] });
  });

  it("runs the base of a declared slot in the isolate of its plugin", async () => {
    await rig.add("owner", `api.declareSlot("owner.shout", (text) => text.toUpperCase() + "!");`);
    await rig.add("shouter", `api.setSlot("owner.shout", async (prev, text) => (await prev(text + "?")) + "#");`);
    const slot = { slot: "owner.shout", spec: "owner.shout", base: { plugin: "owner", handler: 0 } } as const;
    expect((await rig.chain(["shouter"], "hi", slot)).made).toBe("HI?!#");
    expect((await rig.chain([], "hi", slot)).made).toBe("HI!");
    expect((await rig.chain(["shouter"], null, slot)).made).toBe("NULL?!#");
  });

  it("ignores what prev is given where passing is fixed, and leaves a decision to those below", async () => {
    await rig.add("reader1", `api.setSlot("permission.prompt", (prev, v) => prev({ tool: "other" }));`);
    await rig.add("quiet", `api.setSlot("permission.prompt", () => undefined);`);
    await rig.add("wrongly", `api.setSlot("permission.prompt", () => ({ decision: "sure" }));`);
    await rig.add("allows", `api.setSlot("permission.prompt", () => ({ decision: "allow" }));`);
    const seen: unknown[] = [];
    const prompt = {
      slot: "permission.prompt",
      spec: "permission.prompt",
      base: async (value: Parameters<typeof unpack>[0]) => {
        seen.push(unpack(value));
        return { kind: "value" as const, value: pack({ decision: "deny" }) };
      },
    };
    const value = { tool: "bash", toolId: "1", input: {}, scopes: [] };
    for (const layers of [["reader1"], ["quiet"], ["wrongly"]]) expect((await rig.chain(layers, value, prompt)).made).toEqual({ decision: "deny" });
    expect(seen).toEqual([value, value, value]);
    expect((await rig.chain(["reader1", "allows"], value, prompt)).made).toEqual({ decision: "allow" });
  });

  it("redacts texts one after another and withholds what a redactor does not answer as text", async () => {
    await rig.add("redacts", `api.redact((text) => text.replaceAll("key", "[x]"));`);
    await rig.add("later", `api.redact(async (text) => { await null; return text + "."; });`);
    await rig.add("numbers", `api.redact(() => 1);`);
    const redact = { slot: "redact", spec: "redact" };
    expect((await rig.chain(["later", "redacts"], { texts: ["a key", "b"] }, redact)).made).toEqual({ texts: ["a [x].", "b."] });
    const many = { texts: Array(20_000).fill("a key") };
    expect((await rig.chain(["redacts"], many, redact)).made).toEqual({ texts: Array(20_000).fill("a [x]") });
    expect((await rig.chain(["!numbers", "redacts"], { texts: ["a"] }, redact)).end).toMatchObject({
      kind: "blocked",
      failure: { code: "wrong_answer" },
    });
  });

  it("keeps long texts and lone surrogates whole, and null apart from nothing", async () => {
    await addOutput("echo", "async (prev, v) => await prev(v)");
    await addOutput("appends", "async (prev, v) => ({ text: v.text + '!' })");
    for (const text of ["x".repeat(1_000_000), "ü".repeat(40_000), `\ud800${"y".repeat(40_000)}`, "\u0000short", "\u0000".repeat(40_000)]) {
      expect((await rig.chain(["echo"], { text, isError: false }, output)).made).toEqual({ text, isError: false });
      expect((await rig.chain(["appends"], { text, isError: false }, output)).made).toEqual({ text: `${text}!`, isError: false });
    }
    await add("nulls", "(prev, v) => prev({ ...v, n: null, u: undefined })");
    expect((await rig.chain(["nulls"], { a: null })).made).toEqual({ a: null, n: null });
  });

  it("keeps one long text that stands in several places", async () => {
    await add("doubles", "async (prev, v) => { const r = await prev({ ...v, b: v.a, c: [v.a] }); return { ...r, same: r.a === r.b } }");
    const text = "z".repeat(100_000);
    expect((await rig.chain(["doubles", "middle"], { a: text })).made).toEqual({ a: text, b: text, c: [text], same: true });
  });

  it("does not let a value in that is too large for any isolate", async () => {
    const result = await rig.chain(["middle"], { a: "x".repeat(25 * 1024 * 1024) });
    expect(result.records).toMatchObject([{ outcome: "skipped", failure: { code: "payload_too_large" } }]);
  });

  it("carries __proto__ as a key and nothing else", async () => {
    await add("proto", '(prev, v) => prev(JSON.parse(\'{"__proto__":{"polluted":true}}\'))');
    const result = await rig.chain(["proto", "middle"], {});
    expect(result.value.json).toBe('{"__proto__":{"polluted":true}}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it("cuts the layers that had not answered when it is cancelled", async () => {
    await add("waits", "() => new Promise(() => {})");
    const controller = new AbortController();
    const running = rig.chain(["middle", "waits"], {}, { signal: controller.signal, windowMs: 20_000 });
    setTimeout(() => controller.abort(), 50);
    const result = await running;
    expect(result.end).toEqual({ kind: "cancelled" });
    expect(outcomes(result)).toEqual(["middle cut", "waits cut"]);
  });

  it("fails layers of a plugin that is not there by their policy", async () => {
    const result = await rig.chain(["nobody", "inner"], { a: 1 });
    expect(result.records[0]).toMatchObject({ outcome: "skipped", failure: { code: "unknown_plugin" } });
    expect((await rig.chain(["!nobody"], {})).end).toMatchObject({ kind: "blocked" });
  });

  it("runs a chain over plugins in different runners in the same order", async () => {
    await rig.add(
      "apart",
      layer("async (prev, v) => { const r = await prev({ ...v, seen: Object.keys(v) }); return { ...r, apart: Object.keys(r).length } }"),
      { isolation: "process" },
    );
    const result = await rig.chain(["outer", "apart", "inner"], {});
    expect(result.made).toEqual({ down: 1, seen: ["down"], inner: 1, apart: 3, up: 1 });
    expect(outcomes(result)).toEqual(["outer changed", "apart changed", "inner changed"]);
    expect((await rig.chain(["catcher", "apart", "denier"], {})).end).toEqual({ kind: "deny", plugin: "denier", reason: "no" });
    expect((await rig.chain(["apart", "inner", "!early"], {})).end).toMatchObject({ kind: "blocked", failure: { plugin: "early" } });
  });

  it("records what came to a layer that changed it, wherever the layers before it run", async () => {
    const add = (n: number) => layer(`(prev, v) => prev({ text: v.text + "${n}" })`);
    await rig.add("one", add(1));
    await rig.add("two", add(2), { isolation: "process" });
    await rig.add("three", add(3), { isolation: "process" });
    await rig.add("four", add(4));
    const result = await rig.chain(["one", "two", "three", "four"], { text: "0" });
    const texts = result.records.map(({ before, after }) =>
      [before, after].map((seen) => (seen === undefined || "sha256" in seen ? seen : unpack(seen))),
    );
    expect(texts).toEqual([
      [undefined, { text: "01" }],
      [{ text: "01" }, { text: "012" }],
      [{ text: "012" }, { text: "0123" }],
      [{ text: "0123" }, { text: "01234" }],
    ]);
  });

  it("records what came up to a layer that changed that", async () => {
    await rig.add("below", layer("() => ({ text: 'made' })"));
    await rig.add("above", layer("async (prev) => ({ text: (await prev()).text + ' more' })"));
    const [above] = (await rig.chain(["above", "below"], { text: "came" })).records;
    expect(above).toMatchObject({ before: pack({ text: "made" }), after: pack({ text: "made more" }) });
  });

  it("records size and hash of what is long, over the whole of it", async () => {
    const long = "x".repeat(100_000);
    await rig.add("longer", layer("(prev, v) => prev({ text: v.text + 'y' })"));
    await rig.add("again", layer("(prev, v) => prev({ text: v.text + 'z' })"));
    const [first, second] = (await rig.chain(["longer", "again"], { text: long })).records;
    const { json, blobs } = pack({ text: `${long}y` });
    expect(first?.after).toEqual(digestOf(json, blobs));
    expect(second?.before).toEqual(digestOf(json, blobs));
  });
});
