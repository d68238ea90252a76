import { randomUUID } from "node:crypto";
import type { CallMarks, SessionEvent } from "../../agent/session-event.ts";
import { createPartialMessages } from "./partial-messages.ts";
import { wireUsage } from "./result.ts";
import type { ToolNames } from "./tool-names.ts";

/** A line of the output, before it is said whose session it is of. */
export type Payload = { type: string } & Record<string, unknown>;

export type Init = { cwd: string; tools: readonly string[]; model: string };

/** The line that comes first. */
export function initLine({ cwd, tools, model }: Init, names: ToolNames, rest: Readonly<Record<string, unknown>> = {}): Payload {
  return { type: "system", subtype: "init", cwd, tools: tools.map(names), model, ...rest };
}

/** Makes the lines of a run's events, but for its result. With `partial`, also those of text and output that are not whole yet. */
export function createLines(names: ToolNames, partial: boolean): (event: SessionEvent) => Payload[] {
  let messageId = newMessageId();
  const messages = createPartialMessages(names, () => messageId);
  const tools = new Map<string, string>();
  let compaction: Extract<SessionEvent, { type: "compact_start" }>["reason"] = "auto";

  const lines = (event: SessionEvent): Payload[] => {
    switch (event.type) {
      case "turn_end":
        return [assistant(event, names, newMessageId())];
      case "tool_start":
        tools.set(event.toolId, event.tool);
        return [];
      case "tool_output": {
        const tool = tools.get(event.toolId) ?? "";
        return partial ? [{ type: "tool_progress", tool_use_id: event.toolId, tool_name: names(tool), text: event.text }] : [];
      }
      case "tool_done":
        tools.delete(event.toolId);
        return [toolResult(event), ...denied(event, names)];
      case "retry":
        return [
          {
            type: "system",
            subtype: "api_retry",
            attempt: event.attempt,
            retry_delay_ms: event.delayMs,
            error: event.message,
            error_class: event.class,
          },
        ];
      case "compact_start":
        compaction = event.reason;
        return [];
      case "compact_done":
        return [
          {
            type: "system",
            subtype: "compact_boundary",
            compact_metadata: {
              trigger: compaction === "manual" ? "manual" : "auto",
              reason: compaction,
              pre_tokens: event.before,
              post_tokens: event.after,
            },
          },
        ];
      case "loop_detected":
        return [{ type: "system", subtype: "loop_detected", tool_name: names(event.tool), tool_use_id: event.toolId, kind: event.kind }];
      case "notice":
        return [notice(event.code, event.text)];
      case "nudge":
        return [notice("nudge", "The model answered nothing, and was asked to go on.")];
      case "continued":
        return [notice("continued", `${event.by} went on with: ${event.text}`)];
      case "message_dropped":
        return [notice("message_dropped", event.plugin === null ? event.reason : `${event.plugin} dropped the message: ${event.reason}`)];
      case "user_message":
        return event.rewrittenBy === null ? [] : [notice("message_rewritten", `${event.rewrittenBy} changed the message to: ${event.text}`)];
      case "child":
        return lines(event.event).map((line) => ("parent_tool_use_id" in line ? line : { ...line, parent_tool_use_id: event.parentToolId }));
      default:
        return [];
    }
  };
  return (event) => {
    const grown = partial ? messages(event) : [];
    if (event.type !== "turn_end" && event.type !== "retry") return [...grown, ...lines(event)];
    const whole = event.type === "turn_end" ? [assistant(event, names, messageId)] : lines(event);
    messageId = newMessageId();
    return [...grown, ...whole];
  };
}

function newMessageId(): string {
  return `msg_${randomUUID()}`;
}

function assistant({ model, text, calls = [], usage }: Extract<SessionEvent, { type: "turn_end" }>, names: ToolNames, id: string): Payload {
  const content = [
    ...(text === "" ? [] : [{ type: "text", text }]),
    ...calls.map(({ toolId, tool, input }) => ({ type: "tool_use", id: toolId, name: names(tool), input })),
  ];
  const stop_reason = calls.length > 0 ? "tool_use" : "end_turn";
  return { type: "assistant", message: { id, type: "message", model, role: "assistant", content, stop_reason, usage: wireUsage(usage) } };
}

function toolResult(event: Extract<SessionEvent, { type: "tool_done" }>): Payload {
  const content = [{ type: "tool_result", tool_use_id: event.toolId, content: event.text, is_error: event.isError }];
  const marks = marked(event.input, event.marks);
  return { type: "user", message: { role: "user", content }, ...(marks === undefined ? {} : { tool_marks: marks }) };
}

/** What plugins did to a call; undefined where they did nothing. */
function marked(input: unknown, { rewrittenBy, allowedBy, stoppedBy, respondedBy }: CallMarks): object | undefined {
  if (rewrittenBy.length === 0 && allowedBy === null && stoppedBy === null && respondedBy === null) return undefined;
  return { rewritten_by: rewrittenBy, allowed_by: allowedBy, stopped_by: stoppedBy, responded_by: respondedBy, input };
}

function denied({ toolId, tool, text, marks }: Extract<SessionEvent, { type: "tool_done" }>, names: ToolNames): Payload[] {
  const { decision, source, scopes } = marks.permission;
  const own: Payload[] =
    decision === "deny" && source !== "cancelled"
      ? [
          {
            type: "system",
            subtype: "permission_denied",
            tool_name: names(tool),
            tool_use_id: toolId,
            scopes: scopes.map((scope) => scope.text),
            reason: text,
            source,
          },
        ]
      : [];
  return [...own, ...marks.nested.flatMap((each) => denied({ ...shownAs(each), toolId, text: `${each.tool} was denied inside ${tool}.` }, names))];
}

function shownAs(nested: CallMarks["nested"][number]): Extract<SessionEvent, { type: "tool_done" }> {
  return { type: "tool_done", toolId: "", text: "", images: [], durationMs: 0, ...nested };
}

function notice(code: string, text: string): Payload {
  return { type: "system", subtype: "notice", code, text };
}
