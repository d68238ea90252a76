import { type Audience, audiences } from "../sdk/contract.ts";
import { MortiseError } from "../sdk/errors.ts";
import type { Manifest } from "../sdk/wire.ts";
import { quoteWithClose } from "./close-names.ts";
import type { ToolInfo } from "./host-types.ts";
import type { LoadedPlugin } from "./plugins/plugin.ts";

export type Tool = Manifest["tools"][number] & { plugin: string };

/** What a call may take when neither the tool nor the caller says, in milliseconds. */
export const DEFAULT_TIMEOUT_MS = 120_000;

/** Every tool of the loaded plugins. Advertised and callable are this one list, filtered by audience. */
export function listTools(plugins: readonly LoadedPlugin[]): Tool[] {
  return plugins.flatMap((plugin) => (plugin.failed === null ? plugin.manifest.tools.map((tool) => ({ ...tool, plugin: plugin.name })) : []));
}

/** @throws MortiseError `unknown_tool` with close names, `not_in_audience`. */
export function findTool(tools: readonly Tool[], name: string, audience: Audience): Tool {
  // Models prefix names now and then.
  const wanted = name.startsWith("functions.") ? name.slice("functions.".length) : name;
  const tool = tools.find((candidate) => candidate.name === wanted);
  if (tool === undefined)
    throw new MortiseError("unknown_tool", {
      seen: quoteWithClose(
        wanted,
        tools.map((each) => each.name),
      ),
    });
  if (!inAudience(tool, audience)) {
    throw new MortiseError("not_in_audience", {
      seen: `${tool.name} is for ${(tool.audiences ?? audiences).join(", ")}, and the caller is ${audience}`,
    });
  }
  return tool;
}

export function inAudience(tool: Tool, audience: Audience): boolean {
  return tool.audiences === null || tool.audiences.includes(audience);
}

export function toolInfo(tool: Tool): ToolInfo {
  return {
    name: tool.name,
    plugin: tool.plugin,
    description: tool.description,
    kind: tool.kind,
    capability: tool.capability,
    audiences: tool.audiences ?? audiences,
    inputSchema: tool.inputSchema,
    timeoutMs: tool.timeoutMs ?? DEFAULT_TIMEOUT_MS,
  };
}
