import { MortiseError } from "../../sdk/errors.ts";
import { type ClassifiedError, classifyError, type ErrorClass } from "../models/errors/classify-error.ts";
import { retryBudgets, retryDelayMs } from "../models/errors/retry.ts";
import type { Model } from "../models/model.ts";
import type { RunContext } from "./agent-state.ts";
import { type Answer, createAnswer } from "./answer.ts";
import { idleTimer } from "./idle-timer.ts";
import { MIN_OUTPUT } from "./limits.ts";
import { askForKey } from "./reauth.ts";
import { type Request, streamAnswer, type Watching } from "./request.ts";
import { withoutQuotes } from "./unquoted.ts";

/** What became of a request: a whole answer, or what had come of one when the run was stopped. `model` is who was asked. */
export type Asked = { kind: "answer" | "cut"; answer: Answer; model: Model };

type Show = Pick<Watching, "onText" | "onThinking" | "onCall">;
type FailureClass = ErrorClass | "timeout" | "idle";
type Failure = Omit<ClassifiedError, "class"> & { class: FailureClass };

const silent: Show = { onText: () => {}, onThinking: () => {}, onCall: () => {} };
const ownBudgets = { timeout: 10, idle: 1 } as const;

/**
 * Asks the model until it answers, within the budget of each class of failures and the run's time. Each further try is told, and is the order to forget
 * what the one before showed.
 * @throws MortiseError `context_overflow`, `model_failed`, `model_key_refused`, `model_timeout`, `llm_idle`.
 */
export async function askModel(run: RunContext, first: Request, show: Show = silent): Promise<Asked> {
  const { clock, timers, random } = run.agent;
  const counts = new Map<FailureClass, number>();
  let request = first;
  for (let attempt = 1; ; attempt++) {
    const answer = createAnswer(run.agent.history.hasCall);
    try {
      await withTimers(run, request, answer, show);
      run.reauths = 0;
      return { kind: "answer", answer, model: request.model };
    } catch (error) {
      if (run.signal.aborted) return { kind: "cut", answer, model: request.model };
      const failure = failureOf(error, request);
      if (failure.class === "auth") {
        const { model } = request;
        const mended = await askForKey(run, { model, message: failure.message }).catch(() => undefined);
        if (run.signal.aborted) return { kind: "cut", answer: createAnswer(), model };
        if (mended === undefined) throw final(failure, error);
        request = { ...request, model: mended };
        run.emit({ type: "retry", attempt, class: failure.class, message: failure.message, delayMs: 0 });
        continue;
      }
      const count = (counts.get(failure.class) ?? 0) + 1;
      counts.set(failure.class, count);
      const next = retried(run, request, failure);
      if (next === undefined || count > budgetOf(failure)) throw final(failure, error);
      request = next;
      const delayMs = delayOf(failure, count, random());
      if (clock.now() + delayMs >= run.endsAt || (timers.retryWaitMs > 0 && delayMs > timers.retryWaitMs)) throw final(failure, error);
      run.emit({ type: "retry", attempt, class: failure.class, message: failure.message, delayMs });
      await clock.sleep(delayMs, run.signal).catch(() => {});
      // Whatever the failed try had shown was given up already.
      if (run.signal.aborted) return { kind: "cut", answer: createAnswer(), model: request.model };
    }
  }
}

/** One try, which ends when nothing comes for too long. */
async function withTimers(run: RunContext, request: Request, answer: ReturnType<typeof createAnswer>, show: Show): Promise<void> {
  const { clock, timers } = run.agent;
  const stop = new AbortController();
  const late = (code: "model_timeout" | "llm_idle", ms: number, what: string) => () =>
    stop.abort(new MortiseError(code, { seen: `${what} within ${ms / 1000} s` }));
  const head = idleTimer(clock, timers.connectMs, late("model_timeout", timers.connectMs, "no response"));
  let output: ReturnType<typeof idleTimer> | undefined;
  let idle: ReturnType<typeof idleTimer> | undefined;
  try {
    await streamAnswer(request, answer, {
      ...show,
      signal: AbortSignal.any([run.signal, stop.signal]),
      onHead() {
        head.stop();
        output ??= idleTimer(clock, timers.firstOutputMs, late("model_timeout", timers.firstOutputMs, "no output"));
      },
      onOutput() {
        output?.stop();
        idle ??= idleTimer(clock, timers.modelIdleMs, late("llm_idle", timers.modelIdleMs, "nothing more came"));
        idle.touch();
      },
    });
  } finally {
    for (const timer of [head, output, idle]) timer?.stop();
  }
}

function failureOf(error: unknown, request: Request): Failure {
  if (error instanceof MortiseError && (error.code === "model_timeout" || error.code === "llm_idle"))
    return { class: error.code === "llm_idle" ? "idle" : "timeout", message: error.message };
  const classified = classifyError(error);
  return { ...classified, message: withoutQuotes(classified.message, request) };
}

function budgetOf({ class: kind, retryAfterMs }: Failure): number {
  if (kind === "timeout" || kind === "idle") return ownBudgets[kind];
  return retryAfterMs === undefined ? retryBudgets[kind].withoutHint : retryBudgets[kind].withHint;
}

function delayOf({ class: kind, retryAfterMs }: Failure, attempt: number, random: number): number {
  return retryDelayMs({ class: kind === "timeout" || kind === "idle" ? "quiet" : kind, attempt, retryAfterMs, random });
}

/** The request to send instead; undefined where none would do. */
function retried(run: RunContext, request: Request, failure: Failure): Request | undefined {
  if (failure.class === "budget_overflow") {
    const floor = Math.min(MIN_OUTPUT, request.model.maxOutput);
    const maxOutput = Math.max(Math.min(failure.maxOutput ?? Math.floor(request.maxOutput / 2), request.maxOutput), floor);
    return maxOutput < request.maxOutput ? { ...request, maxOutput } : undefined;
  }
  return run.signal.aborted ? undefined : request;
}

function final(failure: Failure, cause: unknown): MortiseError {
  if (cause instanceof MortiseError) return cause;
  const code = failure.class === "overflow" ? "context_overflow" : failure.class === "auth" ? "model_key_refused" : "model_failed";
  return new MortiseError(code, { seen: failure.message, cause });
}
