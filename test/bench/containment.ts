import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { Host } from "../../core/host-types.ts";
import { built } from "./built.ts";
import { answering } from "./memory.ts";
import { layerPlugin, spinning } from "./plugins.ts";
import type { Results } from "./rounds.ts";

const KILLED_PLUGINS = 5;
/** Between two calls of the plugin that is watched, in milliseconds. */
const PACE_MS = 5;
const CALM_MS = 1_500;
/** The window in which the watched plugin has to be well again, in milliseconds after the first strike. */
const WELL = { from: 1_000, to: 3_000 };

/** A plugin that spins at every other call, called without a pause, beside one that does not. */
export async function spin(repeats: number): Promise<Results> {
  const before: number[][] = [];
  const struck: number[][] = [];
  const after: number[][] = [];
  for (let i = 0; i < repeats; i++) {
    const { createHost } = await built();
    const host = await createHost({
      builtins: false,
      yolo: true,
      plugins: [layerPlugin("spinner", ["tool.spin.output"], spinning), layerPlugin("calm", ["tool.calm.output"])],
      tools: [answering("spin"), answering("calm")],
    });
    await layered(host, "calm", 1);
    await spareIsWarm(host);
    const calmUntil = performance.now() + CALM_MS;
    const healthy = await watch(host, () => performance.now() > calmUntil);

    let strikeAt: number | undefined;
    host.on("PluginFailed", ({ plugin }) => {
      if (plugin === "spinner") strikeAt ??= performance.now();
    });
    const giveUpAt = performance.now() + 30_000;
    const over = () => performance.now() > (strikeAt === undefined ? giveUpAt : strikeAt + WELL.to);
    const spins = (async () => {
      while (!over()) {
        await host.call({ tool: "spin", input: {} });
        // Once the plugin is disabled such a call waits for nothing, and would keep this loop from everything else.
        await setImmediate();
      }
    })();
    const watched = await watch(host, over);
    await spins;
    await host.close();
    if (strikeAt === undefined) throw new Error("The plugin that spins never got a strike");
    const first = strikeAt;
    before.push(healthy.map(({ us }) => us));
    struck.push(watched.filter(({ at }) => at < first + WELL.from).map(({ us }) => us));
    after.push(watched.filter(({ at }) => at >= first + WELL.from).map(({ us }) => us));
  }
  return new Map([
    ["calm before", { unit: "us", rounds: before }],
    ["calm struck", { unit: "us", rounds: struck }],
    ["calm after", { unit: "us", rounds: after }],
  ]);
}

/** The runner is killed with five plugins loaded: until the next call that all five answered. */
export async function kill(repeats: number): Promise<Results> {
  return new Map([
    ["killed, spare", { unit: "us", rounds: [await killed(true, repeats)] }],
    ["killed, no spare", { unit: "us", rounds: [await killed(false, repeats)] }],
  ]);
}

async function killed(spare: boolean, repeats: number): Promise<number[]> {
  const { createHost } = await built();
  const plugins = Array.from({ length: KILLED_PLUGINS }, (_, i) => layerPlugin(`layer-${i}`, ["tool.all.output"]));
  const host = await createHost({ builtins: false, yolo: true, spare, plugins, tools: [answering("all")] });
  const values: number[] = [];
  for (let i = 0; i < repeats; i++) {
    await layered(host, "all", KILLED_PLUGINS);
    if (spare) await spareIsWarm(host);
    const runner = host.runners().find(({ plugins }) => plugins.length === KILLED_PLUGINS);
    if (runner === undefined) throw new Error(`No runner holds all plugins: ${JSON.stringify(host.runners())}`);
    const started = performance.now();
    process.kill(runner.pid, "SIGKILL");
    await layered(host, "all", KILLED_PLUGINS);
    values.push((performance.now() - started) * 1000);
  }
  await host.close();
  return values;
}

/** Calls until every layer answered. */
async function layered(host: Host, tool: string, layers: number): Promise<void> {
  const started = performance.now();
  for (;;) {
    const { trace } = await host.call({ tool, input: {} });
    if (trace.filter(({ outcome }) => outcome === "passed").length === layers) return;
    if (performance.now() > started + 10_000) throw new Error(`The layers of ${tool} do not answer: ${JSON.stringify(trace)}`);
  }
}

/** Calls of the plugin that does not spin: when each began and what it took. */
async function watch(host: Host, over: () => boolean): Promise<{ at: number; us: number }[]> {
  const calls: { at: number; us: number }[] = [];
  while (!over()) {
    const at = performance.now();
    await host.call({ tool: "calm", input: {} });
    calls.push({ at, us: (performance.now() - at) * 1000 });
    await sleep(PACE_MS);
  }
  return calls;
}

/** A spare that is listed may still be starting. */
async function spareIsWarm(host: Host): Promise<void> {
  const started = performance.now();
  while (!host.runners().some((runner) => runner.spare)) {
    if (performance.now() > started + 10_000) throw new Error("No spare runner was started");
    await sleep(20);
  }
  await sleep(1_000);
}
