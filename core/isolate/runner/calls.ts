import type { Code } from "../../../sdk/errors.ts";
import type { Blob } from "../protocol/values.ts";
import type { GuestDraft, GuestValue } from "./outbox.ts";

export type Limits = { windowMs: number; sliceMs: number; budgetMs: number };

/** One handler of a plugin at work in its isolate. */
export type GuestCall = Limits & {
  /** Its number in the isolate. */
  id: number;
  handler: number;
  /** The host's id of the chain or call that it is part of. */
  of: number;
  /** Processor time so far, in milliseconds. */
  cpuMs: number;
  over: boolean;
  clock: Clock;
  /** Long strings that came in, in the isolate's order. */
  inbox: Blob[];
  said: Saying;
  /** Requests that the host has not answered: a program's time does not count while there are any. */
  open?: number;
};

/** What becomes of a call. Each is told of one end: an answer, a verdict, or a failure. */
export type Saying = {
  answer(draft: GuestDraft): void;
  verdict(verdict: "deny" | "ask" | "respond", text: string, input: GuestValue): void;
  failed(code: Code, message: string): void;
  prev?(draft: GuestDraft): void;
  /** The window passed. Returns true where the call gets time to end by itself. */
  late?(): boolean;
  /** Nothing is left that could go on with a program. */
  idle?(): void;
};

/** Own wall time: it stands still while a layer waits in `prev`. */
export type Clock = { ownMs: number; since: number | null; timer: NodeJS.Timeout | null };

export function startClock(): Clock {
  return { ownMs: 0, since: performance.now(), timer: null };
}

export function stopClock(clock: Clock): void {
  if (clock.since !== null) clock.ownMs += performance.now() - clock.since;
  clock.since = null;
  if (clock.timer !== null) clearTimeout(clock.timer);
  clock.timer = null;
}

export function resumeClock(clock: Clock): void {
  clock.since ??= performance.now();
}

export function ownMs(clock: Clock): number {
  return clock.ownMs + (clock.since === null ? 0 : performance.now() - clock.since);
}
