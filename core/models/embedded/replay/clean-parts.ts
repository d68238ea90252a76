import type { Clean } from "../../clean-text.ts";
import type { Entry } from "./cassette.ts";

type Parts = Entry["parts"];

/** Takes secrets out of what streamed, also such as are split between two parts: then the first part of the text has all of it. */
export function cleanParts(parts: Parts, clean: Clean): Parts {
  const whole = new Map<string, string>();
  for (const { part } of parts) if ("delta" in part) whole.set(keyOf(part), (whole.get(keyOf(part)) ?? "") + part.delta);
  const cleaned = new Map<string, string>();
  for (const [key, text] of whole) if (clean(text) !== text) cleaned.set(key, clean(text));
  return parts.map(({ delayMs, part }) => {
    if (part.type === "tool-call") return { delayMs, part: { ...part, input: clean(part.input) } };
    if (!("delta" in part)) return { delayMs, part };
    const text = cleaned.get(keyOf(part));
    if (text === undefined) return { delayMs, part };
    cleaned.set(keyOf(part), "");
    return { delayMs, part: { ...part, delta: text } };
  });
}

function keyOf({ type, id }: { type: string; id: string }): string {
  return `${type} ${id}`;
}
