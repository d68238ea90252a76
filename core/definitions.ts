import { type Audience, slices } from "../sdk/contract.ts";
import { unpack } from "../sdk/wire.ts";
import type { Core } from "./core.ts";
import type { ToolInfo } from "./host-types.ts";
import { border } from "./output/cap.ts";
import { type Tool, toolInfo } from "./tools.ts";

/** What a tool may take to describe what there is now, of processor time and in all, its isolate's start included; in milliseconds. */
const DESCRIBE_BUDGET_MS = 1_000;
const DESCRIBE_MS = 5_000;
/** Characters of it that count. */
const MAX_CHARS = 16_384;

/** Tools as a model reads them now: what a tool says of itself anew with each request stands behind its description. A tool that fails to is there without it. */
export async function definitionsOf(core: Core, tools: readonly Tool[], audience: Audience = "main"): Promise<ToolInfo[]> {
  return Promise.all(
    tools.map(async (tool) => {
      const info = toolInfo(tool);
      const now = tool.describe == null ? "" : await ask(core, tool, tool.describe, audience);
      return now === "" ? info : { ...info, description: `${info.description}\n\n${now}` };
    }),
  );
}

async function ask(core: Core, tool: Tool, handler: number, audience: Audience): Promise<string> {
  const context = core.contexts.enter({ kind: "scopes", call: null, depth: 0, audience });
  const result = await core.isolates.invoke({
    plugin: tool.plugin,
    handler,
    kind: "scopes",
    args: [],
    callKey: context.key,
    ...core.limits({ sliceMs: slices.judge, budgetMs: DESCRIBE_BUDGET_MS }, DESCRIBE_MS),
  });
  context.leave();
  const answer = result.ok && result.answer.kind === "value" ? unpack(result.answer.value) : undefined;
  if (typeof answer !== "string") return "";
  return answer.length <= MAX_CHARS ? answer.trim() : answer.slice(0, border(answer, MAX_CHARS, -1)).trim();
}
