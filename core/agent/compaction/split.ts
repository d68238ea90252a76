import { charsOf } from "../gauge.ts";
import type { Message } from "../message.ts";

/** A history in parts: what is summarised, the last messages that are kept as they are, and what no turn has answered. */
export type Split = { head: readonly Message[]; tail: readonly Message[]; carried: readonly Message[] };

/**
 * Keeps as many of the last answered messages as fit into so many tokens, and never parts a call from its result.
 * @param carryFrom The first message that no turn has answered.
 */
export function splitHistory(messages: readonly Message[], carryFrom: number, tailTokens: number): Split {
  let cut = carryFrom;
  let left = tailTokens * 4;
  for (let i = carryFrom - 1; i >= 0; i--) {
    const message = messages[i];
    if (message === undefined) break;
    left -= charsOf(message);
    if (left < 0) break;
    if (message.role !== "tool") cut = i;
  }
  return { head: messages.slice(0, cut), tail: messages.slice(cut, carryFrom), carried: messages.slice(carryFrom) };
}

/** Without its oldest round: a message of the user and what was answered to it. Undefined where there is one round alone. */
export function withoutOldestRound(messages: readonly Message[]): readonly Message[] | undefined {
  const next = messages.findIndex((message, i) => i > 0 && message.role === "user" && messages.slice(0, i).some(({ role }) => role === "assistant"));
  return next <= 0 ? undefined : messages.slice(next);
}
