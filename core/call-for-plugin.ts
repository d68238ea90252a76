import type { Image } from "../sdk/api.ts";
import type { Audience, Capability } from "../sdk/contract.ts";
import { type Code, MortiseError } from "../sdk/errors.ts";
import { callTool } from "./call.ts";
import type { Caller } from "./capabilities/capabilities.ts";
import { quoteWithClose } from "./close-names.ts";
import type { Context } from "./contexts.ts";
import type { Core } from "./core.ts";
import type { CallRequest } from "./host-types.ts";
import { spill } from "./output/spill.ts";
import type { CallRecord } from "./record.ts";
import { MAX_DEPTH } from "./slots/declared.ts";
import { toolPrice } from "./slots/price.ts";
import type { Tool } from "./tools.ts";

export type PluginCall = {
  name: string;
  input: Record<string, unknown>;
  timeoutMs?: number | undefined;
  outputMode?: "compact" | "full" | undefined;
  audience?: Audience | undefined;
  signal?: AbortSignal | undefined;
};

/** What became of a call, for the plugin that made it. */
export type PluginCallResult = {
  id: string;
  text: string;
  isError: boolean;
  data?: unknown;
  images?: readonly Image[];
  code?: Code;
  stopped?: NonNullable<CallRecord["stopped"]>;
  spill?: string;
};

/** Where a plugin may call tools: not in a layer, judge or redactor, which others wait for. */
const FREE_KINDS: readonly Context["kind"][] = ["tool", "command", "autocmd"];

/**
 * Calls a tool for a plugin, as nested: through every step of a call, for the audience, session and folder of the call that the plugin answers.
 * @throws MortiseError `not_here`, `unknown_tool`, `not_granted` where the plugin lacks the tool's price, `too_deep`.
 */
export async function callForPlugin(core: Core, wanted: PluginCall, caller: Caller, context: Context | undefined): Promise<PluginCallResult> {
  const { name } = wanted;
  const { plugin } = caller;
  if (context === undefined || !FREE_KINDS.includes(context.kind))
    throw new MortiseError("not_here", { seen: "tools.call works in tools, commands and autocmds", plugin });
  const tools = core.tools();
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) {
    const names = tools.map((each) => each.name);
    throw new MortiseError("unknown_tool", { seen: quoteWithClose(name, names) });
  }
  if (!mayCall(caller, tool))
    throw new MortiseError("not_granted", { seen: `${plugin} calls ${name}, which costs ${missingFor(caller, tool).join(", ")}`, plugin });
  if (context.depth >= MAX_DEPTH) throw new MortiseError("too_deep", { seen: name, plugin });
  const record = await callTool(core, requestOf(wanted, context), {
    depth: context.depth + 1,
    outer: context.call ?? undefined,
    waits: context.command?.deadline,
    audience: wanted.audience,
  });
  context.call?.onNested?.(record);
  if (record.spill === null && context.call !== null) remember(context.call.nested, record);
  return resultOf(record);
}

/** Whether a plugin pays for a tool, or has it itself. */
export function mayCall(caller: Pick<Caller, "plugin" | "granted">, tool: Tool): boolean {
  return tool.plugin === caller.plugin || missingFor(caller, tool).length === 0;
}

function missingFor({ granted }: Pick<Caller, "granted">, tool: Tool): Capability[] {
  return toolPrice(tool).filter((capability) => granted[capability] !== true);
}

/** Keeps the whole text of a call that this one made in a file that the model may read: its path. Throws `wrong_argument` for one that is not known. */
export async function keepForPlugin(core: Core, id: string, context: Context | undefined): Promise<string> {
  const call = context?.call ?? null;
  const text = call?.nested.get(id);
  if (call === null || text === undefined) throw new MortiseError("wrong_argument", { seen: `${id} is no call that was made here` });
  const path = await spill(core.spillFolder, call.sessionId, text);
  core.onSpill(path);
  return path;
}

/** What is remembered of the texts of one call's calls, in characters. */
const REMEMBERED_CHARS = 4_000_000;

function remember(nested: Map<string, string>, { toolId, text }: CallRecord): void {
  let chars = text.length;
  for (const each of nested.values()) chars += each.length;
  if (chars <= REMEMBERED_CHARS) nested.set(toolId, text);
}

function requestOf({ name, input, timeoutMs, outputMode, signal }: PluginCall, { call, command }: Context): CallRequest {
  return {
    tool: name,
    input,
    origin: "nested",
    // Who asked for whole texts gets them of what is called on the way, too.
    outputMode: call?.outputMode === "full" ? "full" : (outputMode ?? "full"),
    ...(call === null ? {} : { audience: call.audience, sessionId: call.sessionId, cwd: call.cwd, signal: call.deadline.signal }),
    ...(command === undefined ? {} : { sessionId: command.sessionId, signal: command.deadline.signal }),
    ...(signal === undefined ? {} : { signal }),
    ...(call?.yolo === undefined ? {} : { yolo: call.yolo }),
    ...(call?.task === undefined ? {} : { task: call.task }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
}

function resultOf({ toolId, text, isError, data, images, code, stopped, spill: path }: CallRecord): PluginCallResult {
  return {
    id: toolId,
    text,
    isError,
    ...(data === undefined ? {} : { data }),
    ...(images === undefined ? {} : { images }),
    ...(code === null ? {} : { code }),
    ...(stopped === null ? {} : { stopped }),
    ...(path === null ? {} : { spill: path }),
  };
}
