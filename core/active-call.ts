import { randomUUID } from "node:crypto";
import type { Audience } from "../sdk/contract.ts";
import { createDeadline, type Deadline } from "./deadline.ts";
import type { CallRequest } from "./host-types.ts";
import type { TraceEntry } from "./record.ts";
import { DEFAULT_TIMEOUT_MS, type Tool } from "./tools.ts";

/** A call that is under way. */
export type ActiveCall = {
  tool: Tool;
  toolId: string;
  sessionId: string;
  origin: "model" | "nested";
  outputMode: "compact" | "full";
  audience: Audience;
  cwd: string;
  yolo: boolean | undefined;
  deadline: Deadline;
  startedMs: number;
  /** Shows text of the tool while it runs; redacted on the way. */
  live(text: string): void;
  /** What fired so far, in order. An entry exists from the moment its layer starts. */
  trace: TraceEntry[];
};

export function startCall(request: CallRequest, tool: Tool, defaults: { sessionId: string; cwd: string }, live: (text: string) => void): ActiveCall {
  return {
    tool,
    toolId: randomUUID(),
    sessionId: request.sessionId ?? defaults.sessionId,
    origin: request.origin ?? "model",
    outputMode: request.outputMode ?? "compact",
    audience: request.audience ?? "main",
    cwd: request.cwd ?? defaults.cwd,
    yolo: request.yolo,
    deadline: createDeadline(Math.min(request.timeoutMs ?? Number.POSITIVE_INFINITY, tool.timeoutMs ?? DEFAULT_TIMEOUT_MS), request.signal),
    startedMs: performance.now(),
    live,
    trace: [],
  };
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
    deadlineMs: Math.round(deadlineMs),
    ...(ran === undefined ? {} : { input: ran }),
  };
}
