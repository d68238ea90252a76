import type { Asked, Rule } from "./rule.ts";

/** What is said where no rule fits: that there is no model, how to add one, and what works without. */
export function noModel({ tools }: Asked, rules: readonly Rule[]): string {
  const can = rules.filter(({ needs }) => needs.every((tool) => tools.has(tool)));
  return [
    "I cannot answer that: no language model is set up. I am `embedded/scripted`, a list of rules that runs real tools on your files, and no model.",
    "",
    "Add a model in one of three ways:",
    "- On this machine: start Ollama, LM Studio, llama.cpp or vLLM, then name its model, as `--model ollama/NAME`; `mortise models --local` finds what runs.",
    "- With a key: set `ANTHROPIC_API_KEY`, `OPENAI_API_KEY` or `GEMINI_API_KEY`, then `--model anthropic/NAME`; `openrouter/NAME` and others take theirs the same way.",
    '- Any server that speaks the OpenAI protocol: `"models": { "providers": { "mine": { "url": "https://host/v1" } } }` in config.jsonc, then `--model mine/NAME`.',
    ...(can.length === 0 ? [] : ["", "Without one I can do this:", ...can.map(({ example }) => `- ${example}`)]),
  ].join("\n");
}
