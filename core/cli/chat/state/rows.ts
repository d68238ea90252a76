import { callSummary } from "../../../agent/call-summary.ts";
import type { SessionEvent } from "../../../agent/session-event.ts";
import { type ChildRun, type Entry, newRow, type ToolRow } from "./chat-state.ts";

type CallEvent = Extract<
  SessionEvent,
  { type: "tool_pending" | "tool_start" | "tool_output" | "tool_done" | "loop_detected" | "permission_asked" | "permission_answered" | "child" }
>;

const callEvents: ReadonlySet<string> = new Set([
  "tool_pending",
  "tool_start",
  "tool_output",
  "tool_done",
  "loop_detected",
  "permission_asked",
  "permission_answered",
  "child",
]);

export function isCallEvent(event: { type: string }): event is CallEvent {
  return callEvents.has(event.type);
}

/** Characters of live output, and of a result, that are kept for the screen. */
const OUTPUT_CHARS = 8 * 1024;
const TEXT_CHARS = 64 * 1024;
const SAID_CHARS = 2 * 1024;
/** Rows of one subagent that are kept. */
const CHILD_ROWS = 30;

type Rows = { entries: readonly Entry[]; added: ToolRow[]; asker?: { askId: string; child: string } };

/** What an event changes about the rows of calls; `added` are new ones, for the end. */
export function reduceRows(entries: readonly Entry[], event: SessionEvent, now: number): Rows {
  if (event.type === "permission_answered") return { entries: answered(entries), added: [] };
  const asker = askerIn(event);
  const told = asker === undefined ? {} : { asker };
  const id = event.type === "child" ? event.parentToolId : "toolId" in event ? event.toolId : undefined;
  if (id === undefined) return { entries, added: [], ...told };
  const at = entries.findLastIndex((entry) => entry.kind === "tool" && entry.live && entry.row.toolId === id);
  const found = entries[at];
  if (found?.kind !== "tool") {
    const row = begun(event, now);
    return { entries, added: row === undefined ? [] : [row], ...told };
  }
  const row = changed(found.row, event, now);
  const live = row.state !== "ok" && row.state !== "error";
  const entry = { ...found, row, live };
  // What is over is told in the order in which it came to that: it is shown above all that goes on.
  return { entries: live ? entries.with(at, entry) : [...entries.toSpliced(at, 1), entry], added: [], ...told };
}

/** The one event that a row begins with; others say nothing about a call that is not there. */
function begun(event: SessionEvent, now: number): ToolRow | undefined {
  switch (event.type) {
    case "tool_pending":
    case "tool_start":
    case "tool_done":
    case "permission_asked":
      return changed(newRow(event.toolId, event.tool), event, now);
    default:
      return undefined;
  }
}

function changed(row: ToolRow, event: SessionEvent, now: number): ToolRow {
  switch (event.type) {
    case "tool_pending": {
      const input = "input" in event ? event.input : undefined;
      return input === undefined ? row : { ...row, about: aboutOf(event.tool, input) };
    }
    case "tool_start":
      return { ...row, state: "running", begunAt: now, about: without(event.tool, event.summary) };
    case "tool_output":
      return { ...row, output: (row.output + event.text).slice(-OUTPUT_CHARS) };
    case "tool_done": {
      const about = event.input === undefined || event.input === null ? row.about : aboutOf(event.tool, event.input);
      return {
        ...row,
        about,
        state: event.isError ? "error" : "ok",
        // Without the time that a person was waited for.
        durationMs: row.begunAt === null ? event.durationMs : now - row.begunAt,
        text: kept(event.text),
        images: event.images.length,
        marks: event.marks,
        output: "",
      };
    }
    case "loop_detected":
      return { ...row, remarks: [...row.remarks, loops[event.kind]] };
    case "permission_asked":
      return { ...row, state: row.state === "running" ? "running" : "asked" };
    case "child":
      return { ...row, children: withChild(row.children, event.name, event.event, now) };
    default:
      return row;
  }
}

const loops = {
  same: "the same call again and again: it was not run",
  cycle: "calls that go round in a circle: it was not run",
  same_error: "the same error several times in a row",
};

/** A call that was asked about goes on, or is denied: either way it tells itself. */
function answered(entries: readonly Entry[]): readonly Entry[] {
  const at = entries.findIndex((entry) => entry.kind === "tool" && entry.live && entry.row.state === "asked");
  const found = entries[at];
  return found?.kind === "tool" ? entries.with(at, { ...found, row: { ...found.row, state: "written" } }) : entries;
}

function withChild(children: readonly ChildRun[], name: string, event: SessionEvent, now: number): readonly ChildRun[] {
  const at = children.findIndex((each) => each.name === name && !each.over);
  const child = children[at] ?? { name, rows: [], said: "", remarks: [], over: false };
  const next = childAfter(child, event, now);
  return at === -1 ? [...children, next] : children.with(at, next);
}

function childAfter(child: ChildRun, event: SessionEvent, now: number): ChildRun {
  if (isCallEvent(event)) {
    const entries = child.rows.map((row, id): Entry => ({ kind: "tool", id, row, live: row.state !== "ok" && row.state !== "error" }));
    const { entries: after, added } = reduceRows(entries, event, now);
    const known = after.flatMap((entry) => (entry.kind === "tool" ? [entry.row] : []));
    // Under their parent they stay in the order in which they were called.
    const rows = [...child.rows.map((row) => known.find(({ toolId }) => toolId === row.toolId) ?? row), ...added];
    return { ...child, rows: rows.slice(-CHILD_ROWS) };
  }
  switch (event.type) {
    case "turn_start":
    case "retry":
      return { ...child, said: "" };
    case "text_delta":
      return { ...child, said: (child.said + event.text).slice(-SAID_CHARS) };
    case "notice":
      return { ...child, remarks: [...child.remarks, event.text].slice(-3) };
    case "done":
      return { ...child, over: true, remarks: event.error === null ? child.remarks : [...child.remarks, event.error.message] };
    default:
      return child;
  }
}

/** Who asks, where it is a subagent. */
function askerIn(event: SessionEvent, name: string | null = null): { askId: string; child: string } | undefined {
  if (event.type === "child") return askerIn(event.event, event.name);
  if (event.type !== "permission_asked") return undefined;
  const child = event.child ?? name;
  return child === null ? undefined : { askId: event.askId, child };
}

/** What a call is about, on one line, without the tool's name. */
export function aboutOf(tool: string, input: unknown): string {
  return without(tool, callSummary(tool, input));
}

function without(tool: string, summary: string): string {
  return summary.startsWith(`${tool} `) ? summary.slice(tool.length + 1) : summary === tool ? "" : summary;
}

/** Head and tail: nobody reads the middle on a screen, and the session has it. */
export function kept(text: string): string {
  if (text.length <= TEXT_CHARS) return text;
  const half = TEXT_CHARS / 2;
  return `${text.slice(0, half)}\n[${text.length - TEXT_CHARS} characters in between are not shown]\n${text.slice(-half)}`;
}
