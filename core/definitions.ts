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

/** Tools that took too long, of each host: how often in a row, and how many requests do without them yet. Each holds up the whole request. */
const late = new WeakMap<Core, Map<string, { times: number; without: number }>>();
const MOST_WITHOUT = 64;

async function ask(core: Core, tool: Tool, handler: number, audience: Audience): Promise<string> {
  const known = late.get(core) ?? new Map<string, { times: number; without: number }>();
  late.set(core, known);
  const key = `${tool.name} ${tool.hash}`;
  const before = known.get(key);
  if (before !== undefined && before.without-- > 0) return "";
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
  if (result.ok || result.failure.code !== "window_overrun") known.delete(key);
  else {
    const times = (before?.times ?? 0) + 1;
    known.set(key, { times, without: Math.min(2 ** times, MOST_WITHOUT) });
    core.autocmds.tell("PluginFailed", { plugin: tool.plugin, code: result.failure.code });
  }
  const answer = result.ok && result.answer.kind === "value" ? unpack(result.answer.value) : undefined;
  if (typeof answer !== "string") return "";
  return answer.length <= MAX_CHARS ? answer.trim() : answer.slice(0, border(answer, MAX_CHARS, -1)).trim();
}
