import { border } from "./cap.ts";

/** What the model sees of one result at most. */
export const MAX_LINES = 2_000;
export const MAX_BYTES = 50 * 1024;
/** Characters of one line, beyond which its middle is left out. */
export const MAX_LINE_CHARS = 4_000;

export type TruncateLimits = { lines: number; bytes: number };

/** `head`, a marker, `tail`; without omitted lines only long lines were shortened, and `tail` is empty. */
export type Truncated = { head: string; tail: string; omittedLines: number; omittedBytes: number };

/** A line as it is shown, and the bytes of it that are shown. */
type Shown = { text: string; kept: number };

/** What the mark in a shortened line may take. */
const MARK_BYTES = 40;

/**
 * Keeps head and tail of a text, since failures stand at the end: whole lines, and of a line that is too long its beginning and end.
 * Undefined where the text fits.
 */
export function truncate(text: string, limits: TruncateLimits = { lines: MAX_LINES, bytes: MAX_BYTES }): Truncated | undefined {
  if (fits(text, limits)) return undefined;
  const bytes = Buffer.byteLength(text);
  const lines = text.split("\n");
  const head = take(lines, 0, 1, Math.ceil(limits.lines / 2), limits.bytes / 2);
  const tail = take(lines, lines.length - 1, -1, Math.min(Math.floor(limits.lines / 2), lines.length - head.length), limits.bytes / 2).reverse();
  const omittedLines = lines.length - head.length - tail.length;
  const omittedBytes = bytes - kept([...head, ...tail]);
  if (omittedLines === 0) return { head: join([...head, ...tail]), tail: "", omittedLines, omittedBytes };
  return { head: join(head), tail: join(tail), omittedLines, omittedBytes };
}

/** Whether all of a text is shown within these limits. */
function fits(text: string, limits: TruncateLimits): boolean {
  if (Buffer.byteLength(text) > limits.bytes) return false;
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0 && lines <= limits.lines + 1; at = text.indexOf("\n", at + 1)) lines++;
  // A line end at the very end begins no line.
  return lines - (text === "" || text.endsWith("\n") ? 1 : 0) <= limits.lines;
}

function take(lines: readonly string[], from: number, step: 1 | -1, maxLines: number, maxBytes: number): Shown[] {
  const taken: Shown[] = [];
  let left = maxBytes;
  for (let i = from; taken.length < maxLines && i >= 0 && i < lines.length; i += step) {
    const line = shorten(lines[i] ?? "", maxBytes - 1);
    left -= Buffer.byteLength(line.text) + 1;
    if (left < 0) break;
    taken.push(line);
  }
  return taken;
}

function join(lines: readonly Shown[]): string {
  return lines.map(({ text }) => text).join("\n");
}

/** Bytes of the text that are shown, with the line ends between them. */
function kept(lines: readonly Shown[]): number {
  return lines.reduce((sum, line) => sum + line.kept + 1, 0) - (lines.length > 0 ? 1 : 0);
}

function shorten(line: string, maxBytes: number): Shown {
  if (line.length <= MAX_LINE_CHARS) {
    const bytes = Buffer.byteLength(line);
    if (bytes <= maxBytes) return { text: line, kept: bytes };
  }
  // A character is three bytes at most, or four for two.
  const half = Math.max(Math.floor(Math.min(MAX_LINE_CHARS, (maxBytes - MARK_BYTES) / 3) / 2), 0);
  const head = line.slice(0, border(line, half, -1));
  const tail = line.slice(border(line, line.length - half, 1));
  const text = `${head} [${line.length - head.length - tail.length} characters left out] ${tail}`;
  return { text, kept: Buffer.byteLength(head) + Buffer.byteLength(tail) };
}
