import type { Block } from "./match-blocks.ts";

export type CutBlock = {
  /** Lines; the last one has no end. */
  text: string;
  /** Matching lines of them. */
  matches: number;
};

type CutBlockOptions = { limit: number; maxBytes: number; maxLineChars: number };

/** The lines of a block that are shown: at most so many that match, and so many bytes. */
export function cutBlock(block: Pick<Block, "lines" | "matches" | "cut" | "longest" | "returns">, options: CutBlockOptions): CutBlock {
  const isWhole = !block.cut && block.matches <= options.limit && block.lines.bytes <= options.maxBytes;
  const { text: lines, matches } = isWhole ? { text: block.lines.text, matches: block.matches } : firstOf(block.lines.text, options);
  let text = withoutEnd(lines);
  if (block.returns) text = text.replace(/\r$/gm, "");
  if (block.longest > options.maxLineChars) {
    text = text
      .split("\n")
      .map((line) => cutLine(withoutHalfWord(line), options.maxLineChars))
      .join("\n");
  }
  return { text, matches };
}

function firstOf(lines: string, { limit, maxBytes }: CutBlockOptions): Pick<CutBlock, "text" | "matches"> {
  let at = 0;
  let bytes = 0;
  let matches = 0;
  while (at < lines.length) {
    const end = lines.indexOf("\n", at);
    const next = end === -1 ? lines.length : end + 1;
    const line = lines.slice(at, next);
    const isMatch = /^\d+:/.test(line);
    bytes += Buffer.byteLength(line);
    if (bytes > maxBytes || (isMatch && matches === limit)) break;
    if (isMatch) matches++;
    at = next;
  }
  return { text: lines.slice(0, at), matches };
}

/** A mark between groups that nothing comes behind goes with the line end. */
function withoutEnd(lines: string): string {
  if (lines.endsWith("\n--\n")) return lines.slice(0, -4);
  return lines.endsWith("\n") ? lines.slice(0, -1) : lines;
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
