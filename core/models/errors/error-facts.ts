import * as z from "zod/mini";

/** What is read of an error, wherever in it that stands. */
export type ErrorFacts = {
  name: string;
  message: string;
  statusCode: number | undefined;
  /** Of the system, as `ECONNREFUSED`, else of the provider, as `context_length_exceeded`. */
  code: string | undefined;
  /** By name in lower case. */
  responseHeaders: Readonly<Record<string, string>>;
  responseBody: string;
};

const word = z.optional(z.catch(z.nullable(z.union([z.string(), z.number()])), null));
const Shape = z.looseObject({
  name: word,
  message: word,
  statusCode: z.optional(z.catch(z.nullable(z.number()), null)),
  code: word,
  type: word,
  status: word,
  responseHeaders: z.optional(z.catch(z.record(z.string(), z.string()), {})),
  responseBody: z.optional(z.catch(z.string(), "")),
});
const Body = z.looseObject({ error: z.unknown() });

/** Reads an error, the errors that caused it, and what the provider said, which may be JSON in its body or the error itself. */
export function errorFacts(error: unknown): ErrorFacts {
  const chain = [...causes(error)].map((each) => Shape.safeParse(each)).flatMap((each) => (each.success ? [each.data] : []));
  const first = <T>(get: (each: z.infer<typeof Shape>) => T | null | undefined) =>
    chain.map(get).find((value) => value !== undefined && value !== null && value !== "");
  const body = first(({ responseBody }) => responseBody) ?? "";
  const said = provided(body) ?? {};
  const code = first((each) => each.code) ?? said.code ?? first((each) => each.type) ?? said.type ?? said.status;
  const type = first((each) => each.type) ?? said.type;
  return {
    name: String(first(({ name }) => name) ?? "Error"),
    message: messageOf(
      error,
      first(({ message }) => message),
      said.message,
    ),
    statusCode:
      first(({ statusCode }) => statusCode) ?? statusIn(code) ?? (type === undefined || type === null ? undefined : statusOfType[String(type)]),
    code: code === undefined || code === null ? undefined : String(code),
    responseHeaders: Object.fromEntries(
      Object.entries(first(({ responseHeaders }) => responseHeaders) ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
    ),
    responseBody: body,
  };
}

/** Kinds of errors that arrive within a stream, without a status. */
const statusOfType: Readonly<Record<string, number>> = {
  api_error: 500,
  server_error: 500,
  overloaded_error: 529,
  rate_limit_error: 429,
  request_too_large: 413,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  invalid_request_error: 400,
};

/** An error, then what it came from; never the same one twice. */
function* causes(error: unknown): Generator<unknown> {
  const seen = new Set<unknown>();
  const waiting = [error];
  for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
    if (typeof at !== "object" || at === null || seen.has(at) || seen.size > 20) continue;
    seen.add(at);
    yield at;
    for (const key of ["cause", "data", "error", "lastError"]) if (key in at) waiting.push(Reflect.get(at, key));
    if (at instanceof AggregateError) waiting.push(...at.errors);
  }
}

function provided(body: string): z.infer<typeof Shape> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    const parsed = Body.safeParse(Array.isArray(value) ? value[0] : value);
    const inner = Shape.safeParse(parsed.success ? parsed.data.error : value);
    return inner.success ? inner.data : undefined;
  } catch {
    return undefined;
  }
}

function messageOf(error: unknown, own: string | number | undefined | null, said: string | number | undefined | null): string {
  if (typeof error === "string") return error;
  const [outer, inner] = [String(own ?? ""), String(said ?? "")];
  return inner === "" || outer.includes(inner) ? outer : outer === "" ? inner : `${outer}: ${inner}`;
}

function statusIn(code: string | number | null | undefined): number | undefined {
  const status = Number(code);
  return Number.isInteger(status) && status >= 400 && status < 600 ? status : undefined;
}
