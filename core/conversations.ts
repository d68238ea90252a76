import * as z from "zod/mini";
import type { AgentAnswer, AgentTask } from "../sdk/api.ts";
import { MortiseError } from "../sdk/errors.ts";
import { type ActiveCall, readerId } from "./active-call.ts";
import type { Child, ChildCall, ChildRequest, ConsultRequest, Driver } from "./agent/tasks/driver.ts";
import { mayCall } from "./call-for-plugin.ts";
import type { Caller } from "./capabilities/capabilities.ts";
import type { Context, RunningPrompt } from "./contexts.ts";
import { inAudience, type Tool } from "./tools.ts";

/** What plugin code has models say. */
export type Conversations = {
  /** Whether any agent drives the host: tools that need one are there while this is so. */
  isThere(): boolean;
  drive(who: { sessionId: string; taskId?: string }, driver: Driver): () => void;
  /** @throws MortiseError `not_here`, `wrong_argument`, `too_many_requests`, and what the driver throws. */
  open(request: unknown, caller: Caller, context: Context | undefined): Promise<Pick<Child, "id" | "model" | "tier" | "clamped">>;
  /** @throws MortiseError `not_here`, `wrong_argument`, `cancelled`, `deadline_passed`. */
  prompt(id: string, text: string, caller: Caller, context: Context | undefined): Promise<AgentAnswer>;
  close(id: string, caller: Caller): Promise<void>;
  /** Lets one that was opened for the background work there. @throws MortiseError as `prompt`, and `too_many_requests`. */
  start(id: string, text: string, more: string, caller: Caller, context: Context | undefined): Promise<AgentTask>;
  /** Those that the plugin started in the session. @throws MortiseError `not_here`, `not_granted`. */
  tasks(caller: Caller, context: Context | undefined): Promise<AgentTask[]>;
  wait(which: readonly string[], timeoutMs: number, caller: Caller, context: Context | undefined): Promise<AgentTask[]>;
  stop(which: string, caller: Caller, context: Context | undefined): Promise<AgentTask | undefined>;
  /** Ends what a plugin has in the background. */
  endPlugin(plugin: string): Promise<void>;
  /** Closes what a call opened. */
  endCall(toolId: string): Promise<void>;
  /** Closes what layers opened that answered a prompt. */
  endPrompt(prompt: RunningPrompt): Promise<void>;
  /** What those of a call said so far: what is left of a call whose tool was lost. */
  partial(toolId: string): string;
};

type Opened = { plugin: string; call: ActiveCall; prompt: RunningPrompt | undefined; child: Child; background: Driver["background"] };

/** Conversations that one call may have at once, and the layers that answer one prompt. */
const MAX_OPEN = 32;
const MAX_CONSULTED = 4;
const MAX_PROMPT_CHARS = 1_000_000;
/** Of a layer that answers a prompt: a model is not to read for longer than a person would. */
const MAX_CONSULTED_CHARS = 200_000;
const MAX_SCHEMA_CHARS = 100_000;
const DEFAULT_PLACES = 8;

const Amount = z.optional(z.number().check(z.positive()));
const Request = z.object({
  name: z.optional(z.string().check(z.maxLength(80), z.regex(/^(?=.*\S)[^\p{Cc}\u2028\u2029]+$/u))),
  instructions: z.optional(z.string().check(z.maxLength(MAX_PROMPT_CHARS))),
  audience: z.optional(z.enum(["research", "general"])),
  tier: z.optional(z.enum(["weak", "medium", "strong"])),
  outputSchema: z.optional(z.record(z.string(), z.json()).check(z.refine((schema) => JSON.stringify(schema).length <= MAX_SCHEMA_CHARS))),
  limits: z.optional(z.object({ maxTurns: z.optional(z.int().check(z.minimum(1))), maxTokens: Amount, maxCostUsd: Amount, timeoutMs: Amount })),
  live: z.optional(z.boolean()),
  places: z.optional(z.int().check(z.minimum(1), z.maximum(32))),
  model: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  background: z.optional(z.boolean()),
});

export type ConversationsOptions = {
  tools(): readonly Tool[];
  /** Whether the user lets a plugin name the models of its conversations. */
  mayName(plugin: string): boolean;
};

