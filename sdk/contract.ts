import * as z from "zod/mini";

/**
 * The contract: which slots, autocmds and capabilities exist. One table each.
 * The host's validation, the types of the SDK, capability checks and docs/reference.md are derived from it.
 */

const Text = z.string();
const Json = z.json();

/** What runs under a call: shown to every layer as `ctx`. */
const ToolCtx = z.object({
  tool: Text,
  /** The id of the call, the same at input and output. */
  toolId: Text,
  toolKind: z.optional(Text),
  /** `nested` where `batch`, `code_execution` or `api.tools.call` made the call. */
  origin: z.enum(["model", "nested"]),
  /** `full` where code asked and needs the whole text. */
  outputMode: z.enum(["compact", "full"]),
  sessionId: Text,
  /** The subagent whose call it is. */
  taskId: z.optional(Text),
  /** Milliseconds left for this layer; waiting in `prev` or for a person is free. */
  deadlineMs: z.number(),
  /** Output only: the input that ran. */
  input: z.optional(z.record(Text, Json)),
});

const AgentCtx = z.object({
  sessionId: Text,
  taskId: z.optional(Text),
  model: Text,
  contextSize: z.number(),
  contextWindow: z.number(),
  deadlineMs: z.number(),
});

const Scope = z.object({
  kind: z.enum(["command", "path", "url", "code", "other"]),
  text: Text,
  access: z.optional(z.enum(["read", "write"])),
  /** Of a command: it is known to read files of the project, and to do nothing else. */
  onlyReads: z.optional(z.boolean()),
});

type Schema = z.ZodMiniType;

export type SlotSpec = {
  doc: string;
  /** What the first layer gets. */
  value: Schema;
  ctx: Schema;
  /** What the chain answers; the value's own schema where a layer passes a changed value on. */
  answer: Schema;
  /**
   * The shape a layer's answer is checked for in its isolate, so that a wrong one counts against that layer alone:
   * field name to type, `?` where it may be missing. `record` is any plain object, `any` is any JSON, `sources` a list of sources of completions.
   */
  shape: "record" | "any" | "sources" | Readonly<Record<string, Shape>>;
  /** Which answers besides a value are taken. */
  verdicts: readonly Verdict[];
  /** `tool`: the capability the tool declares, all five where it declares none. `all`: all five. `free`: nothing. `declared`: what its owner set. */
  price: "tool" | "all" | "free" | "declared";
  /** Wall time for the whole chain, in milliseconds, waiting for a person not counted. */
  windowMs: number;
  /** Processor time of one turn of a layer, in milliseconds. */
  sliceMs: number;
  /** Processor time of one layer over the whole call, in milliseconds. */
  budgetMs: number;
  /** Whether judges may stand here too. */
  judged: boolean;
  /** `values` may be changed through `prev`; `fixed`: what `prev` is given is ignored, since a person must see the real thing. */
  passing: "values" | "fixed";
};
export type Verdict = "deny" | "ask" | "respond";
export type Shape = "string" | "string?" | "boolean?" | "number?" | "any?" | "array" | "array?" | "decision";

const Output = z.object({ text: Text, isError: z.boolean(), data: z.optional(Json) });
const Prompt = z.object({
  tool: Text,
  toolId: Text,
  input: z.record(Text, Json),
  scopes: z.array(Scope),
  /** Not all that the call would do is known, or a rule that denies may be about it. */
  forcePrompt: z.boolean(),
});
const Decision = z.object({ decision: z.enum(["allow", "deny"]), guidance: z.optional(Text) });
const UserMessage = z.object({ text: Text, images: z.number(), source: z.enum(["tui", "acp", "headless", "plugin"]) });
const Stop = z.object({ reason: z.enum(["finished", "max_tokens"]), lastMessage: Text, numTurns: z.number() });
const CompactBefore = z.object({
  reason: z.enum(["auto", "overflow", "manual"]),
  contextSize: z.number(),
  usable: z.number(),
  requestInstructions: Text,
});
const CompactPrepare = z.object({
  results: z.array(z.object({ index: z.number(), tool: Text, input: Json, bytes: z.number(), text: Text })),
  budget: z.number(),
  collapse: z.array(z.number()),
});
/** `plugin` is whose it is: `host`, or a plugin. The functions that complete stay in their isolates. */
const Sources = z.array(z.object({ trigger: Text, name: Text, plugin: z.optional(Text) }));

