import type { CallRecord, TraceEntry } from "../record.ts";
import type { Style } from "./stdio.ts";
import { shortened, visibleLine } from "./visible.ts";

type Paint = (style: Style, text: string) => string;

/** What happened to a call, for a person: what the model wrote and what ran, who changed, asked or stopped it, and how it was permitted. */
export function accountOf(record: CallRecord, paint: Paint): string[] {
  const line = (label: string, text: string, style: Style = "dim") => `${paint(style, label.padEnd(11))}${text}`;
  const lines: string[] = [];
  for (const { field, wrote, ran } of changedFields(record)) {
    lines.push(line("wrote", `${field}: ${wrote}`), line(record.ran ? "ran" : "became", `${field}: ${ran}`));
  }
  const changedInput = changers(record.trace, ".input");
  if (changedInput !== "") lines.push(line("changed by", changedInput, "cyan"));
  for (const entry of record.trace) if (entry.outcome === "asked") lines.push(line("asked by", because(entry.plugin, entry.reason), "yellow"));
  if (record.respondedBy !== null) lines.push(line("answered by", ` ${visibleLine(record.respondedBy)}, the tool did not run`, "cyan"));
  if (record.stopped !== null)
    lines.push(line("stopped by", `${because(record.stopped.plugin, record.stopped.reason)} (${record.stopped.by})`, "red"));
  for (const entry of record.trace)
    if (entry.failure !== undefined)
      lines.push(line("failed", `${visibleLine(entry.plugin)} at ${visibleLine(entry.slot)}: ${brief(entry.failure.message)}`, "red"));
  const changedOutput = changers(record.trace, ".output");
  if (changedOutput !== "") lines.push(line("output by", changedOutput, "cyan"));
  lines.push(line("permission", permissionText(record)));
  if (record.spill !== null) lines.push(line("whole text", visibleLine(record.spill)));
  lines.push(line(record.ran ? "took" : "did not run", `${record.ran ? "" : " "}${milliseconds(record.durationMs)}`));
  return lines;
}

/** Milliseconds as a person reads them. */
export function milliseconds(ms: number): string {
  if (ms >= 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${ms >= 100 ? Math.round(ms) : Number(ms.toFixed(ms >= 10 ? 1 : 2))} ms`;
}

/** A value in a few words on one line. */
export function brief(value: unknown, limit = 160): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
  return visibleLine(shortened(text, limit));
}

function changedFields(record: CallRecord): { field: string; wrote: string; ran: string }[] {
  if (record.wrote === undefined) return [];
  if (!isRecord(record.wrote) || !isRecord(record.input)) return [{ field: "input", wrote: brief(record.wrote), ran: brief(record.input) }];
  const [wrote, ran] = [record.wrote, record.input];
  return [...new Set([...Object.keys(wrote), ...Object.keys(ran)])]
    .filter((field) => JSON.stringify(wrote[field]) !== JSON.stringify(ran[field]))
    .map((field) => ({ field: visibleLine(field), wrote: brief(wrote[field], 400), ran: brief(ran[field], 400) }));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function changers(trace: readonly TraceEntry[], stage: ".input" | ".output"): string {
  const plugins = trace.filter((entry) => entry.outcome === "changed" && entry.slot.endsWith(stage)).map((entry) => visibleLine(entry.plugin));
  return [...new Set(plugins)].join(", ");
}

function because(plugin: string, reason: string | undefined): string {
  return reason === undefined || reason === "" ? visibleLine(plugin) : `${visibleLine(plugin)}: ${brief(reason, 600)}`;
}

function permissionText({ permission }: CallRecord): string {
  if (permission.decision === "none") return "not reached";
  const rules = [...new Set(permission.scopes.flatMap(({ rule }) => (rule === null ? [] : [visibleLine(rule)])))];
  return `${permission.decision} (${visibleLine(permission.source)}${rules.length === 0 ? "" : `: ${rules.join(", ")}`})`;
}
