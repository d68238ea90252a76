import { type Code, MortiseError } from "../sdk/errors.ts";
import { type ActiveCall, type CallOrigin, startCall } from "./active-call.ts";
import type { Core } from "./core.ts";
import { finish, refuse } from "./finish.ts";
import type { CallRequest } from "./host-types.ts";
import { checkInput } from "./input.ts";
import { liveOutput } from "./live-output.ts";
import type { ScopeList } from "./permission/permission.ts";
import { plainJson } from "./plain-json.ts";
import type { CallRecord, Cut } from "./record.ts";
import { type Draft, inputStage } from "./stages/input.ts";
import { judgeStage } from "./stages/judges.ts";
import { outputStage } from "./stages/output.ts";
import { permitStage, scopesStage } from "./stages/permit.ts";
import { replaceInput } from "./stages/replace.ts";
import { type Output, runStage } from "./stages/run.ts";
import { findTool } from "./tools.ts";

/** What is known of a call so far. Each step adds to it; `finish` makes the record of it. */
export type Progress = {
  wrote: unknown;
  /** What layers made of it, then the input that runs. */
  input: unknown;
  changed: boolean;
  ran: boolean;
  code: Code | null;
  stopped: CallRecord["stopped"];
  respondedBy: string | null;
  permission: CallRecord["permission"];
  /** What was left out of the text before the model's part is taken. */
  cut: Pick<Cut, "terminalChars" | "capChars">;
};

/**
 * Answers one tool call. Nothing changes the input after its schema was checked: what judges, rules and a person saw is what runs. A person may
 * give another one instead, which is judged in its turn.
 * Never throws: every failure is a record whose text the model can act on.
 * @param origin What made the call, where plugin code did.
 */
export async function callTool(core: Core, request: CallRequest, origin: CallOrigin = {}): Promise<CallRecord> {
  const progress: Progress = {
    wrote: null,
    input: null,
    changed: false,
    ran: false,
    code: null,
    stopped: null,
    respondedBy: null,
    permission: { decision: "none", source: "none", scopes: [] },
    cut: { terminalChars: 0, capChars: 0 },
  };
  let call: ActiveCall;
  const live = liveOutput(core, request);
  try {
    progress.wrote = readInput(request);
    progress.input = progress.wrote;
    const tool = findTool(core.tools(), request.tool, request.audience ?? "main");
    if (origin.audience !== undefined) findTool([tool], tool.name, origin.audience);
    call = startCall(request, tool, core, live.write, origin);
    live.attach(call);
  } catch (error) {
    return refuse(core, request, progress, asError(error), origin.outer);
  }

  const over = core.calls.begin(call);
  try {
    const output = await answer(core, call, progress).catch((error: unknown) => failure(progress, asError(error)));
    // What the tool or a layer started for this call ends with it.
    await Promise.all([core.capabilities.endCall(call.toolId), core.conversations.endCall(call.toolId)]);
    await live.end();
    return await finish(core, call, progress, output);
  } finally {
    call.deadline.dispose();
    call.held?.clear();
    over();
  }
}

/** What the model wrote, as JSON that nobody else holds. What layers could not be shown reaches none: they would be passed over. */
function readInput({ tool, input }: CallRequest): unknown {
  try {
    return plainJson(input);
  } catch (cause) {
    const [why] = (cause instanceof Error ? cause.message : String(cause)).split("\n");
    throw new MortiseError("invalid_input", { seen: `${tool}: ${why}`, cause });
  }
}

async function answer(core: Core, call: ActiveCall, progress: Progress): Promise<Output> {
  const draft = await inputStage(core, call, progress.wrote);
  progress.input = draft.value;
  progress.changed = draft.changed;
  if (draft.kind === "denied") return stop(progress, draft, "layer");

  const input = checkInput(call.tool, draft.value);
  progress.input = input;

  if (draft.kind === "respond") return shown(core, call, progress, await respond(core, call, progress, draft, input), input);

  const judged = await judgeStage(core, call, input);
  const [first] = judged.denied;
  if (first !== undefined) {
    return stop(progress, { plugin: first.plugin, reason: judged.denied.map(({ reason }) => reason).join("\n") }, "judge");
  }

  const list = await scopesStage(core, call, input);
  const decision = await permitStage(core, call, input, list, [...draft.asks, ...judged.asks]);
  progress.permission = decision.record;
  if (!decision.allowed) {
    const ended = decision.denial?.by === "cancelled" ? asError(call.deadline.signal.reason) : undefined;
    progress.code = ended?.code ?? "denied";
    return shown(core, call, progress, { text: ended?.message ?? decision.reason, isError: true }, input);
  }

  if (decision.input === undefined) return shown(core, call, progress, await run(core, call, progress, input, list), input);

  progress.input = decision.input;
  progress.changed = true;
  const replaced = await replaceInput(core, call, decision.input);
  progress.input = replaced.input;
  if (replaced.kind === "stopped") return stop(progress, replaced, "judge");
  if (replaced.kind === "runs") return shown(core, call, progress, await run(core, call, progress, replaced.input, replaced.list), replaced.input);
  progress.permission = replaced.decision.record;
  progress.code = "denied";
  return shown(core, call, progress, { text: replaced.decision.reason, isError: true }, replaced.input);
}

/** The output as its layers leave it. */
async function shown(core: Core, call: ActiveCall, progress: Progress, output: Output, input: Record<string, unknown>): Promise<Output> {
  const { denied, code, cut, ...result } = await outputStage(core, call, output, input);
  progress.cut = cut;
  if (denied !== undefined) progress.stopped = { ...denied, by: "layer" };
  progress.code ??= code ?? null;
  return result;
}

async function run(core: Core, call: ActiveCall, progress: Progress, input: Record<string, unknown>, list: ScopeList): Promise<Output> {
  try {
    const { cut, ...output } = await runStage(core, call, input, list, (ran) => {
      progress.ran = ran;
    });
    if (cut !== undefined) progress.code = cut === "timeout" ? "deadline_passed" : "cancelled";
    // A tool that answered in its grace gave partial output: the call was still cut short.
    if (call.deadline.signal.aborted) progress.code = abortCode(call);
    return output;
  } catch (error) {
    return failure(progress, asError(error));
  }
}

/** Answers for the tool, unless a rule denies what it would have done. */
async function respond(
  core: Core,
  call: ActiveCall,
  progress: Progress,
  draft: Draft & { kind: "respond" },
  input: Record<string, unknown>,
): Promise<Output> {
  const list = await scopesStage(core, call, input);
  const denied = await core.permissions.deniedByRule({ tool: call.tool.name, sessionId: call.sessionId, list });
  if (denied !== undefined) {
    progress.permission = denied.record;
    progress.code = "denied";
    return { text: denied.reason, isError: true };
  }
  progress.respondedBy = draft.plugin;
  return { text: draft.text, isError: false };
}

function stop(progress: Progress, by: { plugin: string; reason: string }, kind: "layer" | "judge"): Output {
  progress.stopped = { plugin: by.plugin, by: kind, reason: by.reason };
  progress.code = "stopped";
  return { text: by.reason, isError: true };
}

function failure(progress: Progress, error: MortiseError): Output {
  progress.code = error.code;
  return { text: error.message, isError: true };
}

function abortCode(call: ActiveCall): Code {
  return asError(call.deadline.signal.reason).code;
}

function asError(error: unknown): MortiseError {
  if (error instanceof MortiseError) return error;
  const seen = error instanceof Error ? error.message : String(error);
  return new MortiseError("internal", { seen, cause: error });
}
