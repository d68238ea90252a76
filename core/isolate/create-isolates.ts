import { type Code, MortiseError } from "../../sdk/errors.ts";
import { runChain } from "./chains.ts";
import { describePlugin } from "./describe.ts";
import { answerHostCall } from "./host-calls.ts";
import { invokeHandler } from "./invocations.ts";
import type { InvokeRequest, Isolates, IsolatesOptions } from "./isolates.ts";
import { failureOf, type Place, type Places, thrownBy } from "./places.ts";
import { createPool, ONCE } from "./pool.ts";
import { runProgram } from "./programs.ts";
import type { RunnerMessage } from "./protocol/messages.ts";
import { createRunner, type Runner } from "./runner.ts";
import { findRunnerFiles, type RunnerFiles } from "./runner-files.ts";
import type { RunnerEnd } from "./runner-process.ts";
import { createStrikes } from "./strikes.ts";
import { createVersions, type Version } from "./versions.ts";

const BASE_MEMORY_MB = 220;

/** Isolates in supervised runner processes. Nothing is started before first use. */
export function createIsolates(options: IsolatesOptions): Isolates {
  const strikes = createStrikes();
  const disabled = new Map<string, Code>();
  let files: RunnerFiles | undefined;
  let sent = 0;
  let closed = false;

  const pool = createPool(startRunner, options.spare ?? true);
  const versions = createVersions((version) => {
    for (const runner of pool.all()) runner.forget(version);
    if (versions.get(version.plugin.name) === undefined) pool.drop(version.plugin.name);
  });
  const places: Places = { of: placeOf, closed: () => closed, clean: strikes.clean };

  return {
    add(plugin) {
      versions.add(plugin);
    },
    remove: (name) => versions.remove(name),
    warm() {
      try {
        pool.shared();
      } catch {
        // Whoever needs a runner is told why there is none.
      }
    },
    describe: (code, given = {}) => describePlugin(pool.shared, versions.nextNumber, code, given),
    async chain(request) {
      const names = request.layers.map((layer) => layer.plugin);
      if (typeof request.base === "object") names.push(request.base.plugin);
      return using(names, (used) => runChain(request, used, places, invoke));
    },
    invoke,
    program: (request) => runProgram(pool.once, versions.nextNumber(), request),
    enable(name) {
      disabled.delete(name);
      strikes.reset(name, "shared");
      if (versions.get(name)?.plugin.isolation !== "process") pool.drop(name);
    },
    disabled: (name) => disabled.get(name),
    disable: (name, code = "plugin_disabled") => void disabled.set(name, code),
    runners: () =>
      pool.all().map((runner) => ({
        pid: runner.process.pid,
        plugins: [...runner.plugins.values()].map((version) => version.plugin.name),
        spare: runner.spare,
        own: runner.own !== null,
        rssBytes: runner.watch.rssBytes(),
      })),
    sent: () => sent,
    async close() {
      closed = true;
      await pool.close();
    },
  };

  /** Throws a MortiseError where no runner can be started here. */
  function startRunner(): Runner {
    try {
      files ??= findRunnerFiles();
      return createRunner({
        execPath: options.execPath ?? process.execPath,
        files,
        baseMemoryMb: options.baseMemoryMb ?? BASE_MEMORY_MB,
        onMessage: hear,
        onLost,
        onSent: ({ t }) => {
          if (t === "chain" || t === "invoke" || t === "describe" || t === "program") sent++;
        },
      });
    } catch (cause) {
      throw new MortiseError("runner_lost", { seen: cause instanceof Error ? cause.message : String(cause), cause });
    }
  }

  function onLost(runner: Runner, end: RunnerEnd, guilty: Version | undefined): void {
    pool.lost(runner);
    // Whoever ran a program hears of its end, and nobody else had anything in there.
    if (closed || end.code === "isolate_lost" || runner.own === ONCE) return;
    const plugin = guilty?.plugin.name ?? null;
    options.onEvent({ kind: "runner_lost", plugin, pid: runner.process.pid, code: end.code, detail: end.stderr.trim() });
    if (plugin !== null) strike(plugin, end.code);
  }

  async function invoke(request: InvokeRequest) {
    return using([request.plugin], async (used) => {
      const version = used.get(request.plugin);
      if (version !== undefined) return invokeHandler(request, version, places);
      return { ok: false as const, failure: failureOf("unknown_plugin", request.plugin, request.plugin), cpuMs: 0 };
    });
  }

  /** Holds the present versions of plugins for as long as some work takes. */
  async function using<T>(names: readonly string[], work: (used: ReadonlyMap<string, Version>) => Promise<T>): Promise<T> {
    const used = new Map<string, Version>();
    for (const name of names) {
      const version = versions.get(name);
      if (version !== undefined && !used.has(name)) used.set(name, version);
    }
    for (const version of used.values()) versions.enter(version);
    try {
      return await work(used);
    } finally {
      for (const version of used.values()) versions.leave(version);
    }
  }

  function placeOf(version: Version): Place {
    const { name, isolation } = version.plugin;
    if (closed) return { failure: failureOf("runner_lost", name) };
    if (disabled.has(name)) return { failure: failureOf("plugin_disabled", name, name) };
    const own = isolation === "process" || strikes.standing(name) !== "shared";
    try {
      return { runner: own ? pool.own(name) : pool.shared() };
    } catch (error) {
      return { failure: thrownBy(error, name) };
    }
  }

  function strike(name: string, code: Code): void {
    const version = versions.get(name);
    const before = strikes.standing(name);
    if (before === "shared" && version?.plugin.isolation === "process") strikes.reset(name, "own");
    const { strikes: count, standing } = strikes.strike(name);
    options.onEvent({ kind: "strike", plugin: name, code, strikes: count });
    if (standing === "own" && before === "shared" && version?.plugin.isolation !== "process") {
      options.onEvent({ kind: "moved", plugin: name });
      if (version !== undefined) for (const runner of pool.all()) if (runner.own === null) runner.forget(version);
    } else if (standing === "disabled" && !disabled.has(name)) {
      disabled.set(name, code);
      options.onEvent({ kind: "disabled", plugin: name, code });
      pool.drop(name);
    }
  }

  function hear(runner: Runner, message: RunnerMessage, parts: readonly string[]): void {
    switch (message.t) {
      case "ready":
      case "pong":
        return;
      case "log": {
        const version = runner.plugins.get(message.plugin);
        if (version !== undefined) options.onEvent({ kind: "log", plugin: version.plugin.name, level: message.level, text: message.text });
        else runner.description(message.plugin)?.hear(message, parts);
        return;
      }
      case "strike": {
        const version = runner.plugins.get(message.plugin);
        if (version !== undefined) strike(version.plugin.name, message.code);
        return;
      }
      case "call":
        answerHostCall(runner, message, parts, options.onHostCall);
        return;
      default:
        runner.flight(message.id)?.hear(message, parts);
    }
  }
}
