import { DATA } from "../turn.ts";
import { fail } from "./failures.ts";
import { type Encoded, encode, encodeText } from "./packing.ts";
import { charCodeAt, getPrototypeOf, hasOwn, isArray, isObject, type List, list, parse, stringify } from "./primordials.ts";
import type { GuestSpec } from "./tables.ts";

/** A value that goes on, checked against its slot. */
export type Draft = { value: Encoded; dataFrom: (typeof DATA)[keyof typeof DATA]; data: Encoded | undefined };

/** What a value is compared with: the layer's input, or what its `prev` gave. */
export type Basis = { from: typeof DATA.input | typeof DATA.prev; text: string; isError: boolean };

export type LayerState = { spec: GuestSpec; basis: Basis | null };

const OPEN_BRACE = 123;

/** Throws `wrong_answer` for a value that the slot does not take. */
export function draftOf(spec: GuestSpec, value: unknown, basis: Basis | null, held: List<string>): Draft {
  if (spec.output) return outputDraft(value, basis!, held);
  if (spec.shape !== "any" && spec.shape !== "sources" && !isPlain(value)) throw fail("wrong_answer", `${kindOf(value)} instead of an object`);
  const encoded = encode(value, held);
  if (encoded.json === undefined) throw fail("wrong_answer", kindOf(value));
  if (spec.shape !== "any" && spec.shape !== "sources") checkFields(spec.shape, encoded.json);
  return { value: encoded, dataFrom: DATA.input, data: undefined };
}

/** Fields are read once each, so that what was checked is what is sent. Others are dropped. */
function outputDraft(value: unknown, basis: Basis, held: List<string>): Draft {
  if (!isObject(value) || isArray(value)) throw fail("wrong_answer", `${kindOf(value)} instead of { text, isError }`);
  const text = value.text;
  const isError = value.isError;
  const data = hasOwn(value, "data") ? value.data : undefined;
  if (typeof text !== "string") throw fail("wrong_answer", `text is ${kindOf(text)}`);
  if (isError !== undefined && typeof isError !== "boolean") throw fail("wrong_answer", `isError is ${kindOf(isError)}`);
  const blobs = list<string | number>();
  const json = `{"text":${encodeText(text, held, blobs)},"isError":${(isError ?? basis.isError) ? "true" : "false"}}`;
  const given = data === undefined ? undefined : encode(data, held);
  if (given?.json !== undefined) return { value: { json, blobs }, dataFrom: DATA.given, data: given };
  const same = text.length === basis.text.length && text === basis.text;
  return { value: { json, blobs }, dataFrom: same ? basis.from : DATA.dropped, data: undefined };
}

/** Checks the JSON that leaves, not the object it was made from. */
function checkFields(shape: Exclude<GuestSpec["shape"], "any" | "sources">, json: string): void {
  if (charCodeAt(json, 0) !== OPEN_BRACE) throw fail("wrong_answer", "no object");
  if (shape === "record") return;
  const value = parse(json) as Record<string, unknown>;
  for (const name in shape) {
    if (!hasOwn(shape, name)) continue;
    const item = hasOwn(value, name) ? value[name] : undefined;
    if (!fits(shape[name]!, item)) throw fail("wrong_answer", `${name} is ${kindOf(item)}`);
  }
}

function fits(type: string, item: unknown): boolean {
  switch (type) {
    case "string":
      return typeof item === "string";
    case "string?":
      return item === undefined || typeof item === "string";
    case "boolean?":
      return item === undefined || typeof item === "boolean";
    case "number?":
      return item === undefined || typeof item === "number";
    case "array":
      return isArray(item);
    case "array?":
      return item === undefined || isArray(item);
    case "decision":
      return item === "allow" || item === "deny";
    default:
      return type === "any?";
  }
}

/** An object literal or one without a prototype: a Map or a class instance is no JSON, though it encodes as an object. */
function isPlain(value: unknown): boolean {
  if (!isObject(value) || isArray(value)) return false;
  const prototype = getPrototypeOf(value);
  return prototype === null || getPrototypeOf(prototype) === null;
}

export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  if (typeof value === "number" || typeof value === "boolean") return stringify(value) ?? "a number";
  return value === undefined ? "undefined" : `a ${typeof value}`;
}
