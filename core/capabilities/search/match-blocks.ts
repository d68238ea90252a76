import { isAscii, isUtf8 } from "node:buffer";
import { NARROW } from "./pictured.ts";

const COLON = 0x3a;
const DASH = 0x2d;
const CARRIAGE_RETURN = 0x0d;
const NEWLINE = 0x0a;
/** Parts hold what they were read with until that is so many times the most that is kept. */
const WHOLE = 2;

export type Lines = {
  readonly text: string;
  readonly bytes: number;
  readonly isAscii: boolean;
  /** Whether it is known to hold no control characters but tabs and line ends. */
  readonly isPlain: boolean;
  /** Whether bytes that are no UTF-8 were replaced. */
  readonly invalid: boolean;
};

export const NO_LINES: Lines = { text: "", bytes: 0, isAscii: true, isPlain: true, invalid: false };

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

export type MatchBlocks = {
  /** Nothing of the chunk is held afterwards: it may be written over. */
  push(chunk: Buffer): void;
  end(): void;
};

/**
 * Reads what ripgrep prints with headings: the path, a NUL, lines as `12: text` and `13  text` or `--`, and an empty line between files.
 * A line that begins with neither a digit nor a dash is a remark about the file. No text of a file can pass for any of these,
 * since every line of it has a number in front. It is read as if each byte were a character: to look for one in a string takes a third of
 * what it takes in a buffer.
 */
export function createMatchBlocks({ maxBytes, wants, onBlock }: MatchBlocksOptions): MatchBlocks {
  /** An unfinished path or line. */
  let rest = "";
  let block: Block | undefined;
  /** Of its lines. */
  let kept = "";
  let bytes = 0;
  /** Of all that was read. */
  let allBytes = 0;
  let isAsciiAll = true;
  let isPlain = true;
  /** The path of the block, in bytes where it is no UTF-8; undefined where the file is not wanted. */
  let name: string | Buffer | undefined;

  const begin = (raw: string, ascii: boolean) => {
    const path = ascii ? raw : Buffer.from(raw, "latin1").toString();
    block = { path, matches: 0, lines: NO_LINES, cut: false, binary: false, longest: 0, returns: false };
    kept = "";
    bytes = 0;
    isAsciiAll = true;
    isPlain = true;
    name = !wants(path) ? undefined : path.includes("\ufffd") ? Buffer.from(raw, "latin1") : path;
  };
  const keep = (data: Data, from: number, to: number) => {
    if (block === undefined || name === undefined || from === to || block.cut) return;
    let end = to;
    if (bytes + to - from > maxBytes) {
      block.cut = true;
      end = data.text.lastIndexOf("\n", from + maxBytes - bytes - 1) + 1;
      if (end <= from) return;
    }
    kept += data.part(from, end);
    bytes += end - from;
    isAsciiAll &&= data.isAscii;
    isPlain &&= data.isPlain;
  };
  const finish = () => {
    const found = block;
    block = undefined;
    if (found === undefined || name === undefined) return;
    if (bytes > 0) found.lines = linesOf(kept, isAsciiAll, isPlain);
    onBlock(found, name);
  };

  /** Takes whole lines of the block, none of them empty, and what comes with its own last line end. */
  const take = (data: Data, from: number, to: number) => {
    const current = block!;
    const { text } = data;
    let start = from;
    for (let at = from; at < to; ) {
      let digit = at;
      while (isDigit(text.charCodeAt(digit))) digit++;
      const next = text.indexOf("\n", digit) + 1;
      if (digit > at) {
        if (text.charCodeAt(digit) === COLON) current.matches++;
        if (next - at > current.longest) current.longest = next - at;
        if (text.charCodeAt(next - 2) === CARRIAGE_RETURN) current.returns = true;
      } else if (text.charCodeAt(at) !== DASH) {
        current.binary = true;
        keep(data, start, at);
        start = next;
      }
      at = next;
    }
    keep(data, start, to);
  };

  /** Reads from `at` on, where a path or a line begins; what is unfinished is the rest. */
  const read = (data: Data, from: number) => {
    const { text } = data;
    let at = from;
    while (at < text.length) {
      if (block === undefined) {
        const end = text.indexOf("\0", at);
        if (end === -1) break;
        begin(data.part(at, end), data.isAscii);
        at = end + 1;
        continue;
      }
      if (text.charCodeAt(at) === NEWLINE) {
        finish();
        at++;
        continue;
      }
      const end = text.indexOf("\n\n", at);
      const to = (end === -1 ? text.lastIndexOf("\n") : end) + 1;
      if (to <= at) break;
      take(data, at, to);
      at = to;
    }
    rest = at < text.length ? data.part(at, text.length) : "";
  };

  return {
    push(chunk) {
      allBytes += chunk.length;
      const data = dataOf(chunk, allBytes <= WHOLE * maxBytes);
      if (rest === "") {
        read(data, 0);
        return;
      }
      // Of the chunk no more is copied than ends what was begun.
      const end = data.text.indexOf(block === undefined ? "\0" : "\n") + 1;
      const begun = rest + data.part(0, end === 0 ? chunk.length : end);
      rest = begun;
      if (end === 0) return;
      read(dataOf(Buffer.from(begun, "latin1"), false), 0);
      read(data, end);
    },
    end: finish,
  };
}

/** What was read, a byte for a character. */
type Data = { readonly text: string; readonly isAscii: boolean; readonly isPlain: boolean; part(from: number, to: number): string };

/** @param isHeld Whether a part of it may hold the whole, which takes less than to copy it. */
function dataOf(chunk: Buffer, isHeld: boolean): Data {
  const text = chunk.toString("latin1");
  const ascii = isAscii(chunk);
  // Looked for in what holds many files: to do it for each of them takes ten times as long.
  return {
    text,
    isAscii: ascii,
    isPlain: ascii && !STEERING.some((char) => text.includes(char)),
    part: isHeld ? (from, to) => text.slice(from, to) : (from, to) => chunk.toString("latin1", from, to),
  };
}

/** A NUL stands behind each path: what of a file has one is looked at again. */
const STEERING = NARROW.filter((char) => char !== "\0");

function linesOf(text: string, ascii: boolean, isPlain: boolean): Lines {
  if (ascii) return { text, bytes: text.length, isAscii: true, isPlain: isPlain && !text.includes("\0"), invalid: false };
  const data = Buffer.from(text, "latin1");
  return { text: data.toString(), bytes: data.length, isAscii: isAscii(data), isPlain: false, invalid: !isUtf8(data) };
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
