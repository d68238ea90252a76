import { pack, packedChars, unpack } from "../sdk/wire.ts";
import type { LayerRecord, Seen } from "./isolate/isolates.ts";
import { type Digest, digestOf } from "./isolate/protocol/digest.ts";
import { capText } from "./output/cap.ts";
import type { Traced, TraceEntry } from "./record.ts";
import { REASON_CHARS } from "./stages/reason.ts";

/** Values in traces that are longer, as JSON, are kept as length and hash. */
export const TRACED_CHARS = 16 * 1024;

/**
 * What layers of one stage did, as trace entries. `before` of a layer is the value that came to it; `value` is what came to the stage.
 * The values are raw here: they are redacted with everything else of the call before anybody sees them.
 */
export function traceLayers(records: readonly LayerRecord[], value: unknown, kind: TraceEntry["kind"]): TraceEntry[] {
  let first: TraceEntry["before"];
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
      if (record.before === undefined) {
        // A value may be megabytes long, and many layers may change it.
        first ??= beforeOf(pack(value));
        entry.before = first;
      } else entry.before = beforeOf(record.before);
      entry.after = traced(record.after);
    }
    return entry;
  });
}

function beforeOf(seen: Seen): NonNullable<TraceEntry["before"]> {
  return { ...traced(seen), raw: digest(seen) };
}

/** The value itself, or what is left of one that is long or no JSON. */
function traced(seen: Seen): Traced {
  if ("sha256" in seen || packedChars(seen) > TRACED_CHARS) return digest(seen);
  try {
    return { value: unpack(seen) };
  } catch {
    return { bytes: 0, sha256: "" };
  }
}

function digest(seen: Seen): Digest {
  return "sha256" in seen ? seen : digestOf(seen.json, seen.blobs);
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
