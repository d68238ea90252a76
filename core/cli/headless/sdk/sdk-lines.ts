import type { RunLimits } from "../../../agent/backend.ts";
import type { Payload } from "../lines.ts";
import type { RunResult, WireUsage } from "../result.ts";

/** What programs of the SDK look for on lines, and is not said elsewhere. */
export function sdkLine(line: Payload): Payload {
  return threaded.includes(line.type) && !("parent_tool_use_id" in line) ? { ...line, parent_tool_use_id: null } : line;
}

const threaded: readonly string[] = ["assistant", "user", "stream_event", "tool_progress"];

/** Results as the SDK knows them, of all messages of one conversation. */
export type SdkResults = {
  line(result: RunResult): Payload;
  /** What is left of the limits that count for the whole conversation, or which of them was reached. */
  left(limits: Partial<RunLimits>): Partial<RunLimits> | "max_cost" | "max_total_tokens";
};

type SdkUsage = { inputTokens: number; outputTokens: number; cacheReadInputTokens: number; cacheCreationInputTokens: number; costUSD: number };

export function createSdkResults(): SdkResults {
  const models: Record<string, SdkUsage> = {};
  let costUsd = 0;
  let tokens = 0;
  return {
    line(result) {
      costUsd += result.total_cost_usd;
      tokens += tokensOf(result.usage);
      for (const [model, usage] of Object.entries(result.model_usage)) models[model] = sum(models[model], usage);
      const { errors, ...rest } = result;
      return {
        ...rest,
        subtype: subtypeOf(result),
        // One text each; codes are in the details.
        errors: errors.map(({ message }) => message),
        error_details: errors,
        // Of all messages so far, as the SDK has it.
        total_cost_usd: costUsd,
        modelUsage: structuredClone(models),
      };
    },
    left({ maxCostUsd, maxTotalTokens, ...rest }) {
      const [cost, most] = [(maxCostUsd ?? Number.POSITIVE_INFINITY) - costUsd, (maxTotalTokens ?? Number.POSITIVE_INFINITY) - tokens];
      if (cost <= 0) return "max_cost";
      if (most <= 0) return "max_total_tokens";
      return {
        ...rest,
        ...(Number.isFinite(cost) ? { maxCostUsd: cost } : {}),
        ...(Number.isFinite(most) ? { maxTotalTokens: most } : {}),
      };
    },
  };
}

function subtypeOf({ is_error, terminal_reason }: RunResult): string {
  if (!is_error) return "success";
  if (terminal_reason === "max_turns") return "error_max_turns";
  return terminal_reason === "max_cost" ? "error_max_budget_usd" : "error_during_execution";
}

function tokensOf(usage: WireUsage): number {
  return usage.input_tokens + usage.output_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens;
}

function sum(before: SdkUsage | undefined, usage: WireUsage & { cost_usd: number | null }): SdkUsage {
  return {
    inputTokens: (before?.inputTokens ?? 0) + usage.input_tokens,
    outputTokens: (before?.outputTokens ?? 0) + usage.output_tokens,
    cacheReadInputTokens: (before?.cacheReadInputTokens ?? 0) + usage.cache_read_input_tokens,
    cacheCreationInputTokens: (before?.cacheCreationInputTokens ?? 0) + usage.cache_creation_input_tokens,
    costUSD: (before?.costUSD ?? 0) + (usage.cost_usd ?? 0),
  };
}
