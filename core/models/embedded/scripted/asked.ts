import type { LanguageModelV4CallOptions, LanguageModelV4Prompt, LanguageModelV4ToolResultOutput } from "@ai-sdk/provider";
import * as z from "zod/mini";
import type { Asked, Done } from "./rule.ts";

const Input = z.catch(z.record(z.string(), z.unknown()), {});

/** What a request asks, and everything that the user said before. */
export function askedOf({ prompt, tools = [] }: Pick<LanguageModelV4CallOptions, "prompt" | "tools">): { asked: Asked; earlier: string[] } {
  // Images that tools gave may come in the user's name, without words.
  const last = prompt.findLastIndex((message) => message.role === "user" && textOf(message).trim() !== "");
  const said = prompt.flatMap((message) => (message.role === "user" ? [textOf(message)] : [])).filter((text) => text.trim() !== "");
  return {
    asked: { text: said.at(-1) ?? "", done: doneIn(prompt.slice(last + 1)), tools: new Set(tools.map(({ name }) => name)) },
    earlier: said.slice(0, -1),
  };
}

function textOf(message: Extract<LanguageModelV4Prompt[number], { role: "user" }>): string {
  return message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

function doneIn(messages: LanguageModelV4Prompt): Done[] {
  const calls = new Map<string, { tool: string; input: Record<string, unknown> }>();
  const done: Done[] = [];
  for (const { role, content } of messages) {
    if (role !== "assistant" && role !== "tool") continue;
    for (const part of content) {
      if (part.type === "tool-call") calls.set(part.toolCallId, { tool: part.toolName, input: Input.parse(part.input) });
      if (part.type !== "tool-result") continue;
      done.push({ tool: part.toolName, input: calls.get(part.toolCallId)?.input ?? {}, ...resultOf(part.output) });
    }
  }
  return done;
}

function resultOf(output: LanguageModelV4ToolResultOutput): { text: string; isError: boolean } {
  switch (output.type) {
    case "text":
    case "error-text":
      return { text: output.value, isError: output.type === "error-text" };
    case "json":
    case "error-json":
      return { text: JSON.stringify(output.value), isError: output.type === "error-json" };
    case "execution-denied":
      return { text: output.reason ?? "The call was not allowed.", isError: true };
    case "content":
      return { text: output.value.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n"), isError: false };
  }
}
