import type { AgentAnswer, AgentTask } from "../../../sdk/api.ts";
import { MortiseError } from "../../../sdk/errors.ts";
import type { Clock } from "../clock.ts";
import type { Mailbox } from "../mailbox.ts";
import type { Child } from "./driver.ts";
import { reportOf } from "./report.ts";

/** A conversation that works beside the runs of a session. */
export type Working = { id: string; name: string };

/** What works in the background of a session. It ends with the session, and nothing of it goes on after `close`. */
export type Background = {
  /** Lets a conversation work on its own, and reports its end. @param more How the model gets all of its answer. @throws MortiseError `too_many_requests`, `cancelled`. */
  start(work: { child: Child; name: string; plugin: string; prompt: string; more: string }): AgentTask;
  /** Those of a plugin, the oldest first. */
  list(plugin: string): AgentTask[];
  /**
   * By ids or names: of several of one name the last. What is not there is left out, but for what an earlier process wrote down. `timeoutMs` and
   * `signal` end the wait, not the work; the call of `callId` is not idle meanwhile.
   */
  wait(plugin: string, which: readonly string[], timeoutMs: number, call: { signal: AbortSignal; callId?: string | undefined }): Promise<AgentTask[]>;
  /** Ends one, which then is over with what it has. Undefined where there is none. @param tellsModel Whether its end is reported all the same. */
  stop(plugin: string, which: string, tellsModel?: boolean): Promise<AgentTask | undefined>;
  working(): Working[];
  /** Resolves once another one has ended. Rejects with the signal's reason. */
  next(signal: AbortSignal): Promise<void>;
  /** Ends all that a plugin began. */
  endPlugin(plugin: string): Promise<void>;
  close(): Promise<void>;
};

export type BackgroundOptions = {
  clock: Clock;
  mailbox: Mailbox;
  /** A text as redactors leave it. */
  clean(text: string): Promise<string>;
  /** What was written down of one that an earlier process had, by its id. */
  read(id: string): Promise<AgentTask | undefined>;
  /** Says that a call of the run that works is not idle. */
  touch(callId: string): void;
  /** Told whenever one begins or ends. */
  onChange(working: readonly Working[]): void;
};

type Entry = {
  readonly plugin: string;
  /** Gone with all it remembers once it is over. */
  child: Child | undefined;
  readonly facts: Omit<AgentTask, "status" | "answer">;
  readonly over: Promise<void>;
  answer: AgentAnswer | undefined;
  /** How many wait for it, and what they are told needs no report. */
  waiting: number;
  isTold: boolean;
  report: (() => void) | undefined;
};

/** At work at once in one session, and ended ones that are remembered. */
const MOST = 16;
const MOST_OVER = 50;
/** Milliseconds between signs of life of a call that waits. */
const BEAT_MS = 60_000;

