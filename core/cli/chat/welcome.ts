import type { Tone } from "./state/chat-state.ts";

export type WelcomeOptions = {
  model: string;
  /** Whether it is the chat's first session. */
  isFirst: boolean;
  isNew: boolean;
  /** Where a session of another folder goes on: where it was begun, and where tools run. */
  elsewhere: { begun: string; here: string } | null;
};

/** What is said first: which model answers, and what a person can do. */
export function welcome({ model, isFirst, isNew, elsewhere }: WelcomeOptions): { tone: Tone; text: string }[] {
  const place: { tone: Tone; text: string }[] =
    elsewhere === null ? [] : [{ tone: "warning", text: `This session was begun in ${elsewhere.begun}. Tools run in ${elsewhere.here} now.` }];
  if (!isFirst) return [...(isNew ? [{ tone: "info", text: "A new session. The one before is in /sessions." } as const] : []), ...place];
  return [
    {
      tone: "info",
      text: `Mortise, with ${model}. Write what you want done, and Enter sends it. /help lists commands, Esc stops what runs, Ctrl+D leaves.`,
    },
    ...place,
    ...(model.startsWith("embedded/scripted") ? [{ tone: "warning", text: NO_MODEL } as const] : []),
  ];
}

const NO_MODEL = [
  "No language model is set up. What answers is a list of rules that runs real tools on your files; it is no model. Three ways to add one:",
  "1. On this machine: start Ollama, LM Studio, llama.cpp or vLLM, then `mortise --model ollama/NAME`.",
  "2. With a key: set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, then `mortise --model anthropic/NAME`.",
  '3. Any server that speaks the OpenAI protocol: "models": { "providers": { "mine": { "url": "https://host/v1" } } } in config.jsonc, then `mortise --model mine/NAME`.',
  'Without one you can try "how many TypeScript files are here?" or "run the tests".',
].join("\n");
