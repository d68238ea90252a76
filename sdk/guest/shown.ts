import { why } from "./failures.ts";
import { isArray, isObject, NativeError, stringify, toText } from "./primordials.ts";

/** A value as text for a reader: strings as they are, objects as JSON, with what JSON has no words for in words. */
export function shown(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    if (value instanceof NativeError) return why(value).text;
    if (typeof value === "function") return "[function]";
    if (!isObject(value)) return typeof value === "bigint" ? `${value}n` : toText(value);
    return stringify(value, sayable) ?? "undefined";
  } catch (error) {
    return `[an object that cannot be shown: ${why(error).text}]`;
  }
}

function sayable(_key: string, item: unknown): unknown {
  if (typeof item === "bigint") return `${item}n`;
  if (typeof item === "function") return "[function]";
  if (typeof item === "symbol") return toText(item);
  if (!isObject(item) || isArray(item)) return item;
  if (item instanceof NativeError) return why(item).text;
  if (item instanceof Map) return [...item];
  if (item instanceof Set) return [...item];
  return item;
}
