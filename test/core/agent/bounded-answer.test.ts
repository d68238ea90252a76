import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { boundAnswer } from "../../../core/agent/bounded-answer.ts";
import { classifyError } from "../../../core/models/errors/classify-error.ts";

const call = (id: string, input: string): LanguageModelV4StreamPart => ({ type: "tool-call", toolCallId: id, toolName: "t", input });
const nested = (depth: number, text = "") => `{"a":${"[".repeat(depth - 1)}${JSON.stringify(text)}${"]".repeat(depth - 1)}}`;

async function pass(parts: Iterable<LanguageModelV4StreamPart>): Promise<LanguageModelV4StreamPart[]> {
  const passed: LanguageModelV4StreamPart[] = [];
  for await (const part of ReadableStream.from(parts).pipeThrough(boundAnswer({ chars: 10_000, calls: 3, depth: 5 }))) passed.push(part);
  return passed;
}

function* endless(make: (i: number) => LanguageModelV4StreamPart): Generator<LanguageModelV4StreamPart> {
  for (let i = 0; ; i++) yield make(i);
}

describe("boundAnswer()", () => {
  it.each<[string, (i: number) => LanguageModelV4StreamPart]>([
    ["text", () => ({ type: "text-delta", id: "1", delta: "la la" })],
    ["thinking", () => ({ type: "reasoning-delta", id: "1", delta: "hm hm" })],
    ["input", () => ({ type: "tool-input-delta", id: "1", delta: "[[[[[" })],
    ["calls that begin", (i) => ({ type: "tool-input-start", id: `${i}`, toolName: "t" })],
    ["calls", (i) => call(`${i}`, "{}")],
    ["calls of one id", () => call("same", "{}")],
  ])("ends an answer of endless %s, which is not asked for again", async (_what, make) => {
    const failure = await pass(endless(make)).catch((error: unknown) => error);
    expect(classifyError(failure).class).toBe("fatal");
  });

  it("passes on what is within the limits", async () => {
    const parts = [call("1", nested(5)), call("2", nested(5, "[[[[[[[[[[")), call("3", nested(5, '\\"[[[['))];
    expect(await pass(parts)).toEqual(parts);
  });

  it("makes no input of one that is nested too deep", async () => {
    const [part] = await pass([call("1", nested(6))]);
    expect(part).toMatchObject({ type: "tool-call", toolCallId: "1", input: expect.not.stringContaining("[") });
  });
});
