import * as z from "zod/mini";
import type { ProviderKind } from "../../core/models/providers/provider-table.ts";
import type { SeenRequest } from "./model-server.ts";

const Any = z.record(z.string(), z.unknown());
const List = z.array(Any);

/** What a provider would refuse of a request: calls without results, results without calls, empty texts, the same role twice. Undefined where it would take it. */
export function faultOf(kind: ProviderKind, { body }: SeenRequest): string | undefined {
  const { calls, results, texts, roles } = readers[kind](body);
  const unanswered = calls.filter((id) => results.filter((other) => other === id).length !== calls.filter((other) => other === id).length);
  if (unanswered.length > 0) return `calls without their result: ${unanswered.join(", ")}`;
  const unasked = results.filter((id) => !calls.includes(id));
  if (unasked.length > 0) return `results without a call: ${unasked.join(", ")}`;
  if (texts.some((text) => text.trim() === "")) return "text content must be non-empty";
  if (roles.some((role, at) => at > 0 && role === roles[at - 1])) return `roles must alternate: ${roles.join(" ")}`;
  return undefined;
}

type Seen = { calls: string[]; results: string[]; texts: string[]; roles: string[] };

/** Ids of calls and results. Gemini has none: there each call is followed by one result of its name. */
const readers: Readonly<Record<ProviderKind, (body: Record<string, unknown>) => Seen>> = {
  "openai-compatible": (body) => {
    const messages = List.parse(body.messages);
    return {
      calls: messages.flatMap(({ tool_calls: calls }) => List.parse(calls ?? []).map(({ id }) => String(id))),
      results: messages.flatMap(({ role, tool_call_id: id }) => (role === "tool" ? [String(id)] : [])),
      texts: messages.flatMap(({ content, role }) => (typeof content === "string" && role === "user" ? [content] : [])),
      roles: [],
    };
  },
  anthropic: (body) => {
    const messages = List.parse(body.messages);
    const blocks = messages.flatMap(({ content }) => (typeof content === "string" ? [{ type: "text", text: content }] : List.parse(content)));
    return {
      calls: blocks.flatMap(({ type, id }) => (type === "tool_use" ? [String(id)] : [])),
      results: blocks.flatMap(({ type, tool_use_id: id }) => (type === "tool_result" ? [String(id)] : [])),
      texts: blocks.flatMap(({ type, text }) => (type === "text" ? [String(text)] : [])),
      roles: messages.map(({ role }) => String(role)),
    };
  },
  openai: (body) => {
    const items = List.parse(body.input);
    return {
      calls: items.flatMap(({ type, call_id: id }) => (type === "function_call" ? [String(id)] : [])),
      results: items.flatMap(({ type, call_id: id }) => (type === "function_call_output" ? [String(id)] : [])),
      texts: items.flatMap(({ content }) =>
        Array.isArray(content) ? List.parse(content).flatMap(({ text }) => (text === undefined ? [] : [String(text)])) : [],
      ),
      roles: [],
    };
  },
  google: (body) => {
    const contents = List.parse(body.contents);
    const parts = contents.flatMap(({ parts }) => List.parse(parts));
    const names = (field: string) => parts.flatMap((part) => (part[field] === undefined ? [] : [String(Any.parse(part[field]).name)]));
    return {
      calls: names("functionCall"),
      results: names("functionResponse"),
      texts: parts.flatMap(({ text }) => (text === undefined ? [] : [String(text)])),
      roles: [],
    };
  },
};
