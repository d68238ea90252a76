import { autocmds, pluginSlot, reservedPrefixes, type SlotSpec, slots } from "../../sdk/contract.ts";
import { BLOB_CHARS, ERROR_CHARS, FRAMES_PER_TURN, PAYLOAD_CHARS } from "../../sdk/wire.ts";

/** The slot that redactors layer; the host alone fires it. */
export const REDACT = "redact";

/** What every isolate is told of the contract, as JSON: answers are checked there, where a wrong one counts against its layer alone. */
export function guestTables(): string {
  const table: Record<string, unknown> = { [REDACT]: { shape: { texts: "array" }, verdicts: {}, passing: "values", output: false } };
  for (const [name, spec] of Object.entries<SlotSpec>(slots)) table[name] = guestSpec(spec, hasData(name));
  return JSON.stringify({
    slots: table,
    declared: guestSpec(pluginSlot, false),
    events: Object.fromEntries(Object.keys(autocmds).map((name) => [name, true])),
    reserved: reservedPrefixes,
    limits: { blobChars: BLOB_CHARS, payloadChars: PAYLOAD_CHARS, framesPerTurn: FRAMES_PER_TURN, errorChars: ERROR_CHARS },
  });
}

/** Whether values of the slot are `{ text, isError, data? }`, with `data` shown only to layers that ask for it. */
export function hasData(spec: string): boolean {
  return spec === "tool.*.output";
}

/** Whether what `prev` is given is ignored. */
export function isFixed(spec: string): boolean {
  return Object.hasOwn(slots, spec) && (slots as Record<string, SlotSpec>)[spec]?.passing === "fixed";
}

function guestSpec({ shape, verdicts, passing }: SlotSpec, output: boolean): unknown {
  return { shape, verdicts: Object.fromEntries(verdicts.map((verdict) => [verdict, true])), passing, output };
}
