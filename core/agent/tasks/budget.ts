import type { RunContext } from "../agent-state.ts";
import type { RunLimits } from "../backend.ts";
import { type Spent, tokensOf } from "../ledger.ts";
import type { ChildCall, ChildRequest } from "./driver.ts";
import { SHARE } from "./pool.ts";

/** Of a whole conversation. */
export type Budget = { turns: number; tokens: number; costUsd: number; timeMs: number };

const defaults: Budget = { turns: 50, tokens: 1_000_000, costUsd: 5, timeMs: 30 * 60_000 };

/** What of its budget a subagent may use before it is asked for what it found. */
export const WORK_SHARE = 0.85;

/** What was asked for, else the defaults, and never more turns and time than the parent's run or the call has left. Tokens and cost are shared by those at work. */
export function budgetOf(asked: ChildRequest["limits"], { limits, turns, endsAt, agent }: RunContext, call: ChildCall): Budget {
  const least = (wanted: number, ...left: number[]) => Math.min(wanted, ...left.map((each) => Math.max(each, 0)));
  return {
    turns: Math.max(least(asked.maxTurns ?? defaults.turns, limits.maxTurns - turns), 1),
    tokens: asked.maxTokens ?? defaults.tokens,
    costUsd: asked.maxCostUsd ?? defaults.costUsd,
    timeMs: least(asked.timeoutMs ?? defaults.timeMs, (endsAt - agent.clock.now()) * SHARE, call.remainingMs() * SHARE),
  };
}

/** What is left of a budget. Time is watched apart. */
export function leftOf(budget: Budget, turns: number, { usage, costUsd }: Spent): Budget {
  return { ...budget, turns: budget.turns - turns, tokens: budget.tokens - tokensOf(usage), costUsd: budget.costUsd - (costUsd ?? 0) };
}

/** What of it is used up, so that no other answer may be asked for. */
export function usedUp({ turns, tokens, costUsd }: Budget): "max_turns" | "max_total_tokens" | "max_cost" | undefined {
  if (turns < 1) return "max_turns";
  if (tokens <= 0) return "max_total_tokens";
  return costUsd <= 0 ? "max_cost" : undefined;
}

/** The limits of a run that works: a turn and a part of the rest stay for the last answer. */
export function workLimits({ turns, tokens, costUsd }: Budget, isPriced: boolean): RunLimits {
  return { maxTurns: Math.max(turns - 1, 1), maxTotalTokens: tokens * WORK_SHARE, maxCostUsd: isPriced ? costUsd * WORK_SHARE : null, timeoutMs: 0 };
}

/** Which part of its budget was reached by then, where it became less while its run worked. */
export function overBudget(
  { tokens, costUsd }: Budget,
  { usage, costUsd: cost }: Spent,
  begun: Spent,
  share: number,
): "max_cost" | "max_total_tokens" | undefined {
  const reached = (most: number, spent: number, before: number) => spent > before && spent >= before + (most - before) * share;
  if (reached(costUsd, cost ?? 0, begun.costUsd ?? 0)) return "max_cost";
  return reached(tokens, tokensOf(usage), tokensOf(begun.usage)) ? "max_total_tokens" : undefined;
}

/** The limits of a run that only answers. */
export function lastLimits({ turns, tokens, costUsd }: Budget, isPriced: boolean): RunLimits {
  return { maxTurns: Math.min(turns, LAST_TURNS), maxTotalTokens: tokens, maxCostUsd: isPriced ? costUsd : null, timeoutMs: 0 };
}

const LAST_TURNS = 2;
