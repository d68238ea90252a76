import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { Agent, AgentOptions } from "../../core/agent/agent.ts";
import type { Message } from "../../core/agent/message.ts";
import type { NativeTool } from "../../core/host-types.ts";
import type { Model } from "../../core/models/model.ts";
import { built, builtAgent } from "./built.ts";
import { shownWords } from "./first-word.ts";
import type { Wanted } from "./goals.ts";
import { type Case, type Results, runRounds } from "./rounds.ts";
import { ratio, summary } from "./samples.ts";
import type { Layout } from "./table.ts";

const TURNS = 10;
const lengths = [10, 200, 2_000] as const;

/** The loop around a model that answers at once: what a turn takes with so many messages before it, and how long a word is under way. */
export async function agentLoop(times: (count: number) => number, folder: string, progress: (text: string) => void): Promise<Results> {
  const { createHost } = await built();
  const { createAgent } = await builtAgent();
  const host = await createHost({ builtins: false, yolo: true, tools: [answers] });
  const make: Make = (options) => createAgent({ host, ...options });
  try {
    const cases: Case[] = [
      ...lengths.map((length) => ({ name: `turn, ${length} messages`, sample: () => turns(make, length) })),
      { name: "first word", sample: () => firstWord(make) },
    ];
    const measured = await runRounds(cases, times(30), times(5), progress);
    return new Map([...measured, ...(await shownWords(times(10), folder))]);
  } finally {
    await host.close();
  }
}

type Make = (options: Pick<AgentOptions, "model" | "history">) => Agent;

const answers: NativeTool = {
  name: "answers",
  description: "Answers.",
  inputSchema: { type: "object", properties: { number: { type: "number" } } },
  scopes: "none",
  run: ({ number }) => `It is ${number}`,
};

/** A turn with a call of a tool that the host answers itself; the mean of a few in one run. */
async function turns(make: Make, length: number): Promise<number[]> {
  let asked = 0;
  const agent = make({
    model: modelOf(async function* () {
      asked++;
      if (asked > TURNS) return yield* text("Done.");
      yield { type: "tool-call", toolCallId: `n${asked}`, toolName: "answers", input: JSON.stringify({ number: asked }) };
      yield finish("tool-calls");
    }),
    history: historyOf(length),
  });
  // What is converted once belongs to the session's start.
  await read(agent);
  asked = 0;
  const started = performance.now();
  await read(agent);
  return [((performance.now() - started) * 1_000) / (TURNS + 1)];
}

/** From the moment a word comes from the model until whoever watches has it. */
async function firstWord(make: Make): Promise<number[]> {
  let sent = 0;
  const agent = make({
    model: modelOf(async function* () {
      await new Promise((resolve) => setTimeout(resolve, 2));
      sent = performance.now();
      yield* text("Word");
    }),
    history: historyOf(10),
  });
  for await (const event of agent.run({ text: "Go", source: "headless" }).events) {
    if (event.type === "text_delta") return [(performance.now() - sent) * 1_000];
  }
  throw new Error("No word came");
}

async function read(agent: Agent): Promise<void> {
  for await (const event of agent.run({ text: "Go", source: "headless" }).events) {
    if (event.type === "done" && event.reason !== "end_turn") throw new Error(`The run ended with ${event.reason}: ${event.error?.message}`);
  }
}

function historyOf(length: number): Message[] {
  return Array.from({ length: length / 4 }, (_, i): Message[] => [
    { role: "user", text: `Question ${i}: what is in the file that was named before?` },
    { role: "assistant", parts: [{ type: "call", toolId: `c${i}`, tool: "answers", input: { number: i } }], model: "bench/model" },
    { role: "tool", results: [{ toolId: `c${i}`, tool: "answers", text: `It is ${i}. `.repeat(50), isError: false }] },
    { role: "assistant", parts: [{ type: "text", text: `Answer ${i}: it is a number.` }], model: "bench/model" },
  ]).flat();
}

type Parts = AsyncGenerator<LanguageModelV4StreamPart>;

function modelOf(parts: () => Parts): Model {
  const languageModel: LanguageModelV4 = {
    specificationVersion: "v4",
    provider: "bench",
    modelId: "model",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("It streams")),
    doStream: async () => ({ stream: ReadableStream.from(parts()) }),
  };
  return {
    id: "bench/model",
    provider: "bench",
    name: "model",
    languageModel,
    contextWindow: 10_000_000,
    maxOutput: 8_192,
    price: null,
    images: false,
  };
}

async function* text(delta: string): Parts {
  yield { type: "text-start", id: "t" };
  yield { type: "text-delta", id: "t", delta };
  yield { type: "text-end", id: "t" };
  yield finish("stop");
}

function finish(unified: "stop" | "tool-calls"): LanguageModelV4StreamPart {
  return {
    type: "finish",
    finishReason: { unified, raw: undefined },
    usage: { inputTokens: { total: 100, noCache: 100, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 10, text: 10, reasoning: 0 } },
  };
}

export const agentLayout: Layout = [
  {
    title: "One turn of the agent with a call, around a model that answers at once",
    ratioTo: "to 10 messages",
    lines: lengths.map((length) => ({
      name: `${length} messages before it`,
      of: `turn, ${length} messages`,
      ...(length === 10 ? {} : { against: "turn, 10 messages" }),
    })),
  },
  {
    title: "A word, from the model to whoever watches",
    lines: [
      { name: "the first one, in one process", of: "first word" },
      { name: "the first one, on standard output of `mortise run`", of: "first word, on standard output" },
      { name: "the end of the answer, as text there", of: "answer, on standard output" },
    ],
  },
];

export const agentGoals: readonly Wanted[] = [
  { name: "a turn of the agent, 10 messages", bound: { most: 5_000 }, unit: "us", measure: (get) => summary(get("turn, 10 messages")) },
  { name: "a turn of the agent, 2,000 messages", bound: { most: 15_000 }, unit: "us", measure: (get) => summary(get("turn, 2000 messages")) },
  {
    name: "a turn of the agent, ten times the messages",
    bound: { most: 10 },
    unit: "times",
    measure: (get) => ratio(get("turn, 2000 messages"), get("turn, 200 messages")),
  },
  { name: "a first word, told", bound: { most: 10_000 }, unit: "us", measure: (get) => summary(get("first word")) },
  { name: "a first word, on standard output", bound: { most: 10_000 }, unit: "us", measure: (get) => summary(get("first word, on standard output")) },
];
