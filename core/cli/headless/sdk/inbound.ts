import * as z from "zod/mini";
import type { Image } from "../../../../sdk/api.ts";
import { imageOf } from "../read-images.ts";

/** What an answer to a permission request says. Whatever is none of it is a denial. */
export type Verdict =
  | { behavior: "allow"; keeps: readonly KeptRule[]; updatedInput: unknown }
  | { behavior: "deny"; message: string | undefined; interrupts: boolean };

/** What is to be allowed from now on, as the other side names it. */
export type KeptRule = { toolName: string; ruleContent: string };

export type ControlRequest =
  | { subtype: "initialize"; asks: Initialize }
  | { subtype: "interrupt"; cancelsQueued: boolean }
  | { subtype: "mcp_status" }
  | { subtype: "set_permission_mode"; mode: unknown }
  | { subtype: "set_model"; model: unknown }
  | { subtype: "unsupported"; name: string };

/** What the other side wants of a session when it begins. */
export type Initialize = {
  /** Events that it wants to be called back for. */
  hooks: readonly string[];
  /** Instructions instead of the usual ones, and after them. */
  system: string | undefined;
  append: string | undefined;
  /** Names of fields that mean something there and nothing here. */
  others: readonly string[];
};

export type Inbound =
  | { type: "user"; uuid: string | undefined; text: string; images: readonly Image[]; skipped: number }
  | { type: "control_request"; requestId: string; request: ControlRequest }
  | { type: "control_response"; requestId: string; verdict: Verdict }
  | { type: "control_cancel_request"; requestId: string }
  /** Not understood, and why. */
  | { type: "unknown"; why: string };

