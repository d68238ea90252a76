import type { Image } from "../../sdk/api.ts";
import type { PermissionRecord } from "../permission/permission.ts";

/** Tokens of one or more requests. What a provider does not say is 0. */
export type Usage = { input: number; output: number; cacheRead: number; cacheWrite: number };

/** Why a run ended. */
export type RunEnd =
  | "end_turn"
  | "max_tokens"
  | "max_turns"
  | "max_cost"
  | "max_total_tokens"
  | "timeout"
  | "cancelled"
  | "compact"
  | "dropped"
  | "doom_loop"
  | "context_budget_exhausted"
  | "error";

/** What plugins and rules did to a call: who rewrote it, who answered for the person, who stopped it. */
export type CallMarks = {
  rewrittenBy: readonly string[];
  allowedBy: string | null;
  stoppedBy: string | null;
  respondedBy: string | null;
  permission: PermissionRecord;
  /** The calls that it made, as those of a batch. */
  nested: readonly { tool: string; input: unknown; isError: boolean; marks: CallMarks }[];
};

/** What a driver, a view or a log learns of a run, whatever backend runs it. Texts are redacted. */
export type SessionEvent =
  | { type: "run_start"; model: string }
  /** A message that the history keeps; `rewrittenBy` where a plugin changed it. */
  | { type: "user_message"; text: string; images: number; source: MessageSource; rewrittenBy: string | null }
  | { type: "message_dropped"; reason: string; plugin: string | null }
  | { type: "turn_start"; turn: number }
  | { type: "text_delta"; text: string }
  | { type: "thinking_delta"; text: string }
  /** The model began to write a call. */
  | { type: "tool_pending"; toolId: string; tool: string }
  | { type: "tool_start"; toolId: string; tool: string; summary: string; input: unknown }
  /** New text of a running tool: a delta. */
  | { type: "tool_output"; toolId: string; text: string }
  | {
      type: "tool_done";
      toolId: string;
      tool: string;
      input: unknown;
      text: string;
      isError: boolean;
      images: readonly Image[];
      marks: CallMarks;
      durationMs: number;
    }
  | {
      type: "turn_end";
      turn: number;
      text: string;
      /** What the model called, as it wrote it. They run after this. */
      calls?: readonly { toolId: string; tool: string; input: unknown }[];
      model: string;
      usage: Usage;
      costUsd: number | null;
      contextTokens: number;
      contextWindow: number;
    }
  /** The request is sent again: what the failed attempt streamed is thrown away. */
  | { type: "retry"; attempt: number; class: string; message: string; delayMs: number }
  | { type: "nudge"; attempt: number }
  | { type: "loop_detected"; toolId: string; tool: string; kind: "same" | "cycle" | "same_error" }
  | { type: "compact_start"; reason: "auto" | "overflow" | "manual"; contextTokens: number; contextWindow: number }
  | { type: "compact_done"; before: number; after: number; contextWindow: number; summary: string }
  | { type: "permission_asked"; askId: string; toolId: string; tool: string; scopes: readonly string[]; child: string | null }
  | { type: "permission_answered"; askId: string; decision: "allow" | "deny"; source: string }
  | { type: "continued"; by: string; text: string }
  | { type: "notice"; code: string; text: string }
  | { type: "title"; title: string }
  /** An event of a subagent, under the call that started it. Two of one call may have one name, and never one `taskId`. */
  | { type: "child"; parentToolId: string; name: string; taskId?: string; event: SessionEvent }
  /** The last event of a run, always there, once. `text` is that of the final turn. */
  | {
      type: "done";
      reason: RunEnd;
      error: RunError | null;
      text: string;
      usage: Usage;
      costUsd: number | null;
      turns: number;
      contextTokens: number;
      contextWindow: number;
    };

export type RunError = { code: string; message: string };

export type MessageSource = "terminal" | "headless" | "acp" | "plugin" | "mailbox";
