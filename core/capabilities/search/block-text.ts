import { isUtf8 } from "node:buffer";
import type { TimedBlock } from "./newest-blocks.ts";

const NEWLINE = 0x0a;
const COLON = 0x3a;
const CARRIAGE_RETURN = 0x0d;

export type CutBlock = {
  /** Lines without their last line end. */
  text: string;
  /** Matching lines of them. */
  matches: number;
  /** Whether bytes that are no UTF-8 were replaced. */
  invalid: boolean;
};

/** The lines of a block as text: at most so many that match, and so many bytes. */
export function blockText(
  { lines }: TimedBlock,
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
  const kept = lines.subarray(0, at);
  let text = kept.toString().replace(/\n(--\n)?$/, "");
  if (returns) text = text.replace(/\r$/gm, "");
  if (long)
    text = text
      .split("\n")
      .map((line) => cutLine(withoutHalfWord(line), maxLineChars))
      .join("\n");
  return { text, matches, invalid: !isUtf8(kept) };
}

function matchesAt(lines: Buffer, at: number): boolean {
  let digit = at;
  while (lines[digit]! >= 0x30 && lines[digit]! <= 0x39) digit++;
  return digit > at && lines[digit] === COLON;
}

/** What ripgrep says where it cut a line itself. */
const REMARK = 80;

const CUT_WORD = /[\w+/=.~-]{1,128}( \[\.\.\. (?:omitted end of long line|\d+ more match(?:es)?)\])$/;

/** The word that ripgrep's cut goes through: half a key could not be told from other text. */
function withoutHalfWord(line: string): string {
  if (!line.endsWith("]")) return line;
  const from = Math.max(line.length - 2 * REMARK - 128, 0);
  return line.slice(0, from) + line.slice(from).replace(CUT_WORD, "$1");
}

/** Cuts at a character border, and says so. */
function cutLine(line: string, maxChars: number): string {
  const most = maxChars + REMARK;
  if (line.length <= most) return line;
  const unit = line.charCodeAt(most - 1);
  return `${line.slice(0, unit >= 0xd800 && unit <= 0xdbff ? most - 1 : most)}...`;
}
