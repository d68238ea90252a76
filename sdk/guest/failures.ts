import type { Code } from "../errors.ts";
import { codes } from "../errors.ts";
import { defineProperty, isObject, NativeError, slice, toText, weakGet, weakSet } from "./primordials.ts";

const ERROR_CHARS = 2_000;
const brands = new WeakMap<object, string>();

/** An error of the host as plugin code sees it: `code` says which, and it cannot be forged. */
export function fail(code: Code, seen?: string): Error {
  const [says, advice] = codes[code];
  return coded(code, seen === undefined ? `${says}. ${advice}.` : `${says}: ${seen}. ${advice}.`);
}

export function coded(code: string, message: string): Error {
  const error = new NativeError(message);
  own(error, "name", "MortiseError");
  own(error, "code", code);
  weakSet(brands, error, code);
  return error;
}

/** What `prev` rejects with when a layer below denied, asked or responded. */
export function stopped(verdict: string, plugin: string, reason: string): Error {
  const error = new NativeError(reason);
  own(error, "name", "Stopped");
  own(error, "verdict", verdict);
  own(error, "plugin", plugin);
  own(error, "reason", reason);
  weakSet(brands, error, "stopped_below");
  return error;
}

/** What prev rejects with when what is below failed and nobody answers for it. */
export function failedBelow(code: string, message: string): Error {
  const error = coded(code, message);
  weakSet(brands, error, "stopped_below");
  return error;
}

export type Why = { code: string; text: string; stack: string | null };

/** Reads a thrown value inside the turn, so that its getters run under the turn's limit. Never throws. */
export function why(error: unknown): Why {
  try {
    if (!isObject(error)) return { code: "plugin_threw", text: cut(typeof error === "symbol" ? "a symbol" : toText(error)), stack: null };
    const brand = weakGet(brands, error);
    const message = error.message;
    const text = typeof message === "string" ? message : "an error without a message";
    if (brand !== undefined) return { code: brand, text: cut(text), stack: null };
    const name = error.name;
    const stack = error.stack;
    return {
      code: "plugin_threw",
      text: cut(typeof name === "string" && name !== "Error" && name !== "" ? `${name}: ${text}` : text),
      stack: typeof stack === "string" ? cut(stack) : null,
    };
  } catch {
    return { code: "plugin_threw", text: "an error that cannot be read", stack: null };
  }
}

export const cut = (text: string): string => (text.length > ERROR_CHARS ? slice(text, 0, ERROR_CHARS) : text);

function own(target: object, key: string, value: string): void {
  defineProperty(target, key, { __proto__: null, value, writable: true, configurable: true } as PropertyDescriptor);
}
