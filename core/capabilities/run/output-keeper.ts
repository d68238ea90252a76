export type KeptOutput = {
  text: string;
  /** Bytes left out of the middle, whole characters. */
  droppedBytes: number;
  /** The index in `text` where they are left out. */
  cutAt: number;
};

export type OutputKeeper = {
  push(text: string): void;
  read(): KeptOutput;
  /** The last lines; a line end at the very end ends the last one. */
  lastLines(count: number): string;
  producedBytes(): number;
  heldBytes(): number;
  /** Lets go of the text; it counts as left out. */
  forget(): void;
};

const LINE_END = 0x0a;
/** A line whose rest would be longer is cut. */
const LINE_BYTES = 4_096;

/** Keeps head and tail of an output within so many bytes of UTF-8. Memory stays near that, in how many pieces it may come. */
export function createOutputKeeper(maxBytes: number): OutputKeeper {
  const headBytes = Math.ceil(maxBytes / 2);
  const tailBytes = maxBytes - headBytes;
  let head = growing(headBytes);
  let tail = growing(Math.max(tailBytes * 2, 64));
  let headClosed = false;
  let produced = 0;

  const keepInTail = (bytes: Buffer) => {
    const kept = bytes.length > tailBytes ? bytes.subarray(bytes.length - tailBytes) : bytes;
    if (tail.length() + kept.length > tail.capacity) tail.keepLast(tailBytes - kept.length);
    tail.append(kept);
  };
  const keptTail = () => {
    const bytes = tail.bytes();
    return bytes.subarray(characterStart(bytes, Math.max(bytes.length - tailBytes, 0)));
  };

  const read = () => {
    let [start, end]: [Buffer, Buffer] = [head.bytes(), keptTail()];
    if (start.length + end.length < produced) [start, end] = [toLineEnd(start), fromLineStart(end)];
    const text = start.toString();
    return { text: text + end.toString(), droppedBytes: produced - start.length - end.length, cutAt: text.length };
  };

  return {
    push(text) {
      let bytes = Buffer.from(text);
      produced += bytes.length;
      if (!headClosed) {
        const free = headBytes - head.length();
        const taken = bytes.length <= free ? bytes.length : characterEnd(bytes, free);
        head.append(bytes.subarray(0, taken));
        headClosed = taken < bytes.length;
        bytes = bytes.subarray(taken);
      }
      if (bytes.length > 0) keepInTail(bytes);
    },
    read,
    lastLines(count) {
      const { text, droppedBytes, cutAt } = read();
      return lastLines(droppedBytes > 0 ? text.slice(cutAt) : text, count);
    },
    producedBytes: () => produced,
    heldBytes: () => head.length() + tail.length(),
    forget() {
      head = growing(0);
      tail = growing(64);
      headClosed = true;
    },
  };
}

function lastLines(text: string, count: number): string {
  let start = text.length;
  let at = text.endsWith("\n") ? text.length - 1 : text.length;
  for (let line = 0; line < count; line++) {
    at = at === 0 ? -1 : text.lastIndexOf("\n", at - 1);
    if (at === -1) return text;
    start = at + 1;
  }
  return text.slice(start);
}

/** Bytes in one buffer that doubles up to a capacity. */
function growing(capacity: number) {
  let buffer = Buffer.alloc(Math.min(capacity, 4_096));
  let length = 0;
  return {
    capacity,
    length: () => length,
    bytes: () => buffer.subarray(0, length),
    append(bytes: Buffer) {
      if (length + bytes.length > buffer.length) {
        const larger = Buffer.alloc(Math.min(Math.max(buffer.length * 2, length + bytes.length), capacity));
        buffer.copy(larger, 0, 0, length);
        buffer = larger;
      }
      bytes.copy(buffer, length);
      length += bytes.length;
    },
    keepLast(count: number) {
      const from = Math.max(length - Math.max(count, 0), 0);
      buffer.copyWithin(0, from, length);
      length -= from;
    },
  };
}

/** Where a cut takes a line in two, its rest goes too: half a secret could not be told from other text. */
function toLineEnd(bytes: Buffer): Buffer {
  const end = bytes.lastIndexOf(LINE_END) + 1;
  return bytes.length - end > LINE_BYTES ? bytes : bytes.subarray(0, end === 0 ? bytes.length : end);
}

function fromLineStart(bytes: Buffer): Buffer {
  const start = bytes.indexOf(LINE_END) + 1;
  return start > LINE_BYTES ? bytes : bytes.subarray(start);
}

/** The first place from `at` on where a character starts. */
function characterStart(bytes: Buffer, at: number): number {
  let start = at;
  while (start < bytes.length && isContinuation(bytes[start]!)) start++;
  return start;
}

/** The last place up to `at` where a character ends. */
function characterEnd(bytes: Buffer, at: number): number {
  let end = at;
  while (end > 0 && isContinuation(bytes[end]!)) end--;
  return end;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
