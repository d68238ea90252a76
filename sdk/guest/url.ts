import { ask, URL_CHARS } from "./bridge.ts";
import { NativeTypeError, parse, toText } from "./primordials.ts";
import { URLSearchParams, watchParams } from "./search-params.ts";

type Parts = {
  href: string;
  origin: string;
  protocol: string;
  username: string;
  password: string;
  host: string;
  hostname: string;
  port: string;
  pathname: string;
  search: string;
  hash: string;
};

/** `URL` as the web has it; the parsing itself is done by the runner. */
export class URL {
  #parts: Parts;
  #params: URLSearchParams;

  constructor(url: unknown, base?: unknown) {
    this.#parts = parseUrl(toText(url), base === undefined ? undefined : toText(base));
    this.#params = this.#watched();
  }

  static canParse(url: unknown, base?: unknown): boolean {
    return URL.parse(url, base) !== null;
  }

  static parse(url: unknown, base?: unknown): URL | null {
    try {
      return new URL(url, base);
    } catch {
      return null;
    }
  }

  get href(): string {
    return this.#parts.href;
  }
  set href(value: unknown) {
    this.#parts = parseUrl(toText(value), undefined);
    this.#params = this.#watched();
  }
  get origin(): string {
    return this.#parts.origin;
  }
  get protocol(): string {
    return this.#parts.protocol;
  }
  set protocol(value: unknown) {
    this.#set("protocol", value);
  }
  get username(): string {
    return this.#parts.username;
  }
  set username(value: unknown) {
    this.#set("username", value);
  }
  get password(): string {
    return this.#parts.password;
  }
  set password(value: unknown) {
    this.#set("password", value);
  }
  get host(): string {
    return this.#parts.host;
  }
  set host(value: unknown) {
    this.#set("host", value);
  }
  get hostname(): string {
    return this.#parts.hostname;
  }
  set hostname(value: unknown) {
    this.#set("hostname", value);
  }
  get port(): string {
    return this.#parts.port;
  }
  set port(value: unknown) {
    this.#set("port", value);
  }
  get pathname(): string {
    return this.#parts.pathname;
  }
  set pathname(value: unknown) {
    this.#set("pathname", value);
  }
  get search(): string {
    return this.#parts.search;
  }
  set search(value: unknown) {
    this.#set("search", value);
    this.#params = this.#watched();
  }
  get hash(): string {
    return this.#parts.hash;
  }
  set hash(value: unknown) {
    this.#set("hash", value);
  }
  get searchParams(): URLSearchParams {
    return this.#params;
  }
  toString(): string {
    return this.#parts.href;
  }
  toJSON(): string {
    return this.#parts.href;
  }

  #set(name: keyof Parts, value: unknown): void {
    const text = toText(value);
    if (text.length > URL_CHARS) throw new NativeTypeError("Invalid URL");
    const made = ask("set", this.#parts.href, name, text);
    if (made !== undefined) this.#parts = parse(made) as Parts;
  }

  #watched(): URLSearchParams {
    const params = new URLSearchParams(this.#parts.search);
    watchParams(params, (query) => this.#set("search", query));
    return params;
  }
}

function parseUrl(url: string, base: string | undefined): Parts {
  if (url.length > URL_CHARS || (base?.length ?? 0) > URL_CHARS) throw new NativeTypeError("Invalid URL");
  const made = ask("url", url, base === undefined ? "" : "base", base ?? "");
  if (made === undefined) throw new NativeTypeError("Invalid URL");
  return parse(made) as Parts;
}
