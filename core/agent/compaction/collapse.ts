import type { Message, ToolResultPart } from "../message.ts";
import type { CollapseChoice } from "../slots.ts";

/** Bytes of results that a summary gets to read. */
export const RESULT_BYTES = 64 * 1024;
/** Characters of each result that layers get to see. */
const SHOWN_CHARS = 4 * 1024;

/** The results in messages, oldest first, each with its number from 1, and which of them do not fit. */
export function chooseCollapse(messages: readonly Message[], budget: number = RESULT_BYTES): CollapseChoice {
  const inputs = new Map<string, unknown>();
  const results: CollapseChoice["results"] = [];
  for (const message of messages) {
    if (message.role === "assistant") for (const part of message.parts) if (part.type === "call") inputs.set(part.toolId, part.input);
    if (message.role !== "tool") continue;
    for (const { toolId, tool, text } of message.results) {
      results.push({
        index: results.length + 1,
        tool,
        input: inputs.get(toolId) ?? null,
        bytes: Buffer.byteLength(text),
        text: text.slice(0, SHOWN_CHARS),
      });
    }
  }
  // Newest first. A huge one that does not fit takes nothing from the small ones before it.
  let left = budget;
  const collapse: number[] = [];
  for (const { index, bytes } of results.toReversed()) {
    if (bytes <= left) left -= bytes;
    else collapse.push(index);
  }
  return { results, budget, collapse: collapse.toReversed() };
}

/** The messages as a summary is made from: without images and thinking, and a placeholder for each result that is left out. */
export function forSummary(messages: readonly Message[], collapse: readonly number[]): Message[] {
  const left = new Set(collapse);
  let index = 0;
  return messages.map((message): Message => {
    if (message.role === "assistant") return { ...message, parts: message.parts.filter(({ type }) => type !== "thinking") };
    if (message.role === "tool") {
      const results = message.results.map((result) => (left.has(++index) ? leftOut(result) : withoutImages(result)));
      return { role: "tool", results };
    }
    const { images = [], ...rest } = message;
    return images.length === 0 ? message : { ...rest, text: `${rest.text}\n${placeholders(images.length)}`.trim() };
  });
}

function leftOut({ toolId, tool, text, isError }: ToolResultPart): ToolResultPart {
  return { toolId, tool, text: `[a result of ${Buffer.byteLength(text)} bytes, left out]`, isError };
}

function withoutImages({ images = [], ...result }: ToolResultPart): ToolResultPart {
  return images.length === 0 ? result : { ...result, text: `${result.text}\n${placeholders(images.length)}` };
}

function placeholders(count: number): string {
  return count === 1 ? "[an image]" : `[${count} images]`;
}
