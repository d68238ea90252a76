import type { LanguageModelV4, LanguageModelV4FinishReason, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { describe, expect, it, onTestFinished } from "vitest";
import { createAnswer } from "../../../core/agent/answer.ts";
import { streamAnswer } from "../../../core/agent/request.ts";
import { createChaos } from "../../../core/models/embedded/chaos/chaos.ts";
import { modelOf } from "./agent-with.ts";

type Parts = readonly LanguageModelV4StreamPart[];

function modelSaying(parts: Parts): LanguageModelV4 {
  return { ...createChaos([]), doStream: async () => ({ stream: ReadableStream.from(parts) }) };
}

function finish(finishReason: LanguageModelV4FinishReason): LanguageModelV4StreamPart {
  const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };
  return { type: "finish", finishReason, usage };
}

async function ask(languageModel: LanguageModelV4, signal = new AbortController().signal) {
  const answer = createAnswer();
  const heard: string[] = [];
  const model = { ...modelOf(createChaos([])), languageModel };
  await streamAnswer(
    { model, instructions: "Help.", messages: [{ role: "user", text: "Go" }], tools: [], maxOutput: 100, thinking: () => true },
    answer,
    {
      signal,
      onHead: () => heard.push("head"),
      onOutput: () => heard.push("output"),
      onText: (text) => heard.push(text),
      onThinking: (text) => heard.push(text),
      onCall: ({ tool }) => heard.push(tool),
    },
  );
  return { answer, heard };
}

const text: Parts = [
  { type: "text-start", id: "1" },
  { type: "text-delta", id: "1", delta: "Hello." },
  { type: "text-end", id: "1", providerMetadata: { p: { signature: "s" } } },
];

describe("streamAnswer()", () => {
  it("breaks no answer off at a call that is nested too deep, and does not run that", async () => {
    const deep = `{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
    const { answer } = await ask(
      modelSaying([
        { type: "tool-call", toolCallId: "1", toolName: "read", input: deep },
        { type: "tool-call", toolCallId: "2", toolName: "read", input: "{}" },
        finish({ unified: "tool-calls", raw: "tool_calls" }),
      ]),
    );
    expect(answer.parts).toMatchObject([{ toolId: "1", input: {} }, { toolId: "2" }]);
    expect([...answer.broken.keys()]).toContain("1");
  });

  it("tells of the head, then of what comes", async () => {
    const { answer, heard } = await ask(modelSaying([{ type: "stream-start", warnings: [] }, ...text, finish({ unified: "stop", raw: "stop" })]));
    expect(heard).toEqual(["head", "output", "Hello."]);
    expect(answer.parts).toEqual([{ type: "text", text: "Hello.", provider: { p: { signature: "s" } } }]);
  });

  it.each([
    { unified: "interrupted", raw: undefined },
    { unified: "other", raw: undefined },
    { unified: "error", raw: "error" },
  ] as const)("takes an end of %o for none", async (reason) => {
    await expect(ask(modelSaying([...text, finish(reason)]))).rejects.toThrow();
  });

  it("takes a reason that the provider alone has for an end", async () => {
    const { answer } = await ask(modelSaying([...text, finish({ unified: "other", raw: "pause_turn" })]));
    expect(answer.finish).toBe("stop");
  });

  it("prints no warnings", async () => {
    const warned: unknown[] = [];
    const onWarning = (warning: unknown) => void warned.push(warning);
    process.on("warning", onWarning);
    onTestFinished(() => void process.off("warning", onWarning));
    await ask(
      modelSaying([
        { type: "stream-start", warnings: [{ type: "other", message: "Beware." }] },
        ...text,
        finish({ unified: "stop", raw: undefined }),
      ]),
    );
    await new Promise((resolve) => setImmediate(resolve));
    expect(warned).toEqual([]);
  });

  it("ends with the reason of an abort, also where the model does not care", async () => {
    const stop = new AbortController();
    const deaf: LanguageModelV4 = { ...createChaos([]), doStream: () => new Promise(() => {}) };
    const asked = ask(deaf, stop.signal);
    stop.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
    const silent: LanguageModelV4 = { ...createChaos([]), doStream: async () => ({ stream: new ReadableStream() }) };
    const again = new AbortController();
    const waiting = ask(silent, again.signal);
    again.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
  });
});
