import type { SessionEvent } from "../../agent/session-event.ts";
import type { Payload } from "./lines.ts";
import { noUsage, wireUsage } from "./result.ts";
import type { ToolNames } from "./tool-names.ts";

type Kind = "text" | "thinking";

/** Makes `stream_event` lines: a message of the provider's form as it grows. A call comes whole, at the end of its turn. @param id Of the message that grows. */
export function createPartialMessages(names: ToolNames, id: () => string): (event: SessionEvent) => Payload[] {
  let model = "";
  let isOpen = false;
  let index = -1;
  let kind: Kind | undefined;

  const begin = (): Payload[] => {
    if (isOpen) return [];
    isOpen = true;
    index = -1;
    kind = undefined;
    const message = {
      id: id(),
      type: "message",
      role: "assistant",
      model,
      content: [],
      stop_reason: null,
      usage: wireUsage(noUsage),
    };
    return [streamed({ type: "message_start", message })];
  };
  const endBlock = (): Payload[] => {
    if (kind === undefined) return [];
    kind = undefined;
    return [streamed({ type: "content_block_stop", index })];
  };
  const grow = (of: Kind, text: string): Payload[] => {
    const lines = begin();
    if (kind !== of) {
      lines.push(...endBlock());
      index++;
      kind = of;
      const block = of === "text" ? { type: "text", text: "" } : { type: "thinking", thinking: "" };
      lines.push(streamed({ type: "content_block_start", index, content_block: block }));
    }
    const delta = of === "text" ? { type: "text_delta", text } : { type: "thinking_delta", thinking: text };
    return [...lines, streamed({ type: "content_block_delta", index, delta })];
  };
  const call = (toolId: string, tool: string, input: unknown): Payload[] => {
    index++;
    return [
      streamed({ type: "content_block_start", index, content_block: { type: "tool_use", id: toolId, name: names(tool), input: {} } }),
      streamed({ type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json: JSON.stringify(input) ?? "{}" } }),
      streamed({ type: "content_block_stop", index }),
    ];
  };
  const end = (stopReason: string | null, usage = noUsage): Payload[] => {
    isOpen = false;
    return [
      ...endBlock(),
      streamed({ type: "message_delta", delta: { stop_reason: stopReason }, usage: wireUsage(usage) }),
      streamed({ type: "message_stop" }),
    ];
  };

  return (event) => {
    switch (event.type) {
      case "run_start":
        model = event.model;
        return [];
      case "text_delta":
        return grow("text", event.text);
      case "thinking_delta":
        return grow("thinking", event.text);
      case "turn_end": {
        model = event.model;
        const calls = event.calls ?? [];
        return [
          ...begin(),
          ...endBlock(),
          ...calls.flatMap(({ toolId, tool, input }) => call(toolId, tool, input)),
          ...end(calls.length > 0 ? "tool_use" : "end_turn", event.usage),
        ];
      }
      // What came of a message that is never whole is over.
      case "retry":
      case "done":
        return isOpen ? end(null) : [];
      default:
        return [];
    }
  };
}

function streamed(event: object): Payload {
  return { type: "stream_event", event };
}