export function createBackground({ clock, mailbox, clean, read, touch, onChange }: BackgroundOptions): Background {
  const entries = new Map<string, Entry>();
  let ended = Promise.withResolvers<void>();
  let isClosed = false;

  const all = () => [...entries.values()];
  const atWork = () => all().filter(({ answer }) => answer === undefined);
  const working = () => atWork().map(({ facts: { id, name } }) => ({ id, name }));
  const find = (plugin: string, which: string): Entry | undefined => {
    const own = all().filter((each) => each.plugin === plugin);
    return own.find(({ facts }) => facts.id === which) ?? own.findLast(({ facts }) => facts.name === which);
  };
  const shown = ({ facts, answer }: Entry): AgentTask =>
    answer === undefined ? { ...facts, status: "working" } : { ...facts, status: "done", answer };
  const told = (entry: Entry): AgentTask => {
    if (entry.answer !== undefined) entry.isTold = true;
    return shown(entry);
  };
  const settle = (entry: Entry, answer: AgentAnswer, report: string) => {
    entry.answer = answer;
    entry.child = undefined;
    entry.report = () => {
      entry.report = undefined;
      if (!entry.isTold && !isClosed) void mailbox.put(report, true, () => entry.isTold);
    };
    // Whoever waits is about to be told.
    if (entry.waiting === 0) entry.report();
    const over = all().filter((each) => each.answer !== undefined && each.waiting === 0);
    for (const { facts } of over.slice(0, Math.max(over.length - MOST_OVER, 0))) entries.delete(facts.id);
    const { resolve } = ended;
    ended = Promise.withResolvers();
    resolve();
    onChange(working());
  };

  return {
    start({ child, name, plugin, prompt, more }) {
      if (isClosed) throw new MortiseError("cancelled", { seen: "the session is over", plugin });
      if (atWork().length >= MOST) throw new MortiseError("too_many_requests", { seen: `${MOST} tasks in the background of one session`, plugin });
      const { id, model, tier, clamped } = child;
      const work = async () => {
        const answer = await child.prompt(prompt).catch(failedAnswer);
        await child.close().catch(() => {});
        const report = isClosed ? "" : await reportOf({ id, name, answer, more }, clean);
        settle(entry, answer, report);
      };
      const over = Promise.resolve()
        .then(work)
        .catch(() => {});
      const facts = { id, name, model, tier, clamped };
      const entry: Entry = { plugin, child, facts, over, answer: undefined, waiting: 0, isTold: false, report: undefined };
      entries.set(id, entry);
      onChange(working());
      return told(entry);
    },
    list: (plugin) =>
      all()
        .filter((each) => each.plugin === plugin)
        .map(shown),
    async wait(plugin, which, timeoutMs, { signal, callId }) {
      const found = [...new Set(which.flatMap((each) => find(plugin, each) ?? []))];
      const unknown = [...new Set(which.filter((each) => find(plugin, each) === undefined))];
      const late = Promise.withResolvers<void>();
      const forget = clock.timer(timeoutMs, late.resolve);
      let stopBeat = () => {};
      const beat = () => {
        if (callId !== undefined) touch(callId);
        stopBeat = clock.timer(BEAT_MS, beat);
      };
      beat();
      const onAbort = () => late.reject(signal.reason);
      for (const entry of found) entry.waiting++;
      signal.addEventListener("abort", onAbort, { once: true });
      try {
        signal.throwIfAborted();
        await Promise.race([late.promise, Promise.all(found.map(({ over }) => over))]);
        signal.throwIfAborted();
        const written = await Promise.all(unknown.map(read));
        return [...found.map(told), ...written.flatMap((each) => each ?? [])];
      } finally {
        forget();
        stopBeat();
        signal.removeEventListener("abort", onAbort);
        for (const entry of found) if (--entry.waiting === 0) entry.report?.();
      }
    },
    async stop(plugin, which, tellsModel = false) {
      const entry = find(plugin, which);
      if (entry === undefined) return undefined;
      if (!tellsModel) entry.waiting++;
      await entry.child?.close().catch(() => {});
      await entry.over;
      if (tellsModel) return shown(entry);
      entry.waiting--;
      return told(entry);
    },
    working,
    async next(signal) {
      signal.throwIfAborted();
      const stopped = Promise.withResolvers<void>();
      const onAbort = () => stopped.reject(signal.reason);
      signal.addEventListener("abort", onAbort, { once: true });
      try {
        await Promise.race([ended.promise, stopped.promise]);
      } finally {
        signal.removeEventListener("abort", onAbort);
      }
    },
    async endPlugin(plugin) {
      await Promise.all(atWork().map((each) => (each.plugin === plugin ? each.child?.close().catch(() => {}) : undefined)));
    },
    async close() {
      isClosed = true;
      await Promise.all(
        atWork().map(async ({ child, over }) => {
          await child?.close().catch(() => {});
          await over;
        }),
      );
    },
  };
}

/** What there is of one that never began, or was lost on its way. */
function failedAnswer(cause: unknown): AgentAnswer {
  const code = cause instanceof MortiseError ? cause.code : "internal";
  const message = cause instanceof Error ? cause.message : String(cause);
  const none = { text: "", calls: [], turns: 0, tokens: 0, costUsd: null, durationMs: 0 };
  return code === "cancelled" ? { ...none, ended: "cancelled" } : { ...none, ended: "error", error: { code, message } };
}
