import { type Code, isCode, sentence } from "../../../sdk/errors.ts";
import { IN } from "../../../sdk/turn.ts";
import type { Blob, Value } from "../protocol/values.ts";
import { BACKGROUND, usedUp } from "./background.ts";
import { type GuestCall, type Limits, ownMs, resumeClock, type Saying, startClock, stopClock } from "./calls.ts";
import { createGuestTimers } from "./guest-timers.ts";
import type { Jobs } from "./jobs.ts";
import type { Marks } from "./marks.ts";
import { type GuestValue, readOutbox, resolveValue, type Said } from "./outbox.ts";
import type { Primitive } from "./plugin-isolate.ts";
import { createRequests } from "./requests.ts";
import type { Live } from "./residents.ts";
import type { Speech } from "./speech.ts";

export type Turns = {
  /** Starts a call of a handler; `args` follow the handler's number. */
  start(live: Live, call: StartedCall): GuestCall;
  /** Goes on with a call: the turn is made once the runner is free. */
  resume(live: Live, call: GuestCall, kind: number, args: readonly Primitive[]): void;
  /** Ends a call that is not waited for any more. */
  drop(live: Live, call: GuestCall): void;
  /** The host's answer to a request of plugin code. */
  answer(request: number, kind: typeof IN.answer | typeof IN.refuse, args: readonly Primitive[]): void;
  /** Ends an isolate; its calls fail with `isolate_lost`. */
  lose(live: Live): void;
};

export type StartedCall = Limits & {
  kind: number;
  handler: number;
  of: number;
  args: readonly Primitive[];
  inbox: Blob[];
  said: Saying;
  /** Begins to count requests: the call's time stands still while one is open. */
  open?: number;
};

/** Codes that say what became of a call; plugin code cannot claim them by letting such an error pass. */
const CONTROL: ReadonlySet<string> = new Set<Code>([
  "cancelled",
  "slice_overrun",
  "budget_overrun",
  "window_overrun",
  "memory_exceeded",
  "isolate_lost",
  "runner_lost",
  "plugin_disabled",
]);

/** Answers go into one turn until they are so long together. */
const ANSWERS_CHARS = 256 * 1024;

/** Milliseconds between looks whether the host keeps up again. */
const TELL_MS = 250;

