import writeFileAtomic from "write-file-atomic";
import * as z from "zod/mini";
import { MortiseError } from "../../sdk/errors.ts";
import { readSource } from "./jsonc.ts";
import { withLock } from "./lock.ts";

/** A private JSON file that the host keeps. Throws `file_broken` where it is there and not as it was written. */
export async function readStore<S extends z.core.$ZodType>(path: string, schema: S): Promise<z.output<S> | undefined> {
  const source = await readSource(path);
  if (source === undefined) return undefined;
  try {
    return z.parse(schema, JSON.parse(source.text));
  } catch (cause) {
    throw new MortiseError("file_broken", { seen: `${path}: it is not what was stored there`, cause });
  }
}

/**
 * Reads, changes and writes a private JSON file (0600) under its lock, atomically: two processes lose nothing.
 * A broken one is not overwritten: throws `file_broken`; `store_busy` where the lock stays held.
 */
export async function changeStore<S extends z.core.$ZodType>(
  path: string,
  schema: S,
  change: (stored: z.output<S> | undefined) => z.output<S>,
): Promise<z.output<S>> {
  return withLock(path, async () => {
    const changed = change(await readStore(path, schema));
    await writeFileAtomic(path, `${JSON.stringify(changed, null, 2)}\n`, { mode: 0o600 });
    return changed;
  });
}