const turn = { sliceMs: 250, budgetMs: 1_000, judged: false, passing: "values" } as const;

export const slots = {
  "tool.*.input": {
    doc: "The input the model wrote, before the schema and before permission. `tool.<name>.input` is for one tool, `tool.*.input` for every tool.",
    value: z.record(Text, Json),
    ctx: ToolCtx,
    answer: z.record(Text, Json),
    shape: "record",
    verdicts: ["deny", "ask", "respond"],
    price: "tool",
    windowMs: 60_000,
    ...turn,
    judged: true,
  },
  "tool.*.output": {
    doc: "The result of a call that ran, failed, or was refused permission. `tool.<name>.output` is for one tool, `tool.*.output` for every tool.",
    value: Output,
    ctx: ToolCtx,
    answer: Output,
    shape: { text: "string", isError: "boolean?", data: "any?" },
    verdicts: ["deny"],
    price: "tool",
    windowMs: 60_000,
    ...turn,
  },
  "permission.prompt": {
    doc: "Answers for a person where rules say ask. Any other answer than a decision leaves the call to the prompt.",
    value: Prompt,
    ctx: ToolCtx,
    answer: Decision,
    shape: { decision: "decision", guidance: "string?" },
    verdicts: ["deny"],
    price: "tool",
    windowMs: 60_000,
    ...turn,
    passing: "fixed",
  },
  "agent.user_message": {
    doc: "A user's message, before the model sees it. A denial drops it.",
    value: UserMessage,
    ctx: AgentCtx,
    answer: z.partial(UserMessage),
    shape: { text: "string" },
    verdicts: ["deny"],
    price: "all",
    windowMs: 30_000,
    ...turn,
  },
  "agent.stop": {
    doc: "The model ended its turn without a tool call. `continue` goes on with that text, three times in a row at most.",
    value: Stop,
    ctx: AgentCtx,
    answer: z.object({ continue: z.optional(Text) }),
    shape: { continue: "string?" },
    verdicts: [],
    price: "all",
    windowMs: 30_000,
    ...turn,
  },
  "agent.compact.before": {
    doc: "Before a compaction. `skip` leaves it out (not on overflow), `instructions` and `continue` are appended.",
    value: CompactBefore,
    ctx: AgentCtx,
    answer: z.object({ skip: z.optional(z.boolean()), instructions: z.optional(Text), continue: z.optional(Text) }),
    shape: { skip: "boolean?", instructions: "string?", continue: "string?" },
    verdicts: ["deny"],
    price: "all",
    windowMs: 30_000,
    ...turn,
  },
  "agent.compact.prepare": {
    doc: "Which older tool results are replaced by a placeholder before summarising: edit `collapse`.",
    value: CompactPrepare,
    ctx: AgentCtx,
    answer: z.object({ collapse: z.array(z.number()) }),
    shape: { collapse: "array" },
    verdicts: [],
    price: "all",
    windowMs: 30_000,
    ...turn,
  },
  "completion.sources": {
    doc: "Sources of completions: each has the character that it begins after, a name, and in its own plugin a function that completes. Each source has the window again for each query.",
    value: Sources,
    ctx: z.object({ sessionId: Text, deadlineMs: z.number() }),
    answer: Sources,
    shape: "sources",
    verdicts: [],
    price: "free",
    windowMs: 1_000,
    ...turn,
  },
} as const satisfies Record<string, SlotSpec>;

