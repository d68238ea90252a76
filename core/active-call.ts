import { randomUUID } from "node:crypto";
import type { Audience } from "../sdk/contract.ts";
import { createDeadline, type Deadline } from "./deadline.ts";
import type { HeldTexts } from "./held-texts.ts";
import type { CallRequest, Task } from "./host-types.ts";
import type { TraceEntry } from "./record.ts";
import { DEFAULT_TIMEOUT_MS, type Tool } from "./tools.ts";

/** A call that is under way. */
export type ActiveCall = {
  tool: Tool;
  toolId: string;
  sessionId: string;
  /** The subagent whose call it is. */
  task: Task | undefined;
  origin: "model" | "nested";
  outputMode: "compact" | "full";
  audience: Audience;
  cwd: string;
  yolo: boolean | undefined;
  /** Where paths led when it was permitted, canonical, by what the tool named them. */
  permitted: Map<string, string>;
  deadline: Deadline;
  startedMs: number;
  /** Shows text of the tool while it runs; redacted on the way. */
  live(text: string): void;
  /** What fired so far, in order. An entry exists from the moment its layer starts. */
  trace: TraceEntry[];
  /** How deeply calls, slots and autocmds made each other. */
  depth: number;
  /** What the outermost caller knows the call by. */
  callerId: string | undefined;
  /** The call that waits for this one. */
  parent: { tool: string; toolId: string } | undefined;
  onStart: CallRequest["onStart"];
  onNested: CallRequest["onNested"];
  /** Whole texts of calls that were made while it ran, by their ids: they may yet be kept in files. */
  nested: Map<string, string>;
  /** Texts that the tool left with the host, for its answer to name; made for the first of them. */
  held: HeldTexts | undefined;
};

/** What made a call, where plugin code did. */
export type CallOrigin = {
  depth?: number;
  /** The call that waits for it. */
  outer?: ActiveCall | undefined;
  /** What waits for it without being a call, as a command: its clock stops with that of the call. */
  waits?: Pick<Deadline, "pause" | "remainingMs"> | undefined;
  /** An audience that the tool has to be for, beside the caller's own. */
  audience?: Audience | undefined;
};

export function startCall(
  request: CallRequest,
  tool: Tool,
  defaults: { sessionId: string; cwd: string },
  live: (text: string) => void,
  { depth = request.task?.depth ?? 0, outer, waits }: CallOrigin = {},
): ActiveCall {
  return {
    tool,
    toolId: randomUUID(),
    sessionId: request.sessionId ?? defaults.sessionId,
    task: request.task,
    origin: request.origin ?? "model",
    outputMode: request.outputMode ?? "compact",
    audience: request.audience ?? "main",
    cwd: request.cwd ?? defaults.cwd,
    yolo: request.yolo,
    permitted: new Map(),
    deadline: createDeadline(
      Math.min(request.timeoutMs ?? Number.POSITIVE_INFINITY, tool.timeoutMs ?? DEFAULT_TIMEOUT_MS),
      request.signal,
      outer?.deadline ?? waits,
      request.onWaiting,
    ),
    startedMs: performance.now(),
    live,
    trace: [],
    depth,
    callerId: request.callerId ?? outer?.callerId,
    parent: outer === undefined ? undefined : { tool: outer.tool.name, toolId: outer.toolId },
    onStart: request.onStart,
    onNested: request.onNested ?? outer?.onNested,
    nested: new Map(),
    held: undefined,
  };
}

/** Milliseconds that the window of a stage is longer than the call may take: the call's own deadline ends it first, and is what the record tells of. */
const BEYOND_MS = 1_000;

/** What a stage before the tool may take, and what it is told that it may, in milliseconds. */
export function stageWindow(call: ActiveCall, mostMs: number): { windowMs: number; deadlineMs: number } {
  const leftMs = Math.max(call.deadline.remainingMs(), 0);
  return { windowMs: Math.min(leftMs + BEYOND_MS, mostMs), deadlineMs: Math.min(leftMs, mostMs) };
}

/** What layers and judges see of the call. */
export function layerCtx(call: ActiveCall, deadlineMs: number, ran?: Record<string, unknown>): Record<string, unknown> {
  return {
    tool: call.tool.name,
    toolId: call.toolId,
    ...(call.tool.kind === null ? {} : { toolKind: call.tool.kind }),
    origin: call.origin,
    outputMode: call.outputMode,
    sessionId: call.sessionId,
    ...taskOf(call),
    deadlineMs: Math.round(deadlineMs),
    ...(ran === undefined ? {} : { input: ran }),
  };
}

/** For ctx, events and records: the subagent, where the call is one's. */
export function taskOf({ task }: Pick<ActiveCall, "task">): { taskId?: string } {
  return task === undefined ? {} : { taskId: task.id };
}

/** What of a session sees files for itself: a subagent has read nothing of what its parent read. */
export function readerOf({ sessionId, task }: Pick<ActiveCall, "sessionId" | "task">): string {
  return readerId(sessionId, task?.id);
}

export function readerId(sessionId: string, taskId: string | undefined): string {
  return taskId === undefined ? sessionId : `${sessionId}/${taskId}`;
}
