import type { Message } from "./message.ts";
import type { Usage } from "./session-event.ts";

/** How full the context is, in tokens: what the provider measured last, and an estimate of what came since. */
export type Gauge = {
  tokens(): number;
  /** The prompt that was measured last; 0 where none was. */
  prompt(): number;
  /** A request was answered: its prompt and its answer are in the context now. */
  measured(usage: Usage): void;
  appended(message: Message): void;
  /** Nothing was measured of what is there now. */
  reset(tokens: number): void;
};

export function createGauge(tokens = 0): Gauge {
  let measured = tokens;
  let chars = 0;
  let lastPrompt = 0;
  return {
    prompt: () => lastPrompt,
    tokens: () => measured + Math.ceil(chars / 4),
    measured({ input, output, cacheRead, cacheWrite }) {
      const prompt = input + cacheRead + cacheWrite;
      // A provider that does not say leaves the estimate.
      if (prompt === 0) return;
      lastPrompt = prompt;
      measured = prompt + output;
      chars = 0;
    },
    appended(message) {
      chars += charsOf(message);
    },
    reset(next) {
      measured = next;
      chars = 0;
    },
  };
}

/** An image costs about as many tokens as so many characters. */
const IMAGE_CHARS = 6_000;
const known = new WeakMap<Message, number>();

/** About how many characters of a prompt a message takes. */
export function charsOf(message: Message): number {
  const before = known.get(message);
  if (before !== undefined) return before;
  const chars = count(message);
  known.set(message, chars);
  return chars;
}

/** About how many tokens messages take. */
export function tokensIn(messages: readonly Message[]): number {
  let chars = 0;
  for (const message of messages) chars += charsOf(message);
  return Math.ceil(chars / 4);
}

function count(message: Message): number {
  switch (message.role) {
    case "user":
      return message.text.length + images(message);
    case "assistant":
      return message.parts.reduce(
        (sum, part) => sum + (part.type === "call" ? JSON.stringify(part.input ?? {}).length + part.tool.length : part.text.length),
        0,
      );
    case "tool":
      return message.results.reduce((sum, result) => sum + result.text.length + images(result), 0);
  }
}

function images({ images = [] }: { images?: readonly unknown[] }): number {
  return images.length * IMAGE_CHARS;
}
