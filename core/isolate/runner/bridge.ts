import { randomUUID } from "node:crypto";

const SETTABLE = ["href", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"] as const;
const CHARS = 16_384;

/** Takes what a program prints; false once that is too much. */
export type Printer = (text: string) => boolean;

/** What isolates ask of the runner within a turn. Never throws, since errors of the runner must not reach plugin code. */
export function bridge(what: unknown, first: unknown, second: unknown, third: unknown, print: Printer | undefined = undefined): string | undefined {
  try {
    if (what === "print") return print !== undefined && typeof first === "string" && print(first) ? "taken" : undefined;
    if (what === "uuid") return randomUUID();
    if (typeof first !== "string" || typeof second !== "string" || typeof third !== "string") return undefined;
    if (first.length > CHARS || third.length > CHARS) return undefined;
    if (what === "url") return partsOf(second === "base" ? new URL(first, third) : new URL(first));
    const url = new URL(first);
    const name = SETTABLE.find((part) => part === second);
    if (name === undefined) return undefined;
    url[name] = third;
    return partsOf(url);
  } catch {
    return undefined;
  }
}

function partsOf(url: URL): string {
  const { href, origin, protocol, username, password, host, hostname, port, pathname, search, hash } = url;
  return JSON.stringify({ href, origin, protocol, username, password, host, hostname, port, pathname, search, hash });
}
