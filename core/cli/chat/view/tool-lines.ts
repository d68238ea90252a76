import { visibleWidth } from "@earendil-works/pi-tui";
import { callSummary } from "../../../agent/call-summary.ts";
import type { CallMarks } from "../../../agent/session-event.ts";
import type { ChildRun, RowState, ToolRow } from "../state/chat-state.ts";
import type { Look, Paint } from "./look.ts";
import { outputText, screenLine } from "./screen-text.ts";
import { firstLines, fitted, wrapped } from "./wrapped.ts";

/** Lines of live output, of a result, of a failed one, and of one that is shown whole. */
const LIVE_LINES = 5;
const RESULT_LINES = 4;
const ERROR_LINES = 10;
const WHOLE_LINES = 400;
/** Rows of a subagent, and calls of a batch, that are shown. */
const CHILD_ROWS = 4;
const NESTED = 10;

/** A call as it goes on, or as it ended: what it is, how it stands and who changed that, and some of what it says. */
export function toolLines(row: ToolRow, look: Look): string[] {
  const { paint, width } = look;
  return [
    ...headLines(row, look),
    ...wrapped(statusOf(row, look), width, "  "),
    ...row.remarks.flatMap((remark) => wrapped(paint("yellow", screenLine(remark)), width, "  ")),
    ...nestedLines(row.marks?.nested ?? [], look),
    ...row.children.flatMap((child) => childLines(child, look)),
    ...bodyLines(row, look),
  ];
}

/** A call that goes on, on one line. */
export function shortLine(row: ToolRow, look: Look): string {
  const { tool, about } = row;
  const status = `  ${statusOf(row, look)}`;
  return `${fitted(`* ${screenLine(tool)} ${screenLine(about)}`, Math.max(8, look.width - visibleWidth(status)))}${status}`;
}

/** Milliseconds as a person reads them. */
export function seconds(ms: number): string {
  if (ms < 9_950) return `${(ms / 1_000).toFixed(1)} s`;
  const all = Math.round(ms / 1_000);
  return all < 60 ? `${all} s` : `${Math.floor(all / 60)} min ${all % 60} s`;
}

/** The same of what goes on, which is drawn once a second; nothing in the first one. */
export function ticking(ms: number): string {
  const all = Math.floor(ms / 1_000);
  return all < 1 ? "" : all < 60 ? `${all} s` : `${Math.floor(all / 60)} min ${all % 60} s`;
}

/** The tool and what it is about, on two lines at most unless all is shown. */
function headLines({ tool, about }: ToolRow, { paint, width, expanded }: Look): string[] {
  const lines = wrapped(`${paint("bold", screenLine(tool))} ${screenLine(about)}`.trimEnd(), width, "* ", "    ");
  if (expanded || lines.length <= 2) return lines.map((line) => fitted(line, width));
  return [lines[0] ?? "", fitted(`${lines[1] ?? ""} …`, width)];
}

const words: Readonly<Record<RowState, string>> = {
  written: "to be run",
  asked: "waits for your answer",
  running: "running",
  ok: "ok",
  error: "failed",
  stopped: "stopped before it was done",
};

function statusOf(row: ToolRow, { paint, now }: Look): string {
  const { state, marks } = row;
  const isDenied = marks?.permission.decision === "deny" || (marks !== null && marks.stoppedBy !== null);
  const word = state === "error" && isDenied ? "not run" : words[state];
  const style = state === "ok" ? "green" : state === "error" ? "red" : state === "asked" ? "yellow" : "dim";
  const time =
    state === "running" && row.begunAt !== null
      ? ticking(now - row.begunAt)
      : row.durationMs !== null && row.durationMs >= 100 && !isDenied
        ? `in ${seconds(row.durationMs)}`
        : "";
  return [paint(style, time === "" ? word : `${word} ${time}`), ...(marks === null ? [] : marksOf(marks, paint))].join(paint("dim", ", "));
}

