import type { Code } from "../../sdk/errors.ts";
import { DESCRIBE_MB } from "./describe.ts";
import type { Flight } from "./flights.ts";
import { createProbe } from "./probe/probe.ts";
import type { HostMessage, RunnerMessage } from "./protocol/messages.ts";
import type { RunnerFiles } from "./runner-files.ts";
import { type RunnerEnd, type RunnerProcess, startRunnerProcess } from "./runner-process.ts";
import type { Version } from "./versions.ts";
import { createWatch, type Watch } from "./watch.ts";

/** A runner with the plugins that were sent to it and the requests that it has not answered. */
export type Runner = {
  readonly process: RunnerProcess;
  readonly watch: Watch;
  readonly plugins: ReadonlyMap<number, Version>;
  /** For whom it runs alone, or null. */
  own: string | null;
  spare: boolean;
  alive(): boolean;
  busy(): boolean;
  /** Sends a request; `message` gets its id. The plugins it may enter are sent before it. */
  request(flight: Flight, versions: readonly Version[], message: (id: number) => HostMessage, parts: readonly string[]): number;
  /** A request for a plugin that is only described: a failure of its setup ends this request. */
  describe(flight: Flight, plugin: number, message: (id: number) => HostMessage, parts: readonly string[]): number;
  /** A request for code that is no plugin's, with memory of its own. */
  program(flight: Flight, memoryMb: number, message: (id: number) => HostMessage, parts: readonly string[]): number;
  send(message: HostMessage, parts?: readonly string[]): void;
  /** Forgets a request that is answered. */
  land(id: number): void;
  flight(id: number): Flight | undefined;
  describes(plugin: number): boolean;
  /** The request that describes it. */
  description(plugin: number): Flight | undefined;
  /** Takes a plugin away once no request may enter it any more. */
  forget(version: Version): void;
  kill(code: Code): void;
};

export type RunnerOptions = {
  execPath: string;
  files: RunnerFiles;
  baseMemoryMb: number;
  onMessage(runner: Runner, message: RunnerMessage, parts: readonly string[]): void;
  /** Told after the runner's requests are: whose turn it was is known. */
  onLost(runner: Runner, end: RunnerEnd, guilty: Version | undefined): void;
  onSent(message: HostMessage): void;
};

const MB = 1024 * 1024;

export function createRunner(options: RunnerOptions): Runner {
  const plugins = new Map<number, Version>();
  const flights = new Map<number, Flight & { release?: () => void }>();
  const described = new Map<number, number>();
  const uses = new Map<number, number>();
  const forgotten = new Set<Version>();
  let last = 0;
  let alive = true;
  let limit = options.baseMemoryMb * MB;

  const process = startRunnerProcess(options.execPath, options.files, {
    onMessage: (message, parts) => options.onMessage(runner, message, parts),
    onEnd,
  });
  const watch = createWatch({
    mark: process.mark,
    probe: createProbe(process.pid),
    limitBytes: () => limit,
    busy: () => flights.size > 0,
    heard: process.heard,
    ping: (n) => process.send({ t: "ping", n }),
    kill: process.kill,
  });

  const runner: Runner = {
    process,
    watch,
    plugins,
    own: null,
    spare: false,
    alive: () => alive,
    busy: () => flights.size > 0,
    request(flight, versions, message, parts) {
      for (const version of versions) introduce(version);
      const release = (): void => {
        for (const version of versions) use(version, -1);
      };
      return launch({ ...flight, release }, message, parts);
    },
    describe(flight, plugin, message, parts) {
      const id = launch(flight, message, parts);
      described.set(plugin, id);
      limit += DESCRIBE_MB * MB;
      return id;
    },
    program(flight, memoryMb, message, parts) {
      limit += memoryMb * MB;
      process.hearOut();
      return launch(flight, message, parts);
    },
    send,
    land,
    flight: (id) => flights.get(id),
    describes: (plugin) => described.has(plugin),
    description: (plugin) => flights.get(described.get(plugin) ?? 0),
    forget(version) {
      forgotten.add(version);
      use(version, 0);
    },
    kill: process.kill,
  };
  return runner;

  function launch(flight: Flight & { release?: () => void }, message: (id: number) => HostMessage, parts: readonly string[]): number {
    const id = ++last;
    flights.set(id, flight);
    if (flights.size === 1) process.hold(true);
    watch.wake();
    send(message(id), parts);
    return id;
  }

  function land(id: number): void {
    const flight = flights.get(id);
    if (!flights.delete(id)) return;
    flight?.release?.();
    for (const [plugin, request] of described) {
      if (request !== id) continue;
      described.delete(plugin);
      limit -= DESCRIBE_MB * MB;
    }
    if (flights.size === 0) process.hold(false);
  }

  /** Counts requests that may still enter a plugin; one that is to be forgotten goes with the last of them. */
  function use(version: Version, by: number): void {
    const count = (uses.get(version.number) ?? 0) + by;
    uses.set(version.number, count);
    if (count > 0 || !forgotten.delete(version)) return;
    uses.delete(version.number);
    if (!plugins.delete(version.number)) return;
    limit -= version.plugin.memoryMb * MB;
    send({ t: "forget", plugin: version.number });
  }

  function introduce(version: Version): void {
    use(version, 1);
    if (plugins.has(version.number)) return;
    plugins.set(version.number, version);
    const { name, code, manifest, options: given, memoryMb } = version.plugin;
    limit += memoryMb * MB;
    send({ t: "plugin", plugin: version.number, name, memoryMb }, [code, JSON.stringify(given), JSON.stringify(manifest)]);
  }

  function send(message: HostMessage, parts: readonly string[] = []): void {
    options.onSent(message);
    process.send(message, parts);
  }

  function onEnd(end: RunnerEnd): void {
    alive = false;
    // What V8 itself gave up on was asked for in this turn; what the host found too much may have come before it.
    const isGrown = end.code === "memory_exceeded" && (end.killed || !end.mark.running);
    const suspect = isGrown ? watch.largest(end.mark) : end.mark.running ? end.mark.plugin : 0;
    const guilty = plugins.get(suspect);
    const running = end.mark.running && end.mark.plugin === suspect ? end.mark.call : 0;
    const request = described.get(suspect) ?? running;
    watch.close();
    process.hold(false);
    options.onLost(runner, end, guilty);
    const lost = [...flights];
    flights.clear();
    for (const [id, flight] of lost) flight.lost({ code: end.code, guilty: guilty?.plugin.name ?? null, mine: id === request });
  }
}
