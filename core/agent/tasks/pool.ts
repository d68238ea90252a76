import type { RunLimits } from "../backend.ts";
import { type Spent, tokensOf } from "../ledger.ts";
import type { Budget } from "./budget.ts";

/** A subagent at work: what it may spend in all, which becomes less where others come, and what it spent. */
export type Member = { readonly budget: Budget; spent(): Spent };

/** What subagents of one run that work side by side may spend together. */
export type Pool = {
  /** Takes a share of what is left, at least as much as an equal one of it. Answers how to give back what is not spent. */
  join(member: Member, limits: Pick<RunLimits, "maxTotalTokens" | "maxCostUsd">, spent: Spent): () => void;
};

/** What of that which its parent has left subagents may use: the parent is to make something of their answers. */
export const SHARE = 0.9;

type Resource = "tokens" | "costUsd";

export function createPool(): Pool {
  const members = new Set<Member>();
  const take = (member: Member, of: Resource, limit: number | null, spent: number) => {
    if (limit === null) return;
    const left = Math.max((limit - spent) * SHARE, 0);
    const fair = left / (members.size + 1);
    let reserved = 0;
    for (const each of members) {
      each.budget[of] -= Math.max(unspent(each, of) - fair, 0);
      reserved += unspent(each, of);
    }
    member.budget[of] -= Math.max(unspent(member, of) - Math.max(left - reserved, 0), 0);
  };
  return {
    join(member, { maxTotalTokens, maxCostUsd }, { usage, costUsd }) {
      take(member, "tokens", maxTotalTokens, tokensOf(usage));
      take(member, "costUsd", maxCostUsd, costUsd ?? 0);
      members.add(member);
      return () => void members.delete(member);
    },
  };
}

function unspent({ budget, spent }: Member, of: Resource): number {
  const { usage, costUsd } = spent();
  return Math.max(budget[of] - (of === "tokens" ? tokensOf(usage) : (costUsd ?? 0)), 0);
}
