// The two stages of a call that layers stand on, called alone. Plain JavaScript: of the host they need what is here, and no more.
import { startCall } from "../../core/active-call.ts";
import { createContexts } from "../../core/contexts.ts";
import { createLayers } from "../../core/slots/layers.ts";
import { inputStage } from "../../core/stages/input.ts";
import { outputStage } from "../../core/stages/output.ts";

/** Both stages of one call, input and output, without layers. */
export function emptyStages(tool, input, output) {
  const layers = createLayers([], {}, () => false);
  const core = { layers: () => layers, contexts: createContexts(), sessionId: "bench", cwd: "/" };
  const call = startCall({ tool: tool.name, input }, { ...tool, timeoutMs: null }, core, () => {});
  return async () => {
    await inputStage(core, call, input);
    await outputStage(core, call, output, input);
  };
}
