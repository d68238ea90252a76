import { describe, expect, it } from "vitest";
import type { Code } from "../../../sdk/errors.ts";
import { layer, node24, node26, openRig } from "./support.ts";

/** What a hostile plugin tries in a layer, and how it may end. Each ends alone: a second plugin's call goes well meanwhile. */
type Attack = { what: string; run: string; codes: Code[] | "answered"; before?: string };

const SLICE: Code[] = ["slice_overrun", "budget_overrun"];
const MEMORY: Code[] = ["memory_exceeded", "slice_overrun"];
const WAIT: Code[] = ["window_overrun"];

const loops: Attack[] = [
  { what: "a loop before prev", run: "() => { for (;;); }", codes: SLICE },
  { what: "a loop after prev", run: "async (prev, v) => { await prev(v); for (;;); }", codes: SLICE },
  { what: "a loop of awaits", run: "async () => { for (;;) await null; }", codes: SLICE },
  { what: "a loop of awaits after prev", run: "async (prev, v) => { await prev(v); for (;;) await null; }", codes: SLICE },
  { what: "promises that make promises", run: "() => new Promise((ok) => { const f = () => Promise.resolve().then(f); f(); })", codes: SLICE },
  { what: "a thenable that resolves to itself", run: "() => { const t = { then(ok) { ok(t) } }; return t }", codes: SLICE },
  { what: "a loop with finally", run: "() => { for (;;) { try { throw 1 } catch {} finally {} } }", codes: SLICE },
  { what: "backtracking", run: "() => /^(a+)+$/.test('a'.repeat(40) + 'b')", codes: SLICE },
  { what: "a native loop over a long array-like", run: "() => Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)", codes: SLICE },
  { what: "the text of a huge BigInt", run: "() => (3n ** 20000000n).toString()", codes: MEMORY },
  { what: "splitting a huge text", run: "() => 'x'.repeat(1e8).split('')", codes: MEMORY },
  {
    what: "sorting for ever",
    run: "() => { const a = Array.from({ length: 1e6 }, () => 1); for (;;) a.sort(() => Math.random() - 0.5) }",
    codes: SLICE,
  },
  { what: "a promise that never settles", run: "() => new Promise(() => {})", codes: WAIT },
  { what: "a promise that never settles after prev", run: "async (prev, v) => { await prev(v); await new Promise(() => {}) }", codes: WAIT },
  { what: "timers for ever", run: "() => new Promise(() => { const f = () => setTimeout(f); f() })", codes: [...WAIT, ...SLICE] },
  { what: "an async iterator without end", run: "async () => { for await (const x of (async function* () { for (;;) yield 1 })()); }", codes: SLICE },
];

const bombs: Attack[] = [
  { what: "a Map", run: "() => { const m = new Map(); for (let i = 0; ; i++) m.set(i, i) }", codes: MEMORY },
  { what: "an object's names", run: "() => { const o = {}; for (let i = 0; ; i++) o['k' + i] = 1 }", codes: MEMORY },
  { what: "an object's indexes", run: "() => { const o = {}; for (let i = 0; ; i++) o[i * 97] = 1 }", codes: MEMORY },
  { what: "a WeakMap", run: "() => { const m = new WeakMap(), k = []; for (;;) { const o = {}; k.push(o); m.set(o, {}) } }", codes: MEMORY },
  { what: "registered symbols", run: "() => { for (let i = 0; ; i++) Symbol.for('s' + i) }", codes: MEMORY },
  { what: "small objects", run: "() => { const a = []; for (;;) a.push({ a: {}, b: [] }) }", codes: MEMORY },
  { what: "small objects after prev", run: "async (prev, v) => { await prev(v); const a = []; for (;;) a.push({ a: {}, b: [] }) }", codes: MEMORY },
  { what: "a filled array", run: "() => { const a = []; for (;;) a.push(new Array(1e6).fill(1)) }", codes: MEMORY },
  { what: "buffers", run: "() => { const a = []; for (;;) a.push(new Uint8Array(1e6).fill(1)) }", codes: [...MEMORY, "plugin_threw"] },
  { what: "formatters", run: "() => { const a = []; for (;;) a.push(new Intl.NumberFormat('de'), new Intl.DateTimeFormat('ja')) }", codes: MEMORY },
  { what: "flat texts", run: "() => { const a = []; for (let i = 0; ; i++) a.push(String(i).padEnd(1e5, String(i))) }", codes: MEMORY },
  { what: "a text doubled", run: "() => { let s = 'x'; for (;;) s += s }", codes: [...MEMORY, "plugin_threw"] },
  {
    what: "a huge answer of large texts",
    run: "() => { const s = 'x'.repeat(2e7); return { a: Array(25).fill(s) } }",
    codes: ["payload_too_large", ...MEMORY],
  },
  {
    what: "a huge value for prev",
    run: "(prev) => { const s = 'x'.repeat(2e7); return prev({ a: Array(25).fill(s) }) }",
    codes: ["payload_too_large", ...MEMORY],
  },
  { what: "promises", run: "() => { const a = []; for (;;) a.push(new Promise(() => {})) }", codes: MEMORY },
  { what: "closures", run: "() => { let f = () => 0; for (;;) { const g = f; f = () => g() } }", codes: MEMORY },
];

