import { MortiseError } from "../../sdk/errors.ts";
import { sha256 } from "../config/project-files.ts";
import type { Options } from "../config/settings.ts";
import type { Isolates } from "../isolate/isolates.ts";
import { type Bundle, type BundleSource, bundlePlugin } from "./bundle.ts";
import { type BuildRecord, isFresh, readRecord, recordPath, writeRecord } from "./cache.ts";
import { describePlugin } from "./describe.ts";
import { findEntryFile } from "./entry-file.ts";
import { locatedFailure } from "./locate.ts";
import { mergeOptions } from "./options.ts";
import type { BuiltPlugin } from "./plugin.ts";
import { toolchain } from "./toolchain.ts";

/** Source to bundle, or a record that was built with this package. */
export type BuildSource = BundleSource | { prebuilt: string };

export type BuildOptions = {
  isolates: Pick<Isolates, "describe">;
  /** What the config sets for a plugin of this name. */
  optionsFor(name: string): Options;
  /** The user's cache folder; null keeps nothing. */
  cacheFolder: string | null;
};

/**
 * Bundles and describes a plugin, or takes both from the cache where nothing it was made of has changed: then there is no bundler and no isolate.
 * Throws the load errors of `bundlePlugin`, of `isolates.describe`, and `plugin_invalid` for options.
 */
export async function buildPlugin(source: BuildSource, options: BuildOptions): Promise<BuiltPlugin & { options: Options }> {
  if ("prebuilt" in source) {
    const record = await readPrebuilt(source.prebuilt);
    if (same(options.optionsFor(record.manifest.name), record.overrides)) return built(record);
    return fromCacheOr(`${record.entry}\n${record.sourceHash}`, null, options, async () => record, null);
  }
  if ("source" in source) return fromCacheOr(`inline\n${source.name}\n${source.source}`, null, options, () => bundlePlugin(source), source);
  const entry = await findEntryFile(source.path);
  const file = { path: entry.path };
  return fromCacheOr(entry.path, entry, options, () => bundlePlugin(file), file);
}

/** What came with the package is as trustworthy as the package, so its toolchain is not compared. */
async function readPrebuilt(path: string): Promise<BuildRecord> {
  const record = await readRecord(path, "package");
  if (record === undefined) throw new MortiseError("plugin_unreadable", { seen: `${path} is not what was built; install Mortise again` });
  return { ...record, entry: path, inputs: [] };
}

async function fromCacheOr(
  key: string,
  entry: { path: string; bytes: Buffer } | null,
  { isolates, optionsFor, cacheFolder }: BuildOptions,
  bundle: () => Promise<Bundle>,
  source: BundleSource | null,
): Promise<BuiltPlugin & { options: Options }> {
  const path = cacheFolder === null ? null : recordPath(cacheFolder, key);
  const record = path === null ? undefined : await readRecord(path);
  const fresh = record !== undefined && (await isFresh(record, entry)) ? record : undefined;
  if (fresh !== undefined && same(optionsFor(fresh.manifest.name), fresh.overrides)) return built(fresh);

  const made = fresh ?? (await bundle());
  const describe = (given?: Options) =>
    describePlugin(isolates, made.code, given).catch(async (cause: unknown) => {
      throw source === null ? cause : await locatedFailure(cause, source, made.code);
    });
  const described = await describe();
  const overrides = optionsFor(described.name);
  const merged = mergeOptions(described, overrides);
  // What a plugin registers may depend on its options.
  const manifest = Object.keys(overrides).length === 0 ? described : await describe(merged);
  const now: BuildRecord = {
    format: 1,
    toolchain: toolchain().id,
    entry: made.entry,
    inputs: [...made.inputs],
    sourceHash: made.sourceHash,
    overrides: { ...overrides },
    code: made.code,
    manifest,
  };
  // A cache that cannot be written costs time at the next start and nothing else.
  if (path !== null) await writeRecord(path, now).catch(() => {});
  return built(now);
}

function built({ entry, code, manifest, sourceHash, overrides, toolchain: id, inputs }: BuildRecord): BuiltPlugin & { options: Options } {
  const hash = sha256(JSON.stringify([sourceHash, Object.entries(overrides).sort(), id]));
  return { path: entry, code, manifest, hash, sourceHash, inputs, options: mergeOptions(manifest, overrides) };
}

function same(a: Options, b: Options): boolean {
  return JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());
}
