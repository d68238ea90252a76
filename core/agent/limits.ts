import type { RunLimits } from "./backend.ts";

export const defaultLimits: RunLimits = { maxTurns: 200, maxCostUsd: null, maxTotalTokens: null, timeoutMs: 4 * 3_600_000 };

/** In milliseconds; 0 is off. */
export type Timers = {
  /** Until the head of the response. */
  connectMs: number;
  /** From there until the first output. */
  firstOutputMs: number;
  /** Between outputs of the model. */
  modelIdleMs: number;
  /** Between outputs of a tool; waiting for a person is free. */
  toolIdleMs: number;
  /** For a person to answer a permission. */
  permissionMs: number;
  /** The longest wait before a request is sent again; a longer one ends the run. */
  retryWaitMs: number;
  /** That tools have to end after a cancel. */
  cancelGraceMs: number;
};

export const defaultTimers: Timers = {
  connectMs: 30_000,
  firstOutputMs: 120_000,
  modelIdleMs: 120_000,
  toolIdleMs: 600_000,
  permissionMs: 0,
  retryWaitMs: 0,
  cancelGraceMs: 15_000,
};

/** How often something may come again. */
export type RepeatLimits = {
  /** The same call so often in a row is refused; 0 is off. */
  sameCalls: number;
  /** Whether A-B-A-B with the same results is refused. */
  cycles: boolean;
  /** The same error of a tool so often in a row is pointed out; 0 is off. */
  sameErrors: number;
  /** Tools whose calls may come again, as those that wait for something. */
  except: readonly string[];
};

export const defaultRepeats: RepeatLimits = { sameCalls: 3, cycles: true, sameErrors: 3, except: [] };

/** Times in a row that a person is asked for another key. */
export const MAX_REAUTHS = 2;
/** Turns in a row, all of whose calls were refused as repetitions, that end a run. */
export const MAX_STUCK_TURNS = 3;
export const MAX_NUDGES = 20;
/** Messages back in which results make an empty answer worth a nudge. */
export const NUDGE_REACH = 5;
/** Answers in a row that are cut at their longest and continued. */
export const MAX_CONTINUATIONS = 3;
/** Times in a row that a layer of `agent.stop` may go on. */
export const MAX_STOP_CONTINUATIONS = 3;
/** Tokens of one answer, unless the model writes less. */
export const MAX_TURN_OUTPUT = 32_768;
export const MAX_SUMMARY_OUTPUT = 16_384;
export const MIN_OUTPUT = 4_096;