/** Who changed, allowed, answered or stopped it. */
function marksOf({ rewrittenBy, allowedBy, stoppedBy, respondedBy, permission }: CallMarks, paint: Paint): string[] {
  // What everybody may do is nobody's mark.
  const rules = [...new Set(permission.scopes.flatMap(({ rule }) => (rule === null || BUILTIN.test(rule) ? [] : [screenLine(rule)])))];
  const byRule = rules.length === 0 ? "a rule" : `the rule ${rules.slice(0, 2).join(" and ")}`;
  const marks: string[] = [];
  const mark = (style: "cyan" | "red" | "dim", text: string) => marks.push(paint(style, text));
  if (rewrittenBy.length > 0) mark("cyan", `rewritten by ${rewrittenBy.map(screenLine).join(", ")}`);
  if (respondedBy !== null) mark("cyan", `answered by ${screenLine(respondedBy)} without running it`);
  if (stoppedBy !== null) mark("red", `stopped by ${screenLine(stoppedBy)}`);
  if (permission.decision === "allow") {
    if (allowedBy !== null) mark("cyan", `allowed by ${screenLine(allowedBy)}`);
    else if (permission.source === "person") mark("dim", "allowed by you");
    else if (permission.source === "yolo") mark("dim", "allowed by --yolo");
    else if (permission.source === "rules" && rules.length > 0) mark("dim", `allowed by ${byRule}`);
  }
  if (permission.decision === "deny" && stoppedBy === null) {
    const who = { person: "denied by you", rule: `denied by ${byRule}`, nobody: "nobody was there to allow it", cancelled: "cancelled" };
    const said = Object.entries(who).find(([source]) => source === permission.source)?.[1];
    mark("red", said ?? "denied");
  }
  return marks;
}

/** A rule as text ends with the layer that it is of. */
const BUILTIN = /, builtin( |$)/;

/** Calls that it made, as those of a batch. */
function nestedLines(nested: CallMarks["nested"], look: Look): string[] {
  const shown = look.expanded ? nested : nested.slice(0, NESTED);
  const lines = shown.flatMap(({ tool, input, isError, marks }) => {
    const summary = screenLine(callSummary(tool, input));
    const how = [look.paint(isError ? "red" : "green", isError ? "failed" : "ok"), ...marksOf(marks, look.paint)].join(", ");
    return [fitted(`    - ${summary}`, look.width), ...wrapped(how, look.width, "      ")];
  });
  const left = nested.length - shown.length;
  return left === 0 ? lines : [...lines, look.paint("dim", fitted(`    ${left} more calls (Ctrl+O shows them)`, look.width))];
}

/** A subagent under its call: its last calls, and what it says. */
function childLines({ name, rows, said, remarks, over }: ChildRun, look: Look): string[] {
  const { paint, width, expanded } = look;
  const shown = expanded ? rows : rows.slice(-CHILD_ROWS);
  const left = rows.length - shown.length;
  const head = `  ${paint("bold", screenLine(name))}${over ? paint("dim", " (done)") : ""}`;
  const before = left === 0 ? [] : [paint("dim", fitted(`    ${left} earlier calls`, width))];
  const inner = { ...look, width: Math.max(8, width - 4) };
  const calls = shown.flatMap((row) => {
    const line = `${screenLine(row.tool)} ${screenLine(row.about)}`;
    return [fitted(`    - ${line}`, width), ...wrapped(statusOf(row, inner), width, "      ")];
  });
  const last = said
    .trim()
    .split("\n")
    .slice(-1)
    .map((line) => fitted(`    ${paint("dim", outputText(line))}`, width));
  return [
    fitted(head, width),
    ...before,
    ...calls,
    ...(said.trim() === "" || over ? [] : last),
    ...remarks.flatMap((remark) => wrapped(paint("yellow", screenLine(remark)), width, "    ")),
  ];
}

function bodyLines({ state, output, text, images }: ToolRow, { paint, width, expanded, liveLines = LIVE_LINES }: Look): string[] {
  const bar = `  ${paint("dim", "|")} `;
  const room = Math.max(1, width - 4);
  if (state === "running" || state === "stopped") {
    if (output.trim() === "" || liveLines === 0) return [];
    const lines = outputText(output).trimEnd().split("\n").slice(-liveLines);
    return lines.map((line) => bar + paint("dim", fitted(line, room)));
  }
  if (state !== "ok" && state !== "error") return [];
  const shownImages = images === 0 ? [] : [`${bar}[${images} image${images === 1 ? "" : "s"}, shown to the model]`];
  if (text.trim() === "") return shownImages;
  if (expanded) {
    const lines = wrapped(outputText(text).trimEnd(), room);
    const cut =
      lines.length > WHOLE_LINES ? [...lines.slice(0, WHOLE_LINES), `[${lines.length - WHOLE_LINES} more lines are in the session]`] : lines;
    return [...shownImages, ...cut.map((line) => bar + line)];
  }
  const most = state === "error" ? ERROR_LINES : RESULT_LINES;
  // Why it failed is read to its end.
  const all = state === "error" ? wrapped(outputText(text), room).join("\n") : outputText(text);
  // A line that says how many there are more is no less than those.
  const { lines, left } = firstLines(all, firstLines(all, most, room).left <= 2 ? most + 2 : most, room);
  const more = left === 0 ? [] : [`  ${paint("dim", fitted(`${left} more line${left === 1 ? "" : "s"} (Ctrl+O shows all)`, width - 2))}`];
  return [...shownImages, ...lines.map((line) => bar + paint("dim", line)), ...more];
}
