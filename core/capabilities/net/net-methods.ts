import * as z from "zod/mini";
import { MortiseError } from "../../../sdk/errors.ts";
import { parseArguments } from "../arguments.ts";
import type { Caller, CapabilitiesHost, Methods } from "../capabilities.ts";
import { notGranted, scopesOf } from "../granted.ts";
import { fetchUrl } from "./fetch-url.ts";
import { bareHost, hostAllowed, portOf } from "./host-scope.ts";

const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_TIMEOUT_MS = 120_000;
const DEFAULT_MAX_BYTES = 5 * 1024 * 1024;
const MAX_BYTES = 16 * 1024 * 1024;

/** Headers that say where a request goes or how it is framed: those are the host's own. */
const ownHeaders = /^(host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-length|expect)$/i;
const HeaderName = z.string().check(
  z.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/),
  z.refine((name) => !ownHeaders.test(name)),
);
const HeaderValue = z.string().check(z.regex(/^[\t\x20-\x7e\x80-\xff]*$/));

const Arguments = z.tuple([
  z.string().check(z.maxLength(16_384)),
  z.optional(
    z.object({
      method: z.nullish(z.enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])),
      headers: z.nullish(z.record(HeaderName, HeaderValue)),
      body: z.nullish(z.string()),
      timeoutMs: z.nullish(z.number().check(z.positive(), z.maximum(MAX_TIMEOUT_MS))),
      maxBytes: z.nullish(z.int().check(z.minimum(1), z.maximum(MAX_BYTES))),
      redirects: z.nullish(z.enum(["follow", "permitted"])),
    }),
  ),
]);

/** HTTP requests to the hosts of a grant. Private and loopback addresses are refused unless the user allows them. */
export function netMethods({ allowedPrivateHosts, judgeUrl }: Pick<CapabilitiesHost, "allowedPrivateHosts" | "judgeUrl">): Methods {
  return {
    "net.fetch": async (args, caller) => {
      const [address, request] = parseArguments("net.fetch", Arguments, args);
      if (!URL.canParse(address)) throw new MortiseError("wrong_argument", { seen: "net.fetch, an absolute URL is expected" });
      const url = new URL(address);
      const timeoutMs = request?.timeoutMs ?? DEFAULT_TIMEOUT_MS;
      const timeout = AbortSignal.timeout(timeoutMs);
      const cancel = caller.call?.signal;
      try {
        return await fetchUrl(url, {
          method: request?.method ?? "GET",
          headers: withDefaults(request?.headers ?? {}),
          body: request?.body ?? undefined,
          maxBytes: request?.maxBytes ?? DEFAULT_MAX_BYTES,
          signal: cancel === undefined ? timeout : AbortSignal.any([timeout, cancel]),
          requireHost: (hop) => requireHost(hop, caller),
          judge: async ({ href }) => {
            const { running, sessionId = "" } = caller.call ?? {};
            return running === undefined || judgeUrl === undefined ? "uncovered" : judgeUrl(href, running, sessionId);
          },
          permittedOnly: request?.redirects === "permitted",
          allowedPrivateHosts,
        });
      } catch (error) {
        if (cancel?.aborted === true) throw cancel.reason instanceof MortiseError ? cancel.reason : new MortiseError("cancelled");
        throw netFailed(url, timeout.aborted ? `no answer in ${timeoutMs} ms` : error);
      }
    },
  };
}

function requireHost(url: URL, caller: Caller): void {
  if (!hostAllowed(url, scopesOf(caller, "net"))) throw notGranted(caller, `net to ${bareHost(url)}:${portOf(url)}`);
}

function withDefaults(headers: Readonly<Record<string, string>>): Record<string, string> {
  const given = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return Object.fromEntries([["accept", "*/*"], ["user-agent", "mortise"], ...given, ["accept-encoding", "gzip, deflate, br"]]);
}

/** The system's own reason, which stands in the causes of an error or among those of a set. */
function netFailed(url: URL, reason: unknown): MortiseError {
  if (reason instanceof MortiseError) return reason;
  const seen = `${url.origin}: ${typeof reason === "string" ? reason : codeOf(reason)}`;
  return new MortiseError("net_failed", { seen, cause: reason });
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  if (error instanceof Error && "code" in error) return String(error.code);
  return error instanceof Error ? error.message : String(error);
}
