import { putLog } from "./calls.ts";
import { cut, why } from "./failures.ts";
import { freeze, isObject, NativeError, stringify, toText } from "./primordials.ts";

export type Level = "debug" | "info" | "warn" | "error";
export type Log = Record<Level, (...parts: unknown[]) => void>;

const at =
  (level: Level) =>
  (...parts: unknown[]): void => {
    let text = "";
    for (let i = 0; i < parts.length && text.length < 2_000; i++) text = i === 0 ? show(parts[i]) : `${text} ${show(parts[i])}`;
    putLog(level, cut(text));
  };

export const log: Log = freeze({ debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") });

const noop = (): void => {};

export const guestConsole = {
  debug: log.debug,
  log: log.info,
  info: log.info,
  warn: log.warn,
  error: log.error,
  trace: log.debug,
  assert: (condition: unknown, ...parts: unknown[]): void => {
    if (!condition) log.error("Assertion failed", ...parts);
  },
  dir: log.info,
  table: log.info,
  group: log.info,
  groupEnd: noop,
  time: noop,
  timeEnd: noop,
};

function show(part: unknown): string {
  try {
    if (typeof part === "string") return cut(part);
    if (part instanceof NativeError) {
      const reason = why(part);
      return reason.stack ?? reason.text;
    }
    if (isObject(part)) return cut(stringify(part) ?? "undefined");
    return cut(toText(part));
  } catch (error) {
    return why(error).text;
  }
}
