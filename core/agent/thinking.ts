import { MortiseError } from "../../sdk/errors.ts";
import type { RunContext } from "./agent-state.ts";
import type { Message } from "./message.ts";

/** What providers say of thinking whose signature, encryption or place is not what it was. */
const refusals: readonly RegExp[] = [
  /signature.*\b(thinking|reasoning|thought)|\b(thinking|reasoning|thought).*signature/i,
  /\b(redacted_)?thinking\b.*\bblocks?\b/i,
  /\bencrypted[_ ]content\b/i,
  /without its required .?(reasoning|function_call|following)/i,
  /\bitem\b.*\brs_\w+.*not found/i,
];

/** Whether a provider refused thinking of earlier answers, which is then sent back no more; once in a run. */
export function forgetsThinking(run: RunContext, error: unknown): boolean {
  if (!run.thinking || !(error instanceof MortiseError) || error.code !== "model_failed") return false;
  if (!refusals.some((refusal) => refusal.test(error.seen ?? ""))) return false;
  const { history, forgotten } = run.agent;
  const answers = history.messages.filter(({ role }) => role === "assistant");
  if (!answers.some((message) => !forgotten.has(message) && hasThinking(message))) return false;
  run.thinking = false;
  for (const message of answers) forgotten.add(message);
  run.emit({ type: "notice", code: "thinking_dropped", text: "The provider refused the model's earlier thinking; it is left out from here on." });
  return true;
}

function hasThinking(message: Message): boolean {
  return message.role === "assistant" && message.parts.some(({ type }) => type === "thinking");
}
