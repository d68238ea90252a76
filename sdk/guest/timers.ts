import { OUT } from "../turn.ts";
import { countRequest, owner, putLog } from "./calls.ts";
import { fail, why } from "./failures.ts";
import { put } from "./outbox.ts";
import { floor, isFunction, max, min, NativeTypeError, type Table, table, toNumber } from "./primordials.ts";

type Timer = { run: () => void; repeat: boolean };

const timers: Table<Timer> = table();
const MAX_TIMERS = 1_024;
const MAX_DELAY = 2_147_483_647;
let last = 0;
let open = 0;

export const setTimeout = (callback: unknown, delay?: unknown, ...args: unknown[]): number => start(callback, delay, args, false);
export const setInterval = (callback: unknown, delay?: unknown, ...args: unknown[]): number => start(callback, delay, args, true);

export function clearTimer(id: unknown): void {
  if (typeof id !== "number" || timers[id] === undefined) return;
  delete timers[id];
  open--;
  put(OUT.clear);
  put(id);
}

/** How many are set. */
export const openTimers = (): number => open;

export function tick(id: number): void {
  const timer = timers[id];
  if (timer === undefined) return;
  if (!timer.repeat) {
    delete timers[id];
    open--;
  }
  guarded(timer.run);
}

/** Runs code that nobody waits for: what it throws is logged. */
export function guarded(run: () => void): void {
  try {
    run();
  } catch (error) {
    const reason = why(error);
    putLog("error", reason.stack ?? reason.text);
  }
}

function start(callback: unknown, delay: unknown, args: unknown[], repeat: boolean): number {
  if (!isFunction(callback)) throw new NativeTypeError("A timer needs a function");
  if (open >= MAX_TIMERS) throw fail("too_many_requests");
  countRequest();
  const wanted = toNumber(delay);
  const ms = wanted > 0 ? min(floor(wanted), MAX_DELAY) : 0;
  const id = ++last;
  open++;
  timers[id] = { run: args.length === 0 ? () => callback() : () => callback(...args), repeat };
  put(OUT.timer);
  put(owner());
  put(id);
  put(max(ms, 1));
  put(repeat);
  return id;
}
