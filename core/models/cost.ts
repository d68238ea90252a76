import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import type { LanguageModelUsage } from "ai";
import type { Usage } from "../agent/session-event.ts";
import type { Price } from "./model.ts";

const MAX_TOKENS = 1e12;

/** What a request costs, in US dollars; null without a price. */
export function costOf(usage: Usage, price: Price | null): number | null {
  if (price === null) return null;
  const { input, output, cacheRead, cacheWrite } = usage;
  const rates = price.above !== undefined && input + cacheRead + cacheWrite > price.above.inputTokens ? price.above : price;
  return (input * rates.input + output * rates.output + cacheRead * rates.cacheRead + cacheWrite * rates.cacheWrite) / 1_000_000;
}

/** The tokens of a request; `input` are those that came from no cache and went into none. What a provider does not say is 0. */
export function usageOf(usage: LanguageModelUsage | LanguageModelV4Usage): Usage {
  const { total, noCache, cacheRead, cacheWrite, output } = parts(usage);
  const [read, write] = [count(cacheRead), count(cacheWrite)];
  return {
    input: noCache === undefined ? Math.max(0, count(total) - read - write) : count(noCache),
    output: count(output),
    cacheRead: read,
    cacheWrite: write,
  };
}

function parts(usage: LanguageModelUsage | LanguageModelV4Usage) {
  if ("inputTokenDetails" in usage) {
    const { noCacheTokens, cacheReadTokens, cacheWriteTokens } = usage.inputTokenDetails;
    return { total: usage.inputTokens, noCache: noCacheTokens, cacheRead: cacheReadTokens, cacheWrite: cacheWriteTokens, output: usage.outputTokens };
  }
  return { ...usage.inputTokens, output: usage.outputTokens.total };
}

/** Servers have been seen to send less than nothing; and more than can be added up is no number of tokens. */
function count(tokens: number | undefined): number {
  return tokens !== undefined && Number.isFinite(tokens) ? Math.min(Math.max(0, tokens), MAX_TOKENS) : 0;
}