/** One line of the other side's. Nothing about it is believed. */
export function parseInbound(line: string): Inbound {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return { type: "unknown", why: `it is no JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  const tagged = Tagged.safeParse(value);
  if (!tagged.success) return { type: "unknown", why: "it has no type" };
  const { type } = tagged.data;
  switch (type) {
    case "user":
      return userOf(value);
    case "control_request": {
      const parsed = Control.safeParse(value);
      if (!parsed.success) return { type: "unknown", why: "a control_request has a request_id, and a request with a subtype" };
      return { type, requestId: parsed.data.request_id, request: requestOf(parsed.data.request) };
    }
    case "control_response": {
      const parsed = Response.safeParse(value);
      if (!parsed.success) return { type: "unknown", why: "a control_response has a response with a request_id" };
      const { response } = parsed.data;
      return { type, requestId: response.request_id, verdict: verdictIn(response) };
    }
    case "control_cancel_request": {
      const parsed = Cancel.safeParse(value);
      if (!parsed.success) return { type: "unknown", why: "a control_cancel_request has a request_id" };
      return { type, requestId: parsed.data.request_id };
    }
    default:
      return { type: "unknown", why: `its type is ${JSON.stringify(type.slice(0, 80))}` };
  }
}

const text = z.string();
const Tagged = z.object({ type: text });
const User = z.object({ uuid: z.optional(z.unknown()), message: z.object({ content: z.union([text, z.array(z.unknown())]) }) });
const TextBlock = z.object({ type: z.literal("text"), text });
const ImageBlock = z.object({ type: z.literal("image"), source: z.object({ type: z.literal("base64"), data: text }) });
const Control = z.object({ request_id: text, request: z.looseObject({ subtype: text }) });
const Response = z.object({
  response: z.looseObject({
    request_id: text,
    subtype: z.optional(z.unknown()),
    behavior: z.optional(z.unknown()),
    response: z.optional(z.unknown()),
  }),
});
const Decided = z.looseObject({ behavior: z.unknown() });
const AddRules = z.object({
  type: z.literal("addRules"),
  behavior: z.literal("allow"),
  rules: z.array(z.object({ toolName: text, ruleContent: text })),
});
const Texts = z.union([text, z.array(text)]);
const Hooks = z.record(text, z.unknown());
const Cancel = z.object({ request_id: text });
const Allow = z.object({
  behavior: z.literal("allow"),
  updatedInput: z.optional(z.unknown()),
  updatedPermissions: z.optional(z.nullable(z.array(z.unknown()))),
});
const Deny = z.object({ behavior: z.literal("deny"), message: z.optional(z.nullable(text)), interrupt: z.optional(z.boolean()) });

function userOf(value: unknown): Inbound {
  const parsed = User.safeParse(value);
  if (!parsed.success) return { type: "unknown", why: "a user line has a message with content" };
  const { content } = parsed.data.message;
  const uuid = typeof parsed.data.uuid === "string" ? parsed.data.uuid : undefined;
  if (typeof content === "string") return { type: "user", uuid, text: content, images: [], skipped: 0 };
  const texts: string[] = [];
  const images: Image[] = [];
  for (const block of content) {
    const said = TextBlock.safeParse(block);
    const shown = ImageBlock.safeParse(block);
    const image = shown.success ? imageOf(shown.data.source.data) : undefined;
    if (said.success) texts.push(said.data.text);
    if (image !== undefined) images.push(image);
  }
  return { type: "user", uuid, text: texts.join("\n"), images, skipped: content.length - texts.length - images.length };
}

function requestOf(request: z.infer<typeof Control>["request"]): ControlRequest {
  switch (request.subtype) {
    case "initialize":
      return { subtype: "initialize", asks: initializeOf(request) };
    case "interrupt":
      return { subtype: "interrupt", cancelsQueued: request.cancel_queued === true };
    case "mcp_status":
      return { subtype: "mcp_status" };
    case "set_permission_mode":
      return { subtype: "set_permission_mode", mode: request.mode };
    case "set_model":
      return { subtype: "set_model", model: request.model ?? null };
    default:
      return { subtype: "unsupported", name: request.subtype };
  }
}

function initializeOf({ subtype: _subtype, hooks, systemPrompt, appendSystemPrompt, ...rest }: Record<string, unknown>): Initialize {
  const events = Hooks.safeParse(hooks ?? {});
  const system = Texts.safeParse(systemPrompt);
  const append = Texts.safeParse(appendSystemPrompt);
  const others = Object.keys(rest).filter((name) => isSomething(rest[name]));
  return {
    // Hooks in another shape may be of any event.
    hooks: events.success ? Object.keys(events.data).filter((event) => isSomething(events.data[event])) : ["*"],
    system: system.success ? textOf(system.data) : undefined,
    append: append.success ? textOf(append.data) : undefined,
    others: [...others, ...(isSomething(systemPrompt) && !system.success ? ["systemPrompt"] : [])],
  };
}

function textOf(given: string | readonly string[]): string | undefined {
  const whole = typeof given === "string" ? given : given.join("\n\n");
  return whole.trim() === "" ? undefined : whole;
}

function isSomething(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== false && value !== "";
}

/** Some programs say it one level deeper. One that says two things, or tells of an error, allows nothing. */
function verdictIn({ subtype, behavior, ...rest }: z.infer<typeof Response>["response"]): Verdict {
  const verdict = verdictOf(behavior === undefined ? rest.response : { ...rest, behavior });
  if (verdict.behavior === "deny") return verdict;
  const isError = subtype !== undefined && subtype !== "success";
  const isTwofold = Decided.safeParse(rest.response).success && verdictOf(rest.response).behavior === "deny";
  return isError || isTwofold ? { behavior: "deny", message: undefined, interrupts: false } : verdict;
}

function verdictOf(body: unknown): Verdict {
  const allow = Allow.safeParse(body);
  if (allow.success) {
    const { updatedInput, updatedPermissions } = allow.data;
    return { behavior: "allow", keeps: keptOf(updatedPermissions ?? []), updatedInput };
  }
  const deny = Deny.safeParse(body);
  if (!deny.success) return { behavior: "deny", message: undefined, interrupts: false };
  return { behavior: "deny", message: deny.data.message ?? undefined, interrupts: deny.data.interrupt ?? false };
}

/** Nothing where not all of it is understood: what goes on to be allowed may be what the rest forbids. */
function keptOf(updates: readonly unknown[]): KeptRule[] {
  const known = z.array(AddRules).safeParse(updates);
  return known.success ? known.data.flatMap(({ rules }) => rules) : [];
}
