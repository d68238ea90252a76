import type { AssistantPart, Message, ToolResultPart } from "../agent/message.ts";

export type Call = Extract<AssistantPart, { type: "call" }>;
type ToolMessage = Extract<Message, { role: "tool" }>;

/** What stands for a result that never came. */
export const NO_RESULT = "The session was interrupted before this call had a result. It may have had effects.";

/**
 * A history that every model takes: each call has one result right after its message, in the order of the calls.
 * What is missing is an error that says so, results without a call are left out, and messages that were right are the same objects.
 */
export function validHistory(messages: readonly Message[], missing: string = NO_RESULT): { messages: Message[]; closed: number; dropped: number } {
  const valid: Message[] = [];
  let [closed, dropped] = [0, 0];
  for (let i = 0; i < messages.length; i++) {
    const message = messages[i];
    if (message === undefined) continue;
    if (message.role === "tool") {
      dropped += message.results.length;
      continue;
    }
    valid.push(message);
    const calls = callsOf(message);
    if (calls.length === 0) continue;
    const next = messages[i + 1];
    const given = next?.role === "tool" ? next : undefined;
    if (given !== undefined) i++;
    const left = [...(given?.results ?? [])];
    const results = calls.map((call) => {
      const at = left.findIndex(({ toolId }) => toolId === call.toolId);
      if (at === -1) closed++;
      return left.splice(at, at === -1 ? 0 : 1)[0] ?? noResult(call, missing);
    });
    dropped += left.length;
    valid.push(given !== undefined && isSame(given, results) ? given : { role: "tool", results });
  }
  return { messages: valid, closed, dropped };
}

export function callsOf(message: Message): Call[] {
  return message.role === "assistant" ? message.parts.filter((part) => part.type === "call") : [];
}

export function noResult({ toolId, tool }: Call, text: string = NO_RESULT): ToolResultPart {
  return { toolId, tool, text, isError: true };
}

function isSame(message: ToolMessage, results: readonly ToolResultPart[]): boolean {
  return message.results.length === results.length && results.every((result, i) => message.results[i] === result);
}
