import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import * as texts from "./denial.ts";
import { allowRules, denyRules } from "./generalise.ts";
import { aborted, type Lock } from "./lock.ts";
import type { Asker, PermissionRecord, PromptAnswer, Scope, ScopeList, Verdict } from "./permission.ts";
import { recordOf } from "./record-of.ts";

/** What a `permission.prompt` chain answered; undefined leaves the call to the prompt. */
export type LayerDecision = { decision: "allow" | "deny"; plugin: string; guidance?: string } | undefined;
/** `person` is the prompt itself, the base of the chain: once it was shown its answer counts, whatever the layers make of it. */
export type AskLayers = (
  request: { tool: string; toolId: string; input: Record<string, unknown>; scopes: Scope[]; forcePrompt: boolean },
  person: () => Promise<Decision>,
) => Promise<LayerDecision>;

export type DecideRequest = {
  tool: string;
  toolId: string;
  callerId?: string;
  parent?: { tool: string; toolId: string };
  sessionId: string;
  /** The subagent that makes the call. */
  task?: { id: string; name: string };
  input: Record<string, unknown>;
  list: ScopeList;
  /** What layers and judges that answered `ask` said. */
  reasons: readonly { plugin: string; reason: string }[];
  /** Overrides the policy's. */
  yolo?: boolean;
  signal: AbortSignal;
  /** The `permission.prompt` chain for this call. It is not asked where `reasons` is not empty or a scope is protected. */
  askLayers?: AskLayers;
  /** Told when a person begins and ends to be waited for: the call's clock stops meanwhile. */
  onWaiting?(waiting: boolean): void;
};

export type Denial = {
  by: "rule" | "default" | "layer" | "person" | "nobody" | "cancelled";
  /** The plugin, where `by` is `layer`. */
  plugin?: string;
  /** A person's or layer's own words. */
  guidance?: string;
};

export type Decision = {
  allowed: boolean;
  /** For the model, where it was denied; else empty. */
  reason: string;
  record: PermissionRecord;
  denial?: Denial;
  /** What a person allowed instead of the input. Nothing about it has been judged. */
  input?: Record<string, unknown>;
};

/** What deciding needs of its host. */
export type Deciding = {
  /** Canonical; looked up only where a rule is suggested. */
  project(): Promise<string>;
  evaluate(request: DecideRequest): Promise<Verdict>;
  ask: Asker | undefined;
  lock: Lock;
  /** Keeps what an `always` answer stores. */
  remember(layer: "session" | "project" | "user", sessionId: string, rules: ReturnType<typeof allowRules>): Promise<void>;
};

const Layer = z.enum(["session", "project", "user"]);
const Answer = z.discriminatedUnion("decision", [
  z.object({ decision: z.literal("allow"), remember: z.optional(Layer), input: z.optional(z.record(z.string(), z.unknown())) }),
  z.object({ decision: z.literal("deny"), guidance: z.optional(z.string()), remember: z.optional(Layer) }),
]);

/** Decides a call: by rules, then layers, then a person. Whatever is no clear yes is a denial. */
export async function decide(request: DecideRequest, deciding: Deciding): Promise<Decision> {
  const verdict = await deciding.evaluate(request);
  const settled = settle(request, verdict);
  if (settled !== undefined) return settled;
  let asked: Promise<Decision> | undefined;
  const person = () => {
    asked ??= prompt(request, verdict, deciding);
    return asked;
  };
  const byLayer = await askLayers(request, verdict, person, deciding);
  return asked ?? byLayer ?? person();
}

/** The prompt, or a denial where nobody can answer. */
async function prompt(request: DecideRequest, verdict: Verdict, deciding: Deciding): Promise<Decision> {
  if (deciding.ask === undefined) return nobody(request, verdict, deciding);
  request.onWaiting?.(true);
  try {
    const release = await deciding.lock(request.signal);
    if (release === undefined) return cancelled(request, verdict);
    try {
      // An answer to the call before may have settled this one.
      const now = await deciding.evaluate(request);
      return settle(request, now) ?? (await askPerson(request, now, deciding, deciding.ask));
    } finally {
      release();
    }
  } finally {
    request.onWaiting?.(false);
  }
}

/** What needs nobody's answer. */
export function settle({ tool, reasons, signal, ...request }: DecideRequest, verdict: Verdict): Decision | undefined {
  if (verdict.kind === "deny") {
    const reason =
      verdict.source === "rule"
        ? texts.deniedByRule(tool, verdict.scopes)
        : texts.deniedByDefault(
            tool,
            request.list.scopes.filter((scope) => !scope.passive),
          );
    return { allowed: false, reason, record: recordOf("deny", verdict.source, verdict.scopes), denial: { by: verdict.source } };
  }
  if (signal.aborted) return cancelled({ tool }, verdict);
  if (verdict.kind === "allow" && reasons.length === 0)
    return { allowed: true, reason: "", record: recordOf("allow", verdict.source, verdict.scopes) };
  return undefined;
}

