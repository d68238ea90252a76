import { MortiseError } from "../../sdk/errors.ts";
import type { RunContext } from "./agent-state.ts";

/** Whether a provider refused thinking of earlier answers, which is then sent back no more; once in a run. */
export function forgetsThinking(run: RunContext, error: unknown): boolean {
  if (!run.thinking || !(error instanceof MortiseError) || error.code !== "model_failed") return false;
  if (!/\b(thinking|reasoning|thought)\b/i.test(error.seen ?? "") || !/signature|block|encrypted/i.test(error.seen ?? "")) return false;
  const had = run.agent.history.messages.some((message) => message.role === "assistant" && message.parts.some(({ type }) => type === "thinking"));
  if (!had) return false;
  run.thinking = false;
  run.emit({ type: "notice", code: "thinking_dropped", text: "The provider refused the model's earlier thinking; it is left out from here on." });
  return true;
}
