import { describe, expect, it } from "vitest";
import { openRig } from "../../core/isolate/support.ts";

/** Runs an expression in an isolate and here, where Node has the same globals. */
describe("the globals of an isolate", () => {
  const rig = openRig();
  const inIsolate = async (expression: string): Promise<unknown> => {
    await rig.add("plugin", `api.registerCommand({ name: "c", description: "d", run: async () => JSON.stringify([await (${expression})]) });`);
    const result = await rig.invoke("plugin", "command", [""]);
    if (!result.ok) throw new Error(result.failure.message);
    return (JSON.parse(String(result.made)) as unknown[])[0];
  };
  const here = async (expression: string): Promise<unknown> =>
    (JSON.parse(JSON.stringify([await new Function(`return (${expression})`)()])) as unknown[])[0];

  it.each([
    "new URL('https://user:pw@example.com:8080/a/../b?x=1&y=%20z#h').href",
    "(() => { const u = new URL('../c?d', 'https://example.com/a/b'); u.searchParams.append('e', 'f g&ü'); u.hash = 'x'; u.port = '81'; return [u.href, u.origin, u.search, u.host, String(u), JSON.stringify({ u })] })()",
    "(() => { try { new URL('nope') } catch (e) { return e.name } })()",
    "[URL.canParse('a:b'), URL.canParse('//x'), URL.parse('nope'), URL.parse('http://x').href]",
    "(() => { const u = new URL('http://x/?a=1'); u.search = '?b=2'; u.searchParams.delete('b'); return [u.href, u.searchParams.get('a')] })()",
    "[...new URLSearchParams('?a=1&b=%C3%BC&a=2+3&c')]",
    "new URLSearchParams({ a: 'x y', b: '*-._~', c: 'é😀' }).toString()",
    "new URLSearchParams([['b', '1'], ['a', '2'], ['b', '3']]).getAll('b')",
    "(() => { const p = new URLSearchParams('b=1&a=2&b=3'); p.set('b', '9'); p.sort(); return [p.toString(), p.has('a'), p.has('a', '3'), p.size, [...p.keys()], p.get('z')] })()",
    "Array.from(new TextEncoder().encode('aé€😀\\ud800'))",
    "new TextEncoder().encodeInto('a€b', new Uint8Array(3))",
    "new TextDecoder().decode(new Uint8Array([0xef, 0xbb, 0xbf, 0x61, 0xff, 0xe2, 0x82, 0xac, 0xe2, 0x82, 0x62, 0xf0, 0x9f, 0x98, 0x80, 0xc0, 0x80, 0xed, 0xa0, 0x80]))",
    "(() => { try { new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([0xff])) } catch (e) { return e.name } })()",
    "(() => { const d = new TextDecoder(); return d.decode(new Uint8Array([0xe2, 0x82]), { stream: true }) + d.decode(new Uint8Array([0xac, 0x61])) })()",
    "btoa('hello\\xff') + atob('aGVsbG8=') + atob(' aGV sbG8 ') + btoa('') + btoa('a') + btoa('ab')",
    "[(() => { try { atob('a') } catch { return 'no' } })(), (() => { try { btoa('€') } catch { return 'no' } })()]",
    "(() => { const a = { d: new Date(0), m: new Map([[1, { x: 1 }]]), s: new Set([1]), r: /x/g, b: new Uint8Array([1, 2]), e: new RangeError('m'), u: undefined, n: [1,,2] }; a.self = a; const c = structuredClone(a); return [c.self === c, c !== a, c.d.getTime(), [...c.m], [...c.s], String(c.r), [...c.b], c.b !== a.b, c.e.message, 'u' in c, c.n.length, 1 in c.n] })()",
    "(() => { try { structuredClone({ f() {} }) } catch { return 'no' } })()",
    'Object.getPrototypeOf(structuredClone(JSON.parse(\'{"__proto__":{"x":1}}\'))) === Object.prototype',
    "(() => { const c = new AbortController(); const seen = []; c.signal.addEventListener('abort', (e) => seen.push(e.type)); c.signal.onabort = () => seen.push('on'); c.abort('why'); c.abort('again'); return [seen.sort(), c.signal.aborted, c.signal.reason] })()",
    "(() => { try { AbortSignal.abort('x').throwIfAborted() } catch (e) { return e } })()",
    "(() => { const a = new AbortController(); const any = AbortSignal.any([a.signal, new AbortController().signal]); a.abort(1); return [any.aborted, any.reason] })()",
    "new Promise((ok) => { const seen = []; setTimeout((a, b) => { seen.push(a + b); }, 1, 1, 2); const i = setInterval(() => { seen.push('i'); if (seen.length > 3) { clearInterval(i); ok(seen[0] === 3 || seen.includes(3)) } }, 2); clearTimeout(setTimeout(() => seen.push('never'), 1)); })",
    "(async () => { const seen = []; queueMicrotask(() => seen.push(1)); await null; await null; return seen })()",
    "crypto.randomUUID().length",
    "typeof crypto.randomUUID() + /^[0-9a-f]{8}-[0-9a-f]{4}-4/.test(crypto.randomUUID())",
  ])("agree with Node on %s", async (expression) => {
    expect(await inIsolate(expression)).toEqual(await here(expression));
  });

  it("are those that sdk/globals.d.ts declares, and none that escape a turn", async () => {
    expect(
      await inIsolate(
        "['WebAssembly', 'SharedArrayBuffer', 'Atomics', 'FinalizationRegistry', 'process', 'require', 'fetch', 'Buffer', 'global', 'performance', 'mortise:turn', 'mortise:bridge', 'mortise:tables', 'mortise:describer'].filter((name) => name in globalThis)",
      ),
    ).toEqual([]);
  });

  it("have no buffers that grow beyond what was counted", async () => {
    expect(
      await inIsolate(
        "[new ArrayBuffer(8, { maxByteLength: 1e9 }).resizable, 'resize' in ArrayBuffer.prototype, 'transfer' in ArrayBuffer.prototype, new Uint8Array(1).buffer.constructor === ArrayBuffer, new (new Uint8Array(1).buffer.constructor)(8, { maxByteLength: 16 }).resizable, Reflect.construct(ArrayBuffer, [8, { maxByteLength: 16 }], Object).resizable ?? null, new ArrayBuffer(8).slice(2).byteLength, new (class extends ArrayBuffer {})(4, { maxByteLength: 9 }).resizable]",
      ),
    ).toEqual([false, false, false, true, false, null, 6, false]);
  });
});
