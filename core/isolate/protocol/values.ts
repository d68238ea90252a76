import { type Digest, digestOf } from "./digest.ts";

/** A long string beside a JSON value. `known` is its place among the strings that came with the request, or -1. */
export type Blob = { text: string; known: number };

/** A JSON value and its long strings, unparsed. */
export type Value = { json: string | undefined; blobs: readonly Blob[] };

/**
 * A value in a frame's head: the part that holds its JSON, or -1 for `undefined`, then one number for each long string:
 * a part, or below zero a string that the other side has (-1 is its first).
 */
export type WireValue = number[];

export const NO_VALUE: Value = { json: undefined, blobs: [] };

export function writeValue(value: Value, parts: string[]): WireValue {
  const wire = [value.json === undefined ? -1 : parts.push(value.json) - 1];
  for (const blob of value.blobs) wire.push(blob.known < 0 ? parts.push(blob.text) - 1 : -1 - blob.known);
  return wire;
}

/** Throws a RangeError for a part or a string that is not there. */
export function readValue(wire: readonly number[], parts: readonly string[], known: readonly string[]): Value {
  const [at = -1, ...refs] = wire;
  const json = at < 0 ? undefined : parts[at];
  if (at >= 0 && json === undefined) throw new RangeError(`No part ${at}`);
  return {
    json,
    blobs: refs.map((ref) => {
      const text = ref < 0 ? known[-1 - ref] : parts[ref];
      if (text === undefined) throw new RangeError(`No string ${ref}`);
      return { text, known: ref < 0 ? -1 - ref : -1 };
    }),
  };
}

export function sameValue(first: Value, second: Value): boolean {
  if (first === second) return true;
  if (first.json !== second.json || first.blobs.length !== second.blobs.length) return false;
  return first.blobs.every((blob, index) => {
    const other = second.blobs[index]!;
    return (blob.known >= 0 && blob.known === other.known) || blob.text === other.text;
  });
}

/** The value itself where it has so many characters at most, else what is left of it. */
export function valueOrDigest(value: Value, chars: number): Value | Digest {
  const total = value.blobs.reduce((sum, blob) => sum + blob.text.length, value.json?.length ?? 0);
  if (total <= chars) return value;
  return digestOf(
    value.json,
    value.blobs.map((blob) => blob.text),
  );
}
