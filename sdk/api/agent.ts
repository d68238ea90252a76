import type { Json } from "./slots.ts";

export type ModelTier = "weak" | "medium" | "strong";

/** A conversation with a model, beside the one that the caller is part of. */
export type AgentSessionRequest = {
  /** How a person knows it, in one line of 80 characters at most; the name of the plugin unless said. */
  name?: string;
  /** What the model is told about itself. With tools it stands behind what every agent of the program is told. */
  instructions?: string;
  /**
   * Gives it tools: those that are for this audience and that this plugin's grants pay for. Without one it has none. A caller of audience
   * `research` may open no other.
   */
  audience?: "research" | "general";
  /** The tier of its model, never above that of the caller's own, which it is unless said; in layers of `permission.prompt` it is `weak` then. */
  tier?: ModelTier;
  /** JSON Schema of type object that the answer has to fit. The model is asked again where it does not. */
  outputSchema?: Record<string, Json>;
  limits?: AgentLimits;
  /** Show what it does while the tool of this plugin runs. */
  live?: boolean;
  /** Conversations with tools that may be at work in this process, else this one waits: 8 unless said, 32 at most. */
  places?: number;
  /** The very model, as `provider/name`, of whatever tier. Only where the user set this plugin's option `allowModel` to true. */
  model?: string;
  /** It is to be given to `start`, and works on when the call that opened it is over. Not in subagents. */
  background?: boolean;
};

/**
 * Of the whole conversation. What the caller's own run has left is the most in each case. In layers of `permission.prompt`, unless said: 4 answers,
 * 50,000 tokens, 1 US dollar and 20 s, and never more time than the layers have.
 */
export type AgentLimits = {
  /** Answers of the model: 50 unless said. */
  maxTurns?: number;
  /** Tokens of all requests and answers together: 1,000,000 unless said. */
  maxTokens?: number;
  /** US dollars: 5 unless said. What has no price costs nothing. */
  maxCostUsd?: number;
  /** Time at work; waiting for a person or for a place is free. 30 minutes unless said. */
  timeoutMs?: number;
};

export type AgentSession = {
  readonly id: string;
  /** As `provider/name`. */
  readonly model: string;
  readonly tier: ModelTier;
  /** Whether a stronger tier was asked for than there may be. */
  readonly clamped: boolean;
  /** Resolves when the model is done, or with what there is once it was stopped. One after another. Throws `cancelled`, `deadline_passed` where it never began. */
  prompt(text: string): Promise<AgentAnswer>;
  /**
   * For one that was opened with `background`: lets it work on after this call, until the session ends, and does not wait. Its end is reported to
   * the session in 2,000 characters, redacted; `more` says there how to get the rest. Throws `too_many_requests`: 16 at work at once.
   */
  start(text: string, options?: { more?: string }): Promise<AgentTask>;
  /** Ends it with all that it left running. The end of the caller does that too. */
  close(): Promise<void>;
};

/** A conversation that works in the background of its session, or did. */
export type AgentTask = {
  readonly id: string;
  readonly name: string;
  readonly model: string;
  readonly tier: ModelTier;
  readonly clamped: boolean;
  /** `lost`: the program ended while it worked; its answer is what was written down until then. */
  readonly status: "working" | "done" | "lost";
  /** Once it is over. */
  readonly answer?: AgentAnswer;
};

/** What an agent answered, and how that came to its end. Counts are of the whole conversation so far, `durationMs` of this answer. */
export type AgentAnswer = {
  /** What the model said last. Where it was stopped: all that is worth anything of what it said until then. */
  text: string;
  /** `done`; `length`: its answer was cut at its longest; a limit; `stuck`: it went round in circles; `dropped`: a plugin dropped the message; `no_output`: it gave nothing that fits the schema. */
  ended: "done" | "length" | "max_turns" | "max_tokens" | "max_cost" | "timeout" | "cancelled" | "stuck" | "dropped" | "no_output" | "error";
  error?: { code: string; message: string };
  /** With a schema: what fits it. */
  output?: Json;
  /** With a schema and without `output`: what did not fit the last time; empty where nothing was tried. */
  faults?: string[];
  /** Calls that it made, and those of them that were denied or failed, by tool. */
  calls: { tool: string; calls: number; failed: number; denied: number }[];
  turns: number;
  tokens: number;
  costUsd: number | null;
  durationMs: number;
};
