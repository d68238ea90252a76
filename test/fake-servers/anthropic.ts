import { breaksOff, type Dialect, type ModelServer, pieces, type ServerSteps, startModelServer, textOf } from "./model-server.ts";

const usage = { input_tokens: 100, cache_read_input_tokens: 15, cache_creation_input_tokens: 5, output_tokens: 1 };

/** The Messages protocol. */
const dialect: Dialect = {
  path: "/v1/messages",
  models: { data: [{ id: "fake-1", type: "model", display_name: "Fake", created_at: "2026-01-01T00:00:00Z" }], has_more: false },
  error: ({ type = "invalid_request_error", message }) => ({ type: "error", error: { type, message } }),
  ping: 'event: ping\ndata: {"type":"ping"}\n\n',
  async stream(step, send, pause) {
    const event = (data: { type: string } & Record<string, unknown>) => send(data, data.type);
    let index = 0;
    const block = async (content_block: Record<string, unknown>, deltas: readonly Record<string, unknown>[], isOpen = false) => {
      event({ type: "content_block_start", index, content_block });
      for (const delta of deltas) {
        if (step.kind === "slow") await pause(step.everyMs);
        event({ type: "content_block_delta", index, delta });
      }
      if (!isOpen) event({ type: "content_block_stop", index });
      index++;
    };
    const end = (stop_reason: string) => {
      event({ type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 30 } });
      event({ type: "message_stop" });
    };
    const message = { id: "msg_1", type: "message", role: "assistant", model: "fake-1", content: [], stop_reason: null, stop_sequence: null, usage };
    event({ type: "message_start", message });
    if (step.kind === "thinking") {
      const signed = { type: "signature_delta", signature: "c2lnbmVk" };
      await block({ type: "thinking", thinking: "", signature: "" }, [{ type: "thinking_delta", thinking: step.thinking }, signed]);
    }
    const texts = pieces(textOf(step)).map((text) => ({ type: "text_delta", text }));
    if (texts.length > 0) await block({ type: "text", text: "" }, texts, breaksOff(step));
    switch (step.kind) {
      case "cut":
      case "unfinished":
      case "stall":
        return;
      case "stream_error":
        return event({ type: "error", error: { type: step.type, message: step.message } });
      case "calls":
        for (const { tool, input } of step.calls) await block(...toolUse(index, tool, JSON.stringify(input)));
        return end("tool_use");
      case "raw_call":
        await block(...toolUse(index, step.tool, step.input));
        return end("tool_use");
      default:
        return end(step.kind === "max_tokens" ? "max_tokens" : "end_turn");
    }
  },
};

/** A fake server of the Anthropic protocol. Close it at the test's end. */
export function startAnthropicServer(steps: ServerSteps): Promise<ModelServer> {
  return startModelServer(dialect, steps);
}

function toolUse(index: number, name: string, input: string): [Record<string, unknown>, Record<string, unknown>[]] {
  const half = Math.ceil(input.length / 2);
  const deltas = [input.slice(0, half), input.slice(half)].map((partial_json) => ({ type: "input_json_delta", partial_json }));
  return [{ type: "tool_use", id: `toolu_${index}`, name, input: {} }, deltas];
}
