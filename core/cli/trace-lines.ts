import type { Traced, TraceEntry } from "../record.ts";
import { milliseconds } from "./account.ts";
import type { Style } from "./stdio.ts";
import { tableOf } from "./table.ts";
import { shortened, visibleLine } from "./visible.ts";

type Paint = (style: Style, text: string) => string;

/** One line for each layer, judge and redactor, in the order they were entered, with what it changed below. */
export function traceLines(trace: readonly TraceEntry[], paint: Paint): string[] {
  const rows = tableOf(
    trace.map((entry) => [
      visibleLine(entry.slot),
      visibleLine(entry.plugin),
      entry.kind,
      entry.ms === null ? "running" : milliseconds(entry.ms),
      entry.outcome,
    ]),
  );
  return trace.flatMap((entry, index) => [
    paint(styleOf(entry.outcome), rows[index] ?? ""),
    ...details(entry).map((line) => paint("dim", `    ${line}`)),
  ]);
}

function details({ reason, failure, before, after }: TraceEntry): string[] {
  const lines: string[] = [];
  if (reason !== undefined && reason !== "") lines.push(visibleLine(shortened(reason, 400)));
  if (failure !== undefined) lines.push(`${failure.code}: ${visibleLine(shortened(failure.message, 400))}`);
  if (before === undefined && after === undefined) return lines;
  const [was, is] = [shown(before), shown(after)];
  const from = Math.max(0, commonStart(was, is) - CONTEXT);
  return [...lines, `- ${around(was, from)}`, `+ ${around(is, from)}`];
}

/** Characters shown before the first difference, and of a value altogether. */
const CONTEXT = 30;
const LENGTH = 140;

function around(text: string, from: number): string {
  const rest = text.slice(from);
  return `${from > 0 ? "…" : ""}${visibleLine(shortened(rest, LENGTH))}`;
}

function shown(traced: Traced | undefined): string {
  if (traced === undefined) return "nothing";
  if (!("value" in traced)) return `${traced.bytes} bytes, not kept`;
  return typeof traced.value === "string" ? traced.value : (JSON.stringify(traced.value) ?? "nothing");
}

function commonStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;
  return at === a.length && at === b.length ? 0 : at;
}

function styleOf(outcome: TraceEntry["outcome"]): Style {
  if (outcome === "denied" || outcome === "failed" || outcome === "cut") return "red";
  if (outcome === "asked" || outcome === "running") return "yellow";
  return outcome === "changed" || outcome === "responded" ? "cyan" : "reset";
}
