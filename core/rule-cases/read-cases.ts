import type * as z from "zod/mini";
import { MortiseError } from "../../sdk/errors.ts";
import { parseJsonc, readSource, type Source } from "../config/jsonc.ts";

/** A case and the line it stands on, counted from 1. */
export type Placed<T> = { line: number; value: T };

/** Reads a file with one JSON object a line; empty lines are none. Throws `usage` where there is no file, `file_broken` with file, line and column. */
export async function readCases<S extends z.core.$ZodType>(path: string, schema: S): Promise<Placed<z.output<S>>[]> {
  const source = await readSource(path);
  if (source === undefined) throw new MortiseError("usage", { seen: `there is no file ${path}` });
  return source.text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .flatMap((text, index) => (text.trim() === "" ? [] : [{ line: index + 1, value: readLine({ path, text }, index, schema) }]));
}

function readLine<S extends z.core.$ZodType>({ path, text }: Source, index: number, schema: S): z.output<S> {
  try {
    return parseJsonc({ path, text }, schema).value;
  } catch {
    // The lines before it, so that the place is right.
    return parseJsonc({ path, text: "\n".repeat(index) + text }, schema).value;
  }
}
