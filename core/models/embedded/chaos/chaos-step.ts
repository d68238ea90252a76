export type ChaosCall = { tool: string; input: unknown; id?: string };

/** What one request gets. `usage` are the tokens that the answer is said to have taken. */
export type ChaosStep = { usage?: { input: number; output: number } } & (
  | { kind: "text"; text: string }
  | { kind: "calls"; calls: readonly ChaosCall[]; text?: string }
  /** Nothing more comes: not even the head of the response, no output, or after some words. */
  | { kind: "hang"; after?: "nothing" | "head" | "text"; text?: string }
  /** A word, a pause, a word. */
  | { kind: "drip"; text: string; everyMs: number }
  /** Only signs of life, which are no output. */
  | { kind: "pings"; everyMs: number }
  /** A response with this status, for so many requests; with words, and what it says of waiting. */
  | { kind: "status"; status: number; times?: number; retryAfter?: string; message?: string; body?: string }
  /** The connection fails, as `ECONNREFUSED`; after some words with `text`. */
  | { kind: "network"; code: string; times?: number; text?: string }
  | { kind: "overflow" }
  /** Prompt and answer are too long together; an answer of so many tokens would fit. */
  | { kind: "budget_overflow"; room: number }
  /** An error within a stream that began well. */
  | { kind: "error_part"; text?: string; type: string; message: string }
  /** The stream ends without a finish. */
  | { kind: "truncated"; text: string }
  /** The stream ends within the input of a call. */
  | { kind: "truncated_call"; tool: string; input: string }
  | { kind: "invalid_json"; tool: string; input?: string }
  | { kind: "empty" }
  /** The same call twice in one answer, also with the same id where one is given. */
  | { kind: "duplicate_calls"; call: ChaosCall }
  | { kind: "thinking"; text: string; answer?: string }
  /** The answer is cut at its longest; within the input of a call, where one is given. */
  | { kind: "max_tokens"; text: string; call?: { tool: string; input: string } }
);
