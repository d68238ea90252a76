import * as z from "zod/mini";
import type { Image } from "../../sdk/api.ts";
import { slices } from "../../sdk/contract.ts";
import { type Code, codes, MortiseError } from "../../sdk/errors.ts";
import { pack, unpack } from "../../sdk/wire.ts";
import { type ActiveCall, readerOf, taskOf } from "../active-call.ts";
import type { Core } from "../core.ts";
import type { NativeTool } from "../host-types.ts";
import { Images } from "../images.ts";
import type { Failure } from "../isolate/isolates.ts";
import type { ScopeList } from "../permission/permission.ts";
import { plainJson } from "../plain-json.ts";
import { redact } from "../redact/redact.ts";
import { collectStrings, replaceStrings } from "../redact/strings.ts";
import { unlessAborted } from "../unless-aborted.ts";

/** Isolates answer an object even where the tool gave a text. */
const ToolAnswer = z.object({
  text: z.string(),
  held: z.optional(z.string()),
  isError: z.optional(z.boolean()),
  data: z.optional(z.json()),
  images: z.optional(Images),
  cut: z.optional(z.enum(["timeout", "cancelled"])),
});

const NativeAnswer = z.union([
  z.string(),
  z.object({ text: z.string(), isError: z.optional(z.boolean()), data: z.optional(z.unknown()), images: z.optional(Images) }),
]);

export type Output = { text: string; isError: boolean; data?: unknown; images?: readonly Image[] };
/** `cut`: the tool itself ended its work before it was done. */
export type RunOutput = Output & { cut?: "timeout" | "cancelled" | undefined };

/** Codes of failures that come before the tool's own code. */
const NEVER_ENTERED: readonly Code[] = ["plugin_disabled", "unknown_plugin", "manifest_changed", "plugin_undefined", "plugin_invalid"];

/** Of what a native tool wrote before it was cut short. */
const MAX_WRITTEN_CHARS = 1_000_000;

/** Milliseconds a tool has to answer with what it has, after a cancel or its deadline. */
const GRACE_MS = 3_000;

/**
 * Runs the tool in its plugin's isolate. A tool that writes a file waits for the other writers of it, and is refused when the file changed since it was read.
 * A failure becomes text that the model can act on, with what jobs of the call printed so far.
 */
export async function runStage(
  core: Core,
  call: ActiveCall,
  input: Record<string, unknown>,
  list: ScopeList,
  onRan: (ran: boolean) => void,
): Promise<RunOutput> {
  const { tool, cwd } = call;
  const reader = readerOf(call);
  const { signal } = call.deadline;
  // What lists or searches files does not show what they hold.
  const shown = tool.kind === "read" ? list.scopes.filter((scope) => scope.kind === "path" && scope.access === "read") : [];
  await Promise.all(shown.map((scope) => core.files.read(reader, scope.text)));
  for (const { text, named = [] } of list.scopes) for (const name of named) call.permitted.set(name, text);
  const written = tool.writes === null ? undefined : input[tool.writes];
  const write = () => runTool(core, call, input, onRan);
  return typeof written === "string" ? core.files.exclusive({ sessionId: reader, path: written, cwd, signal, write }) : write();
}

