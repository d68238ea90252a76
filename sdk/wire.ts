import * as z from "zod/mini";

/** What crosses between host, runner and isolate. Values are JSON made in the isolate and relayed unparsed; long strings travel beside it. */

/** Strings of at least this many characters travel beside the JSON. */
export const BLOB_CHARS = 32_768;
/** The largest value, JSON and blobs together, that may leave an isolate in one frame. */
export const PAYLOAD_CHARS = 24 * 1024 * 1024;
/** Outbox frames that one turn may fill. */
export const FRAMES_PER_TURN = 256;
/** Characters kept of an error's text. */
export const ERROR_CHARS = 2_000;

/**
 * A JSON value with its long strings beside it.
 * With blobs, a string `"\u0000<n>"` in the JSON stands for `blobs[n]`, and any other string that begins with U+0000 has one more of them in front.
 * `json` is undefined where the value is `undefined`, which is not `null`.
 */
export type Packed = { json: string | undefined; blobs: readonly string[] };

export const NOTHING: Packed = { json: undefined, blobs: [] };

/** Packs a JSON value. The guest has a hardened twin of this in its prelude. */
export function pack(value: unknown): Packed {
  if (value === undefined) return NOTHING;
  if (!hasLongString(value)) return { json: JSON.stringify(value), blobs: [] };
  const blobs: string[] = [];
  const json = JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item !== "string") return item;
    if (item.length >= BLOB_CHARS) return `\u0000${blobs.push(item) - 1}`;
    return item.startsWith("\u0000") ? `\u0000${item}` : item;
  });
  return { json, blobs };
}

/** The value of `pack`. Throws a SyntaxError for what is no JSON and a RangeError for a blob that is not there. */
export function unpack(packed: Packed): unknown {
  if (packed.json === undefined) return undefined;
  const value: unknown = JSON.parse(packed.json);
  return packed.blobs.length === 0 ? value : restore(value, packed.blobs);
}

export function packedChars(packed: Packed): number {
  return packed.blobs.reduce((sum, blob) => sum + blob.length, packed.json?.length ?? 0);
}

function hasLongString(value: unknown): boolean {
  if (typeof value === "string") return value.length >= BLOB_CHARS;
  if (typeof value !== "object" || value === null) return false;
  for (const item of Array.isArray(value) ? value : Object.values(value)) if (hasLongString(item)) return true;
  return false;
}

function restore(value: unknown, blobs: readonly string[]): unknown {
  if (typeof value === "string") {
    if (!value.startsWith("\u0000")) return value;
    if (value.startsWith("\u0000\u0000")) return value.slice(1);
    const blob = blobs[Number(value.slice(1))];
    if (blob === undefined) throw new RangeError("A frame names a blob that is not there");
    return blob;
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => restore(item, blobs));
  for (const key of Object.keys(value)) {
    const item = (value as Record<string, unknown>)[key];
    // A plain assignment to `__proto__` would set the prototype instead of the key.
    Object.defineProperty(value, key, { value: restore(item, blobs), enumerable: true, writable: true, configurable: true });
  }
  return value;
}

const Names = z.array(z.string());
const OnFailure = z.enum(["skip", "block"]);

/** What a plugin asks for: `true` for all of a capability, or the scopes it needs. */
export const Asks = z.object({
  fs_read: z.optional(z.union([z.literal(true), Names])),
  fs_write: z.optional(z.union([z.literal(true), Names])),
  net: z.optional(z.union([z.literal(true), Names])),
  run: z.optional(z.union([z.literal(true), Names])),
  env: z.optional(z.union([z.literal(true), Names])),
});
export type Asks = z.infer<typeof Asks>;

/** The field of a tool's input that names the one path of a call; `otherwise` is the path where it is left out. */
export const PathField = z.object({ path: z.string(), access: z.enum(["read", "write"]), otherwise: z.optional(z.string()) });
export type PathField = z.infer<typeof PathField>;

/**
 * What a plugin is and registers, learnt by running its `setup` where every capability call rejects with `describing`.
 * `handler` numbers are the order of registration in the plugin, over all kinds; the host names handlers by them.
 */
export const Manifest = z.object({
  name: z.string().check(z.regex(/^[a-z][a-z0-9_-]{0,63}$/)),
  version: z.optional(z.string()),
  description: z.optional(z.string()),
  capabilities: Asks,
  steer: Names,
  isolation: z.enum(["shared", "process"]),
  memoryMb: z.optional(z.number().check(z.int(), z.minimum(8), z.maximum(2048))),
  layers: z.array(
    z.object({
      handler: z.number(),
      slot: z.string(),
      onFailure: OnFailure,
      before: Names,
      after: Names,
      data: z.boolean(),
      /** On `completion.sources`: the handler that asks a source of the plugin. */
      completes: z.optional(z.number()),
    }),
  ),
  judges: z.array(z.object({ handler: z.number(), slot: z.string() })),
  redactors: z.array(z.object({ handler: z.number(), slot: z.string(), overlap: z.number().check(z.int(), z.minimum(0), z.maximum(65_536)) })),
  autocmds: z.array(z.object({ handler: z.number(), events: Names, pattern: z.nullable(Names), once: z.boolean(), group: z.nullable(z.string()) })),
  slots: z.array(z.object({ handler: z.number(), name: z.string(), capability: z.nullable(Names) })),
  tools: z.array(
    z.object({
      /** The handler of `run`. */
      handler: z.number(),
      /** The handler of `scopes`, the field that holds the one path, or null where the tool says "none". */
      scopes: z.nullable(z.union([z.number(), PathField])),
      name: z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/)),
      /** A model reads it with every request. */
      description: z.string().check(z.minLength(1), z.maxLength(65_536)),
      kind: z.nullable(z.string()),
      capability: z.nullable(z.enum(["fs_read", "fs_write", "net", "run", "env"])),
      audiences: z.nullable(Names),
      timeoutMs: z.nullable(z.number()),
      /** The field of the input that holds the file this tool writes. */
      writes: z.nullable(z.string()),
      aliases: z.record(z.string(), z.string()),
      /** It asks a person, and is not there where nobody can answer. */
      needsPerson: z.optional(z.boolean()),
      /** The same call may come again and again. */
      polls: z.optional(z.boolean()),
      /** A parser is started with it. */
      parses: z.optional(z.boolean()),
      /** It has a model work, and is not there where no agent drives the host. */
      needsAgent: z.optional(z.boolean()),
      /** The handler that adds to the description what may change from request to request. */
      describe: z.optional(z.nullable(z.number())),
      /** JSON Schema, draft 2020-12. */
      inputSchema: z.record(z.string(), z.unknown()),
    }),
  ),
  commands: z.array(
    z.object({
      handler: z.number(),
      name: z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/)),
      description: z.string().check(z.maxLength(1_000)),
    }),
  ),
  rules: z.array(z.object({ tool: z.string(), pattern: z.optional(z.string()), effect: z.enum(["allow", "ask", "deny"]) })),
  options: z.record(z.string(), z.unknown()),
});
export type Manifest = z.infer<typeof Manifest>;