export function createConversations({ tools, mayName }: ConversationsOptions): Conversations {
  const drivers = new Map<string, Driver>();
  const all = new Map<string, Opened>();
  /** How many are being opened, by what they are for. */
  const opening = new WeakMap<object, number>();

  const ownOf = (id: string, { plugin }: Caller): Opened | undefined => {
    const opened = all.get(id);
    return opened?.plugin === plugin ? opened : undefined;
  };
  const of = (toolId: string) => [...all.values()].filter(({ call }) => call.toolId === toolId);
  const pays =
    (caller: Caller) =>
    (name: string): boolean => {
      const tool = tools().find((each) => each.name === name);
      return tool === undefined || mayCall(caller, tool);
    };
  /** Without the price of any of their tools it has no tasks, and gets nothing of those that there were. */
  const backgroundOf = (caller: Caller, context: Context | undefined): NonNullable<Driver["background"]> => {
    const { plugin } = caller;
    const call = context?.command ?? (context?.kind === "tool" ? context.call : undefined);
    const taskId = context?.kind === "tool" ? context.call?.task?.id : undefined;
    const driver = call == null || taskId !== undefined ? undefined : drivers.get(readerId(call.sessionId, undefined));
    if (driver?.background === undefined) throw new MortiseError("not_here", { seen: "agent tasks, since no agent drives this session", plugin });
    const mayUse = pays(caller);
    if (!tools().some((tool) => inAudience(tool, "research") && mayUse(tool.name)))
      throw new MortiseError("not_granted", { seen: `agent tasks with tools, of which ${plugin} pays for none`, plugin });
    return driver.background;
  };
  const childRequest = (
    { name, live = false, places = DEFAULT_PLACES, limits = {}, ...rest }: z.infer<typeof Request>,
    caller: Caller,
  ): ChildRequest => {
    const { plugin } = caller;
    const mayUse = pays(caller);
    const { audience } = rest;
    if (rest.model !== undefined && !mayName(plugin))
      throw new MortiseError("wrong_argument", {
        seen: `agent.session, model: ${plugin} may name none unless its option allowModel is true`,
        plugin,
      });
    if (audience !== undefined && !tools().some((tool) => inAudience(tool, audience) && mayUse(tool.name)))
      throw new MortiseError("not_granted", { seen: `agent.session with tools, of which ${plugin} pays for none`, plugin });
    return { ...rest, name: name ?? plugin, live, places, limits: { ...noLimits, ...limits }, mayUse };
  };
  /** What a tool does not wait for may be opened after its end. */
  const unsettled = new Map<string, Set<Promise<unknown>>>();
  const tracked = async <T>(toolId: string, work: Promise<T>): Promise<T> => {
    const own = unsettled.get(toolId) ?? new Set();
    unsettled.set(toolId, own.add(work));
    try {
      return await work;
    } finally {
      own.delete(work);
      if (own.size === 0) unsettled.delete(toolId);
    }
  };
  const askable = (id: string, text: string, caller: Caller, context: Context | undefined): Opened => {
    const opened = ownOf(id, caller);
    if (opened === undefined || context?.call !== opened.call || context.prompt !== opened.prompt)
      throw new MortiseError("not_here", {
        seen: "agent.prompt of a conversation that is over, or that another call opened",
        plugin: caller.plugin,
      });
    if (text.trim() === "" || text.length > (opened.prompt === undefined ? MAX_PROMPT_CHARS : MAX_CONSULTED_CHARS))
      throw new MortiseError("wrong_argument", { seen: `a prompt of ${text.trim().length} characters`, plugin: caller.plugin });
    return opened;
  };
  const close = async ({ child }: Opened): Promise<void> => {
    all.delete(child.id);
    await child.close();
  };

  return {
    isThere: () => drivers.size > 0,
    drive({ sessionId, taskId }, driver) {
      const key = readerId(sessionId, taskId);
      drivers.set(key, driver);
      return () => {
        if (drivers.get(key) === driver) drivers.delete(key);
      };
    },
    async open(asked, caller, context) {
      const { plugin } = caller;
      const { call, prompt } = placeOf(context, plugin);
      const request = parsed(asked ?? {}, plugin);
      const driver = drivers.get(readerId(call.sessionId, call.task?.id));
      if (driver === undefined) throw new MortiseError("not_here", { seen: "agent.session, since no agent drives this session", plugin });
      const most = prompt === undefined ? MAX_OPEN : MAX_CONSULTED;
      const key = prompt ?? call;
      const open = of(call.toolId).filter((each) => each.prompt === prompt).length + (opening.get(key) ?? 0);
      if (open >= most) throw new MortiseError("too_many_requests", { seen: `${most} conversations in one call`, plugin });
      opening.set(key, (opening.get(key) ?? 0) + 1);
      const begin = async () =>
        prompt === undefined ? driver.open(childRequest(request, caller), childCall(call)) : driver.consult(consultRequest(request, plugin), prompt);
      const work = async () => {
        const child = await begin().finally(() => opening.set(key, (opening.get(key) ?? 1) - 1));
        const opened = { plugin, call, prompt, child, background: request.background === true ? driver.background : undefined };
        all.set(child.id, opened);
        // Ended while it was opened.
        const { signal } = prompt ?? call.deadline;
        if (signal.aborted) {
          await close(opened);
          throw signal.reason;
        }
        const { id, model, tier, clamped } = child;
        return { id, model, tier, clamped };
      };
      return tracked(call.toolId, work());
    },
    prompt: async (id, text, caller, context) => askable(id, text, caller, context).child.prompt(text),
    async start(id, text, more, caller, context) {
      const { plugin } = caller;
      const { child, background, call } = askable(id, text, caller, context);
      // Nobody would learn of it.
      call.deadline.signal.throwIfAborted();
      if (background === undefined) throw new MortiseError("not_here", { seen: "agent.start of a conversation that was not opened for it", plugin });
      const task = background.start({ child, name: child.name, plugin, prompt: text, more });
      all.delete(id);
      return task;
    },
    tasks: async (caller, context) => backgroundOf(caller, context).list(caller.plugin),
    async wait(which, timeoutMs, caller, context) {
      const { call, command } = context ?? {};
      const signal = (command ?? call)?.deadline.signal ?? AbortSignal.abort();
      return backgroundOf(caller, context).wait(caller.plugin, which, timeoutMs, { signal, callId: call?.callerId ?? call?.toolId });
    },
    // The model asks with a tool, and a person with a command.
    stop: async (which, caller, context) => backgroundOf(caller, context).stop(caller.plugin, which, context?.command !== undefined),
    async endPlugin(plugin) {
      await Promise.all([...drivers.values()].map((driver) => driver.background?.endPlugin(plugin)));
    },
    async close(id, caller) {
      const opened = ownOf(id, caller);
      if (opened !== undefined) await close(opened);
    },
    async endCall(toolId) {
      const opens = unsettled.get(toolId);
      if (opens !== undefined) await Promise.allSettled(opens);
      if (all.size > 0) await Promise.all(of(toolId).map(close));
    },
    async endPrompt(prompt) {
      if (all.size > 0) await Promise.all([...all.values()].filter((each) => each.prompt === prompt).map(close));
    },
    partial: (toolId) =>
      of(toolId)
        .map(({ child }) => child.partial())
        .filter((text) => text !== "")
        .join("\n\n"),
  };
}