async function askLayers(
  request: DecideRequest,
  verdict: Verdict,
  person: () => Promise<Decision>,
  deciding: Deciding,
): Promise<Decision | undefined> {
  const { tool, toolId, input, reasons } = request;
  const pending = pendingOf(request, verdict);
  if (request.askLayers === undefined || reasons.length > 0 || pending.some((scope) => scope.protected)) return undefined;
  const scopes = pending.map(({ kind, text, access }): Scope => ({ kind, text, ...(access === undefined ? {} : { access }) }));
  const answer = await request
    .askLayers({ tool, toolId, input, scopes, forcePrompt: verdict.kind !== "ask" || verdict.forced }, person)
    .catch(() => undefined);
  if (request.signal.aborted) return cancelled(request, verdict);
  if (answer === undefined) return undefined;
  const { decision, plugin, guidance } = answer;
  const record = recordOf(decision, `layer:${plugin}`, verdict.scopes);
  if (decision === "allow") return (await deniedMeanwhile(request, deciding)) ?? { allowed: true, reason: "", record };
  return {
    allowed: false,
    reason: texts.deniedByAnswer(plugin, tool, pending, guidance),
    record,
    denial: { by: "layer", plugin, ...(guidance === undefined ? {} : { guidance }) },
  };
}

async function askPerson(request: DecideRequest, verdict: Verdict, deciding: Deciding, ask: Asker): Promise<Decision> {
  const { tool, toolId, callerId, parent, task, sessionId, input, reasons, signal, list } = request;
  const caller = {
    ...(callerId === undefined ? {} : { callerId }),
    ...(parent === undefined ? {} : { parent }),
    ...(task === undefined ? {} : { task }),
  };
  const pending = pendingOf(request, verdict);
  // A rule would answer neither a plugin's question nor what is not understood.
  const lasting = reasons.length === 0 && verdict.kind === "ask" && !verdict.forced;
  const project = lasting ? await deciding.project() : "";
  const suggestions = lasting ? allowRules(tool, pending, project) : [];
  const asksAgain = lasting ? pending.filter((scope) => allowRules(tool, [scope], project).length === 0) : pending;
  const denials = list.unparseable ? [] : denyRules(tool, pending);
  const asked = Promise.resolve().then(() =>
    ask({
      id: randomUUID(),
      tool,
      toolId,
      ...caller,
      sessionId,
      input,
      scopes: pending,
      reasons: [...reasons],
      suggestions,
      asksAgain,
      denials,
      signal,
    }),
  );
  const said = await Promise.race([asked.catch(() => undefined), aborted(signal)]);
  if (signal.aborted) return cancelled(request, verdict);
  const answer = answerOf(said);
  if (answer === undefined) return nobody(request, verdict, deciding);
  const replaced = answer.decision === "allow" && answer.input !== undefined ? { input: answer.input } : undefined;
  if (answer.remember !== undefined && replaced === undefined)
    await deciding.remember(answer.remember, sessionId, answer.decision === "allow" ? suggestions : denials);
  if (answer.decision === "allow") {
    const record = recordOf("allow", "person", verdict.scopes);
    return (await deniedMeanwhile(request, deciding)) ?? { allowed: true, reason: "", record, ...replaced };
  }
  const { guidance } = answer;
  return {
    allowed: false,
    reason: texts.deniedByAnswer("The user", tool, pending, guidance),
    record: recordOf("deny", "person", verdict.scopes),
    denial: { by: "person", ...(guidance === undefined ? {} : { guidance }) },
  };
}

/** What was denied while a layer or a person made up their mind stays denied. */
async function deniedMeanwhile(request: DecideRequest, deciding: Deciding): Promise<Decision | undefined> {
  const now = await deciding.evaluate(request);
  return now.kind === "deny" ? settle(request, now) : undefined;
}

async function nobody(request: DecideRequest, verdict: Verdict, deciding: Deciding): Promise<Decision> {
  const { tool, list, reasons } = request;
  const reason = texts.nobodyThere({
    tool,
    pending: pendingOf(request, verdict),
    decisions: verdict.scopes,
    forced: verdict.kind === "ask" && verdict.forced,
    reason: list.reason,
    reasons,
    project: await deciding.project(),
    understood: verdict.kind !== "ask" || verdict.understood,
  });
  return { allowed: false, reason, record: recordOf("deny", "nobody", verdict.scopes), denial: { by: "nobody" } };
}

function cancelled({ tool }: { tool: string }, verdict: Verdict): Decision {
  return { allowed: false, reason: texts.cancelled(tool), record: recordOf("deny", "cancelled", verdict.scopes), denial: { by: "cancelled" } };
}

/** Where a plugin asks, a person sees all of the call. */
function pendingOf({ list, reasons }: DecideRequest, verdict: Verdict): Scope[] {
  if (verdict.kind === "ask" && reasons.length === 0) return verdict.pending;
  return list.scopes.filter((scope) => !scope.passive);
}

/** Undefined for what is no answer, which nobody gave. */
function answerOf(said: unknown): PromptAnswer | undefined {
  const answer = parsed(said);
  if (answer === undefined) return undefined;
  const remember = answer.remember === undefined ? {} : { remember: answer.remember };
  if (answer.decision === "allow") return { decision: "allow", ...remember, ...(answer.input === undefined ? {} : { input: answer.input }) };
  return { decision: "deny", ...remember, ...(answer.guidance === undefined ? {} : { guidance: answer.guidance }) };
}

function parsed(said: unknown): z.infer<typeof Answer> | undefined {
  try {
    return Answer.safeParse(said).data;
  } catch {
    // A getter of its own may throw.
    return undefined;
  }
}
