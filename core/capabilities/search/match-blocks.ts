const NEWLINE = 0x0a;
const COLON = 0x3a;
const DASH = 0x2d;

/** What was found in one file. */
export type Block = {
  path: Buffer;
  /** Lines that match. */
  matches: number;
  /** Lines as they were printed, each with its end; empty where they were not asked for. */
  lines: Buffer;
  /** Whether something of the lines was left out, since the file had too many. */
  cut: boolean;
  /** Whether the search stopped at bytes that are no text. */
  binary: boolean;
};

export type MatchBlocksOptions = {
  /** The most bytes of lines kept of one file. */
  maxBytes: number;
  /** Whether a file is wanted at all; asked before its lines are read. */
  wants(path: Buffer): boolean;
  onBlock(block: Block): void;
};

export type MatchBlocks = { push(chunk: Buffer): void; end(): void };

/**
 * Reads what ripgrep prints with headings: the path, a NUL, lines as `12: text` and `13  text` or `--`, and an empty line between files.
 * A line that begins with neither a digit nor a dash is a remark about the file. No text of a file can pass for any of these,
 * since every line of it has a number in front.
 */
export function createMatchBlocks({ maxBytes, wants, onBlock }: MatchBlocksOptions): MatchBlocks {
  /** An unfinished path or line. */
  let rest: Buffer | undefined;
  let block: (Block & { parts: Buffer[]; bytes: number; wanted: boolean }) | undefined;

  const keep = (part: Buffer) => {
    if (block === undefined || !block.wanted || part.length === 0 || block.cut) return;
    if (block.bytes + part.length > maxBytes) {
      block.cut = true;
      const last = part.subarray(0, maxBytes - block.bytes).lastIndexOf(NEWLINE);
      part = part.subarray(0, last + 1);
    }
    block.parts.push(part);
    block.bytes += part.length;
  };
  const finish = () => {
    if (block === undefined) return;
    const { path, matches, cut, binary, wanted, parts } = block;
    // A copy, so that a few lines do not hold the whole of what was read at once.
    if (wanted) onBlock({ path, matches, lines: Buffer.concat(parts), cut, binary });
    block = undefined;
  };

  const readLines = (data: Buffer, from: number): number => {
    const current = block!;
    let kept = from;
    let at = from;
    for (;;) {
      const end = data.indexOf(NEWLINE, at);
      if (end === -1) {
        keep(data.subarray(kept, at));
        return at;
      }
      const first = data[at]!;
      if (end === at) {
        keep(data.subarray(kept, at));
        finish();
        return end + 1;
      }
      if (isDigit(first)) {
        let digit = at + 1;
        while (isDigit(data[digit]!)) digit++;
        if (data[digit] === COLON) current.matches++;
      } else if (first !== DASH) {
        current.binary = true;
        keep(data.subarray(kept, at));
        kept = end + 1;
      }
      at = end + 1;
    }
  };

  return {
    push(chunk) {
      const data = rest === undefined ? chunk : Buffer.concat([rest, chunk]);
      let at = 0;
      while (at < data.length) {
        if (block === undefined) {
          const end = data.indexOf(0, at);
          if (end === -1) break;
          const path = Buffer.from(data.subarray(at, end));
          block = { path, matches: 0, lines: Buffer.alloc(0), cut: false, binary: false, parts: [], bytes: 0, wanted: wants(path) };
          at = end + 1;
        }
        const next = readLines(data, at);
        if (block !== undefined) {
          at = next;
          break;
        }
        at = next;
      }
      rest = at < data.length ? data.subarray(at) : undefined;
    },
    end: finish,
  };
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}
