import { describe, expect, it } from "vitest";
import { openRig } from "../../core/isolate/support.ts";

/** Ways out of an isolate: each tries to reach `process` or `require`, and must not. */
const reach = (from: string) =>
  `(() => { try { const f = ${from}; return [typeof f("return typeof process")(), f("return typeof process")(), f("return typeof require")(), f("return typeof globalThis")()] } catch (e) { return String(e && e.message) } })()`;
const none = ["string", "undefined", "undefined", "object"];

describe("plugin code", () => {
  const rig = openRig();
  const run = async (expression: string): Promise<unknown> => {
    await rig.add(
      "plugin",
      `api.registerTool({ name: "t", description: "d", input: { type: "object" }, scopes: "none", run: async (input, call) => JSON.stringify([await (${expression})]) });`,
      {
        definition: "capabilities: { fs_read: true, run: true }",
      },
    );
    const result = await rig.invoke("plugin", "tool", [{ a: { b: 1 } }, { toolId: "1" }]);
    if (!result.ok) throw new Error(result.failure.message);
    return (JSON.parse((result.made as { text: string }).text) as unknown[])[0];
  };

  it.each([
    "this.constructor.constructor",
    "globalThis.constructor.constructor",
    "api.constructor.constructor",
    "api.fs.read.constructor",
    "api.log.info.constructor",
    "console.log.constructor",
    "setTimeout.constructor",
    "URL.constructor",
    "crypto.randomUUID.constructor",
    "structuredClone.constructor",
    "call.write.constructor",
    "call.signal.constructor.constructor",
    "input.constructor.constructor",
    "input.a.constructor.constructor",
    "(async () => {})().constructor.constructor",
    "new Error().constructor.constructor",
    "api.store.get('x').constructor.constructor",
    "Object.getPrototypeOf(async function () {}).constructor",
    "Object.getOwnPropertyDescriptor(URL.prototype, 'href').get.constructor",
  ])("finds its own globals behind %s", async (from) => {
    const own = await run(reach(from));
    if (from.includes("async function")) expect(String(own)).not.toContain("object,undefined");
    else expect(own).toEqual(none);
  });

  it("finds no function of the prelude in a stack trace", async () => {
    const frames = await run(`(() => {
      const seen = [];
      const grab = () => { for (const site of new Error().stack) if (String(site.getFileName()).includes("mortise")) seen.push([typeof site.getThis(), typeof site.getFunction()]); return "http://x/" };
      Error.prepareStackTrace = (_, sites) => sites;
      new URL({ toString: grab });
      new URLSearchParams([[{ toString: grab }, "x"]]);
      structuredClone({ get a() { return grab() } });
      console.log({ toJSON: grab });
      api.store.set("k", { toJSON: grab });
      Error.prepareStackTrace = undefined;
      return seen;
    })()`);
    expect(frames).not.toEqual([]);
    for (const frame of frames as unknown[]) expect(frame).toEqual(["undefined", "undefined"]);
  });

  it("cannot speak for another call or forge what it says to the runner", async () => {
    expect(
      await run(
        `(() => { const seen = []; for (const name of Object.getOwnPropertyNames(globalThis)) if (/mortise|turn|bridge|ivm|host/i.test(name)) seen.push(name); return seen })()`,
      ),
    ).toEqual([]);
  });

  it("cannot import, nor name a module", async () => {
    expect(await run("import('node:fs').then(() => 'imported', () => 'refused')")).toBe("refused");
    expect(await run("(async () => { try { return typeof (0, eval)('require') } catch { return 'refused' } })()")).toBe("refused");
  });

  it("with species and thenables of its own stays inside", async () => {
    expect(
      await run(`(async () => { class Mine extends Promise { static get [Symbol.species]() { return function (run) { run(() => {}, () => {}); return { then() {} } } } }
        const p = Mine.resolve(1); try { p.then(() => {}) } catch {} ; const v = await api.store.get('x').then.call(Promise.resolve(5), (x) => x); return v })()`),
    ).toBe(5);
  });
});
