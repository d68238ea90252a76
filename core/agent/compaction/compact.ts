import { MortiseError } from "../../../sdk/errors.ts";
import type { RunContext } from "../agent-state.ts";
import { tokensIn } from "../gauge.ts";
import type { Message } from "../message.ts";
import { addNote } from "../messages.ts";
import { notes } from "../notes.ts";
import { beforeCompaction, type CompactReason } from "../slots.ts";
import { tellOfAny } from "../told.ts";
import { usableTokens } from "./settings.ts";
import { splitHistory } from "./split.ts";
import { summarise } from "./summarise.ts";

/** A compaction that leaves more than this share of what there was is of no use. */
const USELESS = 0.9;
const MAX_USELESS = 2;

/** Makes room before a request where the context is as full as it may be. @throws MortiseError `context_budget_exhausted`, and what `compact` throws. */
export async function makeRoom(run: RunContext): Promise<void> {
  const { agent } = run;
  measureLast(run);
  while (agent.compaction.auto && agent.gauge.tokens() >= usableTokens(agent.model, agent.compaction)) {
    const outcome = await compact(run, "auto", "");
    // One was of no use, and another is not to be had.
    if (outcome === "nothing" && run.futileCompactions > 0) countFutile(run, agent.gauge.tokens());
    if (outcome !== "done") return;
    run.signal.throwIfAborted();
  }
}

/**
 * Puts a summary in the place of what was said, behind it the last messages as they were and what no turn has answered.
 * On a failure or a stop the history is as it was. `nothing` where there is nothing to sum up, `skipped` where a layer said so.
 * @param goesOn Whether the run asks the model again after it.
 * @throws MortiseError `summary_failed`, `context_budget_exhausted` where it was of no use twice in a row, and what `askModel` throws.
 */
export async function compact(
  run: RunContext,
  reason: CompactReason,
  words: string,
  goesOn = reason !== "manual",
): Promise<"done" | "skipped" | "nothing"> {
  const { agent } = run;
  const { history, gauge, model, compaction } = agent;
  const usable = usableTokens(model, compaction);
  const { head, tail, carried } = splitHistory(history.messages, run.carryFrom, Math.min(compaction.tailTokens, usable / 4));
  if (head.length === 0) return "nothing";
  const hooks = await beforeCompaction(run, { reason, usable, requestInstructions: words });
  if (hooks.skip) return "skipped";

  const before = gauge.tokens();
  const { contextWindow } = model;
  run.emit({ type: "compact_start", reason, contextTokens: before, contextWindow });
  if (reason !== "manual") tellOfAny(agent, "AutoCompacting", { contextSize: before, contextWindow });
  const summary = await summarise(run, head, [compaction.instructions, words, hooks.instructions]);
  if (summary === undefined) {
    run.signal.throwIfAborted();
    return "skipped";
  }

  const next = joined(summary, tail, carried, model.id);
  const [was, is] = [tokensIn(history.messages), tokensIn(next)];
  // It would take the place of what could still be summed up.
  if (is * USELESS > was && is >= usable)
    throw new MortiseError("summary_failed", { seen: `the model's summary is longer than what it sums up, ${is} tokens` });
  // What was measured says how much an estimate is worth.
  const share = is / Math.max(was, 1);
  history.replace(next);
  gauge.reset(Math.ceil(before * share));
  run.carryFrom = history.messages.length - carried.length;
  await run.keep(agent.journal.replace([...history.messages]));
  const after = gauge.tokens();
  run.emit({ type: "compact_done", before, after, contextWindow, summary });
  tellOfAny(agent, "CompactionDone", { contextSizeBefore: before, contextSizeAfter: after, contextWindow, summary });

  if (goesOn) await goOn(run, carried, hooks.resume);
  // A person may ask for one that is of no use.
  if (reason === "manual") return "done";
  run.compacted = { turn: run.turns, futile: after >= usable || after > before * USELESS };
  if (run.compacted.futile) countFutile(run, after);
  return "done";
}

/** What the request after a compaction measured says whether it was of use. */
function measureLast(run: RunContext): void {
  const { agent, compacted } = run;
  if (compacted === null || compacted.futile || run.turns !== compacted.turn + 1) return;
  if (agent.gauge.prompt() < usableTokens(agent.model, agent.compaction)) {
    run.futileCompactions = 0;
    return;
  }
  compacted.futile = true;
  countFutile(run, agent.gauge.prompt());
}

function countFutile(run: RunContext, tokens: number): void {
  const usable = usableTokens(run.agent.model, run.agent.compaction);
  if (++run.futileCompactions >= MAX_USELESS)
    throw new MortiseError("context_budget_exhausted", { seen: `${tokens} tokens after compaction, of ${usable} that may be used` });
}

function joined(summary: string, tail: readonly Message[], carried: readonly Message[], model: string): Message[] {
  return [
    { role: "user", text: notes.summary, note: "summary" },
    { role: "assistant", parts: [{ type: "text", text: summary }], model },
    ...(tail[0]?.role === "assistant" ? [{ role: "user" as const, text: notes.recent, note: "recent" }] : []),
    ...tail,
    ...carried,
  ];
}

/** Where no message waits for an answer, the host says to go on. */
async function goOn(run: RunContext, carried: readonly Message[], said: string): Promise<void> {
  const last = run.agent.history.messages.at(-1);
  const waits = carried.length > 0 || last?.role === "tool" || last?.role === "user";
  const text = [...(waits ? [] : [notes.resume, run.agent.compaction.resume]), said].filter((each) => each.trim() !== "").join("\n\n");
  if (text !== "") await addNote(run, "resume", text);
}
