import { border } from "./cap.ts";

/** What the model sees of one result at most. */
export const MAX_LINES = 2_000;
export const MAX_BYTES = 50 * 1024;
/** Characters of one line, beyond which its middle is left out. */
export const MAX_LINE_CHARS = 4_000;

export type TruncateLimits = { lines: number; bytes: number };

/** `head`, a marker, `tail`; without omitted lines only long lines were shortened, and `tail` is empty. */
export type Truncated = { head: string; tail: string; omittedLines: number; omittedBytes: number };

/**
 * Keeps head and tail of a text, since failures stand at the end: whole lines, and of a line that is too long its beginning and end.
 * Undefined where the text fits.
 */
export function truncate(text: string, limits: TruncateLimits = { lines: MAX_LINES, bytes: MAX_BYTES }): Truncated | undefined {
  const bytes = Buffer.byteLength(text);
  const lines = text.split("\n");
  if (bytes <= limits.bytes && lines.length <= limits.lines) return undefined;

  const head = take(lines, 0, 1, limits.lines / 2, limits.bytes / 2);
  const tail = take(lines, lines.length - 1, -1, Math.min(limits.lines / 2, lines.length - head.length), limits.bytes / 2).reverse();
  const omittedLines = lines.length - head.length - tail.length;
  if (omittedLines === 0) return { head: [...head, ...tail].join("\n"), tail: "", omittedLines, omittedBytes: bytes - size([...head, ...tail]) };
  return { head: head.join("\n"), tail: tail.join("\n"), omittedLines, omittedBytes: bytes - size([...head, ...tail]) };
}

function take(lines: readonly string[], from: number, step: 1 | -1, maxLines: number, maxBytes: number): string[] {
  const taken: string[] = [];
  let left = maxBytes;
  for (let i = from; taken.length < maxLines && i >= 0 && i < lines.length; i += step) {
    const line = shorten(lines[i] ?? "");
    left -= Buffer.byteLength(line) + 1;
    if (left < 0) break;
    taken.push(line);
  }
  return taken;
}

function size(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, -1);
}

function shorten(line: string): string {
  if (line.length <= MAX_LINE_CHARS) return line;
  const head = border(line, MAX_LINE_CHARS / 2, -1);
  const tail = border(line, line.length - MAX_LINE_CHARS / 2, 1);
  return `${line.slice(0, head)} [${tail - head} characters left out] ${line.slice(tail)}`;
}
