import { isUtf8 } from "node:buffer";
import type { Block } from "./match-blocks.ts";

const NEWLINE = 0x0a;
const COLON = 0x3a;
const DASH = 0x2d;
const CARRIAGE_RETURN = 0x0d;

export type CutBlock = {
  /** Lines in UTF-8, mostly, without their last line end. */
  text: Buffer;
  /** Matching lines of them. */
  matches: number;
  /** Whether there are bytes that are no UTF-8. */
  invalid: boolean;
};

/** The lines of a block to be shown: at most so many that match, and so many bytes, each cut at a character border where it is long. */
export function blockText(
  { lines }: Pick<Block, "lines">,
  { limit, maxBytes, maxLineChars }: { limit: number; maxBytes: number; maxLineChars: number },
): CutBlock {
  let at = 0;
  let matches = 0;
  let long = false;
  let returns = false;
  while (at < lines.length) {
    const end = lines.indexOf(NEWLINE, at);
    const next = end === -1 ? lines.length : end + 1;
    const isMatch = matchesAt(lines, at);
    if (next > maxBytes || (isMatch && matches === limit)) break;
    if (isMatch) matches++;
    long ||= next - at > maxLineChars;
    returns ||= lines[next - 2] === CARRIAGE_RETURN;
    at = next;
  }
  const kept = lines.subarray(0, withoutEnd(lines, at));
  return { text: long || returns ? tidied(kept, maxLineChars) : kept, matches, invalid: !isUtf8(kept) };
}

function matchesAt(lines: Buffer, at: number): boolean {
  let digit = at;
  while (lines[digit]! >= 0x30 && lines[digit]! <= 0x39) digit++;
  return digit > at && lines[digit] === COLON;
}

/** Without the last line end, and a separator with nothing behind it. */
function withoutEnd(lines: Buffer, end: number): number {
  const separated = lines[end - 2] === DASH && lines[end - 3] === DASH && lines[end - 4] === NEWLINE;
  const last = separated ? end - 3 : end;
  return lines[last - 1] === NEWLINE ? last - 1 : last;
}

function tidied(lines: Buffer, maxLineChars: number): Buffer {
  const text = lines
    .toString()
    .split("\n")
    .map((line) => cutLine(line.replace(/\r$/, ""), maxLineChars))
    .join("\n");
  return Buffer.from(text);
}

/** Characters of what ripgrep says where it cut a line itself. */
const REMARK = 80;

/** Cuts at a character border, and says so. */
function cutLine(line: string, maxChars: number): string {
  const most = maxChars + REMARK;
  if (line.length <= most) return line;
  const unit = line.charCodeAt(most - 1);
  return `${line.slice(0, unit >= 0xd800 && unit <= 0xdbff ? most - 1 : most)}...`;
}
