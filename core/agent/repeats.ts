import { createHash } from "node:crypto";
import type { RepeatLimits } from "./limits.ts";

export type Repeat = "same" | "cycle" | "same_error";

export type Repeats = {
  /** Notes a call that is about to run, and says whether it should not: it would do once more what was done before. */
  call(tool: string, input: unknown): "same" | "cycle" | undefined;
  /** Notes what came of a call; true where the same error came too often in a row. */
  result(tool: string, input: unknown, result: { text: string; isError: boolean }): boolean;
  /** A person spoke: what comes now is another matter. */
  reset(): void;
};

type Noted = { key: string; result: string | undefined };

/** Notices a model that goes round in circles. */
export function createRepeats(limits: RepeatLimits): Repeats {
  let calls: Noted[] = [];
  let errors = { key: "", count: 0 };
  const kept = Math.max(limits.sameCalls, 4);

  return {
    call(tool, input) {
      if (limits.except.includes(tool)) return undefined;
      const key = hash([tool, input]);
      const repeat = isSame(calls, key, limits.sameCalls) ? "same" : limits.cycles && closesCycle(calls, key) ? "cycle" : undefined;
      // One that is refused stands for what it would have come to.
      const result = repeat === undefined ? undefined : calls.findLast((call) => call.key === key)?.result;
      calls = [...calls, { key, result }].slice(-kept);
      return repeat;
    },
    result(tool, input, { text, isError }) {
      const key = hash([tool, input]);
      const noted = calls.find((call) => call.key === key && call.result === undefined);
      if (noted !== undefined) noted.result = hash(text);
      if (limits.sameErrors === 0 || limits.except.includes(tool)) return false;
      const error = isError ? hash([tool, text]) : "";
      errors = { key: error, count: error !== "" && error === errors.key ? errors.count + 1 : 1 };
      return error !== "" && errors.count >= limits.sameErrors;
    },
    reset() {
      calls = [];
      errors = { key: "", count: 0 };
    },
  };
}

function isSame(before: readonly Noted[], key: string, most: number): boolean {
  return most > 0 && before.length >= most - 1 && before.slice(before.length - most + 1).every((call) => call.key === key);
}

/** A-B-A, and B again, where A came to the same both times: something that changed is progress. */
function closesCycle(before: readonly Noted[], key: string): boolean {
  const [first, second, third] = before.slice(-3);
  if (first === undefined || second === undefined || third === undefined) return false;
  return first.key === third.key && second.key === key && first.key !== key && first.result !== undefined && first.result === third.result;
}

function hash(value: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(sorted(value)))
    .digest("base64");
}

/** The order of keys says nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value ?? null;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
