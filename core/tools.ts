import { type Audience, audiences } from "../sdk/contract.ts";
import { MortiseError } from "../sdk/errors.ts";
import type { Manifest } from "../sdk/wire.ts";
import { quoteWithClose } from "./close-names.ts";
import type { NativeTool, ToolInfo } from "./host-types.ts";
import type { LoadedPlugin } from "./plugins/plugin.ts";

/** A tool of a plugin, or of the embedding program, which then answers it itself. */
export type Tool = Manifest["tools"][number] & {
  plugin: string;
  /** Of the version of the plugin. */
  hash: string;
  native?: NativeTool;
};

/** The plugin that native tools are listed under. */
export const PROGRAM = "program";

/** What a call may take when neither the tool nor the caller says, in milliseconds. */
export const DEFAULT_TIMEOUT_MS = 120_000;

/** Every tool of the loaded plugins. Advertised and callable are this one list, filtered by audience. */
export function listTools(plugins: readonly LoadedPlugin[], natives: readonly NativeTool[] = []): Tool[] {
  const own = natives.map((native) => ({
    plugin: PROGRAM,
    hash: "",
    native,
    handler: -1,
    scopes: null,
    name: native.name,
    description: native.description,
    kind: native.kind ?? null,
    capability: native.capability ?? null,
    audiences: native.audiences === undefined ? null : [...native.audiences],
    timeoutMs: native.timeoutMs ?? null,
    writes: null,
    aliases: {},
    describe: null,
    needsPerson: native.needsPerson ?? false,
    polls: native.polls ?? false,
    parses: false,
    needsAgent: native.needsAgent ?? false,
    inputSchema: native.inputSchema,
  }));
  const taken = new Set(own.map((tool) => tool.name));
  const others = plugins.flatMap((plugin) =>
    plugin.failed === null ? plugin.manifest.tools.map((tool) => ({ ...tool, plugin: plugin.name, hash: plugin.hash })) : [],
  );
  return [...own, ...others.filter((tool) => !taken.has(tool.name))];
}

/** Without those that need a person where nobody can answer, or an agent where none drives the host. */
export function presentTools(tools: readonly Tool[], there: { person: boolean; agent: boolean }): readonly Tool[] {
  const isPresent = ({ needsPerson, needsAgent }: Tool) => (there.person || needsPerson !== true) && (there.agent || needsAgent !== true);
  return tools.every(isPresent) ? tools : tools.filter(isPresent);
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
    polls: tool.polls ?? false,
  };
}