export function createTurns(marks: Marks, jobs: Jobs, speech: Speech): Turns {
  const requests = createRequests();
  let answers: { live: Live; call: number; args: readonly Primitive[] }[] = [];
  const timers = createGuestTimers((live, { call, timer }) => {
    jobs.run(() => enter(live, live.calls.get(call) ?? null, [IN.timer, call, timer]));
  });

  return { start, resume, drop, answer, lose: (live) => lose(live, null, "isolate_lost", false) };

  function start(live: Live, { kind, args, ...given }: StartedCall): GuestCall {
    const call: GuestCall = { ...given, id: live.lastCall++, cpuMs: 0, over: false, clock: startClock() };
    live.calls.set(call.id, call);
    jobs.run(() => enter(live, call, [kind, call.id, ...args]));
    return call;
  }

  function resume(live: Live, call: GuestCall, kind: number, args: readonly Primitive[]): void {
    jobs.run(() => {
      if (call.over || live.lost) return;
      resumeClock(call.clock);
      enter(live, call, [kind, call.id, ...args]);
    });
  }

  function drop(live: Live, call: GuestCall): void {
    close(live, call);
    jobs.run(() => enter(live, null, [IN.drop, call.id]));
  }

  function answer(request: number, kind: number, args: readonly Primitive[]): void {
    const asked = requests.take(request);
    if (asked === undefined) return;
    const { live, key, call } = asked;
    if (answers.length === 0) process.nextTick(hearAnswers);
    answers.push({ live, call, args: [kind, key, ...args] });
  }

  /** Answers that came together for one call are one turn. */
  function hearAnswers(): void {
    const all = answers;
    answers = [];
    for (let from = 0; from < all.length; ) {
      const { live, call } = all[from]!;
      const args: Primitive[] = [IN.answers, call];
      let chars = 0;
      for (; from < all.length && chars <= ANSWERS_CHARS && all[from]!.live === live && all[from]!.call === call; from++) {
        const waiting = live.calls.get(call);
        if (waiting?.open !== undefined) waiting.open--;
        for (const arg of all[from]!.args) {
          args.push(arg);
          if (typeof arg === "string") chars += arg.length;
        }
      }
      jobs.run(() => enter(live, live.calls.get(call) ?? null, args));
    }
  }

  function enter(live: Live, call: GuestCall | null, args: readonly Primitive[]): void {
    if (live.lost || call?.over === true) return;
    const limits = call ?? BACKGROUND;
    if (call?.open !== undefined) resumeClock(call.clock);
    const left = Math.min(
      limits.sliceMs,
      limits.budgetMs - (call?.cpuMs ?? 0),
      call?.open === undefined ? Infinity : call.windowMs - ownMs(call.clock),
    );
    if (left <= 0) {
      overBudget(live, call!);
      return;
    }
    marks.begin(live.resident.plugin, call?.handler ?? -1, call?.of ?? 0, left);
    const turned = live.isolate.turn(args, Math.max(1, Math.ceil(left)));
    if (call !== null) call.cpuMs += turned.cpuMs;
    else if (!("lost" in turned) && usedUp(live.background, turned.cpuMs)) {
      lose(live, null, "budget_overrun", true);
      return;
    }
    if ("lost" in turned) {
      const spent = turned.lost === "slice_overrun" && left < limits.sliceMs;
      // The limit is wall time: where the machine hardly ran the turn, the plugin is not to blame.
      const starved = turned.lost === "slice_overrun" && turned.cpuMs < left / 2;
      lose(live, call, spent ? "budget_overrun" : turned.lost, !starved);
      return;
    }
    try {
      for (const said of readOutbox(turned.box)) {
        if (said.kind === "host" && !live.flood.mayAsk(charsOf(said.args), speech.backlog())) {
          lose(live, call, "too_many_requests", true);
          return;
        }
        act(live, said);
      }
    } catch {
      lose(live, call, "wrong_answer", true);
      return;
    }
    if (call === null || call.over) return;
    if (call.open === undefined || call.open === 0) watchWindow(live, call);
    else stopClock(call.clock);
    if (call.open === 0 && live.timers.size === 0) call.said.idle?.();
  }

  function act(live: Live, said: Said): void {
    const { plugin } = live.resident;
    switch (said.kind) {
      case "log":
        speech.log(plugin, said.level, said.text);
        return;
      case "timer":
        timers.start(live, said);
        return;
      case "clear":
        timers.stop(live, said.timer);
        return;
      case "loaded":
        end(live, {
          kind: "answer",
          call: 0,
          draft: { value: { json: said.manifest, blobs: [] }, dataFrom: 0, data: { json: undefined, blobs: [] } },
        });
        return;
      case "host": {
        const call = live.calls.get(said.call);
        const request = said.key === 0 ? 0 : requests.open({ live, key: said.key, call: said.call });
        if (request !== 0 && call?.open !== undefined) call.open++;
        speech.call(request, plugin, call?.of ?? 0, said.method, resolveValue(said.args, call?.inbox ?? []));
        return;
      }
      case "write": {
        const call = live.calls.get(said.call);
        if (call === undefined) return;
        if (live.flood.mayShow(said.text.length, speech.backlog()))
          speech.call(0, plugin, call.of, "output.write", { json: '["\\u00000"]', blobs: [{ text: said.text, known: -1 }] });
        else tellOfDrop(live);
        return;
      }
      case "prev": {
        const call = live.calls.get(said.call);
        if (call === undefined) return;
        stopClock(call.clock);
        call.said.prev?.(said.draft);
        return;
      }
      default:
        end(live, said);
        return;
    }
  }

  /** Once the host keeps up again. */
  function tellOfDrop(live: Live): void {
    if (live.drops !== null) return;
    live.drops = setTimeout(() => {
      live.drops = null;
      const chars = live.flood.dropped(speech.backlog());
      if (chars > 0) speech.log(live.resident.plugin, "warn", `${chars} characters were not shown, since they came faster than they could be`);
      else tellOfDrop(live);
    }, TELL_MS);
  }

  function end(live: Live, said: Extract<Said, { kind: "answer" | "verdict" | "error" }>): void {
    const call = live.calls.get(said.call);
    if (call === undefined) return;
    close(live, call);
    if (said.kind === "answer") call.said.answer(said.draft);
    else if (said.kind === "verdict") call.said.verdict(said.verdict, said.text, said.input);
    else {
      const code: Code = isCode(said.code) && !CONTROL.has(said.code) ? said.code : "plugin_threw";
      call.said.failed(code, code === "plugin_threw" ? sentence(code, said.text) : said.text);
    }
  }

  function close(live: Live, call: GuestCall): void {
    call.over = true;
    stopClock(call.clock);
    live.calls.delete(call.id);
  }

  function overBudget(live: Live, call: GuestCall): void {
    drop(live, call);
    speech.strike(live.resident.plugin, "budget_overrun");
    call.said.failed("budget_overrun", sentence("budget_overrun"));
  }

  /** Ends the isolate. The call whose turn it was fails with the code, the others with `isolate_lost`. */
  function lose(live: Live, guilty: GuestCall | null, code: Code, strike: boolean): void {
    if (live.lost) return;
    live.lost = true;
    live.resident.live = null;
    timers.stopAll(live);
    requests.dropAll(live);
    live.isolate.dispose();
    if (strike) speech.strike(live.resident.plugin, code);
    const calls = [...live.calls.values()];
    for (const call of calls) close(live, call);
    for (const call of calls) {
      const own = call === guilty ? code : "isolate_lost";
      call.said.failed(own, sentence(own));
    }
  }

  function watchWindow(live: Live, call: GuestCall): void {
    const { clock } = call;
    if (clock.since === null || clock.timer !== null) return;
    clock.timer = setTimeout(
      () => {
        clock.timer = null;
        // What has arrived meanwhile is read first: a busy runner is not the layer's fault.
        setImmediate(() =>
          jobs.run(() => {
            if (call.over || clock.since === null) return;
            // A timer may come a little early, and the clock may have stood still meanwhile.
            if (ownMs(clock) < call.windowMs) return watchWindow(live, call);
            if (call.said.late?.() === true) return;
            drop(live, call);
            call.said.failed("window_overrun", sentence("window_overrun"));
          }),
        );
      },
      Math.max(1, call.windowMs - ownMs(clock)),
    );
  }
}

function charsOf({ json, blobs }: GuestValue): number {
  return blobs.reduce<number>((sum, blob) => sum + (typeof blob === "string" ? blob.length : 0), json?.length ?? 0);
}

/** A value as arguments of a turn. Strings that the call has already are named by their place in its inbox; the others are added to it. */
export function primitives(value: Value, inbox: Blob[] = []): Primitive[] {
  const args: Primitive[] = [value.json, value.blobs.length];
  for (const blob of value.blobs) {
    const at = inbox.indexOf(blob);
    if (at < 0) inbox.push(blob);
    args.push(at < 0 ? blob.text : -1 - at);
  }
  return args;
}
