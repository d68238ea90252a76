import { decodeUtf8, encodeUtf8 } from "./utf8.ts";

/** `TextEncoder` as the web has it. */
export class TextEncoder {
  get encoding(): "utf-8" {
    return "utf-8";
  }

  encode(text: unknown = ""): Uint8Array<ArrayBuffer> {
    return encodeUtf8(String(text));
  }

  encodeInto(text: unknown, target: Uint8Array): { read: number; written: number } {
    let read = 0;
    let written = 0;
    for (const char of String(text)) {
      const bytes = encodeUtf8(char);
      if (written + bytes.length > target.length) break;
      target.set(bytes, written);
      written += bytes.length;
      read += char.length;
    }
    return { read, written };
  }
}

/** `TextDecoder` for UTF-8. */
export class TextDecoder {
  #fatal: boolean;
  #keepBom: boolean;
  #rest: Uint8Array = new Uint8Array(0);
  #started = false;

  constructor(label: unknown = "utf-8", options: { fatal?: boolean; ignoreBOM?: boolean } = {}) {
    if (!/^utf-?8$/i.test(String(label).trim())) throw new RangeError(`The encoding ${String(label)} is not supported`);
    this.#fatal = options.fatal === true;
    this.#keepBom = options.ignoreBOM === true;
  }

  get encoding(): "utf-8" {
    return "utf-8";
  }
  get fatal(): boolean {
    return this.#fatal;
  }
  get ignoreBOM(): boolean {
    return this.#keepBom;
  }

  decode(input?: ArrayBuffer | ArrayBufferView, options: { stream?: boolean } = {}): string {
    const bytes = join(this.#rest, bytesOf(input));
    const end = options.stream === true ? wholeChars(bytes) : bytes.length;
    this.#rest = bytes.slice(end);
    const text = decodeUtf8(bytes.subarray(0, end), this.#fatal);
    const bare = !this.#started && !this.#keepBom && text.startsWith("\ufeff") ? text.slice(1) : text;
    this.#started = options.stream === true && (this.#started || text !== "");
    return bare;
  }
}

function bytesOf(input: ArrayBuffer | ArrayBufferView | undefined): Uint8Array {
  if (input === undefined) return new Uint8Array(0);
  return ArrayBuffer.isView(input) ? new Uint8Array(input.buffer, input.byteOffset, input.byteLength) : new Uint8Array(input);
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

/** Where a character that goes on in the next chunk begins. */
function wholeChars(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
