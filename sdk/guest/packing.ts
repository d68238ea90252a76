import { fail, why } from "./failures.ts";
import { mayCarry } from "./outbox.ts";
import {
  add,
  charCodeAt,
  defineProperty,
  isArray,
  isFunction,
  isObject,
  keys,
  type List,
  list,
  parse,
  slice,
  stringify,
  toNumber,
} from "./primordials.ts";
import { guestTables } from "./tables.ts";

/** The twin of `pack` and `unpack` in sdk/wire.ts. A blob that came in with the same call goes out as a number that names it. */
export type Encoded = { json: string | undefined; blobs: List<string | number> };

/** How deeply a value may be nested: what reads it afterwards goes through it by recursion. */
const MAX_DEPTH = 256;
/** How many values of the largest kind may leave with one turn. */
const VALUES_PER_TURN = 2;
const EMPTY: List<string | number> = list();

let chars = 0;
let long = false;
let custom = false;

/** JSON of a value. Throws `payload_too_large`, or `wrong_answer` for what is no JSON. */
export function encode(value: unknown, held: List<string>): Encoded {
  chars = 0;
  long = false;
  custom = false;
  try {
    scan(value, 0);
    const encoded = long ? encodeLong(value, held) : { json: stringify(value), blobs: EMPTY };
    carry((encoded.json?.length ?? 0) + blobChars(encoded.blobs));
    // Where an object says its own JSON, that is looked at too.
    if (custom && encoded.json !== undefined) scan(parse(encoded.json), 0);
    return encoded;
  } catch (error) {
    const reason = why(error);
    throw reason.code === "plugin_threw" ? fail("wrong_answer", reason.text) : error;
  }
}

/** One long string beside the JSON, or in it. */
export function encodeText(text: string, held: List<string>, blobs: List<string | number>): string {
  const long = text.length >= guestTables().limits.blobChars;
  const blob = long ? refer(text, held) : text;
  carry(typeof blob === "string" ? blob.length : 0);
  return long ? `"\\u0000${add(blobs, blob) - 1}"` : stringify(text)!;
}

/** Throws `payload_too_large` for a value, or values of one turn together, that are too large to leave. */
export function carry(chars: number): void {
  const { payloadChars } = guestTables().limits;
  if (chars > payloadChars || !mayCarry(chars, VALUES_PER_TURN * payloadChars)) throw fail("payload_too_large");
}

export function decode(json: string | undefined, blobs: List<string>): unknown {
  if (json === undefined) return undefined;
  const value = parse(json);
  return blobs.length === 0 ? value : restore(value, blobs);
}

function scan(value: unknown, depth: number): void {
  if (typeof value === "string") {
    const { blobChars, payloadChars } = guestTables().limits;
    chars += value.length;
    if (value.length >= blobChars) long = true;
    if (chars > payloadChars) throw fail("payload_too_large");
    return;
  }
  if (!isObject(value)) return;
  if (depth > MAX_DEPTH) throw fail("wrong_answer", "a value nested too deeply");
  if (isFunction(value.toJSON)) custom = true;
  if (isArray(value)) {
    for (let i = 0; i < value.length; i++) scan(value[i], depth + 1);
    return;
  }
  const names = keys(value);
  for (let i = 0; i < names.length; i++) scan(value[names[i]!], depth + 1);
}

function encodeLong(value: unknown, held: List<string>): Encoded {
  const { blobChars, payloadChars } = guestTables().limits;
  const blobs = list<string | number>();
  let total = 0;
  const json = stringify(value, (_key, item) => {
    if (typeof item !== "string") return item;
    if (item.length < blobChars) return item.length > 0 && charCodeAt(item, 0) === 0 ? `\u0000${item}` : item;
    total += item.length;
    if (total > payloadChars) throw fail("payload_too_large");
    return `\u0000${add(blobs, refer(item, held)) - 1}`;
  });
  return { json, blobs };
}

function refer(text: string, held: List<string>): string | number {
  for (let i = 0; i < held.length; i++) {
    const other = held[i]!;
    if (other.length === text.length && other === text) return -1 - i;
  }
  return text;
}

function blobChars(blobs: List<string | number>): number {
  let sum = 0;
  for (let i = 0; i < blobs.length; i++) {
    const blob = blobs[i]!;
    if (typeof blob === "string") sum += blob.length;
  }
  return sum;
}

function restore(value: unknown, blobs: List<string>): unknown {
  if (typeof value === "string") {
    if (value.length === 0 || charCodeAt(value, 0) !== 0) return value;
    return value.length > 1 && charCodeAt(value, 1) === 0 ? slice(value, 1) : blobs[toNumber(slice(value, 1))];
  }
  if (!isObject(value)) return value;
  const names = keys(value);
  for (let i = 0; i < names.length; i++) {
    const key = names[i]!;
    const item = value[key];
    if (typeof item !== "string" && !isObject(item)) continue;
    defineProperty(value, key, {
      __proto__: null,
      value: restore(item, blobs),
      enumerable: true,
      writable: true,
      configurable: true,
    } as PropertyDescriptor);
  }
  return value;
}
