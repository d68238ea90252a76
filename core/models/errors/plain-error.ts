import type { Clean } from "../clean-text.ts";
import { type ErrorFacts, errorFacts } from "./error-facts.ts";

/** An error of a provider without what it was asked: no prompt, no headers but those about waiting, its texts cut and cleaned. */
export type PlainError = Error & Partial<Pick<ErrorFacts, "statusCode" | "code" | "responseHeaders" | "responseBody">>;

const MAX_CHARS = 2_000;

/** An error as classes of it are read from: its name, message, and what is given. */
export function plainError(name: string, message: string, facts: Omit<Partial<ErrorFacts>, "name" | "message">): PlainError {
  const error = Object.assign(new Error(message), facts);
  error.name = name;
  return error;
}

/** The same failure, fit to be shown and kept. An abort stays what it is. */
export function withoutSecrets(error: unknown, clean: Clean): unknown {
  if (isAbort(error)) return error;
  const { name, message, ...facts } = errorFacts(error);
  const cut = (text: string) => clean(text).slice(0, MAX_CHARS);
  const headers = Object.entries(facts.responseHeaders).filter(([header]) => /^retry-after(-ms)?$/.test(header));
  return plainError(name, cut(message), { ...facts, responseHeaders: Object.fromEntries(headers), responseBody: cut(facts.responseBody) });
}

/** What an aborted signal throws by itself. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError");
}