/** How a plugin's own slot behaves: its owner's base decides what a value is. */
export const pluginSlot = {
  doc: "A slot that a plugin declares.",
  value: Json,
  ctx: z.object({ sessionId: Text, deadlineMs: z.number() }),
  answer: Json,
  shape: "any",
  verdicts: [],
  price: "declared",
  windowMs: 30_000,
  ...turn,
} as const satisfies SlotSpec;

export type SlotKey = keyof typeof slots;
/** A slot of the host: a tool's own slots stand for their `tool.*` entry. */
export type HostSlot = SlotKey | `tool.${string}.input` | `tool.${string}.output`;

/** The table's entry for a name, or undefined where it is no slot of the host. */
export function slotSpec(name: string): SlotSpec | undefined {
  const key = slotKey(name);
  return key === undefined ? undefined : slots[key];
}

export function slotKey(name: string): SlotKey | undefined {
  if (Object.hasOwn(slots, name)) return name as SlotKey;
  const tool = /^tool\.(.+)\.(input|output)$/.exec(name);
  return tool === null ? undefined : `tool.*.${tool[2] as "input" | "output"}`;
}

/** Names under these belong to the host. */
export const reservedPrefixes = ["tool.", "ui.", "agent.", "permission.", "completion."] as const;

/** Processor time of one turn outside slots, in milliseconds. */
export const slices = { setup: 1_000, tool: 1_000, autocmd: 250, redactor: 250, judge: 250 } as const;

export type AutocmdSpec = {
  doc: string;
  data: Schema;
  /** Fields with content, and the slot a plugin must be able to layer to get them. */
  content: Readonly<Record<string, string>>;
};

const session = { sessionId: Text };
/** Of a subagent, or of a call that one made. */
const task = { taskId: z.optional(Text) };
const usage = z.optional(Json);

export const autocmds = {
  TurnStart: { doc: "A turn of the agent begins.", data: z.object({ ...session, text: z.optional(Text) }), content: { text: "agent.user_message" } },
  TurnEnd: {
    doc: "A turn ended.",
    data: z.object({
      ...session,
      reason: z.enum([
        "finished",
        "max_tokens",
        "max_turns",
        "max_cost",
        "max_total_tokens",
        "timeout",
        "cancelled",
        "dropped",
        "doom_loop",
        "context_budget_exhausted",
      ]),
      usage,
      cost: z.optional(z.number()),
      contextSize: z.optional(z.number()),
      contextWindow: z.optional(z.number()),
      numTurns: z.optional(z.number()),
    }),
    content: {},
  },
  TurnError: { doc: "A turn failed.", data: z.object({ ...session, message: Text }), content: { message: "agent.user_message" } },
  ToolStart: {
    doc: "A tool call passed its input layers and its schema.",
    data: z.object({ ...session, ...task, toolId: Text, tool: Text }),
    content: {},
  },
  ToolDone: {
    doc: "A tool call ended. `input` and `durationMs` are there if it ran.",
    data: z.object({
      ...session,
      ...task,
      toolId: Text,
      tool: Text,
      isError: z.boolean(),
      /** Bytes of the text the model sees. */
      bytes: z.number(),
      ran: z.boolean(),
      stoppedBy: z.optional(Text),
      durationMs: z.optional(z.number()),
      input: z.optional(z.record(Text, Json)),
    }),
    content: { input: "tool.<tool>.input" },
  },
  PermissionDecided: {
    doc: "A permission was decided.",
    data: z.object({ ...session, ...task, toolId: Text, tool: Text, decision: z.enum(["allow", "deny"]), source: Text }),
    content: {},
  },
  PluginLoaded: { doc: "A plugin was loaded or reloaded.", data: z.object({ plugin: Text }), content: {} },
  PluginFailed: { doc: "A plugin failed: a strike, a lost isolate, or a failed load.", data: z.object({ plugin: Text, code: Text }), content: {} },
  PluginUnloaded: { doc: "A plugin was unloaded.", data: z.object({ plugin: Text }), content: {} },
  AutoCompacting: {
    doc: "A compaction begins by itself.",
    data: z.object({ ...session, ...task, contextSize: z.number(), contextWindow: z.number() }),
    content: {},
  },
  CompactionDone: {
    doc: "A compaction ended.",
    data: z.object({
      ...session,
      ...task,
      contextSizeBefore: z.number(),
      contextSizeAfter: z.number(),
      contextWindow: z.number(),
      summary: z.optional(Text),
    }),
    content: { summary: "agent.compact.prepare" },
  },
  SessionReset: { doc: "A session was left behind for a new one.", data: z.object(session), content: {} },
  SessionEnd: {
    doc: "A session ends, as `completed` where what drove it is done and as `reset` or `load` where a person goes on with another one. With `deadlineMs` the host waits, within that one grace for all.",
    data: z.object({
      ...session,
      reason: z.enum(["reset", "load", "delete", "shutdown", "reload", "replaced", "completed"]),
      deadlineMs: z.optional(z.number()),
    }),
    content: {},
  },
  SessionStatusChanged: {
    doc: "A session works, waits for a person, or is idle.",
    data: z.object({ ...session, status: z.enum(["working", "needs_input", "idle"]) }),
    content: {},
  },
  SessionTitleChanged: {
    doc: "A session has another title: that of its first message, to begin with.",
    data: z.object({ ...session, title: z.optional(Text) }),
    content: { title: "agent.user_message" },
  },
  TaskStatusChanged: {
    doc: "A subagent's status changed.",
    data: z.object({ ...session, id: Text, name: z.optional(Text), status: z.enum(["working", "done", "error"]) }),
    content: { name: "agent.user_message" },
  },
  ModelChanged: { doc: "The session's model changed.", data: z.object({ ...session, model: Text, previous: z.optional(Text) }), content: {} },
} as const satisfies Record<string, AutocmdSpec>;

