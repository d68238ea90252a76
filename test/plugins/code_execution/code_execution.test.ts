import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestHost, type TestOptions, testHost } from "mortise/testing";
import { afterEach, describe, expect, it } from "vitest";
import { echo, fails, named } from "../../support/native-tools.ts";
import { waitUntil } from "../../support/wait-until.ts";

let host: TestHost | undefined;
const start = async (options: TestOptions = {}) => {
  host = await testHost({ tools: [echo, fails], ...options });
  return host;
};
afterEach(async () => {
  await host?.close();
  host = undefined;
});

const run = (test: TestHost, code: string, more: Record<string, unknown> = {}, request = {}) =>
  test.call("code_execution", { code, ...more }, request);

describe("code_execution", () => {
  it("gives what is printed, and the value at the end", async () => {
    const t = await start();
    expect(await run(t, 'console.log("one", { a: 1 }, [1, "2"]);\nconsole.error("two");\n1 + 1')).toMatchObject({
      isError: false,
      ran: true,
      code: null,
      text: 'one {"a":1} [1,"2"]\ntwo\nreturn: 2',
    });
    for (const [code, text] of [
      ["let a = 1;", "(no output)"],
      ["return 7", "return: 7"],
      ["if (true) {\n  5\n}", "(no output)"],
      ["const f = () => 3\nf()", "return: 3"],
      ["undefined", "(no output)"],
      ["({ a: [1, 2], f() {}, n: 5n })", 'return: {"a":[1,2],"f":"[function]","n":"5n"}'],
      ["new Map([[1, new Set([2])]])", "return: [[1,[2]]]"],
      ["const c: any = {}; c.c = c; c", "return: [an object that cannot be shown"],
      ["null", "return: null"],
      ["const t = `\n  return (1);\n`; t.length", "return: 15"],
    ]) {
      expect((await run(t, code ?? "")).text, code).toContain(text);
    }
  });

  it("takes TypeScript, and says where what is neither is wrong", async () => {
    const t = await start();
    const typed =
      "interface A { n: number }\nenum E { X = 4 }\nconst a: A = { n: E.X };\nconst twice = <T,>(x: T): T[] => [x, x];\ntwice(a.n satisfies number)";
    expect((await run(t, typed)).text).toBe("return: [4,4]");
    // What is both is JavaScript.
    expect((await run(t, "const [f, a, b, c, d] = [(x, y) => [x, y], 1, 2, 3, 4];\nf(a < b, c > (d))")).text).toBe("return: [true,false]");
    expect(await run(t, "const a = 1;\n  const b = ;")).toMatchObject({ isError: true });
    expect((await run(t, "const a = 1;\n  const b = ;")).text).toBe(
      '[The code could not be read at line 2, column 13: Unexpected ";". Nothing was run]',
    );
    expect((await run(t, "if (true) {")).text).toMatch(/^\[The code could not be read at line 1, column 12: /);
    expect((await run(t, 'import fs from "node:fs"')).text).toContain("modules cannot be imported or exported here");
  });

  it("calls tools by name, gives their whole text, and throws what they fail with", async () => {
    const t = await start();
    await writeFile(join(t.folder, "a.txt"), "line\n".repeat(3_000));
    expect((await run(t, 'const text = await tools.read({ path: "a.txt", limit: 1 });\nawait read({ path: "a.txt", limit: 1 }) === text')).text).toBe(
      "return: true",
    );
    expect((await run(t, '(await tools.bash({ command: "seq 1 30000" })).split("\\n").length')).text).toBe("return: 30000");
    expect((await run(t, "await tools.echo()")).text).toBe("return: {}");
    expect((await run(t, 'console.log("before");\nawait tools.fails({})')).text).toMatch(
      /^before\n\[The code failed at line 2, column \d+: It did not work\. Above is what was printed before\]$/,
    );
    expect((await run(t, "try { await fails({}) } catch (e) { e.message }\n0")).isError).toBe(false);
    for (const args of ['"a.txt"', "[1]", "1", "{}, {}", "null"]) {
      expect((await run(t, `await tools.echo(${args})`)).text, args).toContain("echo takes one object, as echo({ ... })");
    }
    expect((await run(t, "await tools.nothing({})")).text).toMatch(/tools.nothing is not a function. There is .*echo/);
  });

  it("keeps what others gave where one fails", async () => {
    const t = await start();
    expect(
      (
        await run(
          t,
          "const all = await Promise.allSettled([echo({ a: 1 }), fails({}), echo({ a: 2 })]);\nall.map((one) => one.value ?? one.reason.message)",
        )
      ).text,
    ).toBe('return: ["{\\"a\\":1}","It did not work.","{\\"a\\":2}"]');
    expect((await run(t, "await Promise.all([echo({}), fails({})])")).text).toContain("Promise.allSettled keeps the results");
  });

  it("does not count the time of tools and persons", async () => {
    const slow = named("slow", async () => {
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      return "slow";
    });
    const t = await start({
      tools: [slow],
      answer: async () => {
        await new Promise((resolve) => setTimeout(resolve, 1_500));
        return { decision: "allow" };
      },
    });
    expect((await run(t, 'await slow({}); await bash({ command: "touch made; echo ok" })', { timeout: 1 })).text).toBe("return: ok");
    expect(t.prompts).toHaveLength(1);
  }, 30_000);

  it("judges, asks about and denies each call as its own", async () => {
    const t = await start({
      answer: ({ scopes }) => ({ decision: scopes.some(({ text }) => text.includes("two")) ? "deny" : "allow" }),
    });
    const { text, permission } = await run(
      t,
      'for (const name of ["one", "two"]) {\n  await bash({ command: `touch ${name}` }).catch((e) => console.log(e.message.slice(0, 30)));\n}',
    );
    expect(permission.scopes).toEqual([]);
    expect(t.prompts.map(({ scopes }) => scopes.map((scope) => scope.text))).toEqual([["touch one"], ["touch two"]]);
    expect(text).toContain("did not allow");
    expect([existsSync(join(t.folder, "one")), existsSync(join(t.folder, "two"))]).toEqual([true, false]);
  });

  it("offers and calls only what is for code, and for its caller", async () => {
    const t = await start({
      tools: [
        named("both", () => "seen"),
        named("main_only", () => "seen", { audiences: ["main"] }),
        named("code_main", () => "seen", { audiences: ["main", "code"] }),
      ],
    });
    const listed = async (audience: "main" | "research") =>
      (await t.definitions(audience)).find(({ name }) => name === "code_execution")?.description.match(/(?<=^tools\.)\w+/gm);
    expect(await listed("main")).toEqual(expect.arrayContaining(["both", "code_main", "read", "bash"]));
    expect(await listed("main")).not.toContain("main_only");
    expect(await listed("main")).not.toContain("code_execution");
    expect(await listed("main")).not.toContain("batch");
    expect(await listed("research")).not.toContain("code_main");
    expect((await run(t, "[typeof tools.both, typeof tools.main_only, typeof tools.batch, typeof tools.code_main]")).text).toBe(
      'return: ["function","undefined","undefined","function"]',
    );
    expect((await run(t, "typeof tools.code_main", {}, { audience: "research" })).text).toBe("return: undefined");
    expect(await run(t, "1", {}, { audience: "code" })).toMatchObject({ code: "not_in_audience" });
  });

  it("describes each function with its parameters, anew for each request", async () => {
    const t = await start();
    const text = async () => (await t.definitions("main")).find(({ name }) => name === "code_execution")?.description ?? "";
    expect(await text()).toContain("tools.read({ path: string, offset?: number, limit?: number, column?: number })");
    expect(await text()).not.toContain("tools.later");
    await t.load({
      name: "later",
      source: `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "later" }, (api) => api.registerTool({ name: "later", description: "x", input: { type: "object", properties: { of: { enum: ["a", "b"] }, list: { type: "array", items: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] } } }, required: ["of"] }, scopes: "none", run: () => "later" }));`,
    });
    expect(await text()).toContain('tools.later({ of: "a" | "b", list?: { n: number }[] })');
    expect((await run(t, "await later({ of: 'a' })")).text).toBe("return: later");
  });

  it("redacts what it prints, also while it runs", async () => {
    const t = await start({
      plugins: [
        {
          name: "hides",
          source: `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "hides", steer: ["tool.*.output"] }, (api) => { api.redact((text) => text.replaceAll("hunter2", "[redacted]")); });`,
        },
      ],
    });
    const record = await run(t, 'console.log("hunt" + "er2"); console.log(await echo({ a: "hunt" + "er2" }));\n"hunter2"');
    expect(record.text).toBe('[redacted]\n{"a":"[redacted]"}\nreturn: [redacted]');
    expect(JSON.stringify(record)).not.toContain("hunter2");
    expect(t.shown.join("")).toContain("[redacted]");
    expect(t.shown.join("")).not.toContain("hunter2");
  });

  it.each([
    ["for (;;) {}", "ended after its 1 s", "deadline_passed"],
    ["for (;;) await null;", "ended after its 1 s", "deadline_passed"],
    ["const spin = () => setTimeout(spin, 1); spin(); await new Promise(() => {});", "ended after its 1 s", "deadline_passed"],
    ["(function f() { Promise.resolve().then(f); })();\nawait new Promise(() => {});", "ended after its 1 s", "deadline_passed"],
    ["await new Promise(() => {});", "nothing will settle", null],
    ["await { then() {} };", "nothing will settle", null],
    ["const all = []; for (;;) all.push(new Array(10_000).fill(all.length));", "more than 64 MB", null],
    ["const map = new Map(); for (let i = 0; ; i++) map.set(i, { i });", "The code was ended", undefined],
    ['let s = "x"; for (;;) { s += s; s.at(-1); }', "The code", null],
    ["const all = []; for (;;) all.push(new ArrayBuffer(10_000_000));", "The code", null],
    ['for (;;) console.log("y".repeat(100_000));', "printed more than", null],
    ['for (;;) try { console.log("y".repeat(1_000_000)); } catch {}', "The code was ended", "deadline_passed"],
    ["/(a+)+$/.test(`${'a'.repeat(60)}b`);", "ended after its 1 s", "deadline_passed"],
    ['throw new Error("thrown");', "The code failed at line 2, column 7: thrown", null],
    ["throw null;", "The code failed: null", null],
    ["throw { get message() { for (;;) {} } };", "ended after its 1 s", "deadline_passed"],
    ["(function f() { f(); })();", "The code failed at line 2", null],
  ] as const)("ends %s with a sentence, and keeps what was printed", { timeout: 60_000 }, async (code, says, kind) => {
    const t = await start();
    const record = await run(t, `console.log("first"); console.log("second");\n${code}`, { timeout: 1 });
    expect(record, record.text.slice(-300)).toMatchObject({ isError: true, ...(kind === undefined ? {} : { code: kind }) });
    expect(record.text).toMatch(/^first\nsecond\n/);
    expect(record.text.slice(-600)).toContain(says);
    expect(record.text.length).toBeLessThan(60_000);
    // Nobody else is touched, and the next code runs.
    expect((await run(t, "await echo({ still: 1 })")).text).toBe('return: {"still":1}');
    expect(t.logs.filter(({ level }) => level === "error" || level === "warn")).toEqual([]);
  });

  it("says of rejections that nobody handled, and of what was not awaited", async () => {
    const t = await start({ tools: [named("never", () => new Promise<string>(() => {})), echo, fails] });
    expect((await run(t, 'console.log("a"); Promise.reject(new Error("lost")); await echo({});\n1')).text).toBe(
      "a\nreturn: 1\n[A promise was rejected and nobody handled it: lost]",
    );
    const late = await run(t, 'setTimeout(() => console.log("late"), 50); never({}); never({}).then(() => console.log("late"));\n"end"');
    expect(late.text).toBe(
      "return: end\n[2 calls of tools had not ended and were cancelled; await each. They may have had effects]\n[1 timer had not fired and will not; await what they are for]",
    );
    await run(t, 'setTimeout(() => bash({ command: "touch late" }), 1);\n"end"');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(existsSync(join(t.folder, "late"))).toBe(false);
  });

  it("ends when it is cancelled, with what it printed and all that it started", async () => {
    const t = await start();
    const stop = new AbortController();
    const running = run(t, 'console.log("begun");\nawait bash({ command: "echo $$ > pid; sleep 60" })', {}, { signal: stop.signal });
    await waitUntil(() => existsSync(join(t.folder, "pid")));
    await waitUntil(async () => (await readFile(join(t.folder, "pid"), "utf8")) !== "");
    const pid = Number(await readFile(join(t.folder, "pid"), "utf8"));
    stop.abort();
    expect(await running).toMatchObject({
      isError: true,
      code: "cancelled",
      text: "begun\n[The code was ended, since its call was cancelled or had no time left. Above is what was printed before]",
    });
    await waitUntil(() => !existsSync(`/proc/${pid}`));
    const spinning = new AbortController();
    setTimeout(() => spinning.abort(), 500);
    const began = performance.now();
    expect(await run(t, 'console.log("begun"); for (;;) {}', { timeout: 600 }, { signal: spinning.signal })).toMatchObject({ code: "cancelled" });
    expect(performance.now() - began).toBeLessThan(10_000);
  }, 30_000);

  it("says that the whole call ended, where its time is up", async () => {
    const t = await start();
    const record = await run(t, 'console.log("begun"); await bash({ command: "sleep 30" });', {}, { timeoutMs: 2_000 });
    expect(record).toMatchObject({ isError: true, code: "deadline_passed" });
    expect(record.text).toBe("begun\n[The code was ended, since its call was cancelled or had no time left. Above is what was printed before]");
  });

  it("begins anew each time, in a process of its own", async () => {
    const t = await start();
    await run(t, "globalThis.kept = 1; Array.prototype.kept = 1; Object.prototype.kept = 1;\n1");
    expect((await run(t, "[typeof kept, [].kept, ({}).kept]")).text).toBe('return: ["undefined",null,null]');
    const running = run(t, "await bash({ command: 'sleep 1; echo done' })");
    await waitUntil(() => t.runners().some(({ own, plugins }) => own && plugins.length === 0));
    expect((await running).text).toBe("return: done");
    await waitUntil(() => t.runners().every(({ own }) => !own));
  });

  it("runs 10,000 calls at once a few at a time", async () => {
    let open = 0;
    let most = 0;
    const t = await start({
      tools: [
        named("counts", async (input) => {
          most = Math.max(most, ++open);
          await new Promise((resolve) => setImmediate(resolve));
          open--;
          return String(input.n);
        }),
      ],
    });
    const { text } = await run(
      t,
      "const all = await Promise.all(Array.from({ length: 10_000 }, (_, n) => counts({ n })));\n[all.length, all[9_999]]",
    );
    expect(text).toBe('return: [10000,"9999"]');
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(16);
  }, 120_000);

  it("takes results of 8 MB", async () => {
    const t = await start({ tools: [named("wide", () => "w".repeat(8_000_000)), echo] });
    expect((await run(t, "let n = 0; for (let i = 0; i < 5; i++) n += (await wide({})).length;\nn")).text).toBe("return: 40000000");
    const record = await run(t, "console.log(await wide({}))");
    expect(record.cut?.bytes).toBeGreaterThan(7_000_000);
    expect(await run(t, "await echo({ text: 'x'.repeat(30_000_000) })")).toMatchObject({ isError: true });
  }, 60_000);
});

describe("code that tries to get out", () => {
  it.each([
    ['this.constructor.constructor("return typeof process + typeof require")()', "undefinedundefined"],
    ['tools.echo.constructor("return typeof process + typeof require")()', "undefinedundefined"],
    ['console.log.constructor("return typeof process")()', "undefined"],
    ['(async () => {}).constructor("return typeof process")()', "undefined"],
    ['await import("node:fs").then(() => "in", () => "refused")', "refused"],
    ['await import("data:text/javascript,1").then(() => "in", () => "refused")', "refused"],
    ["Error.prepareStackTrace = (_, frames) => frames.map((f) => typeof f.getThis?.() + typeof f.getFunction?.()).join(); new Error().stack", ""],
    ["Error.prepareStackTrace = () => { throw 1 }; await tools.fails({}).catch((e) => e.message)", "It did not work."],
    ["typeof WebAssembly + typeof SharedArrayBuffer + typeof Atomics", "undefinedundefinedundefined"],
    ["Object.keys(globalThis).length + Reflect.ownKeys(globalThis).filter((k) => String(k).includes('mortise')).length", "0"],
    ["Reflect.ownKeys(tools.echo).filter((k) => !['length', 'name', 'prototype'].includes(k)).length", "0"],
    ["Object.isFrozen(tools) && Object.getPrototypeOf(tools) === null", "true"],
    // What the code overrides harms itself alone.
    ["Promise.prototype.then = function () { throw new Error('mine') }; const r = tools.echo({ a: 1 }); r instanceof Promise", "mine"],
    ['JSON.stringify = () => \'["bash",{"command":"touch made"}]\'; await tools.echo({ a: 1 })', '{"a":1}'],
    ["JSON.parse = () => ({ text: 'forged', isError: false }); await tools.echo({ a: 1 })", '{"a":1}'],
    ["Array.prototype.push = Array.prototype.map = () => { throw new Error('mine') }; await tools.echo({ a: [1] })", '{"a":[1]}'],
    ["Object.defineProperty(Object.prototype, 'toJSON', { value: () => ({ b: 2 }) }); await tools.echo({ a: 1 })", '{"b":2}'],
    ["Object.defineProperty(Array.prototype, 0, { set() { throw new Error('mine') } }); await tools.echo({ a: 1 })", '{"a":1}'],
    ["await tools.echo({ get a() { return 1 } })", '{"a":1}'],
    ["await tools.echo(new Proxy({ a: 1 }, {}))", '{"a":1}'],
    ["await tools.echo({ [Symbol('a')]: 1, b: 2 })", '{"b":2}'],
    ["await tools.echo({ a: { then(ok) { ok(3) } } })", '{"a":{}}'],
    ['await tools.echo(JSON.parse(\'{"__proto__":{"bad":1},"constructor":{"prototype":{"bad":1}}}\'))', '"bad":1'],
    ["new Proxy({}, { get() { throw new Error('no') } })", "The code failed"],
    ["new Proxy({}, { getPrototypeOf() { throw new Error('no') } })", "cannot be shown"],
    ["({ then(ok) { ok('thenable') } })", "thenable"],
    ["Symbol('s')", "Symbol(s)"],
  ])("%s", async (code, gives) => {
    const t = await start();
    const { text } = await run(t, code, { timeout: 5 });
    expect(text).toContain(gives);
    expect(text).not.toMatch(/\/(work|tmp|home)\/|runner\.cjs/);
    expect(existsSync(join(t.folder, "made"))).toBe(false);
    expect(({} as Record<string, unknown>).bad).toBeUndefined();
  });

  it("takes inputs that cannot be sent as failures of that call", async () => {
    const t = await start();
    for (const input of [
      "{ get a() { throw new Error('mine') } }",
      "{ a: 1n }",
      "(() => { const c = {}; c.c = c; return c })()",
      "(() => { let d = {}; for (let i = 0; i < 5000; i++) d = { d }; return d })()",
    ]) {
      const record = await run(t, `await tools.echo(${input})`);
      expect(record.isError, input).toBe(true);
      expect(record.text, input).toMatch(/^\[The code failed/);
      expect(record.text, input).not.toMatch(/plugin|slot/);
    }
    const spin = await run(t, "await tools.echo({ get a() { for (;;) {} } })", { timeout: 1 });
    expect(spin).toMatchObject({ code: "deadline_passed" });
  });

  it("takes code of any size and depth", async () => {
    const t = await start();
    for (const [code, says] of [
      ["x".repeat(2_000_000), "at most 1000000 are taken"],
      ["(".repeat(100_000), "The code could not be read"],
      [`${"[".repeat(50_000)}${"]".repeat(50_000)}`, "The code"],
      [`${"1 + ".repeat(100_000)}1`, "return: 100001"],
      [`"${"x".repeat(900_000)}".length`, "return: 900000"],
      ["a\u0000b", "The code"],
      ["\ud800", "The code"],
      ["}); globalThis.out = 1; (async () => {", ""],
      ["//", "(no output)"],
      ["/*", "The code could not be read"],
    ]) {
      const { text } = await run(t, code ?? "", { timeout: 5 });
      expect(text.slice(0, 500), code?.slice(0, 40)).toContain(says);
    }
    for (const input of [{}, { code: "" }, { code: 1 }, { code: "1", timeout: 0 }, { code: "1", timeout: 601 }, { code: ["1"] }]) {
      expect(await t.call("code_execution", input)).toMatchObject({ isError: true, ran: false, code: "invalid_input" });
    }
  }, 120_000);
});
