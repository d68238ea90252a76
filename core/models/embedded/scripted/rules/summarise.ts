import type { Asked, Reply } from "../rule.ts";

/** A request without tools that asks for a summary, as compaction does: the words of the user, as they are. */
export function summarise({ tools, text }: Asked, earlier: readonly string[]): Reply | undefined {
  if (tools.size > 0 || !/\bsummar(y|i[sz]e|ies)\b/i.test(text)) return undefined;
  const asks = earlier.map((each) => `- ${each.replace(/\s+/g, " ").trim().slice(0, 200)}`);
  return { text: ["No model is set up, so this lists what the user asked for and no more.", "", ...asks.slice(-20)].join("\n") };
}
