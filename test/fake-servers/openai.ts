import { type Dialect, type ModelServer, pieces, type ServerSteps, startModelServer, textOf } from "./model-server.ts";

const usage = { prompt_tokens: 120, completion_tokens: 30, total_tokens: 150, prompt_tokens_details: { cached_tokens: 20 } };

/** Chat Completions, as many servers speak them. */
const dialect: Dialect = {
  path: "/v1/chat/completions",
  models: { object: "list", data: [{ id: "fake-1", object: "model", created: 1, owned_by: "tests", max_model_len: 4096 }] },
  error: (error) => ({ error: { param: null, code: null, type: "invalid_request_error", ...error } }),
  async stream(step, send, pause) {
    const chunk = (delta: unknown, finish_reason: string | null = null) =>
      send({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "fake-1", choices: [{ index: 0, delta, finish_reason }] });
    const end = (reason: string) => {
      chunk({}, reason);
      send({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "fake-1", choices: [], usage });
      send("[DONE]");
    };
    chunk({ role: "assistant", content: "" });
    if (step.kind === "thinking") chunk({ reasoning_content: step.thinking });
    for (const piece of pieces(textOf(step))) {
      if (step.kind === "slow") await pause(step.everyMs);
      chunk({ content: piece });
    }
    switch (step.kind) {
      case "cut":
      case "unfinished":
      case "stall":
        return;
      case "stream_error":
        return send({ error: { message: step.message, type: step.type, code: null } });
      case "calls":
        for (const [index, { tool, input }] of step.calls.entries()) callChunks(chunk, index, tool, JSON.stringify(input));
        return end("tool_calls");
      case "raw_call":
        callChunks(chunk, 0, step.tool, step.input);
        return end("tool_calls");
      default:
        return end(step.kind === "max_tokens" ? "length" : "stop");
    }
  },
};

/** A fake server of the OpenAI protocol. Close it at the test's end. */
export function startOpenAiServer(steps: ServerSteps): Promise<ModelServer> {
  return startModelServer(dialect, steps);
}

/** The input in two pieces, as it streams. */
function callChunks(chunk: (delta: unknown) => void, index: number, name: string, input: string): void {
  const half = Math.ceil(input.length / 2);
  chunk({ tool_calls: [{ index, id: `call_${index}`, type: "function", function: { name, arguments: input.slice(0, half) } }] });
  chunk({ tool_calls: [{ index, function: { arguments: input.slice(half) } }] });
}
