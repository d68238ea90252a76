import type { IncomingMessage } from "node:http";
import type { FetchResponse } from "../../../sdk/api.ts";
import { MortiseError } from "../../../sdk/errors.ts";
import type { UrlVerdict } from "../capabilities.ts";
import { readBody } from "./read-body.ts";
import { sendRequest } from "./send-request.ts";

export type FetchRequest = {
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
  maxBytes: number;
  signal: AbortSignal;
  /** Throws where the host is not granted; asked at every hop. */
  requireHost(url: URL): void;
  /** What the rules for the call say of a URL; asked at every hop. */
  judge(url: URL): Promise<UrlVerdict>;
  /** Whether a redirect is followed only where the call is permitted to go: else it is answered as it came. */
  permittedOnly: boolean;
  allowedPrivateHosts: readonly string[];
};

const MAX_REDIRECTS = 10;
const redirects = new Set([301, 302, 303, 307, 308]);
/** What another origin must not learn. */
const credentials = /^(authorization|cookie2?|proxy-.*|x-api-key|x-auth-.*|.*(token|secret|api-?key).*)$/;

/** Sends a request and follows redirects, each of them vetted like the first. Throws `net_refused`, `net_failed`. */
export async function fetchUrl(start: URL, request: FetchRequest): Promise<FetchResponse> {
  const judged = async (url: URL): Promise<UrlVerdict> => {
    const verdict = await request.judge(url);
    if (verdict === "deny") throw new MortiseError("net_refused", { seen: `a rule denies ${url.origin}${url.pathname}` });
    return verdict;
  };
  requireHttp(start);
  // What no rule allowed, a person approved: they saw the origin. What a rule allowed goes as far as rules do.
  const byRule = (await judged(start)) === "allow";
  const permitted = async (url: URL): Promise<boolean> => {
    const verdict = await judged(url);
    return verdict === "allow" || (verdict === "uncovered" && !byRule && url.origin === start.origin);
  };
  let url = start;
  let { method, headers, body } = request;
  for (let hops = 0; ; hops++) {
    request.requireHost(url);
    const response = await sendRequest(url, { method, headers, body, signal: request.signal, allowedPrivateHosts: request.allowedPrivateHosts });
    const next = redirects.has(response.statusCode ?? 0) ? target(response, url) : undefined;
    if (next === undefined) return { ...describe(response, url), ...(await readBody(response, request.maxBytes)) };
    response.destroy();
    requireHttp(next);
    if (!(await permitted(next)) && request.permittedOnly) {
      return { ...describe(response, url), text: "", bytes: 0, truncated: false, redirect: next.href };
    }
    if (hops === MAX_REDIRECTS)
      throw new MortiseError("net_failed", { seen: `more than ${MAX_REDIRECTS} redirects, the last one to ${next.origin}` });
    if (next.origin !== url.origin) headers = without(headers, credentials);
    if (response.statusCode === 303 || (method === "POST" && (response.statusCode === 301 || response.statusCode === 302))) {
      if (method !== "HEAD") method = "GET";
      body = undefined;
      headers = without(headers, /^content-/);
    }
    url = next;
  }
}

function requireHttp(url: URL): void {
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new MortiseError("net_refused", { seen: `${url.protocol} is neither http nor https` });
  if (url.username !== "" || url.password !== "") throw new MortiseError("net_refused", { seen: "a name or password in the URL" });
}

function target(response: IncomingMessage, from: URL): URL | undefined {
  const { location } = response.headers;
  if (location === undefined) return undefined;
  if (!URL.canParse(location, from.href)) throw new MortiseError("net_failed", { seen: `a redirect of ${from.origin} to what is no URL` });
  return new URL(location, from.href);
}

function without(headers: Readonly<Record<string, string>>, names: RegExp): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.test(name.toLowerCase())));
}

function describe(response: IncomingMessage, url: URL): Pick<FetchResponse, "status" | "url" | "headers"> {
  const headers = Object.entries(response.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]);
  return { status: response.statusCode ?? 0, url: url.href, headers: Object.fromEntries(headers) };
}
