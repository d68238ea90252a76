import { createHash } from "node:crypto";
import { type Packed, unpack } from "../sdk/wire.ts";
import type { LayerRecord } from "./isolate/isolates.ts";
import { capText } from "./output/cap.ts";
import type { Traced, TraceEntry } from "./record.ts";
import { REASON_CHARS } from "./stages/reason.ts";

/** Values in traces that are longer, as JSON, are kept as length and hash. */
export const TRACED_CHARS = 16 * 1024;

/**
 * What layers of one stage did, as trace entries. `before` of a layer is the value that came to it.
 * The values are raw here: they are redacted with everything else of the call before anybody sees them.
 */
export function traceLayers(records: readonly LayerRecord[], value: unknown, kind: TraceEntry["kind"]): TraceEntry[] {
  let before: TraceEntry["before"];
  return records.map((record) => {
    const entry: TraceEntry = {
      slot: record.slot,
      plugin: record.plugin,
      kind,
      handler: record.handler,
      ms: round(record.ms),
      outcome: record.outcome,
    };
    if (record.reason !== undefined) entry.reason = capText(record.reason, REASON_CHARS).text;
    if (record.failure !== undefined) entry.failure = { code: record.failure.code, message: record.failure.message };
    if (record.after !== undefined) {
      // A value may be megabytes long, and many layers may change it.
      before ??= { ...traced(value), raw: fingerprint(value) };
      entry.before = before;
      entry.after = tracedPacked(record.after);
    }
    return entry;
  });
}

export function traced(value: unknown): Traced {
  const json = JSON.stringify(value) ?? "null";
  return json.length <= TRACED_CHARS ? { value } : fingerprint(value);
}

function tracedPacked(packed: Packed): Traced {
  try {
    return traced(unpack(packed));
  } catch {
    return { bytes: 0, sha256: "" };
  }
}

function fingerprint(value: unknown): { bytes: number; sha256: string } {
  const json = JSON.stringify(value) ?? "null";
  return { bytes: Buffer.byteLength(json), sha256: createHash("sha256").update(json).digest("hex") };
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
