const NEWLINE = 0x0a;
const COLON = 0x3a;
const DASH = 0x2d;
const CARRIAGE_RETURN = 0x0d;
const BETWEEN_FILES = Buffer.from("\n\n");

/** Lines in pieces of what was read. They are decoded when they are shown: of most files nothing is. */
export type Lines = { readonly pieces: readonly Piece[]; readonly bytes: number };
export type Piece = { readonly data: Buffer; readonly from: number; readonly to: number };

export const NO_LINES: Lines = { pieces: [], bytes: 0 };

/** What was found in one file. */
export type Block = {
  /** With U+FFFD for what is no UTF-8. */
  path: string;
  /** Lines that match. */
  matches: number;
  /** Lines as they were printed, each with its end; none where they were not asked for. */
  lines: Lines;
  /** Whether something of the lines was left out, since the file had too many. */
  cut: boolean;
  /** Whether the search stopped at bytes that are no text. */
  binary: boolean;
  /** The longest of the lines in bytes, with its end. */
  longest: number;
  /** Whether a line ends with CR LF. */
  returns: boolean;
};

export type MatchBlocksOptions = {
  /** The most bytes of lines kept of one file. */
  maxBytes: number;
  /** Whether a file is wanted at all; asked before its lines are read. */
  wants(path: string): boolean;
  /** @param path Its bytes where it is no UTF-8. */
  onBlock(block: Block, path: string | Buffer): void;
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
  let block: (Block & { lines: { pieces: Piece[]; bytes: number } }) | undefined;
  /** The path of the block, in bytes where it is no UTF-8; undefined where the file is not wanted. */
  let name: string | Buffer | undefined;

  const begin = (data: Buffer, from: number, to: number) => {
    const path = data.toString("utf8", from, to);
    block = { path, matches: 0, lines: { pieces: [], bytes: 0 }, cut: false, binary: false, longest: 0, returns: false };
    name = !wants(path) ? undefined : path.includes("\ufffd") ? Buffer.from(data.subarray(from, to)) : path;
  };
  const keep = (data: Buffer, from: number, to: number) => {
    if (block === undefined || name === undefined || from === to || block.cut) return;
    const { lines } = block;
    let end = to;
    if (lines.bytes + to - from > maxBytes) {
      block.cut = true;
      end = data.subarray(0, from + maxBytes - lines.bytes).lastIndexOf(NEWLINE) + 1;
      if (end <= from) return;
    }
    lines.pieces.push({ data, from, to: end });
    lines.bytes += end - from;
  };
  const finish = () => {
    const found = block;
    block = undefined;
    if (found !== undefined && name !== undefined) onBlock(found, name);
  };

  /** Takes whole lines of the block, none of them empty, and what comes with its own last line end. */
  const take = (data: Buffer, from: number, to: number) => {
    const current = block!;
    let kept = from;
    for (let at = from; at < to; ) {
      const next = data.indexOf(NEWLINE, at) + 1;
      const first = data[at]!;
      if (isDigit(first)) {
        let digit = at + 1;
        while (isDigit(data[digit]!)) digit++;
        if (data[digit] === COLON) current.matches++;
        if (next - at > current.longest) current.longest = next - at;
        if (data[next - 2] === CARRIAGE_RETURN) current.returns = true;
      } else if (first !== DASH) {
        current.binary = true;
        keep(data, kept, at);
        kept = next;
      }
      at = next;
    }
    keep(data, kept, to);
  };

  /** Reads from `at` on, where a path or a line begins; what is unfinished is the rest. */
  const read = (data: Buffer, from: number) => {
    let at = from;
    while (at < data.length) {
      if (block === undefined) {
        const end = data.indexOf(0, at);
        if (end === -1) break;
        begin(data, at, end);
        at = end + 1;
        continue;
      }
      if (data[at] === NEWLINE) {
        finish();
        at++;
        continue;
      }
      const end = data.indexOf(BETWEEN_FILES, at);
      const to = (end === -1 ? data.lastIndexOf(NEWLINE) : end) + 1;
      if (to <= at) break;
      take(data, at, to);
      at = to;
    }
    rest = at < data.length ? data.subarray(at) : undefined;
  };

  return {
    push(chunk) {
      if (rest === undefined) {
        read(chunk, 0);
        return;
      }
      // Of the chunk no more is copied than ends what was begun.
      const end = chunk.indexOf(block === undefined ? 0 : NEWLINE) + 1;
      const begun = Buffer.concat([rest, chunk.subarray(0, end === 0 ? chunk.length : end)]);
      rest = begun;
      if (end === 0) return;
      read(begun, 0);
      read(chunk, end);
    },
    end: finish,
  };
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}
