export type Size = { lines: number; bytes: number };

/** What the line that says what is missing may take. */
export const MARK_BYTES = 200;
const MARK_LINES = 1;

export function sizeOf(text: string): Size {
  let lines = 1;
  let bytes = 0;
  for (let at = 0; at < text.length; at++) {
    bytes += bytesAt(text, at);
    if (text.charCodeAt(at) === 10) lines++;
  }
  return { lines, bytes };
}

/** Keeps head and tail of a text that is larger than `most`, whole lines where they fit. `where` says what else there is to know about the rest. */
export function cutText(text: string, most: Size, where: string): string {
  const size = sizeOf(text);
  if (size.lines <= most.lines && size.bytes <= most.bytes) return text;
  const half = { lines: Math.floor((most.lines - MARK_LINES) / 2), bytes: Math.floor((most.bytes - MARK_BYTES) / 2) };
  const head = text.slice(0, headEnd(text, half));
  const tail = text.slice(Math.max(tailStart(text, half), head.length));
  const [first, last] = [sizeOf(head), sizeOf(tail)];
  const lines = size.lines - (head === "" ? 0 : first.lines) - (tail === "" ? 0 : last.lines);
  const bytes = size.bytes - first.bytes - last.bytes;
  const mark = `[${lines > 0 ? `${lines} lines, ` : ""}${bytes} bytes left out${where}]`;
  // A copy, since a slice keeps the text that it was cut from.
  return JSON.parse(JSON.stringify([head, mark, tail].filter((part) => part !== "").join("\n")));
}

function headEnd(text: string, most: Size): number {
  let [bytes, lines, lineEnd] = [0, 0, 0];
  let at = 0;
  for (; at < text.length; at++) {
    bytes += bytesAt(text, at);
    if (bytes > most.bytes) break;
    if (text.charCodeAt(at) !== 10) continue;
    if (++lines > most.lines) break;
    lineEnd = at;
  }
  return lineEnd > at / 2 ? lineEnd : border(text, at, -1);
}

function tailStart(text: string, most: Size): number {
  let [bytes, lines, lineStart] = [0, 0, text.length];
  let at = text.length;
  for (; at > 0; at--) {
    bytes += bytesAt(text, at - 1);
    if (bytes > most.bytes) break;
    if (text.charCodeAt(at - 1) !== 10) continue;
    if (++lines > most.lines) break;
    lineStart = at;
  }
  return text.length - lineStart > (text.length - at) / 2 ? lineStart : border(text, at, 1);
}

/** A place that is not inside of a pair of surrogates. */
function border(text: string, at: number, step: 1 | -1): number {
  return isHalf(text.charCodeAt(at - 1), 0xd800) && isHalf(text.charCodeAt(at), 0xdc00) ? at + step : at;
}

/** Bytes of UTF-8 that a unit of the text stands for: each half of a pair for two of its four. */
function bytesAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit < 0x80) return 1;
  return unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3;
}

function isHalf(unit: number, from: number): boolean {
  return (unit & 0xfc00) === from;
}
