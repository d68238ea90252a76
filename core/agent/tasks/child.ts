import { randomUUID } from "node:crypto";
import type { AgentAnswer } from "../../../sdk/api.ts";
import { MortiseError } from "../../../sdk/errors.ts";
import type { Model, Tier } from "../../models/model.ts";
import type { Gate } from "../../programs/gate.ts";
import type { Agent, AgentOptions } from "../agent.ts";
import type { AgentHost, AgentState, RunContext } from "../agent-state.ts";
import type { Run, RunLimits } from "../backend.ts";
import { noJournal } from "../journal.ts";
import { createLedger, tokensOf } from "../ledger.ts";
import type { RunEnd, SessionEvent } from "../session-event.ts";
import { type Budget, budgetOf, lastLimits, leftOf, overBudget, usedUp, WORK_SHARE, workLimits } from "./budget.ts";
import { createChildHost } from "./child-host.ts";
import type { Child, ChildCall, ChildRequest } from "./driver.ts";
import { asks, ends, isBudgetEnd } from "./endings.ts";
import { createHeard } from "./heard.ts";
import type { OutputSchema } from "./output.ts";
import { places } from "./places.ts";
import { createRelay } from "./relay.ts";
import { type WorkTimer, workTimer } from "./work-timer.ts";

/** The agent that children are opened for. */
export type Parent = {
  readonly agent: AgentState;
  /** Of the outermost agent: the calls of each subagent are its own alone. */
  readonly host: AgentHost;
  readonly options: AgentOptions;
  /** How many subagents it is in. */
  readonly depth: number;
  /** The place of a subagent, for its own; a session has none. */
  readonly seat: Gate | undefined;
  run(): RunContext | undefined;
  createAgent(options: AgentOptions): Agent;
};

/** What is known of a subagent when it begins. */
export type TaskFacts = { id: string; model: string; cwd: string };

type Chosen = { model: Model; tier: Tier; clamped: boolean; schema: OutputSchema | undefined };
type Done = Extract<SessionEvent, { type: "done" }>;

/** Times that an answer which is none is asked for again. */
const MAX_NUDGES = 2;
/** That its tools have to end after a cancel: its parent's own wait not much longer, in milliseconds. */
const CANCEL_GRACE_MS = 1_000;

