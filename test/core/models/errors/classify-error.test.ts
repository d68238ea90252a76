import { APICallError } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { type ClassifiedError, classifyError } from "../../../../core/models/errors/classify-error.ts";

type Response = { status: number; body?: unknown; headers?: Record<string, string>; message?: string };

/** The error of a provider's package for a response. */
function response({ status, body, headers, message }: Response): APICallError {
  const text = body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body);
  return new APICallError({
    message: message ?? "The request failed",
    url: "https://example.test/v1",
    requestBodyValues: {},
    statusCode: status,
    responseBody: text,
    ...(headers === undefined ? {} : { responseHeaders: headers }),
  });
}

/** The error of a provider's package for a connection that failed, as undici reports it. */
function network(code: string): APICallError {
  const cause = Object.assign(new Error(`connect ${code} 127.0.0.1:1`), { code });
  return new APICallError({ message: `Cannot connect to API: ${cause.message}`, url: "http://x", requestBodyValues: {}, cause });
}

function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}

const openAi = (message: string, code: string | null = null, type = "invalid_request_error") => ({ error: { message, type, param: null, code } });
const anthropic = (type: string, message: string) => ({ type: "error", error: { type, message } });

const cases: [string, unknown, Partial<ClassifiedError>][] = [
  // The server fails, or the network on the way back
  ["500", response({ status: 500 }), { class: "transient" }],
  ["502", response({ status: 502, body: "<html>Bad gateway</html>" }), { class: "transient" }],
  ["503 with a time to wait", response({ status: 503, headers: { "Retry-After": "12" } }), { class: "transient", retryAfterMs: 12_000 }],
  ["504", response({ status: 504 }), { class: "transient" }],
  ["529 of Anthropic", response({ status: 529, body: anthropic("overloaded_error", "Overloaded") }), { class: "transient" }],
  ["408", response({ status: 408 }), { class: "transient" }],
  ["409", response({ status: 409 }), { class: "transient" }],
  ["a reset connection", network("ECONNRESET"), { class: "transient" }],
  ["a closed socket", network("UND_ERR_SOCKET"), { class: "transient" }],
  ["a broken pipe", network("EPIPE"), { class: "transient" }],
  ["undici's word for a stream that broke", new TypeError("terminated"), { class: "transient" }],
  [
    "the package's word for it",
    new APICallError({
      message: "Failed to process successful response",
      url: "http://x",
      requestBodyValues: {},
      statusCode: 200,
      cause: new TypeError("terminated"),
    }),
    { class: "transient" },
  ],
  ["an error within a stream, plain", { type: "overloaded_error", message: "Overloaded" }, { class: "transient" }],
  ["an error within a stream, of OpenAI", { message: "The server had an error", type: "server_error", code: null }, { class: "transient" }],
  [
    "500 of Google",
    response({ status: 500, body: { error: { code: 500, status: "INTERNAL", message: "An internal error has occurred" } } }),
    { class: "transient" },
  ],

  ["an error within a stream, of OpenRouter", { message: "Provider returned error", code: 502 }, { class: "transient" }],

  // Limits
  ["a limit within a stream, of OpenRouter", { message: "Rate limit exceeded", code: 429 }, { class: "rate_limit" }],
  ["429 with seconds", response({ status: 429, headers: { "retry-after": "7" } }), { class: "rate_limit", retryAfterMs: 7_000 }],
  [
    "429 with milliseconds",
    response({ status: 429, headers: { "retry-after-ms": "350", "retry-after": "1" } }),
    { class: "rate_limit", retryAfterMs: 350 },
  ],
  [
    "429 with a date that is past",
    response({ status: 429, headers: { "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" } }),
    { class: "rate_limit", retryAfterMs: 0 },
  ],
  ["429 without", response({ status: 429, body: openAi("Rate limit reached", "rate_limit_exceeded", "requests") }), { class: "rate_limit" }],
  [
    "429 for a spend cap",
    response({ status: 429, body: openAi("You exceeded your current quota", "insufficient_quota", "insufficient_quota") }),
    { class: "rate_limit" },
  ],
  ["429 whose words are of tokens", response({ status: 429, message: "Request too large: too many tokens per minute" }), { class: "rate_limit" }],
  [
    "429 of Google",
    response({ status: 429, body: [{ error: { code: 429, status: "RESOURCE_EXHAUSTED", message: "Quota exceeded" } }] }),
    { class: "rate_limit" },
  ],
  ["a limit within a stream", { type: "rate_limit_error", message: "This request would exceed your limit" }, { class: "rate_limit" }],

  // No connection
  ["a refused connection", network("ECONNREFUSED"), { class: "connect" }],
  ["a host that is not there", network("ENOTFOUND"), { class: "connect" }],
  ["a name server that does not answer", network("EAI_AGAIN"), { class: "connect" }],
  ["no route", network("EHOSTUNREACH"), { class: "connect" }],
  ["a connection that takes too long", network("UND_ERR_CONNECT_TIMEOUT"), { class: "connect" }],
  [
    "several addresses, all refused",
    Object.assign(new TypeError("fetch failed"), { cause: new AggregateError([Object.assign(new Error("refused"), { code: "ECONNREFUSED" })]) }),
    { class: "connect" },
  ],

  // Nothing more comes
  ["a timer of the stream", new DOMException("The operation timed out", "TimeoutError"), { class: "quiet" }],
  ["no head in time", network("UND_ERR_HEADERS_TIMEOUT"), { class: "quiet" }],
  ["no body in time", network("UND_ERR_BODY_TIMEOUT"), { class: "quiet" }],
  ["a stream without an end", named("AI_InvalidResponseDataError", "Response stream ended without a finish reason."), { class: "quiet" }],
  ["an empty body", named("AI_EmptyResponseBodyError", "Empty response body"), { class: "quiet" }],
  ["a page instead of an answer", named("AI_JSONParseError", "JSON parsing failed: Text: <html>"), { class: "quiet" }],

  ["500 that speaks of a key", response({ status: 500, message: "Incorrect API key provided" }), { class: "transient" }],

  // Keys
  ["401", response({ status: 401 }), { class: "auth" }],
  ["403", response({ status: 403, body: anthropic("permission_error", "Your key may not use this model") }), { class: "auth" }],
  ["400 of Google for a key", response({ status: 400, message: "API key not valid. Please pass a valid API key." }), { class: "auth" }],
  ["no key at all", named("AI_LoadAPIKeyError", "Anthropic API key is missing"), { class: "auth" }],
  ["a wrong key within a stream", { type: "authentication_error", message: "invalid x-api-key" }, { class: "auth" }],

  // The prompt is too long
  [
    "Anthropic",
    response({
      status: 400,
      message: "prompt is too long: 215000 tokens > 200000 maximum",
      body: anthropic("invalid_request_error", "prompt is too long"),
    }),
    { class: "overflow" },
  ],
  ["Anthropic, by size", response({ status: 413, body: anthropic("request_too_large", "Request exceeds the maximum size") }), { class: "overflow" }],
  [
    "OpenAI, by code",
    response({ status: 400, body: openAi("Your input exceeds the context window of this model.", "context_length_exceeded") }),
    { class: "overflow" },
  ],
  [
    "OpenAI, counted",
    response({
      status: 400,
      message:
        "This model's maximum context length is 128000 tokens. However, you requested 160000 tokens (150000 in the messages, 10000 in the completion). Please reduce the length of the messages or completion.",
    }),
    { class: "overflow" },
  ],
  [
    "Google",
    response({ status: 400, message: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)." }),
    { class: "overflow" },
  ],
  [
    "llama.cpp",
    response({
      status: 400,
      body: { error: { code: 400, message: "the request exceeds the available context size, try increasing it", type: "exceed_context_size_error" } },
    }),
    { class: "overflow" },
  ],
  [
    "llama.cpp, older",
    response({ status: 500, message: "the request exceeds the available context size. try increasing the context size or enable context shift" }),
    { class: "overflow" },
  ],
  ["Ollama", response({ status: 400, message: "input length exceeds maximum context length" }), { class: "overflow" }],
  [
    "LM Studio",
    response({ status: 400, message: "The number of tokens to keep from the initial prompt is greater than the context length" }),
    { class: "overflow" },
  ],
  [
    "xAI",
    response({ status: 400, message: "This model's maximum prompt length is 131072 but the request contains 537812 tokens." }),
    { class: "overflow" },
  ],
  [
    "Mistral",
    response({ status: 400, message: "Prompt contains 65673 tokens and 0 draft tokens, too large for model with 32768 maximum context length" }),
    { class: "overflow" },
  ],
  ["within a stream", { type: "invalid_request_error", message: "prompt is too long: 215000 tokens > 200000 maximum" }, { class: "overflow" }],

  // Prompt and answer together are
  [
    "Anthropic, both",
    response({
      status: 400,
      message: "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again",
    }),
    { class: "budget_overflow", maxOutput: 11_760 },
  ],
  [
    "Anthropic, longest answer",
    response({ status: 400, message: "max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens for claude-haiku-4-5" }),
    { class: "budget_overflow", maxOutput: 64_000 },
  ],
  [
    "OpenAI, both",
    response({
      status: 400,
      message:
        "This model's maximum context length is 128000 tokens. However, you requested 140000 tokens (100000 in the messages, 40000 in the completion).",
    }),
    { class: "budget_overflow", maxOutput: 28_000 },
  ],
  [
    "OpenAI, longest answer",
    response({
      status: 400,
      message: "max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.",
    }),
    { class: "budget_overflow", maxOutput: 16_384 },
  ],
  [
    "OpenRouter",
    response({
      status: 400,
      message:
        "This endpoint's maximum context length is 32768 tokens. However, you requested about 40104 tokens (8104 of text input, 32000 in the output).",
    }),
    { class: "budget_overflow", maxOutput: 24_664 },
  ],
  [
    "vLLM",
    response({
      status: 400,
      message:
        "'max_tokens' or 'max_completion_tokens' is too large: 32768. This model's maximum context length is 32768 tokens and your request has 1000 input tokens (32768 > 32768 - 1000).",
    }),
    { class: "budget_overflow", maxOutput: 31_768 },
  ],

  // Never by itself
  ["400", response({ status: 400, message: "messages: roles must alternate" }), { class: "fatal" }],
  ["402", response({ status: 402, message: "Insufficient credits" }), { class: "fatal" }],
  ["404", response({ status: 404, body: openAi("The model `x` does not exist", "model_not_found") }), { class: "fatal" }],
  ["422", response({ status: 422 }), { class: "fatal" }],
  ["307", response({ status: 307 }), { class: "fatal" }],
  ["a certificate that nobody signed", network("DEPTH_ZERO_SELF_SIGNED_CERT"), { class: "fatal" }],
  ["a certificate that is past", network("CERT_HAS_EXPIRED"), { class: "fatal" }],
  ["a cancel", new DOMException("This operation was aborted", "AbortError"), { class: "fatal" }],
  ["an error of ours", new TypeError("x is not a function"), { class: "fatal" }],
  ["no error at all", undefined, { class: "fatal" }],
  ["words", "something broke", { class: "fatal", message: "something broke" }],
];

describe("classifyError()", () => {
  it.each(cases)("knows %s", (_, error, expected) => {
    expect(classifyError(error)).toMatchObject(expected);
  });

  it("says nothing of waiting where the server did not", () => {
    expect(classifyError(response({ status: 429, headers: { "retry-after": "soon" } }))).not.toHaveProperty("retryAfterMs");
  });

  it("reads an error that another wraps", () => {
    const wrapped = Object.assign(new Error("Failed after 1 attempt"), { lastError: response({ status: 429, headers: { "retry-after": "3" } }) });
    expect(classifyError(wrapped)).toMatchObject({ class: "rate_limit", retryAfterMs: 3_000 });
  });

  it("ends on an error that is its own cause", () => {
    const error = new Error("round");
    error.cause = error;
    expect(classifyError(error).class).toBe("fatal");
  });

  it("gives a message that is short, on one line, and without keys", () => {
    const { message } = classifyError(response({ status: 400, message: `bad key sk-ant-api03-abcdefghijklmnopqrstuvwx\n${"x".repeat(10_000)}` }));
    expect(message).toContain("[redacted]");
    expect(message).not.toContain("abcdefghijklm");
    expect(message).not.toContain("\n");
    expect(message.length).toBeLessThan(600);
  });

  it("takes what the provider said from the body where the message says less", () => {
    expect(classifyError(response({ status: 400, body: openAi("the thing that is wrong") })).message).toContain("the thing that is wrong");
  });
});
