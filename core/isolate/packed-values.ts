import type { Packed } from "../../sdk/wire.ts";
import { PAYLOAD_CHARS, pack, packedChars, unpack } from "../../sdk/wire.ts";
import type { Value } from "./protocol/values.ts";

export function toValue(packed: Packed): Value {
  return { json: packed.json, blobs: packed.blobs.map((text) => ({ text, known: -1 })) };
}

/** Whether a value is larger than any may be that goes into an isolate. */
export function isTooLarge(packed: Packed): boolean {
  return packedChars(packed) > PAYLOAD_CHARS;
}

export function toPacked(value: Value): Packed {
  return { json: value.json, blobs: value.blobs.map((blob) => blob.text) };
}

/** Takes `data` out of an output value: layers see it only where they ask for it. */
export function splitData(value: Packed): { value: Packed; data: Packed | null } {
  if (value.json === undefined || !value.json.includes('"data":')) return { value, data: null };
  const whole = unpack(value);
  if (typeof whole !== "object" || whole === null || !("data" in whole)) return { value, data: null };
  const { data, ...rest } = whole;
  return { value: pack(rest), data: data === undefined ? null : pack(data) };
}

export function joinData(value: Packed, data: Packed | null): Packed {
  if (data === null || data.json === undefined) return value;
  const whole = unpack(value);
  if (typeof whole !== "object" || whole === null) return value;
  return pack({ ...whole, data: unpack(data) });
}
