import type { RunError, Usage } from "../../agent/session-event.ts";

/** Tokens as readers of the output know them. */
export type WireUsage = {
  input_tokens: number;
  output_tokens: number;
  cache_read_input_tokens: number;
  cache_creation_input_tokens: number;
};

export type PermissionDenial = {
  /** The tool's own name, whatever the reader calls it. */
  tool: string;
  tool_name: string;
  tool_use_id: string;
  tool_input: unknown;
  scopes: readonly string[];
  /** What the model was told. */
  reason: string;
  /** Who denied it: `rule`, `person`, `nobody`, `default` or `layer:<plugin>`. */
  source: string;
};

/** The one object that tells how a run ended. */
export type RunResult = {
  type: "result";
  subtype: "success" | "error" | "error_during_execution";
  is_error: boolean;
  duration_ms: number;
  /** Of it, waiting for the model. */
  duration_api_ms: number;
  num_turns: number;
  /** The text of the final turn; of a run without one, what went wrong. */
  result: string;
  /** Null after an error. */
  stop_reason: string | null;
  session_id: string | null;
  /** US dollars; 0 where no price is known. */
  total_cost_usd: number;
  usage: WireUsage;
  permission_denials: readonly PermissionDenial[];
  errors: readonly RunError[];
  model_usage: Readonly<Record<string, WireUsage & { cost_usd: number | null }>>;
  compactions: number;
  retries: number;
  terminal_reason: string;
  /** Whether all of the session is on the disk. */
  session_saved: boolean;
};

export const noUsage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

export function wireUsage({ input, output, cacheRead, cacheWrite }: Usage): WireUsage {
  return { input_tokens: input, output_tokens: output, cache_read_input_tokens: cacheRead, cache_creation_input_tokens: cacheWrite };
}

/** The result of a run that never began. */
export function failedResult(error: RunError): RunResult {
  return {
    type: "result",
    subtype: "error",
    is_error: true,
    duration_ms: 0,
    duration_api_ms: 0,
    num_turns: 0,
    result: error.message,
    stop_reason: null,
    session_id: null,
    total_cost_usd: 0,
    usage: wireUsage(noUsage),
    permission_denials: [],
    errors: [error],
    model_usage: {},
    compactions: 0,
    retries: 0,
    terminal_reason: error.code === "cancelled" ? "cancelled" : error.code === "deadline_passed" ? "timeout" : "error",
    session_saved: true,
  };
}

/** The form in which a command line wants results on standard output, also where it is not valid; undefined where it does not. */
export function resultFormOf(words: readonly string[]): "result" | "sdk_result" | undefined {
  if (words[0] !== "run") return undefined;
  const end = words.indexOf("--");
  const before = words.slice(0, end === -1 ? undefined : end);
  const says = (option: string, value: RegExp) =>
    before.some(
      (word, i) =>
        (word.startsWith(`${option}=`) && value.test(word.slice(option.length + 1))) || (word === option && value.test(before[i + 1] ?? "")),
    );
  if (!says("--output", /^(stream-)?json$/)) return undefined;
  return says("--input", /^stream-json$/) ? "sdk_result" : "result";
}
