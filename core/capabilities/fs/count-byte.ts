const LOW_BITS = 0x7f7f7f7f;
const WORD_BYTES = 4;
/** Each word adds 1 at most to each of four counters of a byte. */
const WORDS_PER_ROUND = 255;

/** How often a byte is in a buffer. Looks at four bytes at once: line ends may be every byte, or a few in megabytes. */
export function countByte(bytes: Uint8Array, byte: number): number {
  let count = 0;
  let at = 0;
  const first = (WORD_BYTES - (bytes.byteOffset % WORD_BYTES)) % WORD_BYTES;
  for (; at < Math.min(first, bytes.length); at++) if (bytes[at] === byte) count++;
  if (at === bytes.length) return count;

  const words = new Int32Array(bytes.buffer, bytes.byteOffset + at, Math.floor((bytes.length - at) / WORD_BYTES));
  const wanted = Math.imul(byte, 0x01010101);
  for (let from = 0; from < words.length; from += WORDS_PER_ROUND) {
    const to = Math.min(from + WORDS_PER_ROUND, words.length);
    let counters = 0;
    for (let i = from; i < to; i++) {
      const differing = words[i]! ^ wanted;
      // The high bit of each byte that is 0 there.
      counters += ~(((differing & LOW_BITS) + LOW_BITS) | differing | LOW_BITS) >>> 7;
    }
    count += (counters & 0xff) + ((counters >>> 8) & 0xff) + ((counters >>> 16) & 0xff) + (counters >>> 24);
  }
  for (at += words.length * WORD_BYTES; at < bytes.length; at++) if (bytes[at] === byte) count++;
  return count;
}
