import { type Dialect, type ModelServer, pieces, type ServerSteps, startModelServer, textOf } from "./model-server.ts";

const usageMetadata = { promptTokenCount: 120, cachedContentTokenCount: 20, candidatesTokenCount: 30, totalTokenCount: 150 };

/** `streamGenerateContent` of Gemini. Inputs of its calls are objects: none is no JSON. */
const dialect: Dialect = {
  path: "/v1/models/fake-1:streamGenerateContent",
  models: { models: [{ name: "models/fake-1" }] },
  error: ({ type = "INVALID_ARGUMENT", message }, status) => ({ error: { code: status, message, status: type } }),
  async stream(step, send, pause) {
    const chunk = (parts: readonly unknown[], more: Record<string, unknown> = {}) =>
      send({ candidates: [{ content: { role: "model", parts }, index: 0, ...more }], modelVersion: "fake-1", usageMetadata });
    if (step.kind === "thinking") chunk([{ text: step.thinking, thought: true, thoughtSignature: "c2lnbmVk" }]);
    for (const text of pieces(textOf(step))) {
      if (step.kind === "slow") await pause(step.everyMs);
      chunk([{ text }]);
    }
    switch (step.kind) {
      case "cut":
      case "unfinished":
      case "stall":
        return;
      case "stream_error":
        return send({ error: { code: 503, message: step.message, status: "UNAVAILABLE" } });
      case "calls":
        return chunk(
          step.calls.map(({ tool, input }) => ({ functionCall: { name: tool, args: input } })),
          { finishReason: "STOP" },
        );
      default:
        return chunk([], { finishReason: step.kind === "max_tokens" ? "MAX_TOKENS" : "STOP" });
    }
  },
};

/** A fake server of Gemini. Close it at the test's end. */
export function startGoogleServer(steps: ServerSteps): Promise<ModelServer> {
  return startModelServer(dialect, steps);
}
