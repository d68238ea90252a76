import { isAscii, isUtf8 } from "node:buffer";
import type { Lines } from "./match-blocks.ts";

export type DecodedLines = { text: string; isAscii: boolean /** Whether bytes that are no UTF-8 were replaced. */; invalid: boolean };

/** Lines as text. */
export function decodedLines({ pieces, bytes }: Lines): DecodedLines {
  const [first] = pieces;
  if (first === undefined) return { text: "", isAscii: true, invalid: false };
  if (pieces.length === 1 && isAsciiAll(first.data))
    return { text: first.data.toString("latin1", first.from, first.to), isAscii: true, invalid: false };
  const data = Buffer.concat(
    pieces.map((piece) => piece.data.subarray(piece.from, piece.to)),
    bytes,
  );
  return { text: data.toString(), isAscii: isAscii(data), invalid: !isUtf8(data) };
}

const ascii = new WeakMap<Buffer, boolean>();

/** Pieces share what they were read in, which is looked at once. */
function isAsciiAll(data: Buffer): boolean {
  const known = ascii.get(data);
  if (known !== undefined) return known;
  const is = isAscii(data);
  ascii.set(data, is);
  return is;
}
