import type { ModelMessage, ToolSet } from "ai";
import * as z from "zod/mini";
import type { Image } from "../../sdk/api.ts";
import type { ToolInfo } from "../host-types.ts";
import type { AssistantPart, Message } from "./message.ts";
import { meanwhile, observed } from "./notes.ts";

type SdkPart = Exclude<Extract<ModelMessage, { role: "assistant" }>["content"], string>[number];
type UserPart = Exclude<Extract<ModelMessage, { role: "user" }>["content"], string>[number];

/** What a model can be told: another model's thinking says nothing to it, and not every one sees images. */
export type Reader = { readonly id: string; readonly images: boolean };

const Provider = z.record(z.string(), z.record(z.string(), z.json()));
const known = new WeakMap<Message, { id: string; images: boolean; thinking: boolean; made: readonly ModelMessage[] }>();

/** Messages as the SDK takes them. Images of results follow in a message of their own, since most servers take none in a result. */
export function toSdk(
  messages: readonly Message[],
  { id, images }: Reader,
  keepsThinking: (message: Message) => boolean = () => true,
): ModelMessage[] {
  const all: ModelMessage[] = [];
  for (const message of messages) {
    const before = known.get(message);
    const thinking = keepsThinking(message);
    if (before?.id === id && before.images === images && before.thinking === thinking) {
      for (const each of before.made) all.push(each);
      continue;
    }
    const made = convert(message, { id, images }, thinking);
    known.set(message, { id, images, thinking, made });
    for (const each of made) all.push(each);
  }
  return all;
}

function convert(message: Message, reader: Reader, thinking: boolean): ModelMessage[] {
  switch (message.role) {
    case "user":
      return [{ role: "user", content: [...textPart(userText(message)), ...imageParts(message.images, reader)] }];
    case "assistant": {
      const parts = message.parts.flatMap((part) => assistantPart(part, message.model === reader.id, thinking));
      // No server takes an answer of nothing.
      return [
        { role: "assistant", content: parts.some(({ type }) => type !== "reasoning") ? parts : [...parts, { type: "text", text: "(no answer)" }] },
      ];
    }
    case "tool": {
      const pictured = message.results.filter(({ images = [] }) => images.length > 0);
      return [
        {
          role: "tool",
          content: message.results.map(({ toolId, tool, text, isError }) => ({
            type: "tool-result",
            toolCallId: toolId,
            toolName: tool,
            output: { type: isError ? "error-text" : "text", value: text },
          })),
        },
        ...(pictured.length === 0
          ? []
          : [
              {
                role: "user" as const,
                content: pictured.flatMap(({ tool, toolId, images }) => [
                  { type: "text" as const, text: `Images of the result of ${tool} (${toolId}):` },
                  ...imageParts(images, reader),
                ]),
              },
            ]),
      ];
    }
  }
}

function userText({ text, note }: Extract<Message, { role: "user" }>): string {
  return note === "meanwhile" ? meanwhile(text) : note === "mailbox" ? observed(text) : text;
}

function assistantPart(part: AssistantPart, isOwn: boolean, thinking: boolean): SdkPart[] {
  // What is said about thinking that is gone would be refused too.
  const provider = isOwn && thinking ? Provider.safeParse(part.provider) : undefined;
  const options = provider?.success === true ? { providerOptions: provider.data } : {};
  switch (part.type) {
    case "text":
      return part.text === "" ? [] : [{ type: "text", text: part.text, ...options }];
    case "thinking":
      return isOwn && thinking ? [{ type: "reasoning", text: part.text, ...options }] : [];
    case "call":
      return [{ type: "tool-call", toolCallId: part.toolId, toolName: part.tool, input: part.input ?? {}, ...options }];
  }
}

function textPart(text: string): UserPart[] {
  return text === "" ? [] : [{ type: "text", text }];
}

function imageParts(images: readonly Image[] = [], { images: sees }: Reader): UserPart[] {
  if (!sees) return images.map(({ mediaType }) => ({ type: "text", text: `[an image, ${mediaType}: this model takes none]` }));
  return images.map(({ mediaType, base64 }) => ({ type: "file", mediaType, data: { type: "data", data: base64 } }));
}

/** Tools as the SDK takes them, without anything that runs them: it must not. */
export async function toSdkTools(tools: readonly ToolInfo[]): Promise<ToolSet> {
  const { jsonSchema } = await import("ai");
  return Object.fromEntries(tools.map(({ name, description, inputSchema }) => [name, { description, inputSchema: jsonSchema(inputSchema) }]));
}

/** Models prefix names now and then. */
export function toolName(name: string): string {
  return name.startsWith("functions.") ? name.slice("functions.".length) : name;
}