const answers: Attack[] = [
  { what: "a getter that loops", run: "() => ({ get a() { for (;;); } })", codes: SLICE },
  { what: "a getter that throws a looping error", run: "() => ({ get a() { throw { get message() { for (;;); } } } })", codes: SLICE },
  { what: "a proxy with looping traps", run: "() => new Proxy({}, { get() { for (;;); }, ownKeys() { for (;;); } })", codes: SLICE },
  {
    what: "a proxy that throws everywhere",
    run: "() => new Proxy({}, new Proxy({}, { get() { return () => { throw new Error('trap') } } }))",
    codes: ["wrong_answer", "plugin_threw"],
  },
  { what: "a toJSON that loops", run: "() => ({ toJSON() { for (;;); } })", codes: SLICE },
  { what: "throwing null", run: "() => { throw null }", codes: ["plugin_threw"] },
  { what: "throwing nothing", run: "() => { throw undefined }", codes: ["plugin_threw"] },
  { what: "throwing a symbol", run: "() => { throw Symbol('x') }", codes: ["plugin_threw"] },
  { what: "throwing what has a looping text", run: "() => { throw { [Symbol.toPrimitive]() { for (;;); } } }", codes: ["plugin_threw", ...SLICE] },
  {
    what: "an error with a looping message",
    run: "() => { const e = new Error(); Object.defineProperty(e, 'message', { get() { for (;;); } }); throw e }",
    codes: SLICE,
  },
  {
    what: "an error with a looping stack",
    run: "() => { const e = new Error(); Object.defineProperty(e, 'stack', { get() { for (;;); } }); throw e }",
    codes: SLICE,
  },
  { what: "a stack trace that loops", run: "() => { Error.prepareStackTrace = () => { for (;;); }; throw new Error('x') }", codes: SLICE },
  { what: "a 20 MB message", run: "() => { throw new Error('x'.repeat(2e7)) }", codes: ["plugin_threw"] },
  { what: "a deep answer", run: "() => { let a = {}; for (let i = 0; i < 1e5; i++) a = { a }; return a }", codes: ["wrong_answer"] },
  {
    what: "a lost rejection whose message loops",
    run: "(prev, v) => { Promise.reject({ get message() { for (;;); } }); return v }",
    codes: ["slice_overrun"],
  },
  { what: "prev without end", run: "async (prev, v) => { for (;;) try { await prev(v) } catch {} }", codes: SLICE },
  { what: "requests without end", run: "async () => { for (;;) api.store.get('x').catch(() => {}) }", codes: SLICE },
  { what: "log lines without end", run: "() => { for (;;) console.log('x'.repeat(1e4)) }", codes: SLICE },
];

/** These must be harmless: the layer answers and the next plugin is as it was. */
const pollution = [
  "Object.prototype.toJSON = () => 'polluted'",
  "Object.defineProperty(Object.prototype, 'json', { set() { throw 1 }, get() { return 'x' }, configurable: true })",
  "Object.defineProperty(Array.prototype, '0', { set() { throw 1 }, configurable: true })",
  "Array.prototype.push = Array.prototype.map = Array.prototype[Symbol.iterator] = () => { throw 1 }",
  "Promise.prototype.then = () => { throw 1 }; Promise.resolve = () => { throw 1 }",
  "Object.defineProperty(Promise.prototype, 'constructor', { get() { throw 1 } })",
  "JSON.stringify = () => '\"hacked\"'; JSON.parse = () => ({ hacked: true })",
  "String.prototype.slice = String.prototype.startsWith = () => { throw 1 }",
  "Function.prototype.call = Function.prototype.bind = Function.prototype.apply = () => { throw 1 }",
  "globalThis.Object = globalThis.Array = globalThis.Promise = globalThis.WeakMap = undefined",
  "Object.prototype.__proto__ = null; Object.prototype.hidden = 1; Object.prototype.deny = true",
  "Error.prototype.toString = () => { throw 1 }; Error.captureStackTrace = undefined",
];

for (const [version, execPath] of [
  ["Node 26", node26],
  ["Node 24", node24],
] as const) {
  describe(`a hostile plugin on ${version}`, () => {
    const rig = openRig({ execPath });
    let count = 0;

    it("has an innocent neighbour", async () => {
      await rig.add("innocent", layer("async (prev, v) => ({ ...(await prev(v)), ok: 1 })"));
      expect((await rig.chain(["innocent"], {})).made).toEqual({ ok: 1 });
    });

    it.each([...loops, ...bombs, ...answers])("$what ends alone", async ({ run, codes, before = "" }) => {
      const name = `hostile${++count}`;
      await rig.add(name, layer(run), { before });
      const began = performance.now();
      const attack = rig.chain([name, "innocent"], { a: 1 });
      const meanwhile = await rig.chain(["innocent"], { b: 1 });
      expect(meanwhile.records).toMatchObject([{ plugin: "innocent", outcome: "changed" }]);
      const result = await attack;
      expect(result.records.map(({ outcome }) => outcome)).toEqual(["skipped", "changed"]);
      expect(codes).toContain(result.records[0]!.failure!.code);
      expect(result.made).toEqual({ a: 1, ok: 1 });
      expect(performance.now() - began).toBeLessThan(5_000);
      const blocked = result.records[0]!.failure!.code;
      expect(blocked).not.toBe("internal");
    });

    it.each(pollution)("%s harms nobody else", async (pollute) => {
      const name = `polluter${++count}`;
      await rig.add(name, layer(`async (prev, v) => { ${pollute}; return prev({ b: 1 }) }`));
      const result = await rig.chain([name, "innocent"], { a: 1 });
      expect(result.records[1]).toMatchObject({ plugin: "innocent", outcome: "changed" });
      expect([
        { b: 1, ok: 1 },
        { a: 1, ok: 1 },
      ]).toContainEqual(result.made);
      expect((await rig.chain(["innocent"], {})).made).toEqual({ ok: 1 });
    });

    it("was never disabled for what others did, and the runners in use are few", () => {
      expect(rig.isolates.disabled("innocent")).toBeUndefined();
      expect(rig.events.filter((event) => event.kind === "strike" && event.plugin === "innocent")).toEqual([]);
      expect(rig.isolates.runners().length).toBeLessThanOrEqual(2);
    });
  });
}
