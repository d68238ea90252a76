import * as z from "zod/mini";
import type { Image } from "../../../../sdk/api.ts";
import { imageOf } from "../read-images.ts";

/** What an answer to a permission request says. Whatever is none of it is a denial. */
export type Verdict =
  | { behavior: "allow"; keeps: boolean; updatedInput: unknown }
  | { behavior: "deny"; message: string | undefined; interrupts: boolean };

export type ControlRequest =
  | { subtype: "initialize"; hasMore: boolean }
  | { subtype: "interrupt" }
  | { subtype: "set_permission_mode"; mode: unknown }
  | { subtype: "set_model"; model: unknown }
  | { subtype: "unsupported"; name: string };

export type Inbound =
  | { type: "user"; text: string; images: readonly Image[]; skipped: number }
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
      // Some programs say it one level deeper.
      return { type, requestId: response.request_id, verdict: verdictOf(response.behavior === undefined ? response.response : response) };
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
const User = z.object({ message: z.object({ content: z.union([text, z.array(z.unknown())]) }) });
const TextBlock = z.object({ type: z.literal("text"), text });
const ImageBlock = z.object({ type: z.literal("image"), source: z.object({ type: z.literal("base64"), data: text }) });
const Control = z.object({ request_id: text, request: z.looseObject({ subtype: text }) });
const Response = z.object({ response: z.looseObject({ request_id: text, behavior: z.optional(z.unknown()), response: z.optional(z.unknown()) }) });
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
  if (typeof content === "string") return { type: "user", text: content, images: [], skipped: 0 };
  const texts: string[] = [];
  const images: Image[] = [];
  for (const block of content) {
    const said = TextBlock.safeParse(block);
    const shown = ImageBlock.safeParse(block);
    const image = shown.success ? imageOf(shown.data.source.data) : undefined;
    if (said.success) texts.push(said.data.text);
    if (image !== undefined) images.push(image);
  }
  return { type: "user", text: texts.join("\n"), images, skipped: content.length - texts.length - images.length };
}

function requestOf(request: z.infer<typeof Control>["request"]): ControlRequest {
  switch (request.subtype) {
    case "initialize":
      return { subtype: "initialize", hasMore: Object.values(request).some((field) => typeof field === "object" && field !== null) };
    case "interrupt":
      return { subtype: "interrupt" };
    case "set_permission_mode":
      return { subtype: "set_permission_mode", mode: request.mode };
    case "set_model":
      return { subtype: "set_model", model: request.model ?? null };
    default:
      return { subtype: "unsupported", name: request.subtype };
  }
}

function verdictOf(body: unknown): Verdict {
  const allow = Allow.safeParse(body);
  if (allow.success) {
    const { updatedInput, updatedPermissions } = allow.data;
    return { behavior: "allow", keeps: (updatedPermissions ?? []).length > 0, updatedInput };
  }
  const deny = Deny.safeParse(body);
  if (!deny.success) return { behavior: "deny", message: undefined, interrupts: false };
  return { behavior: "deny", message: deny.data.message ?? undefined, interrupts: deny.data.interrupt ?? false };
}
