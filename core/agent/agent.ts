import type { Audience } from "../../sdk/contract.ts";
import { MortiseError } from "../../sdk/errors.ts";
import type { Model } from "../models/model.ts";
import type { AgentHost, AgentState, RunContext, Said, WantedCompaction } from "./agent-state.ts";
import type { Backend, Run, RunLimits, UserInput } from "./backend.ts";
import { createChannel } from "./channel.ts";
import { type Clock, systemClock } from "./clock.ts";
import { type CompactionSettings, defaultCompaction } from "./compaction/settings.ts";
import { createGauge, tokensIn } from "./gauge.ts";
import { createHistory } from "./history.ts";
import { defaultInstructions } from "./instructions.ts";
import { type Journal, noJournal } from "./journal.ts";
import type { Ledger } from "./ledger.ts";
import { defaultLimits, defaultRepeats, defaultTimers, type RepeatLimits, type Timers } from "./limits.ts";
import { createMailbox, type Outcome, openMailbox } from "./mailbox.ts";
import type { Message } from "./message.ts";
import type { Reauth } from "./reauth.ts";
import { drive, type Work } from "./run.ts";
import { type CurrentRun, createRunContext, createStop, currentRun } from "./run-context.ts";
import type { SessionEvent } from "./session-event.ts";
import { createBackground, type Working } from "./tasks/background.ts";
import type { TaskFacts } from "./tasks/child.ts";
import { createDriver, type Tiers } from "./tasks/create-driver.ts";
import { readWritten, type WrittenTask } from "./tasks/written.ts";
import { tell } from "./told.ts";
import { watchPrompts } from "./watch-prompts.ts";

export type AgentOptions = {
  host: AgentHost;
  model: Model;
  /** Opens the model that `setModel` names. Without it the model stays. */
  openModel?(spec: string): Promise<Model>;
  /** Writes summaries instead of the session's own model. */
  summaryModel?: Model;
  clock?: Clock;
  /** Of every run, unless it says otherwise. */
  limits?: Partial<RunLimits>;
  timers?: Partial<Timers>;
  repeats?: Partial<RepeatLimits>;
  compaction?: Partial<CompactionSettings>;
  journal?: Journal;
  /** What was said before, and how many tokens were measured of it. */
  history?: readonly Message[];
  contextTokens?: number;
  /** What the model is told about itself; made anew for each request where it is a function. */
  instructions?: string | (() => string);
  audience?: Audience;
  /** The host's own unless said. */
  sessionId?: string;
  /** For a subagent: the id of its task, its name for a person, what pays for it, how many subagents it is in, and the host of the outermost agent. */
  child?: { taskId: string; name: string; ledger: Ledger; depth?: number; root?: AgentHost };
  /** Which model a subagent gets for a tier. Without it, or without `openModel`, that of its parent. */
  tiers?: Tiers;
  /** Keeps what a subagent says and does. */
  taskJournal?(task: TaskFacts): Journal & { close?(): Promise<void> };
  /** Gets the runs that a report in the mailbox started. */
  onWake?(run: Run): void;
  /** What was written down of a subagent that an earlier process had in the background. */
  readTask?(id: string): Promise<WrittenTask | undefined>;
  /** Told whenever something begins or ends to work in the background. */
  onTasks?(working: readonly Working[]): void;
  /** Asked where a provider refuses the key, and a person may have another. Without it such a failure ends the run. */
  reauth?: Reauth;
  /** In [0, 1), for delays. */
  random?(): number;
};

export type Agent = Backend & {
  readonly kind: "ai-sdk";
  readonly sessionId: string;
  messages(): readonly Message[];
  model(): Model;
  context(): { tokens: number; window: number };
  /** Reports something to the model, as a job that ended, and says whether it saw that. `wake` starts a run for it where none works. */
  notify(text: string, options?: { wake?: boolean }): Promise<Outcome>;
  current(): CurrentRun | undefined;
  /** What works in the background now. It ends with `close`. */
  working(): Working[];
};

