import { MortiseError } from "../../sdk/errors.ts";
import { callsOf } from "../session/valid-history.ts";
import type { RunContext } from "./agent-state.ts";
import type { Answer } from "./answer.ts";
import type { Asked } from "./ask-model.ts";
import type { UserInput } from "./backend.ts";
import { closeCalls, runCalls } from "./calls.ts";
import { compact, makeRoom } from "./compaction/compact.ts";
import { takeCompactions } from "./compaction/take-compactions.ts";
import { MAX_CONTINUATIONS, MAX_NUDGES, MAX_STOP_CONTINUATIONS, MAX_STUCK_TURNS, NUDGE_REACH } from "./limits.ts";
import { addMessage, addNote, takeInput, takeSaid } from "./messages.ts";
import { notes } from "./notes.ts";
import type { RunEnd, RunError } from "./session-event.ts";
import { askStop } from "./slots.ts";
import type { Working } from "./tasks/background.ts";
import { tell, tellEnd } from "./told.ts";
import { askTurn, keepAnswer } from "./turn.ts";

export type Work = { kind: "input"; input: UserInput } | { kind: "compact"; words: string };

/** One run, from its input to its one `done`. Never throws. */
export async function drive(run: RunContext, work: Work): Promise<void> {
  let reason: RunEnd;
  let error: RunError | null = null;
  try {
    run.emit({ type: "run_start", model: run.agent.model.id });
    tell(run.agent, "SessionStatusChanged", { status: "working" });
    run.signal.throwIfAborted();
    reason = work.kind === "input" ? await answerInput(run, work.input) : await compactNow(run, work.words);
    reason = run.stopped() ?? reason;
  } catch (cause) {
    const stopped = run.stopped();
    const failure =
      cause instanceof MortiseError ? cause : new MortiseError("internal", { seen: cause instanceof Error ? cause.message : String(cause), cause });
    reason = stopped ?? (failure.code === "context_budget_exhausted" ? "context_budget_exhausted" : "error");
    if (stopped === null) error = { code: failure.code, message: failure.message };
  }
  const left = work.kind === "input" && work.input.waitsForTasks === true ? run.agent.background.working() : [];
  if (left.length > 0) run.emit({ type: "notice", code: "tasks_ended", text: `The run ended before ${tasksText(left)}.` });
  await leave(run, reason, error);
}

/** Turn after turn, until the model has nothing more to do, or something stops it. */
async function answerInput(run: RunContext, input: UserInput): Promise<RunEnd> {
  const text = await takeInput(run, input);
  if (text === undefined) return "dropped";
  tell(run.agent, "TurnStart", { text });
  if (run.limits.maxCostUsd !== null && run.agent.model.price === null)
    run.emit({
      type: "notice",
      code: "no_price",
      text: `The price of ${run.agent.model.id} is not known, so the limit of cost does not hold for it.`,
    });
  for (;;) {
    run.signal.throwIfAborted();
    if (run.turns >= run.limits.maxTurns) return "max_turns";
    await makeRoom(run);
    run.signal.throwIfAborted();

    run.turns++;
    // An answer that was cut and goes on is one.
    if (run.continuations === 0) run.text = "";
    run.emit({ type: "turn_start", turn: run.turns });
    const asked = await askTurn(run);
    const { answer } = asked;
    if (asked.kind === "cut") return await keepCut(run, asked);
    await keepAnswer(run, asked);
    // A limit may be reached with it: then nothing of it is run.
    run.signal.throwIfAborted();

    const calls = callsOf({ role: "assistant", parts: answer.parts, model: "" });
    if (calls.length > 0) {
      const isStuck = await runCalls(run, calls, answer);
      run.signal.throwIfAborted();
      run.stuckTurns = isStuck ? run.stuckTurns + 1 : 0;
      if (run.stuckTurns >= MAX_STUCK_TURNS) return "doom_loop";
    }
    run.carryFrom = run.agent.history.messages.length;
    await takeCompactions(run, calls.length > 0);
    const isSpoken = await takeSaid(run);
    if (calls.length > 0 || isSpoken) {
      run.nudges = 0;
      run.continuations = 0;
      continue;
    }
    const end = await endOf(run, answer);
    if (end === undefined) continue;
    if (end !== "end_turn" || input.waitsForTasks !== true) return end;
    if (!(await hearTasks(run))) return isUnheard(run) ? "max_turns" : end;
    run.nudges = 0;
    run.continuations = 0;
  }
}

