import { border } from "./cap.ts";

/**
 * The beginning of a text, so many characters at most. A word that the cut would go through goes with it where it began in the last two thirds:
 * half a key could not be told from other text by redactors, which see what is left.
 */
export function cutAtWord(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = border(text, most, -1);
  if (!WORD.test(text[end] ?? "")) return text.slice(0, end);
  let start = end;
  while (start > 0 && WORD.test(text[start - 1] ?? "")) start--;
  return text.slice(0, start > most / 3 ? start : end);
}

/** Letters, digits, and what keys are written with besides. */
const WORD = /[\w+/=.~-]/;