/** An agent: a conversation with a model that calls the host's tools. One run works at a time; others wait for it. */
export function createAgent(options: AgentOptions): Agent {
  const { host, child, journal = noJournal, clock = systemClock } = options;
  const sessionId = options.sessionId ?? host.sessionId;
  const history = createHistory(options.history);
  const instructions = options.instructions ?? defaultInstructions(host);
  let current: RunContext | undefined;
  let closed = false;
  /** Of the last run that was asked for: what reports start has the same. */
  let lastLimits: Partial<RunLimits> = {};
  let last: Promise<void> = Promise.resolve();
  const runs = new Set<Run>();

  const wake = () => {
    if (runs.size > 0 || closed) return;
    const run = start({ kind: "input", input: { text: "", source: "mailbox" } }, lastLimits);
    options.onWake?.(run);
  };
  const mailbox = createMailbox(wake);
  const background = createBackground({
    clock,
    mailbox,
    clean: async (text) => (await host.agent.clean([text]))[0] ?? "",
    read: (id) => readWritten(id, options),
    touch: (callId) => current?.alive.get(callId)?.(),
    onChange: (working) => options.onTasks?.(working),
  });
  const closeMailbox = child === undefined ? openMailbox(sessionId, mailbox) : () => {};
  const agent: AgentState = {
    host,
    sessionId,
    taskId: child?.taskId,
    audience: options.audience ?? "main",
    clock,
    journal,
    history,
    gauge: createGauge(options.contextTokens ?? tokensIn(history.messages)),
    mailbox,
    background,
    owed: [],
    said: [],
    compactions: [],
    limits: { ...defaultLimits, ...options.limits },
    timers: { ...defaultTimers, ...options.timers },
    repeatLimits: { ...defaultRepeats, ...options.repeats },
    compaction: { ...defaultCompaction, ...options.compaction },
    random: options.random ?? Math.random,
    reauth: options.reauth,
    forgotten: new WeakSet(),
    instructions: typeof instructions === "function" ? instructions : () => instructions,
    model: options.model,
    summaryModel: options.summaryModel,
  };

  function start(work: Work, limits: Partial<RunLimits>): Run {
    const events = createChannel<SessionEvent>();
    const stop = createStop();
    const waiting: Said[] = [];
    let isOver = false;
    let isDone = false;
    /** What a tool that nobody waits for any more says comes too late. */
    const emit = (event: SessionEvent) => {
      if (isDone) return;
      isDone = event.type === "done";
      events.push(event);
    };
    const wanted: WantedCompaction | undefined =
      work.kind !== "compact" || runs.size === 0 ? undefined : { words: work.words, signal: stop.signal, settle };
    if (wanted !== undefined) agent.compactions.push(wanted);
    /** A run that works did it meanwhile. */
    function settle({ summed, error }: Parameters<WantedCompaction["settle"]>[0]): void {
      emit({
        type: "done",
        reason: error === null ? "compact" : "error",
        error,
        text: "",
        // That run paid for it.
        usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
        costUsd: null,
        turns: summed ? 1 : 0,
        contextTokens: agent.gauge.tokens(),
        contextWindow: agent.model.contextWindow,
      });
      isOver = true;
      for (const said of waiting.splice(0)) said.tell("not_delivered");
      runs.delete(handle);
      events.end();
    }
    const begun = async () => {
      if (isOver) return;
      if (wanted !== undefined) remove(agent.compactions, wanted);
      const own: RunLimits = { ...agent.limits, ...limits };
      const run = createRunContext(agent, own, stop, emit, child?.ledger);
      const unwatch = watchPrompts(run, child?.name ?? null);
      const forget = own.timeoutMs > 0 && Number.isFinite(own.timeoutMs) ? clock.timer(own.timeoutMs, () => stop.stop("timeout")) : () => {};
      agent.said.push(...waiting.splice(0));
      current = run;
      try {
        await drive(run, work);
      } finally {
        forget();
        unwatch();
        current = undefined;
        isOver = true;
        // What a plugin began meanwhile, and no call waits for, ends with it.
        stop.stop("end_turn");
        runs.delete(handle);
        events.end();
        if (mailbox.wantsWake()) wake();
      }
    };
    const handle: Run = {
      events: events.values,
      cancel: (reason = "cancelled") => stop.stop(reason),
      say: (input: UserInput) =>
        new Promise((tellOutcome) => {
          const said: Said = { input, tell: tellOutcome };
          if (isOver) tellOutcome("not_delivered");
          else if (current?.signal === stop.signal) agent.said.push(said);
          else waiting.push(said);
        }),
    };
    runs.add(handle);
    last = last.then(begun).catch(() => {});
    return handle;
  }

  const depth = child === undefined ? 0 : (child.depth ?? 1);
  const stopDriving = host.agent.drive(
    { sessionId, ...(child === undefined ? {} : { taskId: child.taskId }) },
    createDriver({ agent, options, depth, host: child?.root ?? host, run: () => current, createAgent }),
  );

  return {
    kind: "ai-sdk",
    sessionId,
    run(input, limits = {}) {
      lastLimits = limits;
      return start({ kind: "input", input }, limits);
    },
    compact: (words) => start({ kind: "compact", words }, {}),
    async setModel(spec) {
      if (options.openModel === undefined) throw new MortiseError("unknown_model", { seen: spec });
      const previous = agent.model.id;
      if (spec === previous) return;
      agent.model = await options.openModel(spec);
      await journal.set({ model: agent.model.id }).catch(() => {});
      tell(agent, "ModelChanged", { model: agent.model.id, previous });
    },
    messages: () => history.messages,
    model: () => agent.model,
    context: () => ({ tokens: agent.gauge.tokens(), window: agent.model.contextWindow }),
    notify: (text, { wake: wakes = false } = {}) => mailbox.put(text, wakes),
    current: () => current && currentRun(current),
    working: background.working,
    async close() {
      closed = true;
      stopDriving();
      closeMailbox();
      mailbox.close();
      for (const run of runs) run.cancel();
      await Promise.all([background.close(), last]);
    },
  };
}

function remove<T>(list: T[], item: T): void {
  const at = list.indexOf(item);
  if (at >= 0) list.splice(at, 1);
}
