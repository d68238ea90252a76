import { BLOB_CHARS, PAYLOAD_CHARS, pack, packedChars, unpack } from "../sdk/wire.ts";

/** How many levels a value may be nested. What layers make of one may be nested a little deeper before their isolate refuses it. */
export const MAX_LEVELS = 200;

/**
 * A copy of a value as JSON, which whoever gave it cannot change any more; undefined where it is none, as for a function.
 * @throws RangeError where it is nested too deeply or too large for an isolate; TypeError, or what its getters throw, where it has no JSON.
 */
export function plainJson(value: unknown): unknown {
  // Long texts nobody can change: they are not written and read again, which takes milliseconds for each megabyte.
  const packed = hasLongText(value) ? pack(value) : { json: JSON.stringify(value), blobs: [] };
  if (packed.json === undefined) return undefined;
  const chars = packedChars(packed);
  if (chars > PAYLOAD_CHARS) throw new RangeError(`${chars} characters of JSON, and at most ${PAYLOAD_CHARS} are taken`);
  const copy = unpack(packed);
  if (isTooDeep(copy)) throw new RangeError(`nested more than ${MAX_LEVELS} levels deep`);
  return copy;
}

function hasLongText(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((item) => typeof item === "string" && item.length >= BLOB_CHARS);
}

/** Level by level, since going down by calls could be too deep itself. */
function isTooDeep(value: unknown): boolean {
  let level = typeof value === "object" && value !== null ? [value] : [];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === MAX_LEVELS) return true;
    const below: object[] = [];
    for (const item of level) {
      for (const inner of Object.values(item) as unknown[]) if (typeof inner === "object" && inner !== null) below.push(inner);
    }
    level = below;
  }
  return false;
}
