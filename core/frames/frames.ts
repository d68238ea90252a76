/**
 * Frames between the host and the processes it starts: a JSON head and raw strings beside it.
 * `u32 size of the rest, u32 bytes of the head, u32 parts, u32 per part (its bytes; the top bit says UTF-16), head, parts`, little-endian.
 * Strings that UTF-8 cannot hold travel as UTF-16.
 */

/** The largest frame in bytes: two values of the largest kind, whatever their characters, and some more. */
export const FRAME_BYTES = 192 * 1024 * 1024;
const PARTS = 4_096;
const UTF16 = 0x8000_0000;
/** Strings of so many characters are encoded apart from the frame's own buffer. */
const APART = 16_384;

export type Frame = { head: string; parts: readonly string[] };

/** The chunks of one frame, to be written one after another. Throws a RangeError for one that is too large. */
export function encodeFrame(head: string, parts: readonly string[]): Buffer[] {
  const encoded = parts.map(encodePart);
  const headBytes = Buffer.byteLength(head);
  const fixed = 12 + 4 * parts.length;
  const own = encoded.reduce((sum, part) => sum + (part.apart === null ? part.bytes : 0), fixed + headBytes);
  const total = encoded.reduce((sum, part) => sum + part.bytes, fixed + headBytes);
  if (total > FRAME_BYTES || parts.length > PARTS) throw new RangeError(`A frame of ${total} bytes`);
  const chunks: Buffer[] = [];
  const buffer = Buffer.allocUnsafe(own);
  buffer.writeUInt32LE(total - 4, 0);
  buffer.writeUInt32LE(headBytes, 4);
  buffer.writeUInt32LE(parts.length, 8);
  encoded.forEach((part, index) => {
    buffer.writeUInt32LE((part.bytes | (part.wide ? UTF16 : 0)) >>> 0, 12 + 4 * index);
  });
  let at = fixed + buffer.write(head, fixed);
  let sent = 0;
  for (const part of encoded) {
    if (part.apart === null) at += buffer.write(part.text, at, part.wide ? "utf16le" : "utf8");
    else {
      if (at > sent) chunks.push(buffer.subarray(sent, at));
      chunks.push(part.apart);
      sent = at;
    }
  }
  if (at > sent) chunks.push(buffer.subarray(sent, at));
  return chunks;
}

type Part = { text: string; bytes: number; wide: boolean; apart: Buffer | null };

function encodePart(text: string): Part {
  const wide = !text.isWellFormed();
  if (text.length >= APART) {
    const apart = Buffer.from(text, wide ? "utf16le" : "utf8");
    return { text, bytes: apart.length, wide, apart };
  }
  return { text, bytes: wide ? 2 * text.length : Buffer.byteLength(text), wide, apart: null };
}

/**
 * Reads frames out of a stream of chunks. Returns a function that takes the next chunk.
 * It throws a RangeError for what is no frame; nothing may be read after that.
 */
export function createFrameReader(onFrame: (frame: Frame) => void): (chunk: Buffer) => void {
  let chunks: Buffer[] = [];
  let have = 0;
  let need = 4;
  return (chunk) => {
    chunks.push(chunk);
    have += chunk.length;
    if (have < need) return;
    let buffer = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, have);
    while (buffer.length >= 4) {
      const size = buffer.readUInt32LE(0);
      if (size < 8 || size > FRAME_BYTES) throw new RangeError(`A frame of ${size} bytes`);
      need = 4 + size;
      if (buffer.length < need) break;
      onFrame(decodeFrame(buffer.subarray(4, need)));
      buffer = buffer.subarray(need);
      need = 4;
    }
    chunks = buffer.length === 0 ? [] : [buffer];
    have = buffer.length;
  };
}

function decodeFrame(frame: Buffer): Frame {
  const headBytes = frame.readUInt32LE(0);
  const count = frame.readUInt32LE(4);
  let at = 8 + 4 * count;
  if (count > PARTS || at + headBytes > frame.length) throw new RangeError(`A frame with a head of ${headBytes} bytes and ${count} parts`);
  const head = frame.toString("utf8", at, at + headBytes);
  at += headBytes;
  const parts: string[] = [];
  for (let i = 0; i < count; i++) {
    const word = frame.readUInt32LE(8 + 4 * i);
    const end = at + (word & ~UTF16);
    if (end > frame.length) throw new RangeError(`A part of ${word & ~UTF16} bytes`);
    parts.push(frame.toString(word >= UTF16 ? "utf16le" : "utf8", at, end));
    at = end;
  }
  if (at !== frame.length) throw new RangeError(`${frame.length - at} bytes too many in a frame`);
  return { head, parts };
}
