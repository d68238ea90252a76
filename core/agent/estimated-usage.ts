import type { RunContext } from "./agent-state.ts";
import type { Answer } from "./answer.ts";
import { tokensIn } from "./gauge.ts";
import type { Message } from "./message.ts";
import type { Usage } from "./session-event.ts";

/**
 * What a request used, as its provider says. Where that says nothing and a limit of tokens or cost is to hold, what it is likely to have used, which is told once:
 * a limit that counts nothing is none.
 */
export function usedBy(run: RunContext, model: string, { usage, parts }: Pick<Answer, "usage" | "parts">, prompt: readonly Message[]): Usage {
  const { maxTotalTokens, maxCostUsd } = run.limits;
  // No prompt is nothing.
  const isSaid = usage.input + usage.cacheRead + usage.cacheWrite > 0;
  if ((maxTotalTokens === null && maxCostUsd === null) || isSaid) return usage;
  if (!run.estimates) {
    run.estimates = true;
    run.emit({
      type: "notice",
      code: "no_usage",
      text: `${model} does not say how many tokens it used, so the limits of tokens and cost hold by an estimate.`,
    });
  }
  return { ...usage, input: tokensIn(prompt), output: Math.max(usage.output, tokensIn([{ role: "assistant", parts, model }])) };
}
