import { breaksOff, type Dialect, type ModelServer, pieces, type ServerStep, type ServerSteps, startModelServer, textOf } from "./model-server.ts";

const usage = {
  input_tokens: 120,
  input_tokens_details: { cached_tokens: 20 },
  output_tokens: 30,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 150,
};

/** The Responses protocol of OpenAI. */
const dialect: Dialect = {
  path: "/v1/responses",
  models: { object: "list", data: [{ id: "fake-1", object: "model", created: 1, owned_by: "tests" }] },
  error: (error) => ({ error: { param: null, code: null, type: "invalid_request_error", ...error } }),
  async stream(step, send, pause) {
    let sequence_number = 0;
    let output_index = 0;
    const event = (data: { type: string } & Record<string, unknown>) => send({ sequence_number: sequence_number++, ...data }, data.type);
    const response = { id: "resp_1", object: "response", created_at: 1, model: "fake-1", status: "in_progress", output: [], error: null };
    event({ type: "response.created", response: { ...response, usage: null } });
    if (step.kind === "thinking") {
      const item = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "c2lnbmVk" };
      const at = { item_id: "rs_1", output_index, summary_index: 0 };
      event({ type: "response.output_item.added", output_index, item });
      event({ type: "response.reasoning_summary_part.added", ...at, part: { type: "summary_text", text: "" } });
      event({ type: "response.reasoning_summary_text.delta", ...at, delta: step.thinking });
      event({ type: "response.reasoning_summary_part.done", ...at, part: { type: "summary_text", text: step.thinking } });
      event({ type: "response.output_item.done", output_index, item: { ...item, summary: [{ type: "summary_text", text: step.thinking }] } });
      output_index++;
    }
    const text = textOf(step);
    if (text !== "") {
      const item = { type: "message", id: "msg_1", role: "assistant", status: "in_progress", content: [] };
      const at = { item_id: "msg_1", output_index, content_index: 0 };
      event({ type: "response.output_item.added", output_index, item });
      event({ type: "response.content_part.added", ...at, part: { type: "output_text", text: "", annotations: [] } });
      for (const delta of pieces(text)) {
        if (step.kind === "slow") await pause(step.everyMs);
        event({ type: "response.output_text.delta", ...at, delta });
      }
      if (breaksOff(step)) return brokenOff(step, event);
      const part = { type: "output_text", text, annotations: [] };
      event({ type: "response.output_text.done", ...at, text });
      event({ type: "response.output_item.done", output_index, item: { ...item, status: "completed", content: [part] } });
      output_index++;
    }
    if (breaksOff(step)) return brokenOff(step, event);
    for (const [index, { tool, input }] of callsOf(step).entries()) {
      const half = Math.ceil(input.length / 2);
      const item = { type: "function_call", id: `fc_${index}`, call_id: `call_${index}`, name: tool, arguments: "", status: "in_progress" };
      const at = { item_id: item.id, output_index };
      event({ type: "response.output_item.added", output_index, item });
      for (const delta of [input.slice(0, half), input.slice(half)]) event({ type: "response.function_call_arguments.delta", ...at, delta });
      event({ type: "response.function_call_arguments.done", ...at, arguments: input });
      event({ type: "response.output_item.done", output_index, item: { ...item, arguments: input, status: "completed" } });
      output_index++;
    }
    if (step.kind === "max_tokens") {
      const incomplete_details = { reason: "max_output_tokens" };
      event({ type: "response.incomplete", response: { ...response, status: "incomplete", incomplete_details, usage } });
    } else event({ type: "response.completed", response: { ...response, status: "completed", usage } });
  },
};

/** A fake server of OpenAI's Responses protocol. Close it at the test's end. */
export function startResponsesServer(steps: ServerSteps): Promise<ModelServer> {
  return startModelServer(dialect, steps);
}

function brokenOff(step: ServerStep, event: (data: { type: string } & Record<string, unknown>) => void): void {
  if (step.kind === "stream_error") event({ type: "error", code: step.type, message: step.message, param: null });
}

function callsOf(step: ServerStep): { tool: string; input: string }[] {
  if (step.kind === "raw_call") return [step];
  return step.kind === "calls" ? step.calls.map(({ tool, input }) => ({ tool, input: JSON.stringify(input) })) : [];
}
