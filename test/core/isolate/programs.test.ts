import { describe, expect, it } from "vitest";
import type { ProgramRequest } from "../../../core/isolate/isolates.ts";
import { openRig } from "./support.ts";

const rig = openRig({ spare: false });

const run = async (code: string, more: Partial<ProgramRequest> = {}) => {
  let printed = "";
  const called: [string, unknown][] = [];
  const end = await rig.isolates.program({
    script: `(async () => { ${code} })`,
    tools: [
      { name: "tool", alias: "tool" },
      { name: "a-b", alias: "a_b" },
      { name: "constructor", alias: "constructor" },
      { name: "__proto__", alias: "__proto__" },
    ],
    timeoutMs: 2_000,
    memoryMb: 64,
    call: async (name, input) => {
      called.push([name, input]);
      return { text: name, isError: false };
    },
    print: (text) => {
      printed += text;
    },
    ...more,
  });
  return { end, printed, called };
};

describe("program()", () => {
  it("runs code with tools under their names, also those that objects have", async () => {
    const { end, called } = await run(
      "return [await tool({ a: 1 }), await tools['a-b']({}), await a_b({}), await tools.constructor({}), await tools.__proto__({}), Object.keys(tools).length].join()",
    );
    expect(end).toMatchObject({ answer: { value: "tool,a-b,a-b,constructor,__proto__,4" }, late: [] });
    expect(called[0]).toEqual(["tool", { a: 1 }]);
    expect((await run("return Object.prototype.constructor === Object && Array.constructor === Function")).end).toMatchObject({
      answer: { value: "true" },
    });
  });

  it("reaches no host but by its tools", async () => {
    const before = rig.calls.length;
    const { end } = await run("return [typeof api, typeof definePlugin, typeof process, Object.keys(globalThis).length].join()");
    expect(end).toMatchObject({ answer: { value: "undefined,undefined,undefined,0" } });
    expect(rig.calls.length).toBe(before);
  });

  it("leaves no runner, whatever became of it", async () => {
    await Promise.all([run("return 1"), run("for (;;) {}", { timeoutMs: 200 }), run("await new Promise(() => {})"), run("throw 1")]);
    await expect.poll(() => rig.isolates.runners().filter(({ own }) => own)).toEqual([]);
  });

  it("stands in nobody's way: plugins answer while it spins", async () => {
    await rig.add("quick", 'api.registerTool({ name: "t", description: "x", input: { type: "object" }, scopes: "none", run: () => "quick" });');
    const spins = run("for (;;) {}", { timeoutMs: 1_500 });
    let over = false;
    void spins.then(() => {
      over = true;
    });
    expect((await rig.invoke("quick", "tool", [{}, { toolId: "t" }])).ok).toBe(true);
    expect(over).toBe(false);
    expect((await spins).end).toMatchObject({ code: expect.stringMatching(/^(slice|budget)_overrun$/) });
    expect(rig.events.filter(({ kind }) => kind !== "log")).toEqual([]);
  });

  it("keeps what was printed where the process dies", async () => {
    const { end, printed } = await run("console.log('one'); console.log('two'); const m = new Map(); for (let i = 0; ; i++) m.set(i, {});", {
      timeoutMs: 20_000,
    });
    expect(printed).toBe("one\ntwo\n");
    expect(end).toHaveProperty("code");
  }, 40_000);
});
