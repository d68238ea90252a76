import { createHash } from "node:crypto";
import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { type Clean, createClean } from "../../clean-text.ts";

/** A message of a request, as it is compared, and how it begins. */
export type MessagePrint = { role: string; hash: string; start: string };

export type RequestPrint = {
  /** Of the messages and the tools' names. */
  fingerprint: string;
  messages: MessagePrint[];
  tools: string[];
};

const START_CHARS = 160;

/**
 * What makes two requests the same: messages but those of the system, which name folders and days, and the names of the tools.
 * Ids of calls, what providers keep for themselves, and secrets make no difference.
 */
export function printOf(
  { prompt, tools = [] }: Pick<LanguageModelV4CallOptions, "prompt" | "tools">,
  clean: Clean = createClean({}),
  cwd?: string,
): RequestPrint {
  const plainText: Clean = (text) => clean(cwd === undefined ? text : text.replaceAll(cwd, "<cwd>"));
  const ids = new Map<string, string>();
  const messages = prompt
    .filter(({ role }) => role !== "system")
    .map((message) => {
      const text = plainText(JSON.stringify(normalised(message, ids)));
      return { role: message.role, hash: hashOf(`${message.role}\n${text}`), start: startOf(message, plainText) };
    });
  const names = tools.map(({ name }) => name).sort();
  return { fingerprint: hashOf(JSON.stringify([messages.map(({ hash }) => hash), names])), messages, tools: names };
}

/** Parts as plain values with sorted keys, calls numbered in order, and nothing that only their provider reads. */
function normalised({ content }: LanguageModelV4Prompt[number], ids: Map<string, string>): unknown {
  const id = (given: string) => {
    const known = ids.get(given) ?? `call ${ids.size + 1}`;
    ids.set(given, known);
    return known;
  };
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plain);
    if (value instanceof Uint8Array || value instanceof URL) return hashOf(value instanceof URL ? value.href : value);
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value)
      .filter(([key]) => key !== "providerOptions")
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([key, inner]) => [key, key === "toolCallId" && typeof inner === "string" ? id(inner) : plain(inner)]));
  };
  return plain(content);
}

function startOf({ content }: LanguageModelV4Prompt[number], clean: Clean): string {
  const [first] = typeof content === "string" ? [] : content;
  const text = typeof content === "string" ? content : first?.type === "text" ? first.text : JSON.stringify(first ?? "");
  return clean(text).replace(/\s+/g, " ").slice(0, START_CHARS);
}

function hashOf(value: string | Uint8Array): string {
  return createHash("sha256").update(value).digest("hex").slice(0, 32);
}
