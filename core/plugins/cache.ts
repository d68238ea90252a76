import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import * as z from "zod/mini";
import { Manifest } from "../../sdk/wire.ts";
import { readBytes } from "../config/bytes.ts";
import { makeFolder } from "../config/make-folder.ts";
import { sha256 } from "../config/project-files.ts";
import { toolchain } from "./toolchain.ts";

const Record = z.object({
  format: z.literal(1),
  toolchain: z.string(),
  entry: z.string(),
  inputs: z.array(z.object({ path: z.string(), name: z.string(), hash: z.string() })),
  sourceHash: z.string(),
  /** What the config set for it when the manifest was made. */
  overrides: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  code: z.string(),
  manifest: Manifest,
});
/** A plugin as it was built: enough to route by without an isolate, and to make one without a bundler. */
export type BuildRecord = z.infer<typeof Record>;

/** Where builds of one source are kept. One file each, so old versions do not pile up. */
export function recordPath(cacheFolder: string, source: string): string {
  return join(cacheFolder, "plugins", `${sha256(source)}.json`);
}

/** A record that is whole, else undefined; of a cache also only this user's own, since it holds code. Whether its inputs still hold is `isFresh`'s to say. */
export async function readRecord(path: string, from: "cache" | "package" = "cache"): Promise<BuildRecord | undefined> {
  try {
    if (from === "cache" && !(await isOwn(path))) return undefined;
    const text = (await readBytes(path))?.toString("utf8") ?? "";
    const end = text.indexOf("\n");
    const body = text.slice(end + 1);
    return text.slice(0, end) === sha256(body) ? z.parse(Record, JSON.parse(body)) : undefined;
  } catch {
    return undefined;
  }
}

/** Writes a record, atomically. */
export async function writeRecord(path: string, record: BuildRecord, mode = 0o600): Promise<void> {
  const body = JSON.stringify(record);
  await makeFolder(dirname(path));
  await writeFileAtomic(path, `${sha256(body)}\n${body}`, { mode });
}

async function isOwn(path: string): Promise<boolean> {
  const { uid } = await stat(path);
  return process.getuid === undefined || uid === process.getuid() || uid === 0;
}

/** Whether a record was made of this entry, with this toolchain, from files that still hold the same. */
export async function isFresh(record: BuildRecord, entry: { path: string; bytes: Buffer } | null): Promise<boolean> {
  if (record.toolchain !== toolchain().id || (entry !== null && record.entry !== entry.path)) return false;
  const same = await Promise.all(
    record.inputs.map(async ({ path, hash }) => {
      const bytes = path === entry?.path ? entry.bytes : await readBytes(path).catch(() => undefined);
      return bytes !== undefined && sha256(bytes) === hash;
    }),
  );
  return same.every(Boolean);
}