export type AutocmdName = keyof typeof autocmds;

export type CapabilitySpec = {
  doc: string;
  /** What a scope of the grant is. */
  scope: "path" | "host" | "command" | "variable";
  /** Methods of the API it gates. */
  methods: readonly string[];
};

export const capabilities = {
  fs_read: {
    doc: "Reads files and folders.",
    scope: "path",
    methods: [
      "fs.read",
      "fs.readWindow",
      "fs.readBytes",
      "fs.stat",
      "fs.list",
      "fs.glob",
      "fs.search",
      "fs.find",
      "fs.walk",
      "fs.realpath",
      "fs.cwd",
      "fs.places",
    ],
  },
  fs_write: { doc: "Writes, makes and removes files and folders.", scope: "path", methods: ["fs.write", "fs.append", "fs.mkdir", "fs.remove"] },
  net: { doc: "Sends HTTP requests.", scope: "host", methods: ["net.fetch"] },
  run: { doc: "Starts programs.", scope: "command", methods: ["run.exec", "run.start", "run.wait", "run.tail", "run.stop", "run.list"] },
  env: { doc: "Reads environment variables.", scope: "variable", methods: ["env.get"] },
} as const satisfies Record<string, CapabilitySpec>;

export type Capability = keyof typeof capabilities;
export const capabilityNames = Object.keys(capabilities) as Capability[];

/** Methods that cost no capability. */
export const freeMethods = [
  "store.get",
  "store.set",
  "store.delete",
  "store.keys",
  "projectStore.get",
  "projectStore.set",
  "projectStore.delete",
  "projectStore.keys",
  "person.ask",
  "syntax.query",
  "syntax.commands",
  "tools.call",
  "tools.list",
  "tools.keep",
  "agent.session",
  "agent.prompt",
  "agent.close",
  "agent.start",
  "agent.tasks",
  "agent.wait",
  "agent.stop",
  "isolate.run",
  "slots.fire",
  "slots.list",
  "autocmds.exec",
  "autocmds.delete",
  "autocmds.create",
  "autocmds.clear",
  "output.write",
] as const;

/** Who may call a tool. */
export const audiences = ["main", "research", "general", "code"] as const;
export type Audience = (typeof audiences)[number];
