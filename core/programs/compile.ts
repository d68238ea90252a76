import { SourceMap } from "node:module";
import type { Message, TransformOptions } from "esbuild";
import { MortiseError } from "../../sdk/errors.ts";
import { bundler, hasEnded, inTime } from "../plugins/bundler.ts";
import { RETURN, withValue } from "./with-value.ts";

type Esbuild = typeof import("esbuild");

export type Compiled = {
  /** One script; its value is an async function. */
  script: string;
  /** Where something of the script stands in the code, both counted from 1. */
  place(line: number, column: number): { line: number; column: number } | undefined;
};

export type Fault = { message: string; line?: number; column?: number };

/** The name that the script has in stacks. */
export const SCRIPT = "code";

const OPTIONS = { target: "es2024", charset: "utf8", legalComments: "none", logLevel: "silent", tsconfigRaw: {}, sourcesContent: false } as const;

/** Milliseconds that it may take. */
const COMPILE_MS = 5_000;

/**
 * JavaScript where it is that, else TypeScript with its types taken out. The code is the body of an async function.
 * @throws What the signal was aborted with.
 */
export async function compileProgram(code: string, signal?: AbortSignal): Promise<Compiled | Fault> {
  // The compiler would end with it, a gigabyte and hundreds of lines on the host's standard error later.
  if (isTooDeep(code)) return tooDeep;
  const wrapped = `(async () => {\n${code}\n});`;
  try {
    return await bundler((esbuild) => inTime(esbuild, compiled(esbuild, wrapped), COMPILE_MS, signal));
  } catch (error) {
    signal?.throwIfAborted();
    if (hasEnded(error)) return tooDeep;
    if (error instanceof MortiseError) return { message: `reading the code took longer than ${COMPILE_MS / 1_000} s` };
    return faultOf(error, code);
  }
}

const tooDeep: Fault = { message: "the code is nested too deeply to be read" };
/** Far more than anybody writes, and far less than the compiler bears. */
const MOST_DEEP = 20_000;

/** Whether more brackets are open at once, more operators stand before one value, or there are more arrows, whatever else they may be part of. */
function isTooDeep(code: string): boolean {
  let open = 0;
  let before = 0;
  let arrows = 0;
  for (let i = 0; i < code.length; i++) {
    const char = code.charAt(i);
    if ("([{".includes(char)) open++;
    else if (")]}".includes(char)) open = Math.max(open - 1, 0);
    if ("!~+-".includes(char)) before++;
    else if (!/\s/.test(char)) before = 0;
    if (char === ">" && code.charAt(i - 1) === "=") arrows++;
    if (Math.max(open, before, arrows) > MOST_DEEP) return true;
  }
  return false;
}

async function compiled(esbuild: Esbuild, wrapped: string): Promise<Compiled> {
  const transform = (text: string, more: TransformOptions = {}) => esbuild.transform(text, { ...OPTIONS, ...more });
  const withMap = { sourcemap: "external" } as const;
  const plain = await transform(wrapped, { loader: "js", ...withMap }).catch((error: unknown) =>
    hasEnded(error) ? Promise.reject(error) : undefined,
  );
  const { code: made, map } = plain ?? (await transform(wrapped, { loader: "ts", ...withMap }));
  const { script, line } = await withValue(made, async (text) => {
    await transform(text, { loader: "js" });
  });
  return { script: `"use strict"; ${script}\n//# sourceURL=${SCRIPT}`, place: placesOf(map, line) };
}

/** The line that was put before the code is taken off again. */
function placesOf(map: string, returned: number | undefined): Compiled["place"] {
  let parsed: SourceMap | undefined;
  return (line, column) => {
    parsed ??= new SourceMap(JSON.parse(map));
    const entry = parsed.findEntry(line - 1, line === returned ? column - 1 - RETURN.length : column - 1);
    return "originalLine" in entry && entry.originalLine > 0 ? { line: entry.originalLine, column: entry.originalColumn + 1 } : undefined;
  };
}

function faultOf(error: unknown, code: string): Fault {
  const [first] = error instanceof Error && "errors" in error && Array.isArray(error.errors) ? (error.errors as readonly Message[]) : [];
  if (first === undefined) return { message: error instanceof Error ? error.message : String(error) };
  const { text, location } = first;
  if (location === null) return { message: text };
  // What is missing at the end is missed behind it.
  const lines = code.split("\n");
  const line = Math.min(Math.max(location.line - 1, 1), lines.length);
  const column = location.line - 1 > lines.length ? (lines.at(-1)?.length ?? 0) + 1 : location.column + 1;
  return { message: text, line, column };
}
