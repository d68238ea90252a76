/** The most text of one result that the host works on, in characters; head and tail are kept. */
export const CAP_CHARS = 8 * 1024 * 1024;

/** A line whose rest would be longer is cut. */
const LINE_CHARS = 4_096;

/** Cuts text in the middle, at character borders, and counts what is left out. */
export function capText(text: string, capChars: number = CAP_CHARS): { text: string; droppedChars: number } {
  if (text.length <= capChars) return { text, droppedChars: 0 };
  const half = Math.floor(capChars / 2);
  const head = lineEnd(text, border(text, half, -1));
  const tail = lineStart(text, border(text, text.length - half, 1));
  return { text: `${text.slice(0, head)}\n[${tail - head} characters left out]\n${text.slice(tail)}`, droppedChars: tail - head };
}

/** Where a cut takes a line in two, its rest goes too: half a secret could not be told from other text. */
function lineEnd(text: string, at: number): number {
  const end = text.lastIndexOf("\n", at - 1);
  return end < 0 || at - end > LINE_CHARS ? at : end;
}

function lineStart(text: string, at: number): number {
  const start = text.indexOf("\n", at) + 1;
  return start === 0 || start - at > LINE_CHARS ? at : start;
}

/** The nearest place at or beside `at` that is not inside a surrogate pair. */
export function border(text: string, at: number, step: 1 | -1): number {
  const isInside = (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  return isInside ? at + step : at;
}
