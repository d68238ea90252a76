import { decodeUtf8, encodeUtf8 } from "./utf8.ts";

let watch: (params: URLSearchParams, changed: (query: string) => void) => void;

/** Tells a URL when its parameters change. */
export const watchParams: typeof watch = (params, changed) => watch(params, changed);

/** `URLSearchParams` as the web has it. */
export class URLSearchParams {
  #pairs: [string, string][] = [];
  #changed: ((query: string) => void) | null = null;

  static {
    watch = (params, changed) => {
      params.#changed = changed;
    };
  }

  constructor(init: unknown = "") {
    if (typeof init === "string") this.#pairs = parseQuery(init);
    else if (init !== null && typeof init === "object" && Symbol.iterator in init) {
      for (const pair of init as Iterable<readonly unknown[]>) this.#pairs.push([String(pair[0]), String(pair[1])]);
    } else if (init !== null && typeof init === "object") {
      for (const [name, value] of Object.entries(init)) this.#pairs.push([name, String(value)]);
    }
  }

  get size(): number {
    return this.#pairs.length;
  }
  append(name: unknown, value: unknown): void {
    this.#pairs.push([String(name), String(value)]);
    this.#tell();
  }
  delete(name: unknown, value?: unknown): void {
    this.#pairs = this.#pairs.filter((pair) => pair[0] !== String(name) || (value !== undefined && pair[1] !== String(value)));
    this.#tell();
  }
  get(name: unknown): string | null {
    return this.#pairs.find((pair) => pair[0] === String(name))?.[1] ?? null;
  }
  getAll(name: unknown): string[] {
    return this.#pairs.filter((pair) => pair[0] === String(name)).map((pair) => pair[1]);
  }
  has(name: unknown, value?: unknown): boolean {
    return this.#pairs.some((pair) => pair[0] === String(name) && (value === undefined || pair[1] === String(value)));
  }
  set(name: unknown, value: unknown): void {
    const first = this.#pairs.findIndex((pair) => pair[0] === String(name));
    if (first < 0) {
      this.append(name, value);
      return;
    }
    this.#pairs[first] = [String(name), String(value)];
    this.#pairs = this.#pairs.filter((pair, index) => index <= first || pair[0] !== String(name));
    this.#tell();
  }
  sort(): void {
    this.#pairs.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
    this.#tell();
  }
  forEach(callback: (value: string, name: string, params: URLSearchParams) => void): void {
    for (const [name, value] of this.#pairs) callback(value, name, this);
  }
  *entries(): IterableIterator<[string, string]> {
    for (const [name, value] of this.#pairs) yield [name, value];
  }
  *keys(): IterableIterator<string> {
    for (const [name] of this.#pairs) yield name;
  }
  *values(): IterableIterator<string> {
    for (const [, value] of this.#pairs) yield value;
  }
  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }
  toString(): string {
    return this.#pairs.map(([name, value]) => `${encodePart(name)}=${encodePart(value)}`).join("&");
  }

  #tell(): void {
    this.#changed?.(this.toString());
  }
}

function parseQuery(query: string): [string, string][] {
  const text = query.startsWith("?") ? query.slice(1) : query;
  return text
    .split("&")
    .filter((part) => part !== "")
    .map((part) => {
      const at = part.indexOf("=");
      return at < 0 ? [decodePart(part), ""] : [decodePart(part.slice(0, at)), decodePart(part.slice(at + 1))];
    });
}

function decodePart(text: string): string {
  const plain = text.replaceAll("+", " ");
  if (!plain.includes("%")) return plain;
  const source = encodeUtf8(plain);
  const bytes: number[] = [];
  for (let i = 0; i < source.length; i++) {
    const hex = source[i] === 37 ? String.fromCharCode(source[i + 1] ?? 0, source[i + 2] ?? 0) : "";
    if (/^[0-9a-f]{2}$/i.test(hex)) {
      bytes.push(Number.parseInt(hex, 16));
      i += 2;
    } else bytes.push(source[i]!);
  }
  return decodeUtf8(Uint8Array.from(bytes), false);
}

function encodePart(text: string): string {
  let escaped = "";
  for (const byte of encodeUtf8(text)) {
    const char = String.fromCharCode(byte);
    if (byte === 32) escaped += "+";
    else escaped += /[A-Za-z0-9*._-]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return escaped;
}
