const REPLACEMENT = 0xfffd;

/** UTF-8 bytes of a text; a lone surrogate becomes U+FFFD. */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(utf8Length(text));
  let at = 0;
  for (let i = 0; i < text.length; i++) {
    const point = pointAt(text, i);
    if (point > 0xffff) i++;
    if (point < 0x80) bytes[at++] = point;
    else if (point < 0x800) {
      bytes[at++] = 0xc0 | (point >> 6);
      bytes[at++] = 0x80 | (point & 63);
    } else if (point < 0x10000) {
      bytes[at++] = 0xe0 | (point >> 12);
      bytes[at++] = 0x80 | ((point >> 6) & 63);
      bytes[at++] = 0x80 | (point & 63);
    } else {
      bytes[at++] = 0xf0 | (point >> 18);
      bytes[at++] = 0x80 | ((point >> 12) & 63);
      bytes[at++] = 0x80 | ((point >> 6) & 63);
      bytes[at++] = 0x80 | (point & 63);
    }
  }
  return bytes;
}

/** Text of UTF-8 bytes. What is malformed becomes U+FFFD, or throws a TypeError where `fatal`. */
export function decodeUtf8(bytes: Uint8Array, fatal: boolean): string {
  let text = "";
  for (let i = 0; i < bytes.length; ) {
    const first = bytes[i]!;
    const length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    let point = length === 1 ? first : length === 0 ? REPLACEMENT : first & (0xff >> (length + 1));
    let used = 1;
    let valid = length > 0;
    for (; valid && used < length; used++) {
      const next = bytes[i + used] ?? 0;
      valid = used === 1 ? next >= lowest(first) && next <= highest(first) : (next & 0xc0) === 0x80;
      if (!valid) break;
      point = (point << 6) | (next & 63);
    }
    if (!valid && fatal) throw new TypeError("The encoded data was not valid for encoding utf-8");
    text += String.fromCodePoint(valid ? point : REPLACEMENT);
    i += used;
  }
  return text;
}

function lowest(first: number): number {
  return first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
}

function highest(first: number): number {
  return first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
}

function utf8Length(text: string): number {
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const point = pointAt(text, i);
    if (point > 0xffff) i++;
    length += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return length;
}

function pointAt(text: string, index: number): number {
  const point = text.codePointAt(index)!;
  return point >= 0xd800 && point <= 0xdfff ? REPLACEMENT : point;
}
