import { createClean } from "../models/clean-text.ts";
import { guardModel } from "../models/providers/guarded-model.ts";
import { createAnswer } from "./answer.ts";
import { streamAnswer } from "./request.ts";

const DELTAS = [{ role: "assistant", content: "One " }, { content: "and " }, { content: "two." }];

/**
 * Has nobody's model answer nobody, by the way that answers of servers go: the first that counts is not kept waiting for code that never ran.
 * Sends nothing anywhere. Answers what was heard.
 */
export async function rehearseAnswer(): Promise<string> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const fetch = async () => new Response(stream(), { headers: { "content-type": "text/event-stream" } });
  const provider = createOpenAICompatible({ name: "rehearsal", baseURL: "http://127.0.0.1", includeUsage: true, fetch });
  const languageModel = guardModel(provider.languageModel("rehearsal"), createClean({}));
  const model = {
    id: "rehearsal/rehearsal",
    provider: "rehearsal",
    name: "rehearsal",
    languageModel,
    contextWindow: 1_000,
    maxOutput: 100,
    price: null,
    images: false,
  };
  const answer = createAnswer();
  const nothing = () => {};
  await streamAnswer(
    { model, instructions: "", messages: [{ role: "user", text: "Say it." }], tools: [], maxOutput: 100, thinking: () => false },
    answer,
    { signal: new AbortController().signal, onHead: nothing, onOutput: nothing, onText: nothing, onThinking: nothing, onCall: nothing },
  );
  return answer.text();
}

function stream(): string {
  const chunks = [...DELTAS.map((delta) => ({ delta, finish_reason: null })), { delta: {}, finish_reason: "stop" }];
  const events = chunks.map((choice) => JSON.stringify({ id: "1", created: 1, model: "rehearsal", choices: [{ index: 0, ...choice }] }));
  return [...events, "[DONE]"].map((event) => `data: ${event}\n\n`).join("");
}
