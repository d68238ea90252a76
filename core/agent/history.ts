import { type Call, callsOf, noResult, validHistory } from "../session/valid-history.ts";
import type { Message, ToolResultPart } from "./message.ts";

/** The messages of a session as the model gets them: every call has one result, right behind its message. It grows at its end alone; only a compaction replaces it. */
export type History = {
  readonly messages: readonly Message[];
  add(message: Exclude<Message, { role: "tool" }>): void;
  /** The results of the last message's calls, put in the order of the calls. What is missing is an error that says `missing`. Answers what it made up. */
  addResults(results: readonly ToolResultPart[], missing: string): ToolResultPart[];
  hasCall(toolId: string): boolean;
  /** Calls that have no result yet: those of the last message. */
  open(): Call[];
  replace(messages: readonly Message[]): void;
};

export function createHistory(given: readonly Message[] = []): History {
  let messages = validHistory(given).messages;
  const ids = new Set(messages.flatMap(callsOf).map(({ toolId }) => toolId));
  const open = () => {
    const last = messages.at(-1);
    return last === undefined ? [] : callsOf(last);
  };
  return {
    get messages() {
      return messages;
    },
    add(message) {
      messages.push(message);
      for (const { toolId } of callsOf(message)) ids.add(toolId);
    },
    hasCall: (toolId) => ids.has(toolId),
    addResults(given, missing) {
      const calls = open();
      const made: ToolResultPart[] = [];
      const results = calls.map((call) => {
        const result = given.find(({ toolId }) => toolId === call.toolId);
        if (result !== undefined) return result;
        const none = noResult(call, missing);
        made.push(none);
        return none;
      });
      if (results.length > 0) messages.push({ role: "tool", results });
      return made;
    },
    open,
    replace(next) {
      messages = validHistory(next).messages;
    },
  };
}
