import { SourceMap } from "node:module";
import type { Message, TransformOptions } from "esbuild";
import { bundler, hasEnded } from "../plugins/bundler.ts";
import { RETURN, withValue } from "./with-value.ts";

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

/** JavaScript where it is that, else TypeScript with its types taken out. The code is the body of an async function. */
export async function compileProgram(code: string): Promise<Compiled | Fault> {
  const wrapped = `(async () => {\n${code}\n});`;
  try {
    return await bundler(async (esbuild) => {
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
    });
  } catch (error) {
    if (hasEnded(error)) return { message: "the code is nested too deeply to be read" };
    return faultOf(error, code);
  }
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
