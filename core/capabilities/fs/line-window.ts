import { isUtf8 } from "node:buffer";

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

export type LineWindowOptions = {
  /** Counted from 1. */
  offset: number;
  limit: number;
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
export function createLineWindow({ offset, limit, maxLineChars }: LineWindowOptions): LineWindow {
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

  const finish = () => {
    if (line >= offset && line <= last) {
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

  const keep = (piece: Buffer) => {
    length += piece.length;
    if (line < offset || line > last || held >= keptBytes) return;
    // A copy, since the chunk may be filled anew.
    const kept = Buffer.from(piece.subarray(0, keptBytes - held));
    parts.push(kept);
    held += kept.length;
  };

  return {
    push(chunk) {
      let start = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, start)) {
        keep(chunk.subarray(start, at));
        finish();
        line++;
        start = at + 1;
      }
      keep(chunk.subarray(start));
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
