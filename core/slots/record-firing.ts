import type { Core } from "../core.ts";
import type { LayerRecord } from "../isolate/isolates.ts";
import type { Firing } from "../record.ts";
import { redact } from "../redact/redact.ts";
import { collectStrings, replaceStrings } from "../redact/strings.ts";
import { traceTexts, withTraceTexts } from "../redact/trace-texts.ts";
import { traceLayers } from "../trace.ts";

export type Fired = {
  slot: string;
  sessionId: string;
  taskId?: string | undefined;
  /** What came to the slot. */
  value: unknown;
  records: readonly LayerRecord[];
  durationMs: number;
};

/** Keeps what layers did to a slot that no call fired, for `mortise trace`. It is redacted meanwhile: nobody waits for it. */
export function recordFiring(core: Core, fired: Fired): void {
  if (fired.records.length === 0) return;
  core.onFiring(fired.sessionId, () => redacted(core, fired));
}

async function redacted(core: Core, { slot, sessionId, taskId, value, records, durationMs }: Fired): Promise<Firing> {
  const trace = traceLayers(records, value, "layer");
  const values = trace.map(traceTexts);
  const { texts } = await redact(core.isolates, core.layers().redactors(null), collectStrings(values), "firing");
  const clean = replaceStrings(values, texts);
  return {
    slot,
    sessionId,
    ...(taskId === undefined ? {} : { taskId }),
    trace: trace.map((entry, i) => withTraceTexts(entry, clean[i])),
    durationMs: Math.round(durationMs * 1000) / 1000,
  };
}
