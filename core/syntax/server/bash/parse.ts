import type { Parsed, Script } from "./ast.ts";
import { createReader, fail, peek } from "./reader.ts";
import { readScript } from "./scripts.ts";

/** Reads bash text. What stands before an error is kept, since bash runs it too. */
export function parseBash(source: string): Parsed {
  const reader = createReader(source);
  const open: Script[] = reader.scripts;
  let whole: Script | undefined;
  try {
    const script = readScript(reader, []);
    whole = script;
    if (peek(reader) !== undefined) fail(reader);
    return { script, error: undefined, doubts: reader.doubts, starts: reader.starts, comments: reader.comments, escapes: reader.escapes };
  } catch (error) {
    // A stack that overflows is nesting too.
    const why = error instanceof SyntaxError ? error.message : error instanceof RangeError ? "it is nested too deeply" : undefined;
    if (why === undefined) throw error;
    const items = whole?.items ?? open.flatMap((script) => script.items);
    return { script: { items }, error: why, doubts: reader.doubts, starts: reader.starts, comments: reader.comments, escapes: reader.escapes };
  }
}
