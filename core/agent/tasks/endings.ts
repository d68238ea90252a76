import type { AgentAnswer } from "../../../sdk/api.ts";
import type { RunEnd } from "../session-event.ts";
import { OUTPUT_TOOL } from "./output.ts";

/** What a subagent is asked where its answer is none, or where it may do nothing more. */
export const asks = {
  noOutput: `You have not given the answer yet. Call ${OUTPUT_TOOL} with all of it now.`,
  wrongOutput: `The answer did not fit its schema. Correct it, and call ${OUTPUT_TOOL} again.`,
  empty: "Your answer was empty. Sum up what you found or did, as the answer to the task.",
  last: "The limits of this task are reached: no more tools are run. Answer now with what you have, and say what is missing.",
  lastOutput: `The limits of this task are reached: no other tool is run any more. Call ${OUTPUT_TOOL} now with what you have.`,
} as const;

/** Ends after which a subagent is asked for what it has. */
export function isBudgetEnd(reason: RunEnd): boolean {
  return reason === "max_turns" || reason === "max_cost" || reason === "max_total_tokens" || reason === "doom_loop";
}

/** An end as plugins know it. */
export const ends: Readonly<Record<RunEnd, AgentAnswer["ended"]>> = {
  end_turn: "done",
  compact: "done",
  max_tokens: "length",
  max_turns: "max_turns",
  max_cost: "max_cost",
  max_total_tokens: "max_tokens",
  timeout: "timeout",
  cancelled: "cancelled",
  dropped: "dropped",
  doom_loop: "stuck",
  context_budget_exhausted: "error",
  error: "error",
};
