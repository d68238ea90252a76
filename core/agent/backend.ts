import type { Image } from "../../sdk/api.ts";
import type { MessageSource, SessionEvent } from "./session-event.ts";

export type UserInput = {
  text: string;
  images?: readonly Image[];
  source: MessageSource;
  /** The run ends only once all that works in the background has reported, within its limits. */
  waitsForTasks?: boolean;
};

/** Of one run, with what was spent for it. `timeoutMs` 0 is no limit. */
export type RunLimits = { maxTurns: number; maxCostUsd: number | null; maxTotalTokens: number | null; timeoutMs: number };

/** One run: everything that one input causes. */
export type Run = {
  /** Ends after `done`. A consumer that stops reading does not stop the run; `cancel` does. */
  events: AsyncIterable<SessionEvent>;
  /** Keeps what was streamed, and leaves a valid history. The run still ends with `done`, for the reason that is given: `cancelled` unless said. */
  cancel(reason?: "cancelled" | "timeout" | "end_turn" | "max_cost" | "max_total_tokens"): void;
  /** Another message while the run works. Resolves once the model has it, or the run ended without. */
  say(input: UserInput): Promise<"delivered" | "not_delivered">;
};

/** What drives a session: the loop over a model here, a process that speaks ACP elsewhere. */
export type Backend = {
  readonly kind: "ai-sdk" | "acp";
  /** Begins once the runs before it are over. */
  run(input: UserInput, limits?: Partial<RunLimits>): Run;
  /** Sums up the conversation. While a run works it does so between two turns, tells of it, and pays for it: this one then has its `done` alone. */
  compact(words: string): Run;
  /** Takes effect with the next request. Rejects where there is no such model, which leaves the one there is. */
  setModel(model: string): Promise<void>;
  close(): Promise<void>;
};
