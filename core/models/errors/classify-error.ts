import { cleanKeys } from "../clean-text.ts";
import { type ErrorFacts, errorFacts } from "./error-facts.ts";
import { overflowOf } from "./overflow.ts";

/**
 * What an error of a provider means for the next try. `quiet`: the stream went quiet or ended before its end, and tokens may be billed;
 * `overflow`: the prompt alone is too long; `budget_overflow`: prompt and answer together are.
 */
export type ErrorClass = "transient" | "rate_limit" | "connect" | "quiet" | "auth" | "overflow" | "budget_overflow" | "fatal";

export type ClassifiedError = {
  class: ErrorClass;
  /** What the server asks to wait, in milliseconds. */
  retryAfterMs?: number;
  /** Tokens that an answer may have, where the server said so or numbers to know it by. */
  maxOutput?: number;
  /** Short, without secrets. */
  message: string;
};

const MAX_CHARS = 500;

type Row = {
  class: ErrorClass;
  names?: RegExp;
  codes?: RegExp;
  statuses?: (status: number) => boolean;
  texts?: RegExp;
  /** Statuses that say nothing else, with which the texts count. */
  textsWith?: (status: number | undefined) => boolean;
};

/** The first row that fits counts. A row fits where one of what it names does. */
const rows: readonly Row[] = [
  { class: "fatal", names: /^(AbortError|ResponseAborted)$/, codes: /^ERR_ANSWER_TOO_LONG$/ },
  {
    class: "auth",
    statuses: is(401),
    names: /^AI_LoadAPIKeyError$/,
    codes: /^(invalid_api_key|authentication_error|API_KEY_INVALID)$/,
    textsWith: (status) => status === undefined || status === 400 || status === 403,
    texts: /api key (is )?(not valid|invalid|missing|expired)|(invalid|incorrect) (x-)?api[- ]key/i,
  },
  { class: "auth", statuses: is(403) },
  { class: "rate_limit", statuses: is(429), codes: /^(rate_limit_error|rate_limit_exceeded|RESOURCE_EXHAUSTED|insufficient_quota|tokens|requests)$/ },
  {
    class: "connect",
    codes:
      /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EAI_FAIL|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EHOSTDOWN|EADDRNOTAVAIL|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused|FailedToOpenSocket)$/,
  },
  { class: "quiet", names: /^TimeoutError$/, codes: /^(UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT)$/ },
  { class: "fatal", codes: /CERT|^(ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|ERR_INVALID_URL|EPROTO)/ },
  {
    class: "transient",
    codes:
      /^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET|UND_ERR_ABORTED|UND_ERR_RES_CONTENT_LENGTH_MISMATCH|ConnectionClosed|HPE_.*|overloaded_error|api_error|server_error|UNAVAILABLE|INTERNAL)$/,
  },
  { class: "transient", statuses: (status) => status === 408 || status === 409 || status === 425 || status >= 500 },
  { class: "fatal", statuses: (status) => status >= 300 },
  // A server that answered, and whose answer breaks off or is no answer.
  {
    class: "quiet",
    names:
      /^AI_(InvalidResponseDataError|EmptyResponseBodyError|NoContentGeneratedError|NoOutputGeneratedError|JSONParseError|TypeValidationError|InvalidStreamPartError)$/,
    texts: /ended without a finish reason|stream (was )?(interrupted|closed|cut)/i,
  },
  {
    class: "transient",
    names: /^AI_APICallError$/,
    statuses: (status) => status < 300,
    texts: /^(terminated|fetch failed|socket hang up|network error|premature close|other side closed)$|failed to process successful response/i,
  },
];

/** What to do about an error of a model, whatever made it: a provider's package, the network, a model of our own. */
export function classifyError(error: unknown): ClassifiedError {
  const facts = errorFacts(error);
  const overflow = overflowOf(facts);
  const retryAfterMs = retryAfter(facts.responseHeaders);
  return {
    class: overflow?.class ?? rows.find((row) => fits(row, facts))?.class ?? "fatal",
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(overflow?.maxOutput === undefined ? {} : { maxOutput: overflow.maxOutput }),
    message: says(facts),
  };
}

function is(status: number): (other: number) => boolean {
  return (other) => other === status;
}

function fits({ names, codes, statuses, texts, textsWith = () => true }: Row, { name, code, statusCode, message }: ErrorFacts): boolean {
  return (
    names?.test(name) === true ||
    (code !== undefined && codes?.test(code) === true) ||
    (statusCode !== undefined && statuses?.(statusCode) === true) ||
    (textsWith(statusCode) && texts?.test(message) === true)
  );
}

function says({ name, message, statusCode, code }: ErrorFacts): string {
  const text = cleanKeys(message.replace(/\s+/g, " ").trim()) || (code ?? name);
  const cut = text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}...` : text;
  return statusCode === undefined ? cut : `${statusCode}: ${cut}`;
}

/** Seconds or a date, or milliseconds in a header that some servers send. */
function retryAfter(headers: Readonly<Record<string, string>>): number | undefined {
  const ms = headers["retry-after-ms"]?.trim();
  if (ms !== undefined && /^\d+(\.\d+)?$/.test(ms)) return Math.ceil(Number(ms));
  const text = headers["retry-after"]?.trim();
  if (text === undefined || text === "") return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1_000);
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