/** Waits until something that works in the background has reported. False where nothing will, or where the model may not be asked again. */
async function hearTasks(run: RunContext): Promise<boolean> {
  const { background } = run.agent;
  if (run.turns >= run.limits.maxTurns) return false;
  const waiting = background.working();
  if (waiting.length > 0) run.emit({ type: "notice", code: "waits_for_tasks", text: `Waits for ${tasksText(waiting)}.` });
  while (background.working().length > 0) {
    // Before the look into the mailbox, so that none ends unseen in between.
    const next = background.next(run.signal);
    next.catch(() => {});
    if (await takeSaid(run)) return true;
    await next;
  }
  return takeSaid(run);
}

/** Whether something works on, or has reported what the model did not see. */
function isUnheard({ agent: { background, mailbox } }: RunContext): boolean {
  return background.working().length > 0 || mailbox.wantsWake();
}

function tasksText(working: readonly Working[]): string {
  const names = working.map(({ name }) => `"${name}"`).join(", ");
  return working.length === 1 ? `a task in the background: ${names}` : `${working.length} tasks in the background: ${names}`;
}

/** What to do with an answer that calls nothing: why the run ends with it, or undefined where it goes on. */
async function endOf(run: RunContext, answer: Answer): Promise<RunEnd | undefined> {
  const isCut = answer.finish === "length";
  const isEmpty = answer.text().trim() === "";
  if (isCut && run.continuations < MAX_CONTINUATIONS) {
    run.continuations++;
    await addNote(run, "continue");
    return undefined;
  }
  if (isEmpty && !isCut && run.nudges < MAX_NUDGES && hasFreshResults(run)) {
    run.nudges++;
    run.emit({ type: "nudge", attempt: run.nudges });
    await addNote(run, "nudge");
    return undefined;
  }
  if (answer.finish === "content-filter" && isEmpty) throw new MortiseError("model_failed", { seen: "the provider's filter kept the answer back" });
  if (run.turns < run.limits.maxTurns && run.stopContinuations < MAX_STOP_CONTINUATIONS) {
    const more = await askStop(run, isCut ? "max_tokens" : "finished", answer.text());
    run.signal.throwIfAborted();
    if (more !== undefined) {
      run.stopContinuations++;
      run.emit({ type: "continued", by: more.by, text: more.text });
      await addMessage(run, { role: "user", text: more.text, note: "continued" });
      return undefined;
    }
  }
  return isCut ? "max_tokens" : "end_turn";
}

/** Whether results are among the last messages, the host's own nudges and what they got not counted. */
function hasFreshResults(run: RunContext): boolean {
  const real = run.agent.history.messages.filter((message) => {
    if (message.role === "user") return message.note !== "nudge";
    return message.role === "tool" || message.parts.some((part) => part.type === "call" || (part.type === "text" && part.text.trim() !== ""));
  });
  return real.slice(-NUDGE_REACH).some(({ role }) => role === "tool");
}

/** Keeps what was streamed until the run was stopped. Calls that were begun are not: they were never whole. */
async function keepCut(run: RunContext, { answer, model }: Asked): Promise<RunEnd> {
  const text = answer.text();
  run.text += text;
  if (text.trim() !== "") await addMessage(run, { role: "assistant", parts: [{ type: "text", text }], model: model.id });
  return run.stopped() ?? "cancelled";
}

async function compactNow(run: RunContext, words: string): Promise<RunEnd> {
  run.carryFrom = run.agent.history.messages.length;
  if ((await compact(run, "manual", words)) === "done") run.turns = 1;
  return "compact";
}

/** Leaves a history that the next run can go on from, and ends the run: everything that was asked gets its answer, and `done` comes last. */
async function leave(run: RunContext, reason: RunEnd, error: RunError | null): Promise<void> {
  const { agent } = run;
  const { gauge, journal, model } = agent;
  try {
    await closeCalls(run);
    if (run.added && (reason === "cancelled" || reason === "timeout")) await addNote(run, reason, notes[reason]);
    await run.keep(journal.set({ context: { tokens: gauge.tokens(), window: model.contextWindow } }));
    await run.keep(journal.end(reason, error));
  } finally {
    await run.prompted;
    for (const said of [...run.sent.splice(0), ...agent.said.splice(0)]) said.tell("not_delivered");
    const { usage, costUsd } = run.ledger.total();
    tellEnd(run, reason, error);
    run.emit({
      type: "done",
      reason,
      error,
      text: run.text,
      usage,
      costUsd,
      turns: run.turns,
      contextTokens: gauge.tokens(),
      contextWindow: model.contextWindow,
    });
  }
}
