import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { plainError } from "../models/errors/plain-error.ts";

/** Characters and calls of one answer, and how deep the input of a call may be nested. */
export type AnswerLimits = { chars: number; calls: number; depth: number };

const limits: AnswerLimits = { chars: 32 * 1024 * 1024, calls: 500, depth: 200 };

/**
 * Passes on what a model streams, as long as it is no more than an answer may be; then it fails, and is not asked again. The input of a call that is nested
 * too deep for those who read it is put as what it is: none. Warnings are left out, since the SDK would print them into whatever terminal the program has.
 */
export function boundAnswer({ chars, calls, depth }: AnswerLimits = limits): TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart> {
  let [charsLeft, begunLeft, callsLeft] = [chars, calls, calls];
  return new TransformStream({
    transform(part, controller) {
      charsLeft -= charsOf(part);
      if (part.type === "tool-input-start") begunLeft--;
      if (part.type === "tool-call") callsLeft--;
      if (charsLeft < 0) throw tooLong(`${chars} characters`);
      if (begunLeft < 0 || callsLeft < 0) throw tooLong(`${calls} calls`);
      if (part.type === "stream-start") controller.enqueue({ ...part, warnings: [] });
      else if (part.type === "tool-call" && isDeeper(part.input, depth)) controller.enqueue({ ...part, input: `(nested more than ${depth} deep)` });
      else controller.enqueue(part);
    },
  });
}

function charsOf(part: LanguageModelV4StreamPart): number {
  switch (part.type) {
    case "text-delta":
    case "reasoning-delta":
    case "tool-input-delta":
      return part.delta.length;
    case "tool-input-start":
      return part.toolName.length + part.id.length;
    case "tool-call":
      return part.toolName.length + part.toolCallId.length;
    default:
      return 0;
  }
}

/** Whether a JSON text is nested deeper. Read by hand: a pattern has no room for strings of megabytes. */
function isDeeper(json: string, most: number): boolean {
  let depth = 0;
  let isString = false;
  for (let i = 0; i < json.length; i++) {
    const char = json[i];
    if (isString) {
      if (char === "\\") i++;
      if (char === '"') isString = false;
    } else if (char === '"') isString = true;
    else if (char === "[" || char === "{") {
      if (++depth > most) return true;
    } else if (char === "]" || char === "}") depth--;
  }
  return false;
}

function tooLong(limit: string): Error {
  return plainError("Error", `the answer has more than ${limit}`, { code: "ERR_ANSWER_TOO_LONG" });
}
