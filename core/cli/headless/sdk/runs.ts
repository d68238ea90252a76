import type { Run, RunLimits } from "../../../agent/backend.ts";
import type { Clock } from "../../../agent/clock.ts";
import type { RunError, SessionEvent } from "../../../agent/session-event.ts";
import { driveRun } from "../drive-run.ts";
import { createLines, type Payload } from "../lines.ts";
import { type Opened, savedOf } from "../opened.ts";
import { type Done, exitOf } from "../run-end.ts";
import { createTally, type Tally } from "../tally.ts";
import { createToldOnce } from "../told-once.ts";
import { sdkNames } from "../tool-names.ts";
import { createSdkResults } from "./sdk-lines.ts";

/** Something to run, in its turn. */
export type Queued = {
  start(limits: Partial<RunLimits>): Run;
  uuid?: string | undefined;
  /** Ends what works already. */
  drop?(): void;
};

export type RunsOptions = {
  opened: Pick<Opened, "sessionId" | "saved" | "keeps" | "takeSpent">;
  /** Turns and time of each run; cost and tokens of all of them together. */
  limits: Partial<RunLimits>;
  partial?: boolean;
  exitZeroOnDenial?: boolean;
  clock: Clock;
  graceMs?: number;
  /** After it nothing is started any more. */
  stop: AbortSignal;
  send(payload: Payload): Promise<void>;
};

/** The runs of a conversation, one at a time, each with exactly one result. */
export type Runs = {
  /** Answers the exit code. Where nothing may be started, the end is told alone. */
  run(next: Queued | undefined): Promise<number>;
  /** Whether one has no result yet. */
  isWorking(): boolean;
  /** How many results there were. */
  told(): number;
  /** The result of a message that is not run, beside one that is. */
  turnAway(error: RunError): Promise<void>;
  /** Stops what works, and resolves once it has ended. */
  interrupt(): Promise<void>;
  /** Nothing is started any more: each result says why. What works is stopped. */
  refuse(error: RunError): void;
  /** Tells the end of what works, or that nothing could begin. */
  crash(error: RunError): Promise<void>;
};

export function createRuns(options: RunsOptions): Runs {
  const { opened, clock, send, stop } = options;
  const results = createSdkResults();
  const grace = options.graceMs === undefined ? {} : { graceMs: options.graceMs };
  let current: { tally: Tally; tell(done: Done): Promise<number>; interrupt: AbortController; ended: Promise<unknown> } | undefined;
  let refused: RunError | undefined;
  let told = 0;
  let isWorking = false;

  const about = () => ({ sessionId: opened.sessionId, ...savedOf(opened) });
  const run = async (next: Queued | undefined): Promise<number> => {
    const tally = createTally(clock, sdkNames);
    const lines = createLines(sdkNames, options.partial ?? false);
    const once = createToldOnce<number>();
    const tell = (done: Done) =>
      once(async () => {
        told++;
        // Whoever has the result may send the next message.
        isWorking = false;
        const result = tally.result(done, { ...about(), spent: opened.takeSpent?.() });
        await send(results.line(result));
        return exitOf(done, result, options.exitZeroOnDenial);
      });
    const show = async (event: SessionEvent) => {
      for (const line of lines(event)) await send(line);
    };
    const ended = Promise.withResolvers<void>();
    const own = new AbortController();
    isWorking = true;
    current = { tally, tell, interrupt: own, ended: ended.promise };
    const limits = results.left(options.limits);
    try {
      if (next === undefined || typeof limits === "string" || refused !== undefined || stop.aborted) {
        next?.drop?.();
        if (refused !== undefined) return await tell(tally.cutShort("error", refused));
        return await tell(tally.cutShort(typeof limits === "string" ? limits : "cancelled"));
      }
      const stopped = AbortSignal.any([stop, own.signal]);
      return await tell(await driveRun({ start: () => next.start(limits), limits, tally, clock, stop: stopped, show, ...grace }));
    } finally {
      current = undefined;
      ended.resolve();
    }
  };

  return {
    run,
    isWorking: () => isWorking,
    told: () => told,
    turnAway(error) {
      const tally = createTally(clock, sdkNames);
      return send(results.line(tally.result(tally.cutShort("error", error), about())));
    },
    async interrupt() {
      current?.interrupt.abort();
      await current?.ended;
    },
    refuse(error) {
      refused = error;
      current?.interrupt.abort();
    },
    async crash(error) {
      refused = error;
      if (current !== undefined) await current.tell(current.tally.cutShort("error", error));
      else if (told === 0) await run(undefined);
    },
  };
}