/** A conversation beside its parent's: its own history and budget, paid by the parent's run and ended with it, and with the call that it is for. */
export function createChild(
  parent: Parent,
  run: RunContext,
  request: ChildRequest,
  call: ChildCall,
  { model, tier, clamped, schema }: Chosen,
): Child {
  const { agent: state, options, depth } = parent;
  const { clock } = state;
  const id = randomUUID();
  const { name } = request;
  const ledger = createLedger(run.ledger, () => {
    const over = budget === undefined ? undefined : overBudget(budget, ledger.total(), begunAt.spent, begunAt.share);
    if (over !== undefined) current?.cancel(over);
  });
  const heard = createHeard();
  const stop = new AbortController();
  // A call of a listener or a command is no call of the run.
  const around = AbortSignal.any([call.signal, run.signal]);
  let stopped: "cancelled" | "timeout" | undefined;
  let current: Run | undefined;
  let timer: WorkTimer | undefined;
  let closing: Promise<void> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  /** Made when it begins: what its parent has left is less by what others spent meanwhile. */
  let budget: Budget | undefined;
  let goOn = () => {};
  /** What was spent when its run began, and how much of the rest that one may use. */
  let begunAt = { spent: ledger.total(), share: 1 };

  const halt = (reason: "cancelled" | "timeout") => {
    stopped ??= reason;
    current?.cancel(stopped);
    stop.abort(reason === "cancelled" && around.aborted ? around.reason : new MortiseError("cancelled", { seen: "the conversation is over" }));
  };
  const onAbort = () => halt("cancelled");
  if (around.aborted) onAbort();
  else around.addEventListener("abort", onAbort, { once: true });

  const child = createChildHost(parent.host, request, call, { id, name, parentId: call.toolId, depth: call.depth }, schema, {
    pause() {
      const [resumeCall, resumeWork] = [call.pause(), timer?.pause()];
      return () => {
        resumeCall();
        resumeWork?.();
      };
    },
    onOutput: () => current?.cancel("end_turn"),
  });
  const journal = options.taskJournal?.({ id, model: model.id, cwd: call.cwd });
  const agent = parent.createAgent({
    host: child.host,
    model,
    clock,
    ...(options.openModel === undefined ? {} : { openModel: options.openModel }),
    ...(options.tiers === undefined ? {} : { tiers: options.tiers }),
    ...(state.reauth === undefined ? {} : { reauth: state.reauth }),
    ...(state.summaryModel === undefined ? {} : { summaryModel: state.summaryModel }),
    timers: { ...state.timers, cancelGraceMs: Math.min(state.timers.cancelGraceMs, CANCEL_GRACE_MS) },
    repeats: state.repeatLimits,
    compaction: state.compaction,
    random: state.random,
    journal: journal ?? noJournal,
    instructions: () => instructionsOf(state, request),
    audience: request.audience ?? "research",
    sessionId: state.sessionId,
    child: { taskId: id, name, ledger, depth: depth + 1, root: parent.host },
  });

  const relay = createRelay(run, request, call, id);
  const tell = (status: "working" | "done" | "error") =>
    parent.host.agent.tell("TaskStatusChanged", { sessionId: state.sessionId, id, name, status }, call.depth);

  /** One run of the conversation; of all of them it is one that is told. */
  const runOnce = async (text: string, limits: RunLimits, share = 1): Promise<Done> => {
    begunAt = { spent: ledger.total(), share };
    current = agent.run({ text, source: "plugin" }, limits);
    if (stopped !== undefined) current.cancel(stopped);
    let done: Done | undefined;
    for await (const event of current.events) {
      heard.hear(event);
      if (event.type === "done") done = event;
      else if (event.type !== "run_start") relay.emit(event);
    }
    current = undefined;
    if (done === undefined) throw new MortiseError("internal", { seen: "a run that has no end" });
    return done;
  };
  const unbegun = (reason: RunEnd): Done => {
    const { tokens: contextTokens, window: contextWindow } = agent.context();
    return { type: "done", reason, error: null, text: "", usage: noUsage, costUsd: null, turns: 0, contextTokens, contextWindow };
  };
  // Where its parent has a limit of cost, it is told that this does not hold.
  const isPriced = model.price !== null || run.limits.maxCostUsd !== null;
  const lacks = ({ reason, text }: Done) =>
    stopped === undefined &&
    (reason === "end_turn" || reason === "max_tokens") &&
    (schema === undefined ? text.trim() === "" : child.output().output === undefined);
  const nudge = () => (schema === undefined ? asks.empty : child.output().faults.length > 0 ? asks.wrongOutput : asks.noOutput);

  const work = async (text: string, whole: Budget): Promise<{ done: Done; text: string }> => {
    const left = () => leftOf(whole, heard.turns(), ledger.total());
    const used = usedUp(left());
    if (used !== undefined) return { done: unbegun(used), text: "" };
    let done = await runOnce(text, workLimits(left(), isPriced), WORK_SHARE);
    for (let i = 0; i < MAX_NUDGES && lacks(done) && usedUp(left()) === undefined; i++) done = await runOnce(nudge(), lastLimits(left(), isPriced));
    if (!isBudgetEnd(done.reason) || stopped !== undefined || usedUp(left()) !== undefined) return { done, text: done.text };
    child.refuse();
    const answered = await runOnce(schema === undefined ? asks.last : asks.lastOutput, lastLimits(left(), isPriced));
    return { done: stopped === undefined ? done : answered, text: answered.text };
  };

  const place = async (): Promise<() => void> => {
    // What only answers holds nobody up.
    if (request.audience === undefined) return () => {};
    if (parent.seat !== undefined) return parent.seat.enter(stop.signal);
    if (places.inside() >= request.places) relay.waits(places.inside());
    return places.enter(request.places, stop.signal);
  };

  const converse = async (text: string): Promise<AgentAnswer> => {
    const stopBeat = relay.beat();
    try {
      const leave = await place();
      const begun = clock.now();
      budget ??= budgetOf(request.limits, run, call);
      const giveBack = run.pool.join({ budget, spent: ledger.total }, run.limits, run.ledger.total());
      timer ??= workTimer(clock, budget.timeMs, () => halt("timeout"));
      goOn();
      heard.begin();
      child.begin();
      tell("working");
      relay.emit({ type: "run_start", model: model.id });
      let status: "done" | "error" = "error";
      try {
        const { done, text: said } = await work(text, budget);
        const answer = answerOf(done, said);
        if (answer.ended === "done" || answer.ended === "length") status = "done";
        relay.emit({ ...done, ...ledger.total(), turns: heard.turns(), text: answer.text });
        return { ...answer, durationMs: Math.round(clock.now() - begun) };
      } finally {
        goOn = timer.pause();
        giveBack();
        leave();
        tell(status);
      }
    } finally {
      stopBeat();
    }
  };

  const answerOf = (done: Done, said: string): Omit<AgentAnswer, "durationMs"> => {
    const { output, faults } = child.output();
    const { usage, costUsd } = ledger.total();
    const ended = schema !== undefined && output !== undefined ? "done" : ends[done.reason];
    return {
      text: said.trim() === "" || (ended !== "done" && ended !== "length" && !isBudgetEnd(done.reason)) ? heard.said() : said,
      ended: schema !== undefined && output === undefined && (ended === "done" || ended === "length") ? "no_output" : ended,
      ...(done.error === null ? {} : { error: done.error }),
      ...(schema === undefined ? {} : output === undefined ? { faults: [...faults] } : { output }),
      calls: heard.calls(),
      turns: heard.turns(),
      tokens: tokensOf(usage),
      costUsd,
    };
  };

  return {
    id,
    name,
    model: model.id,
    tier,
    clamped,
    prompt(text) {
      const answer = last.then(() => {
        stop.signal.throwIfAborted();
        return converse(text);
      });
      last = answer.catch(() => {});
      return answer;
    },
    partial: heard.said,
    close() {
      halt("cancelled");
      timer?.stop();
      around.removeEventListener("abort", onAbort);
      // What cannot be kept of it is no reason to lose its answer.
      closing ??= agent.close().then(() => run.keep(Promise.resolve(journal?.close?.())));
      return closing;
    },
  };
}

const noUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** With tools it is an agent like its parent, and is told so. */
function instructionsOf({ instructions }: AgentState, { audience, instructions: own = "" }: ChildRequest): string {
  if (audience === undefined) return own === "" ? "Answer what you are asked." : own;
  return own === "" ? instructions() : `${instructions()}\n\n${own}`;
}
