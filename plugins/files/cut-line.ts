/** The longest word that goes as a whole. */
const WORD_CHARS = 128;

/**
 * Cuts at a character border, and says so. A word that the cut would go through goes with it where it is not long:
 * half a key could not be told from other text by those who look for keys.
 */
export function cutLine(line: string, maxChars: number): string {
  const end = cutEnd(line, maxChars);
  return end === line.length ? line : `${line.slice(0, end)}...`;
}

/** Where a line is cut. */
export function cutEnd(line: string, maxChars: number): number {
  if (line.length <= maxChars) return line.length;
  const unit = line.charCodeAt(maxChars - 1);
  const end = unit >= 0xd800 && unit <= 0xdbff ? maxChars - 1 : maxChars;
  return isWord(line.charCodeAt(end)) ? wordStart(line, end) : end;
}

/** Where a part of a line begins that is to begin at `from`: with the whole of a word that goes through there, where it is not long. */
export function partStart(line: string, from: number): number {
  const unit = line.charCodeAt(from);
  let start = from > 0 && unit >= 0xdc00 && unit <= 0xdfff ? from - 1 : from;
  if (!isWord(unit)) return start;
  while (start > 0 && isWord(line.charCodeAt(start - 1))) if (from - --start > WORD_CHARS) return from;
  return start;
}

/** So much of a line before a part of it tells where it begins. */
export const BEFORE_CHARS = WORD_CHARS + 1;

/** Where the word begins that goes on at `end`; `end` where it is too long, or all there is. */
function wordStart(line: string, end: number): number {
  let start = end;
  while (start > 0 && isWord(line.charCodeAt(start - 1))) if (end - --start > WORD_CHARS) return end;
  return start === 0 ? end : start;
}

/** Letters and digits of ASCII, and what keys are written with besides. */
function isWord(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || ((unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a) || "_-+/=.~".includes(String.fromCharCode(unit));
}
