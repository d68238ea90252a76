import * as z from "zod/mini";
import type { AssistantPart, Message, ToolResultPart } from "../agent/message.ts";
import type { MessageSource, RunError, Usage } from "../agent/session-event.ts";
import type { Effect } from "../permission/permission.ts";

/** The version of the log's lines. To a log of a later one nothing is added. */
export const LOG_VERSION = 1;

/** The first line of a log. */
export type Header = {
  t: "header";
  v: number;
  id: string;
  model: string;
  /** What drives the session; one that is not known here may be read and not gone on with. */
  backend: string;
  /** Canonical. */
  cwd: string;
  created: string;
  /** Of the first message. */
  title: string;
  forkedFrom?: string | undefined;
};

export type SessionRule = { tool: string; pattern?: string | undefined; effect: Effect };
export type QueuedMessage = { text: string; source: MessageSource };
export type ImageFact = { mediaType: string; bytes: number };
/** `left`: images that were too many for the log. */
type WithImages = { left?: readonly ImageFact[] | undefined };

/** One line of a log. `at` is when it was made, in ISO 8601. */
export type LogRecord =
  | Header
  | ({ t: "message"; at: string; message: Exclude<Message, { role: "tool" }> } & WithImages)
  | ({ t: "result"; at: string; result: ToolResultPart } & WithImages)
  /** The history anew: its first `head` messages, these, its last `tail` ones. */
  | { t: "splice"; at: string; head: number; insert: readonly Message[]; tail: number }
  /** Of each field the last one counts. */
  | {
      t: "meta";
      at: string;
      title?: string | undefined;
      model?: string | undefined;
      context?: { tokens: number; window: number } | undefined;
      rules?: readonly SessionRule[] | undefined;
      queued?: readonly QueuedMessage[] | undefined;
    }
  /** What one or more requests to a model used, in USD at the price of that time; null where none was known. */
  | { t: "usage"; at: string; model: string; usage: Usage; costUsd: number | null }
  | { t: "permission"; at: string; toolId: string; tool: string; decision: "allow" | "deny"; source: string; scopes: readonly string[] }
  /** A run ended. The last three are for lists, which do not read the whole. */
  | { t: "end"; at: string; reason: string; error: RunError | null; title: string; messages: number; costUsd: number | null };

export type RecordOf<Kind extends LogRecord["t"]> = Extract<LogRecord, { t: Kind }>;

const [at, text, count] = [z.string(), z.string(), z.number()];
const costUsd = z.nullable(count);
const images = z.optional(z.array(z.object({ mediaType: text, base64: text })));
const left = z.optional(z.array(z.object({ mediaType: text, bytes: count })));
const provider = z.optional(z.unknown());

const UserMessage = z.object({ role: z.literal("user"), text, images, note: z.optional(text), rewrittenBy: z.optional(text) });
const Part = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text, provider }),
  z.object({ type: z.literal("thinking"), text, provider }),
  z.object({ type: z.literal("call"), toolId: text, tool: text, input: z.unknown(), provider }),
]) satisfies z.ZodMiniType<AssistantPart>;
const AssistantMessage = z.object({ role: z.literal("assistant"), parts: z.array(Part), model: text });
const Result = z.object({ toolId: text, tool: text, text, isError: z.boolean(), images });
const ToolMessage = z.object({ role: z.literal("tool"), results: z.array(Result) });

const Rules = z.array(z.object({ tool: text, pattern: z.optional(text), effect: z.enum(["allow", "ask", "deny"]) }));
const Queued = z.array(z.object({ text, source: z.enum(["terminal", "headless", "acp", "plugin", "mailbox"]) }));
const Tokens = z.object({ input: count, output: count, cacheRead: count, cacheWrite: count });

const kinds = {
  header: z.object({
    t: z.literal("header"),
    v: count,
    id: text,
    model: text,
    backend: text,
    cwd: text,
    created: at,
    title: text,
    forkedFrom: z.optional(text),
  }),
  message: z.object({ t: z.literal("message"), at, message: z.discriminatedUnion("role", [UserMessage, AssistantMessage]), left }),
  result: z.object({ t: z.literal("result"), at, result: Result, left }),
  splice: z.object({
    t: z.literal("splice"),
    at,
    head: count,
    insert: z.array(z.discriminatedUnion("role", [UserMessage, AssistantMessage, ToolMessage])),
    tail: count,
  }),
  meta: z.object({
    t: z.literal("meta"),
    at,
    title: z.optional(text),
    model: z.optional(text),
    context: z.optional(z.object({ tokens: count, window: count })),
    rules: z.optional(Rules),
    queued: z.optional(Queued),
  }),
  usage: z.object({ t: z.literal("usage"), at, model: text, usage: Tokens, costUsd }),
  permission: z.object({
    t: z.literal("permission"),
    at,
    toolId: text,
    tool: text,
    decision: z.enum(["allow", "deny"]),
    source: text,
    scopes: z.array(text),
  }),
  end: z.object({
    t: z.literal("end"),
    at,
    reason: text,
    error: z.nullable(z.object({ code: text, message: text })),
    title: text,
    messages: count,
    costUsd,
  }),
} satisfies { [Kind in LogRecord["t"]]: z.ZodMiniType<RecordOf<Kind>> };

const { header, message, result, splice, meta, usage, permission, end } = kinds;
const Known = z.discriminatedUnion("t", [header, message, result, splice, meta, usage, permission, end]);
const Tagged = z.object({ t: text });

/** One line of a log. `unknown` is of a kind that this version does not have; `broken` is none at all. */
export function parseRecord(line: string): LogRecord | "unknown" | "broken" {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return "broken";
  }
  const known = Known.safeParse(value);
  if (known.success) return known.data;
  const tagged = Tagged.safeParse(value);
  return tagged.success && !Object.hasOwn(kinds, tagged.data.t) ? "unknown" : "broken";
}
