/** The most text of one result that the host works on, in characters; head and tail are kept. */
export const CAP_CHARS = 8 * 1024 * 1024;

/** Cuts text in the middle, at character borders, and counts what is left out. */
export function capText(text: string, capChars: number = CAP_CHARS): { text: string; droppedChars: number } {
  if (text.length <= capChars) return { text, droppedChars: 0 };
  const half = Math.floor(capChars / 2);
  const head = border(text, half, -1);
  const tail = border(text, text.length - half, 1);
  return { text: `${text.slice(0, head)}\n[${tail - head} characters left out]\n${text.slice(tail)}`, droppedChars: tail - head };
}

/** The nearest place at or beside `at` that is not inside a surrogate pair. */
export function border(text: string, at: number, step: 1 | -1): number {
  const isInside = (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  return isInside ? at + step : at;
}
