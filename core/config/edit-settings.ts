import writeFileAtomic from "write-file-atomic";
import type * as z from "zod/mini";
import { type Placed, parseJsonc, readSource } from "./jsonc.ts";
import { withLock } from "./lock.ts";

/**
 * Edits a settings file in place: under its lock, atomically, comments kept; a new one is private (0600).
 * A broken one is left as it is: throws `file_broken`; `store_busy` where the lock stays held.
 */
export async function editSettings<S extends z.core.$ZodType>(
  path: string,
  schema: S,
  edit: (text: string, value: z.output<S>) => string,
): Promise<Placed<z.output<S>> & { text: string }> {
  return withLock(path, async () => {
    const stored = await readSource(path);
    const before = stored ?? { path, text: "{\n}\n" };
    const text = edit(before.text, parseJsonc(before, schema).value);
    const edited = parseJsonc({ path, text }, schema);
    if (text !== before.text || stored === undefined) await writeFileAtomic(path, text, stored === undefined ? { mode: 0o600 } : {});
    return { ...edited, text };
  });
}
