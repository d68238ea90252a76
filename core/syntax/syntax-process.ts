import { createChannel } from "../frames/channel.ts";
import { type Asked, createLane, type Lane, type ParserRequest, type Reply } from "./lane.ts";
import { endProcess, hold, type StartedProcess, type SyntaxKind, startProcess } from "./start-process.ts";
import { together } from "./together.ts";

/** One request to the process; its answer is whatever frame came back. */
export type Ask = (request: ParserRequest, limitMs: number) => Promise<Reply>;

export type SyntaxProcess = {
  ask: Ask;
  /** Starts the process, unless it runs. */
  warm(): void;
  close(): Promise<void>;
  /** Undefined while none runs. */
  pid(): number | undefined;
};

export type SyntaxProcessOptions = {
  /** The Node to run it with; this process's own unless said. */
  execPath?: string | undefined;
  /** Threads that parse, each of them another text; none unless said, and the process parses itself. They share the code that was made of a grammar. */
  threads?: number;
};

type Running = StartedProcess & { lanes: readonly Lane[]; startThread(thread: number): void };

/** How long a thread may take to load the runtime and its grammars. */
const START_MS = 20_000;
/** After so long without a query, a process for queries is ended. */
const IDLE_MS = 120_000;

/**
 * A process that is started on first use, and is ended and started anew when it crashes or does not answer in time. The request it was at fails; where it
 * was at several, all are asked again one at a time, so that the others do not suffer. It does not keep the host alive while it has nothing to do.
 */
export function createSyntaxProcess(kind: SyntaxKind, { execPath = process.execPath, threads = 0 }: SyntaxProcessOptions = {}): SyntaxProcess {
  let running: Running | undefined;
  let most = threads;
  let closed = false;
  let lastId = 0;
  /** What no thread is at, in the order it was asked. */
  let waiting: Asked[] = [];
  let idle: NodeJS.Timeout | undefined;

  const ask: Ask = (request, limitMs) => {
    if (closed) return Promise.resolve({ failed: "the parser was closed" });
    return new Promise((resolve) => {
      waiting.push({ id: ++lastId, request, limitMs, alone: false, resolve });
      if (running === undefined) begin();
      // What is asked at once goes together.
      else if (waiting.length === 1) queueMicrotask(feed);
    });
  };

  function begin(): void {
    const started = attempt(() => startProcess(kind, execPath, most));
    if (started === undefined) {
      fail("the parser could not be started");
      return;
    }
    const current = (work: () => void) => {
      if (running?.child === started.child) work();
    };
    const [own, ...others] = started.sockets;
    const lanes = (others.length === 0 ? started.sockets : others).map((socket): Lane => {
      const lane: Lane = createLane(socket, {
        onReady: () => current(feed),
        onAnswers: (asked, replies, fatal) => {
          // The process goes on with what waits while the answers are looked at; one that broke gets nothing more.
          current(() => (fatal ? renew() : feed()));
          for (const [at, each] of asked.entries()) each.resolve(replies[at]!);
        },
        onLost: (why) => current(() => lost(lane, why)),
      });
      return lane;
    });
    const control =
      own === undefined || others.length === 0
        ? undefined
        : createChannel(
            own,
            () => {},
            () => {},
          );
    running = { ...started, lanes, startThread: (thread) => control?.send({ thread }, []) };
    started.child.once("exit", () => current(() => lost(undefined, "the parser ended")));
    started.child.once("error", () => current(() => lost(undefined, "the parser could not be started")));
    lanes[0]!.state = "starting";
    lanes[0]!.watch(START_MS);
    hold(running, true);
  }

  /** Hands on what waits to the threads that have nothing to do. */
  function feed(): void {
    if (running === undefined) return;
    const { lanes } = running;
    const working = () => lanes.some(({ at }) => at.length > 0);
    for (const [at, lane] of lanes.entries()) {
      const [next] = waiting;
      if (next === undefined || (next.alone && working()) || lanes.some(({ at }) => at[0]?.alone)) break;
      if (lane.state === "new") {
        lane.state = "starting";
        lane.watch(START_MS);
        running.startThread(at + 1);
      }
      if (lane.state === "ready" && lane.at.length === 0) lane.give(waiting.splice(0, together(waiting, lanes.length)));
    }
    const busy = working() || waiting.length > 0;
    hold(running, busy);
    clearTimeout(idle);
    // Grammars and the largest tree so far keep their memory.
    if (!busy && kind !== "understand") idle = setTimeout(retire, IDLE_MS).unref();
  }

  /** The process is of no more use. Before it was there, all that waits fails. */
  function lost(guilty: Lane | undefined, why: string): void {
    const lanes = running?.lanes ?? [];
    if (lanes[0]?.state !== "ready") {
      fail(why);
      retire();
      return;
    }
    if (guilty?.state === "starting") most = Math.min(most, 1);
    const suspects = guilty?.at ?? lanes.flatMap(({ at }) => at);
    if (suspects.length === 1) suspects[0]!.resolve({ failed: why });
    else for (const each of suspects) each.alone = true;
    renew(suspects.length === 1 ? suspects[0] : undefined);
  }

  function fail(why: string): void {
    for (const { resolve } of waiting.splice(0)) resolve({ failed: why });
  }

  /** Goes on with another process; what this one was at is asked again, but for one. */
  function renew(except?: Asked): void {
    const again = (running?.lanes ?? []).flatMap(({ at }) => at).filter((each) => each !== except);
    waiting = [...again, ...waiting].sort((first, second) => first.id - second.id);
    retire();
    if (waiting.length > 0 && !closed) begin();
  }

  function retire(): void {
    clearTimeout(idle);
    for (const lane of running?.lanes ?? []) lane.rest();
    const ended = running;
    running = undefined;
    if (ended === undefined) return;
    hold(ended, false);
    endProcess(ended);
  }

  return {
    ask,
    warm() {
      if (running === undefined && !closed) begin();
    },
    async close() {
      closed = true;
      const { child, lanes = [] } = running ?? {};
      const failed = [...lanes.flatMap(({ at }) => at), ...waiting];
      waiting = [];
      const ended =
        child === undefined ||
        child.exitCode !== null ||
        child.signalCode !== null ||
        new Promise<void>((resolve) => child.once("exit", () => resolve()));
      retire();
      child?.ref();
      for (const { resolve } of failed) resolve({ failed: "the parser was closed" });
      await ended;
    },
    pid: () => running?.child.pid,
  };
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
