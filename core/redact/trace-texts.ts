import type { Traced, TraceEntry } from "../record.ts";

export type TraceTexts = [reason: string | undefined, message: string | undefined, before: unknown, after: unknown];

/** What of a trace entry may hold text of a person, a model or a tool. */
export function traceTexts({ reason, failure, before, after }: TraceEntry): TraceTexts {
  return [reason, failure?.message, valueIn(before), valueIn(after)];
}

/** The entry with what redactors made of its texts. */
export function withTraceTexts(entry: TraceEntry, clean: TraceTexts | undefined): TraceEntry {
  const { reason, failure, before, after, ...rest } = entry;
  const [cleanReason = "", message = "", cleanBefore, cleanAfter] = clean ?? [];
  return {
    ...rest,
    ...(reason === undefined ? {} : { reason: cleanReason }),
    ...(failure === undefined ? {} : { failure: { ...failure, message } }),
    ...(before === undefined ? {} : { before: "value" in before ? { ...before, value: cleanBefore } : before }),
    ...(after === undefined ? {} : { after: "value" in after ? { value: cleanAfter } : after }),
  };
}

function valueIn(traced: Traced | undefined): unknown {
  return traced !== undefined && "value" in traced ? traced.value : undefined;
}
