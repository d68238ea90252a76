import type { CallRecord } from "../record.ts";
import type { CallMarks } from "./session-event.ts";

/** Of a call that the loop answered itself. */
export const unmarked: CallMarks = {
  rewrittenBy: [],
  allowedBy: null,
  stoppedBy: null,
  respondedBy: null,
  permission: { decision: "none", source: "none", scopes: [] },
  nested: [],
};

/** What plugins and rules did to a call, and to the calls that it made. */
export function marksOf(record: CallRecord, nested: readonly CallRecord[]): CallMarks {
  const { permission, stopped, respondedBy, trace } = record;
  const layer = permission.source.startsWith("layer:") ? permission.source.slice("layer:".length) : null;
  const rewriters = trace
    .filter(({ kind, slot, outcome }) => kind === "layer" && outcome === "changed" && slot.endsWith(".input"))
    .map(({ plugin }) => plugin);
  return {
    rewrittenBy: [...new Set(rewriters)],
    allowedBy: permission.decision === "allow" ? layer : null,
    stoppedBy: stopped?.plugin ?? (permission.decision === "deny" ? layer : null),
    respondedBy,
    permission,
    nested: nested.map((each) => ({ tool: each.tool, input: each.input, isError: each.isError, marks: marksOf(each, []) })),
  };
}