const noLimits = { maxTurns: undefined, maxTokens: undefined, maxCostUsd: undefined, timeoutMs: undefined };

/** Conversations are for calls, and for layers that answer in a person's place; other layers, judges and redactors are waited for by others. */
function placeOf(context: Context | undefined, plugin: string): Pick<Opened, "call" | "prompt"> {
  if (context !== undefined && context.call !== null && (context.kind === "tool" || context.prompt !== undefined))
    return { call: context.call, prompt: context.prompt };
  throw new MortiseError("not_here", { seen: "agent.session works in tools and in layers of permission.prompt", plugin });
}

function parsed(asked: unknown, plugin: string): z.infer<typeof Request> {
  const result = Request.safeParse(asked);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new MortiseError("wrong_argument", { seen: `agent.session, ${issue?.path.join(".") ?? ""}: ${issue?.message ?? "not valid"}`, plugin });
}

/** Nothing that asks in its turn: a model with tools could need the very permission that it is asked about. */
function consultRequest(
  { audience, outputSchema, model, background, instructions, tier, limits = {} }: z.infer<typeof Request>,
  plugin: string,
): ConsultRequest {
  const seen = "in layers of permission.prompt an agent.session has words alone";
  if (audience !== undefined || outputSchema !== undefined || model !== undefined || background === true)
    throw new MortiseError("not_here", { seen, plugin });
  return { instructions, tier, limits: { ...noLimits, ...limits } };
}

function childCall({ toolId, callerId, depth, audience, cwd, yolo, deadline, live }: ActiveCall): ChildCall {
  return { toolId, callerId, depth, audience, cwd, yolo, live, signal: deadline.signal, remainingMs: deadline.remainingMs, pause: deadline.pause };
}
