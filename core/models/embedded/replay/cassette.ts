import type { LanguageModelV4StreamPart, SharedV4ProviderMetadata } from "@ai-sdk/provider";
import * as z from "zod/mini";

const Text = z.string();
const json = z.json();
const providerMetadata = z.optional(z.custom<SharedV4ProviderMetadata>((value) => z.record(Text, z.record(Text, json)).safeParse(value).success));
const id = Text;
const tokens = z.optional(z.number());

/** Parts of a stream that are kept. What is for debugging alone, and files, are not. */
const StreamPart = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("stream-start"),
    warnings: z.pipe(
      z.unknown(),
      z.transform((): [] => []),
    ),
  }),
  z.object({ type: z.literal("text-start"), id, providerMetadata }),
  z.object({ type: z.literal("text-delta"), id, delta: Text, providerMetadata }),
  z.object({ type: z.literal("text-end"), id, providerMetadata }),
  z.object({ type: z.literal("reasoning-start"), id, providerMetadata }),
  z.object({ type: z.literal("reasoning-delta"), id, delta: Text, providerMetadata }),
  z.object({ type: z.literal("reasoning-end"), id, providerMetadata }),
  z.object({ type: z.literal("tool-input-start"), id, toolName: Text, providerMetadata }),
  z.object({ type: z.literal("tool-input-delta"), id, delta: Text, providerMetadata }),
  z.object({ type: z.literal("tool-input-end"), id, providerMetadata }),
  z.object({ type: z.literal("tool-call"), toolCallId: Text, toolName: Text, input: Text, providerMetadata }),
  z.object({
    type: z.literal("finish"),
    finishReason: z.object({
      unified: z.enum(["stop", "length", "content-filter", "tool-calls", "error", "interrupted", "other"]),
      raw: z.optional(Text),
    }),
    usage: z.object({
      inputTokens: z.object({ total: tokens, noCache: tokens, cacheRead: tokens, cacheWrite: tokens }),
      outputTokens: z.object({ total: tokens, text: tokens, reasoning: tokens }),
    }),
    providerMetadata,
  }),
]);
type StreamPart = z.infer<typeof StreamPart>;

const Failure = z.object({
  name: Text,
  message: Text,
  statusCode: z.optional(z.number()),
  code: z.optional(Text),
  responseHeaders: z.optional(z.record(Text, Text)),
  responseBody: z.optional(Text),
});
export type Failure = z.infer<typeof Failure>;

/** One request and what came back. Times are milliseconds since the part before. */
export const Entry = z.object({
  version: z.literal(1),
  model: Text,
  fingerprint: Text,
  messages: z.array(z.object({ role: Text, hash: Text, start: Text })),
  tools: z.array(Text),
  parts: z.array(
    z.object({ delayMs: z.number().check(z.minimum(0)), part: z.union([StreamPart, z.object({ type: z.literal("error"), error: Failure })]) }),
  ),
  /** Why the request failed before anything streamed, or the stream broke. */
  error: z.optional(Failure),
});
export type Entry = z.infer<typeof Entry>;

/** A part as it is kept; undefined for one that is not. */
export function keptPart(part: LanguageModelV4StreamPart): StreamPart | undefined {
  const parsed = StreamPart.safeParse(part);
  return parsed.success ? parsed.data : undefined;
}

/** A kept part as a model streams it. Keys that were undefined are there again. */
export function streamedPart(part: StreamPart): LanguageModelV4StreamPart {
  if (part.type !== "finish") return part;
  const { inputTokens, outputTokens } = part.usage;
  return {
    ...part,
    finishReason: { unified: part.finishReason.unified, raw: part.finishReason.raw },
    usage: {
      inputTokens: { total: inputTokens.total, noCache: inputTokens.noCache, cacheRead: inputTokens.cacheRead, cacheWrite: inputTokens.cacheWrite },
      outputTokens: { total: outputTokens.total, text: outputTokens.text, reasoning: outputTokens.reasoning },
    },
  };
}
