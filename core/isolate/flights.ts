import type { Code } from "../../sdk/errors.ts";
import type { Packed } from "../../sdk/wire.ts";
import type { RunnerMessage } from "./protocol/messages.ts";

/** What became of a runner, as far as one request is concerned. */
export type Loss = {
  /** Why it ended. */
  code: Code;
  /** The plugin whose code ended it, or null where nobody knows. */
  guilty: string | null;
  /** Whether it was in a turn of this very request. */
  mine: boolean;
};

/** A request that a runner has not answered. */
export type Flight = {
  /** What the host knows the request by. */
  callKey: string | null;
  /** Long strings that went with the request: they come back as references. */
  known: readonly string[];
  hear(message: RunnerMessage, parts: readonly string[]): void;
  lost(loss: Loss): void;
  /** Answers requests of code that is no plugin's. */
  onCall?(method: string, args: Packed): Promise<Packed>;
};
