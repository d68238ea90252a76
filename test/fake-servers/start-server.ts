import type { ProviderKind } from "../../core/models/providers/provider-table.ts";
import { startAnthropicServer } from "./anthropic.ts";
import { startGoogleServer } from "./google.ts";
import type { ModelServer, ServerSteps } from "./model-server.ts";
import { startOpenAiServer } from "./openai.ts";
import { startResponsesServer } from "./responses.ts";

const starts: Readonly<Record<ProviderKind, (steps: ServerSteps) => Promise<ModelServer>>> = {
  "openai-compatible": startOpenAiServer,
  anthropic: startAnthropicServer,
  openai: startResponsesServer,
  google: startGoogleServer,
};

export const kinds = ["openai-compatible", "anthropic", "openai", "google"] as const satisfies readonly ProviderKind[];

/** A fake server of the protocol that a kind of providers speaks. Close it at the test's end. */
export function startServer(kind: ProviderKind, steps: ServerSteps): Promise<ModelServer> {
  return starts[kind](steps);
}
