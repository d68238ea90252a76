import type { RunEnd, RunError, SessionEvent } from "../../agent/session-event.ts";
import { exits } from "../exits.ts";
import type { RunResult } from "./result.ts";

export type Done = Extract<SessionEvent, { type: "done" }>;

/** How an end is told: by which word, with which exit code, and what a person reads where it is no answer. */
export type EndFacts = { word: string; exit: number; says: string | null };

const ends: Readonly<Record<RunEnd, EndFacts>> = {
  end_turn: { word: "end_turn", exit: exits.ok, says: null },
  compact: { word: "compact", exit: exits.ok, says: null },
  max_tokens: { word: "max_tokens", exit: exits.limit, says: "The answer was cut off at the longest that the model writes." },
  max_turns: { word: "max_turns", exit: exits.limit, says: "The run reached its limit of turns." },
  max_cost: { word: "max_cost", exit: exits.limit, says: "The run reached its limit of cost." },
  max_total_tokens: { word: "max_total_tokens", exit: exits.limit, says: "The run reached its limit of tokens." },
  timeout: { word: "timeout", exit: exits.timeout, says: "The run's time was up." },
  cancelled: { word: "cancelled", exit: exits.failed, says: "The run was cancelled." },
  dropped: { word: "dropped", exit: exits.failed, says: "The message was dropped." },
  doom_loop: { word: "doom_loop", exit: exits.failed, says: "The model went round in circles, so the run was ended." },
  context_budget_exhausted: { word: "context_budget_exhausted", exit: exits.failed, says: "The conversation has no room left." },
  error: { word: "error", exit: exits.failed, says: "The run failed." },
};

/** Whoever waits for an answer has to learn that there is none. */
const noAnswer: EndFacts = { word: "no_answer", exit: exits.failed, says: "The model ended without an answer." };

export function factsOf({ reason, error, text }: Pick<Done, "reason" | "error" | "text">): EndFacts {
  if (reason === "end_turn" && text.trim() === "") return noAnswer;
  const facts = ends[reason];
  return reason === "error" && isProviderError(error) ? { ...facts, word: "provider_error" } : facts;
}

/** The exit code of a run that is told. */
export function exitOf(done: Done, result: Pick<RunResult, "is_error" | "permission_denials">, zeroOnDenial = false): number {
  const { exit } = factsOf(done);
  if (exit !== exits.ok) return exit;
  // It ended well, and was not saved.
  if (result.is_error) return exits.failed;
  return result.permission_denials.length > 0 && !zeroOnDenial ? exits.permission : exit;
}

function isProviderError(error: RunError | null): boolean {
  return error !== null && (error.code.startsWith("model_") || error.code === "llm_idle" || error.code === "context_overflow");
}
