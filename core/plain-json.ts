import { PAYLOAD_CHARS } from "../sdk/wire.ts";

/** How many levels a value may be nested. What layers make of one may be nested a little deeper before their isolate refuses it. */
export const MAX_LEVELS = 200;

/**
 * A copy of a value as JSON, which whoever gave it cannot change any more; undefined where it is none, as for a function.
 * @throws RangeError where it is nested too deeply or too large for an isolate; TypeError, or what its getters throw, where it has no JSON.
 */
export function plainJson(value: unknown): unknown {
  const json = JSON.stringify(value);
  if (json === undefined) return undefined;
  if (json.length > PAYLOAD_CHARS) throw new RangeError(`${json.length} characters of JSON, and at most ${PAYLOAD_CHARS} are taken`);
  const copy: unknown = JSON.parse(json);
  if (isTooDeep(copy)) throw new RangeError(`nested more than ${MAX_LEVELS} levels deep`);
  return copy;
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
