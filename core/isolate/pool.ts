import type { Runner } from "./runner.ts";

/** Runner processes: one shared by all plugins, one of its own for each that needs it, and a spare that takes over at once. */
export type Pool = {
  shared(): Runner;
  own(plugin: string): Runner;
  /** One that serves nobody else, before or after. */
  once(): Runner;
  all(): Runner[];
  /** Ends the runner of its own that a plugin had. */
  drop(plugin: string): void;
  lost(runner: Runner): void;
  close(): Promise<void>;
};

/** For whom a runner is that is used once: no plugin has this name. */
export const ONCE = "a program";

/** A start takes a processor for a tenth of a second: it waits until those who needed the runner that was taken have their answer, though not for ever. */
const SPARE_AFTER_MS = { each: 250, most: 10_000 };

export function createPool(start: () => Runner, keepSpare: boolean): Pool {
  const runners = new Set<Runner>();
  const owners = new Map<string, Runner>();
  let shared: Runner | undefined;
  let spare: Runner | undefined;
  let closed = false;

  return {
    shared: () => (shared ??= take()),
    own(plugin) {
      let runner = owners.get(plugin);
      if (runner === undefined) {
        runner = take();
        runner.own = plugin;
        owners.set(plugin, runner);
      }
      return runner;
    },
    once() {
      const runner = take();
      runner.own = ONCE;
      return runner;
    },
    all: () => [...runners],
    drop: (plugin) => owners.get(plugin)?.kill("isolate_lost"),
    lost(runner) {
      runners.delete(runner);
      if (shared === runner) shared = undefined;
      if (spare === runner) spare = undefined;
      if (runner.own !== null && owners.get(runner.own) === runner) owners.delete(runner.own);
    },
    async close() {
      closed = true;
      const gone = [...runners].map((runner) => {
        runner.kill("runner_lost");
        return runner.process.gone;
      });
      await Promise.all(gone);
    },
  };

  function take(): Runner {
    const taken = spare ?? launch();
    taken.spare = false;
    spare = undefined;
    if (keepSpare && !closed) later(taken, 0);
    return taken;
  }

  function later(taken: Runner, waitedMs: number): void {
    setTimeout(addSpare, SPARE_AFTER_MS.each, taken, waitedMs + SPARE_AFTER_MS.each).unref();
  }

  function addSpare(taken: Runner, waitedMs: number): void {
    if (closed || spare !== undefined) return;
    if (taken.alive() && taken.busy() && waitedMs < SPARE_AFTER_MS.most) {
      later(taken, waitedMs);
      return;
    }
    try {
      spare = launch();
    } catch {
      // Whoever needs a runner is told why there is none.
      return;
    }
    spare.spare = true;
    spare.send({ t: "warm" });
  }

  function launch(): Runner {
    const runner = start();
    runners.add(runner);
    return runner;
  }
}
