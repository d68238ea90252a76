import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createIsolates } from "../../../core/isolate/create-isolates.ts";
import { pack } from "../../../sdk/wire.ts";
import { layer, limits, node24, openRig, scriptOf } from "./support.ts";

/** Ends the whole runner: native code that nothing but a kill stops. */
const killer = "Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)";
const passing = layer("async (prev, v) => ({ ...(await prev(v)), ok: 1 })");

const alive = (pid: number): boolean => {
  try {
    // A process that has ended but was not waited for yet is a zombie.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};

async function until(condition: () => boolean): Promise<void> {
  for (const end = performance.now() + 10_000; performance.now() < end; await new Promise((resolve) => setTimeout(resolve, 10))) {
    if (condition()) return;
  }
  throw new Error("It did not come about");
}

describe("a runner that dies", () => {
  const rig = openRig();

  it("fails the guilty layer and runs the chains of others again, once, on the spare", async () => {
    await rig.add("killer", layer(`(prev, v) => { if (v.kill) ${killer}; return prev(v) }`));
    await rig.add(
      "innocent",
      `let runs = 0; ${layer("async (prev, v) => { await api.store.get('x'); return { ...(await prev(v)), runs: ++runs } }")}`,
    );
    await rig.add("stuck", layer("async (prev, v) => { await api.store.get('wait'); return { ...(await prev(v)), through: 1 } }"));
    await rig.chain(["innocent"], {});
    await until(() => rig.isolates.runners().some((runner) => runner.spare));
    const spare = rig.isolates.runners().find((runner) => runner.spare)!;
    const [attack, other] = await Promise.all([rig.chain(["killer", "innocent"], { kill: true }), rig.chain(["stuck"], { n: 1 })]);
    expect(attack.records).toMatchObject([
      { plugin: "killer", outcome: "skipped", failure: { code: "slice_overrun", plugin: "killer" } },
      { plugin: "innocent", outcome: "changed" },
    ]);
    expect(attack.made).toEqual({ kill: true, runs: 1 });
    expect(other).toMatchObject({ end: { kind: "value" }, made: { n: 1, through: 1 } });
    expect(rig.isolates.runners().find((runner) => !runner.spare)!.pid).toBe(spare.pid);
    expect(rig.events).toContainEqual(expect.objectContaining({ kind: "runner_lost", plugin: "killer" }));
    expect(rig.events).toContainEqual({ kind: "strike", plugin: "killer", code: "slice_overrun", strikes: 1 });
  });

  it("does not run a tool again", async () => {
    const body = `let calls = 0; api.registerTool({ name: "t", description: "d", input: { type: "object" }, scopes: "none", run: async () => { await api.store.get("wait"); await new Promise(() => {}) } });
      api.judge("tool.bash.input", async () => { await api.store.get("judged") });`;
    await rig.add("worker", body);
    const tool = rig.invoke("worker", "tool", [{}, {}], { windowMs: 20_000 });
    await until(() => rig.calls.some((call) => call.plugin === "worker"));
    const judge = rig.invoke("worker", "judge", [{}, {}], { handler: 1 });
    await rig.chain(["killer"], { kill: true });
    expect(await tool).toMatchObject({ ok: false, failure: { code: "runner_lost", plugin: "worker" } });
    expect(await judge).toMatchObject({ ok: true, answer: { kind: "nothing" } });
    expect(rig.calls.filter((call) => call.plugin === "worker" && call.args.json?.includes("wait")).length).toBe(1);
  });
});

describe("a runner whose V8 gives up", () => {
  const rig = openRig({ execPath: node24 });

  it("blames whoever's turn it was, not whoever holds most", async () => {
    await rig.add("large", `globalThis.kept = []; ${layer("(prev, v) => { kept.push(new Uint8Array(6e7).fill(1)); return prev(v) }")}`, {
      memoryMb: 128,
    });
    await rig.add("bomb", layer("() => { const o = {}; for (let i = 0; ; i++) o[i * 97] = 1 }"));
    await rig.add("other", passing);
    await rig.chain(["large"], {});
    // So long that memory is out before the slice is.
    const long = { windowMs: 30_000, sliceMs: 10_000, budgetMs: 10_000 };
    const [attack, other] = await Promise.all([rig.chain(["bomb"], {}, long), rig.chain(["other"], {}, long)]);
    expect(attack.records).toMatchObject([{ plugin: "bomb", outcome: "skipped" }]);
    expect(other.made).toEqual({ ok: 1 });
    expect(rig.events).toContainEqual(expect.objectContaining({ kind: "runner_lost", plugin: "bomb" }));
    expect(rig.events.filter((event) => event.kind === "strike" && event.plugin !== "bomb")).toEqual([]);
  });
});

describe("strikes", () => {
  const rig = openRig({ spare: false });
  const strike = (plugin = "bad") => rig.chain([plugin], { bad: true });

  it("move a plugin to a runner of its own after two, and disable it after two more", async () => {
    await rig.add("bad", layer("(prev, v) => { if (v.bad) for (;;); return prev(v) }"));
    await rig.add("good", passing);
    await rig.chain(["bad", "good"], {});
    expect(rig.isolates.runners().length).toBe(1);
    await strike();
    await strike();
    expect(rig.events.filter((event) => event.kind === "moved")).toEqual([{ kind: "moved", plugin: "bad" }]);
    expect((await rig.chain(["bad", "good"], {})).made).toEqual({ ok: 1 });
    expect(rig.isolates.runners().map(({ own, plugins }) => [own, plugins])).toEqual([
      [false, ["good"]],
      [true, ["bad"]],
    ]);
    await strike();
    expect(rig.isolates.disabled("bad")).toBeUndefined();
    await strike();
    expect(rig.isolates.disabled("bad")).toBe("slice_overrun");
    expect(rig.events.filter((event) => event.kind === "disabled")).toEqual([{ kind: "disabled", plugin: "bad", code: "slice_overrun" }]);
  });

  it("leave a disabled guard closed, without a process", async () => {
    await until(() => rig.isolates.runners().length === 1);
    const before = rig.isolates.sent();
    expect((await rig.chain(["!bad"], {})).end).toMatchObject({ kind: "blocked", failure: { code: "plugin_disabled", plugin: "bad" } });
    const skipped = await rig.chain(["bad"], { a: 1 });
    expect(skipped).toMatchObject({ end: { kind: "value" }, made: { a: 1 } });
    expect(skipped.records).toMatchObject([{ outcome: "skipped", failure: { code: "plugin_disabled" } }]);
    expect(await rig.invoke("bad", "judge", [{}])).toMatchObject({ ok: false, failure: { code: "plugin_disabled" } });
    expect(rig.isolates.sent()).toBe(before);
    expect(rig.isolates.runners().length).toBe(1);
    expect((await rig.chain(["bad", "good"], {})).made).toEqual({ ok: 1 });
  });

  it("end when the plugin is enabled again", async () => {
    rig.isolates.enable("bad");
    expect((await rig.chain(["!bad"], { a: 1 })).end).toEqual({ kind: "value" });
    rig.isolates.disable("bad");
    expect((await rig.chain(["!bad"], { a: 1 })).end).toMatchObject({ kind: "blocked", failure: { code: "plugin_disabled" } });
  });

  it("fail other calls of the plugin with isolate_lost, and the next one finds a new isolate", async () => {
    await rig.add(
      "shaky",
      layer(
        "async (prev, v) => { if (v.bad) { await api.store.get('x'); for (;;); } await new Promise((ok) => setTimeout(ok, 700)); return prev(v) }",
      ),
    );
    const [bad, other] = await Promise.all([strike("shaky"), rig.chain(["shaky"], {}, { windowMs: 5_000 })]);
    expect(bad.records[0]).toMatchObject({ failure: { code: "slice_overrun" } });
    expect(other.records[0]).toMatchObject({ failure: { code: "isolate_lost" } });
    expect((await rig.chain(["shaky"], {}, { windowMs: 5_000 })).records[0]).toMatchObject({ outcome: "passed" });
  });

  it("count a spent budget, over many turns that each keep their slice", async () => {
    await rig.add(
      "spender",
      layer("async (prev, v) => { for (;;) { const end = Date.now() + 60; while (Date.now() < end); await api.store.get('x') } }"),
    );
    const result = await rig.chain(["spender"], {}, { budgetMs: 300, windowMs: 10_000 });
    expect(result.records[0]).toMatchObject({ outcome: "skipped", failure: { code: "budget_overrun" } });
    expect(rig.events).toContainEqual({ kind: "strike", plugin: "spender", code: "budget_overrun", strikes: 1 });
  });
});

describe("what no call waits for", () => {
  const rig = openRig({ spare: false });

  it("has a budget too, so that timers of one plugin do not hold up the others", async () => {
    await rig.add("busy", `setInterval(() => { const end = Date.now() + 40; while (Date.now() < end); }, 1); ${passing}`);
    await rig.chain(["busy"], {});
    await until(() => rig.events.some((event) => event.kind === "strike"));
    expect(rig.events.filter((event) => event.kind === "strike")).toEqual([{ kind: "strike", plugin: "busy", code: "budget_overrun", strikes: 1 }]);
    expect((await rig.chain(["busy"], {})).made).toEqual({ ok: 1 });
  });
});

describe("memory", () => {
  const rig = openRig({ spare: false, baseMemoryMb: 80 });

  it("comes back when a plugin goes", async () => {
    await rig.add(
      "keeps",
      `const all = []; ${layer("(prev, v) => { for (let i = 0; i < 5; i++) all.push(new Array(1e6).fill(0.5)); return prev(v) }")}`,
    );
    await rig.add("stays", passing);
    await rig.chain(["keeps", "stays"], {});
    const [before] = rig.isolates.runners();
    await rig.isolates.remove("keeps");
    await until(() => rig.isolates.runners()[0]!.rssBytes < before!.rssBytes - 20e6);
    expect(rig.isolates.runners()[0]).toMatchObject({ pid: before!.pid, plugins: ["stays"] });
  });

  it("that no isolate counts is watched, and held against the plugin in whose turns it came", async () => {
    const leak =
      "for (let i = 0; i < 200; i++) all.push(new Intl.DateTimeFormat(['de', 'ja', 'ar'][i % 3], { dateStyle: 'full', timeStyle: 'full' }))";
    await rig.add("leaks", `const all = []; ${layer(`(prev, v) => { ${leak}; return prev(v) }`)}`);
    const lost = () => rig.events.filter((event) => event.kind === "runner_lost");
    for (let i = 0; i < 100 && lost().length === 0; i++) {
      await rig.chain(["leaks"], {});
      expect((await rig.chain(["stays"], {})).made).toEqual({ ok: 1 });
    }
    expect(lost()).toMatchObject([{ plugin: "leaks", code: "memory_exceeded" }]);
    expect((await rig.chain(["stays"], {})).made).toEqual({ ok: 1 });
  });
});

describe("close()", () => {
  it("leaves no process behind", async () => {
    const isolates = createIsolates({ onHostCall: async () => pack(null), onEvent: () => {} });
    const code = scriptOf("one", layer("() => new Promise(() => {})"));
    const manifest = await isolates.describe(code);
    isolates.add({ name: "one", code, manifest, options: {}, memoryMb: 64, isolation: "process" });
    const request = { ...limits, slot: "tool.bash.input", spec: "tool.*.input", value: pack({}), ctx: {}, base: "identity", callKey: "1" } as const;
    const running = isolates.chain({ ...request, layers: [{ plugin: "one", handler: 0, onFailure: "block", data: false }] });
    await until(() => isolates.runners().length === 3);
    const pids = isolates.runners().map(({ pid }) => pid);
    expect(pids.every(alive)).toBe(true);
    await isolates.close();
    expect(pids.filter(alive)).toEqual([]);
    expect((await running).end).toMatchObject({ kind: "blocked", failure: { code: "runner_lost" } });
    expect(isolates.runners()).toEqual([]);
  });

  it.each(["exits", "crashes", "is done", "is killed beside a program"])("is not needed where the host %s", async (how) => {
    const host = spawn(process.execPath, [fileURLToPath(new URL("host-fixture.mts", import.meta.url)), how], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let out = "";
    host.stdout.on("data", (chunk: Buffer) => {
      out += chunk.toString();
    });
    await new Promise((resolve) => host.once("exit", resolve));
    const pids = JSON.parse(out) as number[];
    expect(pids.length).toBeGreaterThan(0);
    await until(() => pids.every((pid) => !alive(pid)));
  });
});

describe("a machine where no runner starts", () => {
  it("fails every layer by its policy and says why", async () => {
    const rig = openRig({ execPath: "/nowhere/node" });
    rig.isolates.add({ name: "guard", code: "", manifest: {} as never, options: {}, memoryMb: 64, isolation: "shared" });
    expect((await rig.chain(["!guard"], {})).end).toMatchObject({ kind: "blocked", failure: { code: "runner_lost", plugin: "guard" } });
    expect((await rig.chain(["guard"], { a: 1 })).made).toEqual({ a: 1 });
    await expect(rig.isolates.describe("1")).rejects.toMatchObject({ code: "runner_lost" });
    expect(await rig.invoke("guard", "judge", [{}])).toMatchObject({ ok: false, failure: { code: "runner_lost" } });
  });

  it("says what a runner wrote before it ended", async () => {
    const rig = openRig({ execPath: "/bin/cat" });
    rig.isolates.add({ name: "guard", code: "", manifest: {} as never, options: {}, memoryMb: 64, isolation: "shared" });
    expect((await rig.chain(["!guard"], {})).end).toMatchObject({ kind: "blocked", failure: { code: "runner_lost" } });
    expect(rig.events).toContainEqual(expect.objectContaining({ kind: "runner_lost", plugin: null, detail: expect.stringContaining("cat") }));
  });
});
