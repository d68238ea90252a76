import { randomUUID } from "node:crypto";
import type { MortiseError } from "../sdk/errors.ts";
import { type ActiveCall, taskOf } from "./active-call.ts";
import type { Progress } from "./call.ts";
import type { Core } from "./core.ts";
import type { CallRequest } from "./host-types.ts";
import { spill } from "./output/spill.ts";
import { truncate } from "./output/truncate.ts";
import type { CallRecord, Cut } from "./record.ts";
import { redact } from "./redact/redact.ts";
import { collectStrings, replaceStrings } from "./redact/strings.ts";
import { type TraceTexts, traceTexts, withTraceTexts } from "./redact/trace-texts.ts";
import type { Output } from "./stages/run.ts";
import { traceLayers } from "./trace.ts";

/** Redacts everything textual of a call in one go, truncates and spills what the model sees, records it, and tells `ToolDone`. */
export async function finish(core: Core, call: ActiveCall, progress: Progress, output: Output): Promise<CallRecord> {
  const record = await redacted(core, call, draftRecord(call, progress, output));
  if (call.outputMode === "compact") await shorten(core, record);
  core.onRecord(record);
  core.autocmds.tell(
    "ToolDone",
    {
      sessionId: record.sessionId,
      ...(record.taskId === undefined ? {} : { taskId: record.taskId }),
      toolId: record.toolId,
      tool: record.tool,
      isError: record.isError,
      bytes: Buffer.byteLength(record.text),
      ran: record.ran,
      ...(record.stopped === null ? {} : { stoppedBy: record.stopped.plugin }),
      ...(record.ran ? { durationMs: record.durationMs, input: record.input } : {}),
    },
    call.depth,
  );
  return record;
}

/** The record of a call that reached no tool: redacted by those redactors that cover every tool. */
export async function refuse(
  core: Core,
  request: CallRequest,
  progress: Progress,
  error: MortiseError,
  parent: { toolId: string } | undefined,
): Promise<CallRecord> {
  const record: CallRecord = {
    tool: request.tool,
    toolId: randomUUID(),
    sessionId: request.sessionId ?? core.sessionId,
    ...(request.task === undefined ? {} : { taskId: request.task.id }),
    ...parentOf(parent?.toolId ?? request.task?.parentId),
    origin: request.origin ?? "model",
    ran: false,
    input: progress.input,
    text: error.message,
    isError: true,
    code: error.code,
    stopped: null,
    respondedBy: null,
    permission: progress.permission,
    trace: [],
    durationMs: 0,
    cut: null,
    spill: null,
  };
  const values: [input: unknown, text: string, tool: string] = [record.input, record.text, record.tool];
  const { texts } = await redact(core.isolates, core.layers().redactors(null), collectStrings(values), "refused");
  const isTool = core.tools().some(({ name }) => name === request.tool);
  const [input, text, tool] = replaceStrings(values, texts);
  // A name that no tool has is whatever the model wrote.
  Object.assign(record, { input, text }, isTool ? {} : { tool });
  core.onRecord(record);
  return record;
}

function draftRecord(call: ActiveCall, progress: Progress, output: Output): CallRecord {
  return {
    tool: call.tool.name,
    toolId: call.toolId,
    sessionId: call.sessionId,
    ...taskOf(call),
    ...parentOf(call.parent?.toolId ?? call.task?.parentId),
    origin: call.origin,
    ran: progress.ran,
    input: progress.input,
    ...(progress.changed ? { wrote: progress.wrote } : {}),
    text: output.text,
    isError: output.isError,
    ...(output.data === undefined ? {} : { data: output.data }),
    ...(output.images === undefined ? {} : { images: output.images }),
    code: progress.code,
    stopped: progress.stopped,
    respondedBy: progress.respondedBy,
    permission: progress.permission,
    trace: call.trace,
    durationMs: Math.round((performance.now() - call.startedMs) * 1000) / 1000,
    cut: cutOf({ ...progress.cut, lines: 0, bytes: 0 }),
    spill: null,
  };
}

function parentOf(parentId: string | undefined): { parentId?: string } {
  return parentId === undefined ? {} : { parentId };
}

async function redacted(core: Core, call: ActiveCall, record: CallRecord): Promise<CallRecord> {
  const redactors = core.layers().redactors(call.tool);
  if (redactors.length === 0) return record;
  const { images, ...rest } = record;
  const { input, wrote, text, data, stopped, permission, trace } = record;
  // Lists, since the keys of objects are redacted too.
  const values: Texts = [
    text,
    stopped?.reason,
    data,
    input,
    wrote,
    permission.scopes.map((scope) => [scope.text, scope.rule]),
    trace.map(traceTexts),
  ];
  const context = core.contexts.enter({ kind: "redactor", call, depth: call.depth });
  const answer = await redact(core.isolates, redactors, collectStrings(values), context.key);
  context.leave();
  const [cleanText, reason, cleanData, cleanInput, cleanWrote, scopes, entries] = replaceStrings(values, answer.texts);
  const own = traceLayers(
    answer.records.map(({ before: _, after: __, ...entry }) => entry),
    null,
    "redactor",
  );
  return {
    ...rest,
    // A guard that failed withholds all of a result.
    ...(images === undefined || answer.withheld ? {} : { images }),
    text: cleanText,
    isError: record.isError || answer.withheld,
    ...(answer.withheld ? { code: record.code ?? "withheld" } : {}),
    ...(data === undefined ? {} : { data: answer.withheld ? undefined : cleanData }),
    input: cleanInput,
    ...(wrote === undefined ? {} : { wrote: cleanWrote }),
    stopped: stopped === null ? null : { ...stopped, reason: reason ?? "" },
    permission: {
      ...permission,
      scopes: permission.scopes.map((scope, i) => ({ ...scope, text: scopes[i]?.[0] ?? "", rule: scopes[i]?.[1] ?? null })),
    },
    trace: [...trace.map((entry, i) => withTraceTexts(entry, entries[i])), ...own],
  };
}

type Texts = [
  text: string,
  reason: string | undefined,
  data: unknown,
  input: unknown,
  wrote: unknown,
  scopes: [text: string, rule: string | null][],
  trace: TraceTexts[],
];

/** Leaves to the model what fits, and keeps the whole in a file that it may read. */
async function shorten(core: Core, record: CallRecord): Promise<void> {
  const short = truncate(record.text, core.outputLimits(record.tool));
  if (short === undefined) return;
  record.spill = await spill(core.spillFolder, record.sessionId, record.text).catch(() => null);
  if (record.spill !== null) core.onSpill(record.spill);
  record.cut = { ...(record.cut ?? { terminalChars: 0, capChars: 0 }), lines: short.omittedLines, bytes: short.omittedBytes };
  const where = record.spill === null ? "" : `; the whole text is in ${record.spill}`;
  const what = short.omittedLines === 0 ? `${short.omittedBytes} bytes` : `${short.omittedLines} lines, ${short.omittedBytes} bytes`;
  record.text = [short.head, `[${what} left out${where}]`, ...(short.tail === "" ? [] : [short.tail])].join("\n");
}

function cutOf(cut: Cut): Cut | null {
  return Object.values(cut).some((count) => count > 0) ? cut : null;
}
