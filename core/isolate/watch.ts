import type { Code } from "../../sdk/errors.ts";
import type { ProcessProbe } from "./probe/probe.ts";
import type { Mark } from "./protocol/mark.ts";

/** Watches one runner from outside: how long its turn takes, how much memory it holds, whether it still answers. */
export type Watch = {
  /** Looks often from now on, while something is in flight. */
  wake(): void;
  /** The plugin in whose turns most memory came, or 0. */
  largest(mark: Mark): number;
  rssBytes(): number;
  close(): void;
};

export type Watched = {
  mark(): Mark;
  probe: ProcessProbe;
  limitBytes(): number;
  busy(): boolean;
  heard(): number;
  ping(n: number): void;
  kill(code: Code): void;
};

const BUSY_MS = 15;
const IDLE_MS = 250;
/** What a turn may take beyond its slice: its own limit ends it unless it cannot be ended. */
const GRACE_MS = 300;
/** How many times that long where the machine gave it less than half of its slice. */
const STARVED = 4;
const PING_MS = 1_000;
/** Longer than any slice, and than a start on a busy machine. */
const SILENCE_MS = 10_000;

export function createWatch(watched: Watched): Watch {
  let timer: NodeJS.Timeout | undefined;
  let busy = false;
  let closed = false;
  let turn: { number: number; since: number; cpuMs: number | undefined } = { number: 0, since: performance.now(), cpuMs: undefined };
  let alive = performance.now();
  let pinged = 0;
  let pings = 0;
  let rss = 0;

  schedule(false);
  return {
    wake() {
      if (!busy) {
        alive = performance.now();
        schedule(true);
      }
    },
    largest(mark) {
      const now = mark.running ? rss - mark.bytes : 0;
      return now > mark.largestBytes ? mark.plugin : mark.largest;
    },
    rssBytes: () => watched.probe.memoryBytes(),
    close() {
      closed = true;
      clearInterval(timer);
      watched.probe.close();
    },
  };

  function schedule(now: boolean): void {
    if (closed) return;
    busy = now;
    clearInterval(timer);
    timer = setInterval(tick, busy ? BUSY_MS : IDLE_MS);
    timer.unref();
  }

  function tick(): void {
    const now = performance.now();
    const mark = watched.mark();
    rss = watched.probe.memoryBytes();
    if (mark.turn !== turn.number) {
      turn = { number: mark.turn, since: now, cpuMs: mark.running ? watched.probe.cpuMs() : undefined };
      alive = now;
    } else if (mark.running && isOver(mark, now - turn.since)) {
      watched.kill("slice_overrun");
      return;
    }
    if (rss > watched.limitBytes()) {
      watched.kill("memory_exceeded");
      return;
    }
    const working = watched.busy() || mark.running;
    if (working !== busy) schedule(working);
    // A turn has a limit of its own, which may be longer.
    if (working && !mark.running) checkLife(now);
    else if (mark.running) alive = now;
  }

  /** A turn that hardly got the processor, on a machine that is busy with other things, is given more wall time. */
  function isOver({ sliceMs }: Mark, ms: number): boolean {
    if (ms <= sliceMs + GRACE_MS) return false;
    const now = watched.probe.cpuMs();
    const starved = now !== undefined && turn.cpuMs !== undefined && now - turn.cpuMs < sliceMs / 2;
    return !starved || ms > STARVED * (sliceMs + GRACE_MS);
  }

  /** The second net: a runner that is stuck between turns. */
  function checkLife(now: number): void {
    alive = Math.max(alive, watched.heard());
    if (now - alive > SILENCE_MS) {
      watched.kill("runner_lost");
      return;
    }
    if (now - Math.max(alive, pinged) < PING_MS) return;
    pinged = now;
    watched.ping(++pings);
  }
}
