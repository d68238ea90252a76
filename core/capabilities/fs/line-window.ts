import { isUtf8 } from "node:buffer";
import { createColumns } from "./columns.ts";
import { countByte } from "./count-byte.ts";

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

export type LineWindowOptions = {
  /** Counted from 1. */
  offset: number;
  limit: number;
  /** Where lines begin to be kept, in UTF-16 units counted from 1; at their beginning unless said. */
  column?: number;
  /** In UTF-16 units; what a line has beyond that is left out, never half a character. */
  maxLineChars: number;
};

export type LineWindow = {
  push(chunk: Buffer): void;
  /** The lines of the window without their line ends, the number of all lines, and whether bytes that are no UTF-8 were replaced. */
  end(): { lines: string[]; totalLines: number; invalid: boolean };
  /** Characters kept so far. */
  chars(): number;
};

/** Takes a window of lines out of a file that comes in chunks. Holds the window and no more, however long a line is. */
export function createLineWindow({ offset, limit, column = 1, maxLineChars }: LineWindowOptions): LineWindow {
  // No character of one UTF-16 unit has more than three bytes; the rest is for a CR and a BOM.
  const keptBytes = maxLineChars * 3 + 8;
  const last = offset + limit - 1;
  const lines: string[] = [];
  let line = 1;
  let parts: Buffer[] = [];
  let held = 0;
  let length = 0;
  let chars = 0;
  let invalid = false;
  const columns = column === 1 ? undefined : createColumns(column, maxLineChars);

  const finish = () => {
    if (columns !== undefined && line >= offset && line <= last) {
      const text = columns.end();
      invalid ||= text.includes("\ufffd", 1);
      lines.push(cut(text, maxLineChars));
      chars += lines.at(-1)!.length;
    } else if (line >= offset && line <= last) {
      const bytes = Buffer.concat(parts);
      const whole = length === held;
      const text = decode(whole && bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes, whole);
      lines.push(cut(text, maxLineChars));
      chars += lines.at(-1)!.length;
    }
    parts = [];
    held = 0;
    length = 0;
  };

  const decode = (bytes: Buffer, whole: boolean): string => {
    if (whole && isUtf8(bytes)) return bytes.toString();
    try {
      // A line that was cut may end in half a character, which is then left out.
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: !whole });
    } catch {
      invalid = true;
      return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream: !whole });
    }
  };

  /** Counts lines outside the window, to the byte where it begins; undefined where it does not begin here. */
  const pass = (piece: Buffer): number | undefined => {
    const count = countByte(piece, NEWLINE);
    if (line > last || line + count < offset) {
      line += count;
      const isEnded = piece.at(-1) === NEWLINE;
      length = isEnded ? 0 : count > 0 ? 1 : length + 1;
      return undefined;
    }
    let start = 0;
    for (; line < offset; line++) start = piece.indexOf(NEWLINE, start) + 1;
    length = 0;
    return start;
  };

  /** Takes lines that are all of the window in this piece at once, where none is long, or begun: the bytes that were taken. */
  const wholeLines = (piece: Buffer): number => {
    if (length > 0 || columns !== undefined) return 0;
    let count = 0;
    let end = 0;
    while (line + count <= last) {
      const next = piece.indexOf(NEWLINE, end) + 1;
      if (next === 0 || next - end > maxLineChars || piece[next - 2] === CARRIAGE_RETURN) break;
      end = next;
      count++;
    }
    const taken = piece.subarray(0, end);
    if (count === 0 || !isUtf8(taken)) return 0;
    const text = taken.toString();
    chars += text.length;
    for (const each of text.slice(0, -1).split("\n")) lines.push(each);
    line += count;
    return end;
  };

  const keep = (piece: Buffer) => {
    length += piece.length;
    if (columns !== undefined) {
      columns.push(piece);
      return;
    }
    if (held >= keptBytes) return;
    // A copy, since the chunk may be filled anew.
    const kept = Buffer.from(piece.subarray(0, keptBytes - held));
    parts.push(kept);
    held += kept.length;
  };

  return {
    push(chunk) {
      let start = 0;
      while (start < chunk.length) {
        const rest = start === 0 ? chunk : chunk.subarray(start);
        if (line > last || line < offset) {
          const passed = pass(rest);
          if (passed === undefined) return;
          start += passed;
          continue;
        }
        const whole = wholeLines(rest);
        if (whole > 0) {
          start += whole;
          continue;
        }
        const at = rest.indexOf(NEWLINE);
        if (at === -1) {
          keep(rest);
          return;
        }
        keep(rest.subarray(0, at));
        finish();
        line++;
        start += at + 1;
      }
    },
    end() {
      // Text after the last line end is a line of its own; an empty rest is none.
      const rest = length > 0;
      if (rest) finish();
      return { lines, totalLines: rest ? line : line - 1, invalid };
    },
    chars: () => chars,
  };
}

function cut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const unit = text.charCodeAt(maxChars - 1);
  return text.slice(0, unit >= 0xd800 && unit <= 0xdbff ? maxChars - 1 : maxChars);
}
