import { resolve } from "node:path";
import * as z from "zod/mini";
import { slices } from "../../sdk/contract.ts";
import { codes, MortiseError } from "../../sdk/errors.ts";
import { pack, unpack } from "../../sdk/wire.ts";
import type { ActiveCall } from "../active-call.ts";
import type { Core } from "../core.ts";
import type { NativeTool } from "../host-types.ts";
import type { Failure } from "../isolate/isolates.ts";
import type { ScopeList } from "../permission/permission.ts";

const ToolAnswer = z.union([
  z.string(),
  z.object({ text: z.string(), isError: z.optional(z.boolean()), data: z.optional(z.json()), cut: z.optional(z.enum(["timeout", "cancelled"])) }),
]);

export type Output = { text: string; isError: boolean; data?: unknown };
/** `cut`: the tool itself ended its work before it was done. */
export type RunOutput = Output & { cut?: "timeout" | "cancelled" | undefined };

/** Milliseconds a tool has to answer with what it has, after a cancel or its deadline. */
const GRACE_MS = 3_000;

/**
 * Runs the tool in its plugin's isolate. A tool that writes a file waits for the other writers of it, and is refused when the file changed since it was read.
 * A failure becomes text that the model can act on, with what jobs of the call printed so far.
 */
export async function runStage(core: Core, call: ActiveCall, input: Record<string, unknown>, list: ScopeList): Promise<RunOutput> {
  const { tool } = call;
  await Promise.all(
    list.scopes.filter((scope) => scope.kind === "path" && scope.access === "read").map((scope) => core.files.read(call.sessionId, scope.text)),
  );
  const written = tool.writes === null ? undefined : input[tool.writes];
  if (typeof written !== "string") return runTool(core, call, input);
  return core.files.exclusive(call.sessionId, resolve(call.cwd, written), () => runTool(core, call, input));
}

async function runTool(core: Core, call: ActiveCall, input: Record<string, unknown>): Promise<RunOutput> {
  const { tool } = call;
  call.deadline.signal.throwIfAborted();
  core.autocmds.tell("ToolStart", { sessionId: call.sessionId, toolId: call.toolId, tool: tool.name });
  if (tool.native !== undefined) return runNative(tool.native, call, input);
  const context = core.contexts.enter({ kind: "tool", call, depth: 0 });
  const remainingMs = call.deadline.remainingMs();
  const result = await core.isolates.invoke({
    plugin: tool.plugin,
    handler: tool.handler,
    kind: "tool",
    args: [
      pack(input),
      pack({ toolId: call.toolId, sessionId: call.sessionId, origin: call.origin, outputMode: call.outputMode, deadlineMs: finite(remainingMs) }),
    ],
    callKey: context.key,
    signal: call.deadline.signal,
    graceMs: GRACE_MS,
    ...core.limits({ sliceMs: slices.tool, budgetMs: Number.MAX_SAFE_INTEGER }, finite(remainingMs + GRACE_MS + 1_000)),
  });
  context.leave();
  const partial = () => core.capabilities.partial(call.toolId, tool.plugin)?.text ?? "";
  if (!result.ok) return failed(call, result.failure, partial());
  if (result.answer.kind === "deny") return { text: result.answer.reason, isError: true };
  const answer = result.answer.kind === "value" ? ToolAnswer.safeParse(unpack(result.answer.value)) : undefined;
  if (answer?.success !== true) {
    return failed(
      call,
      { code: "wrong_answer", message: `${codes.wrong_answer[0]}: ${tool.name} answered no text`, plugin: tool.plugin },
      partial(),
    );
  }
  if (typeof answer.data === "string") return { text: answer.data, isError: false };
  const { text, isError = false, data, cut } = answer.data;
  return { text, isError, ...(data === undefined ? {} : { data }), cut };
}

/** A native tool is the program's own code: it is not timed by turns, and a call that is cut short does not wait for it. */
async function runNative(native: NativeTool, call: ActiveCall, input: Record<string, unknown>): Promise<Output> {
  const { toolId, sessionId, outputMode, live, deadline } = call;
  const cut = new Promise<never>((_, reject) => {
    deadline.signal.addEventListener("abort", () => reject(deadline.signal.reason), { once: true });
  });
  cut.catch(() => {});
  const answer = await Promise.race([
    cut,
    Promise.resolve(native.run(input, { toolId, sessionId, outputMode, signal: deadline.signal, write: live })),
  ]).catch((error: unknown) => ({ text: error instanceof Error ? error.message : String(error), isError: true }));
  return typeof answer === "string" ? { text: answer, isError: false } : { ...answer, isError: answer.isError ?? false };
}

/** What is left of a call whose tool did not answer. */
function failed(call: ActiveCall, failure: Failure, partial: string): Output {
  const reason = call.deadline.signal.reason;
  const late = reason instanceof MortiseError && reason.code === "deadline_passed";
  const message = late ? `${codes.deadline_passed[0]}: ${call.tool.name} was ended` : failure.message;
  const effects = failure.code === "runner_lost" ? " It may have had effects." : "";
  return { text: `${partial === "" ? "" : `${partial}\n`}[${message}${effects}]`, isError: true };
}

/** Timers and JSON know no infinity. */
function finite(ms: number): number {
  return Math.min(Math.max(Math.round(ms), 1), 2 ** 31 - 1);
}
