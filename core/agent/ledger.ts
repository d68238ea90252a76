import type { RunLimits } from "./backend.ts";
import type { Usage } from "./session-event.ts";

export type Spent = { usage: Usage; costUsd: number | null };

/** What a run spent, with what was spent for it: its subagents and its summaries. */
export type Ledger = {
  /** Counts here and for whatever caused this run. */
  add(model: string, usage: Usage, costUsd: number | null): void;
  total(): Spent;
  byModel(): ReadonlyMap<string, Spent>;
};

/** @param onAdd Told of everything that is added, also by children. */
export function createLedger(parent?: Ledger, onAdd?: (model: string, usage: Usage, costUsd: number | null) => void): Ledger {
  const models = new Map<string, Spent>();
  let total: Spent = nothing;
  return {
    add(model, usage, costUsd) {
      total = sum(total, { usage, costUsd });
      models.set(model, sum(models.get(model) ?? nothing, { usage, costUsd }));
      parent?.add(model, usage, costUsd);
      onAdd?.(model, usage, costUsd);
    },
    total: () => total,
    byModel: () => models,
  };
}

/** What counts against a limit of tokens. */
export function tokensOf({ input, output, cacheRead, cacheWrite }: Usage): number {
  return input + output + cacheRead + cacheWrite;
}

/** The limit that was reached, where one was. What has no price reaches none of cost. */
export function overLimit({ usage, costUsd }: Spent, { maxCostUsd, maxTotalTokens }: RunLimits): "max_cost" | "max_total_tokens" | null {
  if (maxCostUsd !== null && costUsd !== null && costUsd >= maxCostUsd) return "max_cost";
  return maxTotalTokens !== null && tokensOf(usage) >= maxTotalTokens ? "max_total_tokens" : null;
}

const nothing: Spent = { usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }, costUsd: null };

/** What has no price adds nothing; null until something had one. */
function sum(a: Spent, b: Spent): Spent {
  return {
    usage: {
      input: a.usage.input + b.usage.input,
      output: a.usage.output + b.usage.output,
      cacheRead: a.usage.cacheRead + b.usage.cacheRead,
      cacheWrite: a.usage.cacheWrite + b.usage.cacheWrite,
    },
    costUsd: a.costUsd === null ? b.costUsd : a.costUsd + (b.costUsd ?? 0),
  };
}