async function runTool(core: Core, call: ActiveCall, input: Record<string, unknown>, onRan: (ran: boolean) => void): Promise<RunOutput> {
  const { tool } = call;
  call.deadline.signal.throwIfAborted();
  // What was judged and approved is the version of the tool that the call began with.
  const now = core.tools().find(({ name }) => name === tool.name);
  if (now === undefined || now.plugin !== tool.plugin || now.hash !== tool.hash) {
    throw new MortiseError("tool_failed", { seen: `${tool.name} was replaced while the call waited`, plugin: tool.plugin });
  }
  core.autocmds.tell("ToolStart", { sessionId: call.sessionId, ...taskOf(call), toolId: call.toolId, tool: tool.name }, call.depth);
  onRan(true);
  if (call.onStart !== undefined) await told(core, call, input, call.onStart);
  if (tool.native !== undefined) return runNative(tool.native, call, input);
  const context = core.contexts.enter({ kind: "tool", call, depth: call.depth });
  const ahead = await core.foreseen.ahead(call, input, context.key);
  const remainingMs = call.deadline.remainingMs();
  const result = await core.isolates.invoke({
    plugin: tool.plugin,
    handler: tool.handler,
    kind: "tool",
    args: [
      pack(input),
      pack({
        toolId: call.toolId,
        sessionId: call.sessionId,
        ...taskOf(call),
        origin: call.origin,
        outputMode: call.outputMode,
        deadlineMs: finite(remainingMs),
        ...(call.outputMode === "full" ? {} : { shown: core.outputLimits(tool.name) }),
      }),
      ...ahead,
    ],
    callKey: context.key,
    signal: call.deadline.signal,
    graceMs: GRACE_MS,
    // The call's own deadline ends it, whose clock stops while a person is asked.
    ...core.limits({ sliceMs: slices.tool, budgetMs: Number.MAX_SAFE_INTEGER }, finite(Number.POSITIVE_INFINITY)),
  });
  context.leave();
  const partial = () =>
    [core.capabilities.partial(call.toolId, tool.plugin)?.text ?? "", core.conversations.partial(call.toolId)]
      .filter((text) => text !== "")
      .join("\n");
  if (!result.ok) {
    if (NEVER_ENTERED.includes(result.failure.code)) onRan(false);
    return failed(call, result.failure, partial());
  }
  if (result.answer.kind === "deny") return { text: result.answer.reason, isError: true };
  const answer = result.answer.kind === "value" ? ToolAnswer.safeParse(unpack(result.answer.value)) : undefined;
  if (answer?.success !== true) {
    return failed(
      call,
      { code: "wrong_answer", message: `${codes.wrong_answer[0]}: ${tool.name} answered no text, or images that are none`, plugin: tool.plugin },
      partial(),
    );
  }
  const { text: own, held, isError = false, data, images, cut } = answer.data;
  const first = held === undefined ? [] : call.held?.take(held);
  if (first === undefined) {
    const message = `${codes.wrong_answer[0]}: ${tool.name} answered with a text that is not held for its call`;
    return failed(call, { code: "wrong_answer", message, plugin: tool.plugin }, partial());
  }
  const text = first.length === 0 ? own : [...first, own].join("");
  return { text, isError, ...(data === undefined ? {} : { data }), ...(images === undefined ? {} : { images }), cut };
}

/** Whoever watches sees the input as records will have it. */
async function told(core: Core, call: ActiveCall, input: Record<string, unknown>, onStart: NonNullable<ActiveCall["onStart"]>): Promise<void> {
  const { texts } = await redact(core.isolates, core.layers().redactors(call.tool), collectStrings(input), call.toolId);
  await onStart({ toolId: call.toolId, input: replaceStrings(input, texts) });
}

/** A native tool is the program's own code: it is not timed by turns, and a call that is cut short does not wait for it, but keeps what it wrote. */
async function runNative(native: NativeTool, call: ActiveCall, input: Record<string, unknown>): Promise<Output> {
  const { toolId, sessionId, outputMode, live, deadline } = call;
  const about = { toolId, sessionId, ...taskOf(call), outputMode, signal: deadline.signal };
  let written = "";
  const write = (text: string) => {
    written += text;
    // Cut now and then, not with each piece.
    if (written.length > 2 * MAX_WRITTEN_CHARS) written = written.slice(-MAX_WRITTEN_CHARS);
    live(text);
  };
  const work = async (): Promise<Output> => {
    const answer = NativeAnswer.safeParse(await native.run(input, { ...about, write }));
    if (!answer.success) throw new MortiseError("wrong_answer", { seen: `${native.name} answered no text, or images that are none` });
    if (typeof answer.data === "string") return { text: answer.data, isError: false };
    const { text, isError = false, data, images } = answer.data;
    return { text, isError, ...(data === undefined ? {} : { data: plainJson(data) }), ...(images === undefined ? {} : { images }) };
  };
  return unlessAborted(work(), deadline.signal).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    const kept = deadline.signal.aborted ? written.slice(-MAX_WRITTEN_CHARS).toWellFormed().trimEnd() : "";
    return { text: kept === "" ? message : `${kept}\n[${message}]`, isError: true };
  });
}

/** What is left of a call whose tool did not answer. */
function failed(call: ActiveCall, failure: Failure, partial: string): Output {
  const reason = call.deadline.signal.reason;
  // What a tool fails with once its call is over is how that reached it.
  const ended = reason instanceof MortiseError && (reason.code === "deadline_passed" || reason.code === "cancelled") ? reason.code : undefined;
  const message = ended === undefined ? failure.message : `${codes[ended][0]}: ${call.tool.name} was ended`;
  return { text: `${partial === "" ? "" : `${partial}\n`}[${message}]`, isError: true };
}

/** Timers and JSON know no infinity. */
function finite(ms: number): number {
  return Math.min(Math.max(Math.round(ms), 1), 2 ** 31 - 1);
}
