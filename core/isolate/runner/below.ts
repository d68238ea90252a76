import type { BelowHead } from "../protocol/messages.ts";
import { sameValue, type Value } from "../protocol/values.ts";

/** A value on its way through a chain; `data` of an output is kept apart. */
export type Draft = { value: Value; data: Value | null };

/** What a chain, or the part of it below a layer, answered, with the last value there was. */
export type Below = { head: BelowHead; draft: Draft };

export type Failure = Extract<BelowHead, { kind: "blocked" }>["failure"];

/** Verdicts pass through the layers above; only another denial takes their place. */
export function isSticky(below: Below): boolean {
  return below.head.kind !== "value" && below.head.kind !== "error";
}

export function sameDraft(first: Draft, second: Draft): boolean {
  if (first === second) return true;
  if (!sameValue(first.value, second.value)) return false;
  if (first.data === null || second.data === null) return first.data === second.data;
  return sameValue(first.data, second.data);
}
