import type { Message, ToolResultPart } from "../agent/message.ts";
import { type Call, callsOf, validHistory } from "./valid-history.ts";

/** An assistant's message some of whose calls have no result yet. */
type Batch = { message: Message; calls: readonly Call[]; results: (ToolResultPart | undefined)[]; told: Message | undefined };

export type History = {
  /** Grows in place. The message with the results of calls is another object after each result. */
  messages: readonly Message[];
  add(message: Message): void;
  /** False where no call waits for it; it is then left out. */
  addResult(result: ToolResultPart): boolean;
  splice(head: number, insert: readonly Message[], tail: number): void;
  /** Calls without a result, oldest first. */
  open(): Call[];
};

/** The messages of a session, as its log tells of them: results come one by one, in any order, and stand in that of the calls. */
export function createHistory(): History {
  const messages: Message[] = [];
  let batches: Batch[] = [];

  const addResult = (result: ToolResultPart) => {
    const slotOf = ({ calls, results }: Batch) => calls.findIndex(({ toolId }, i) => toolId === result.toolId && results[i] === undefined);
    const batch = batches.findLast((each) => slotOf(each) !== -1);
    if (batch === undefined) return false;
    batch.results[slotOf(batch)] = result;
    const told: Message = { role: "tool", results: batch.results.filter((each) => each !== undefined) };
    if (batch.told === undefined) messages.splice(messages.lastIndexOf(batch.message) + 1, 0, told);
    else messages[messages.lastIndexOf(batch.told)] = told;
    batch.told = told;
    if (told.results.length === batch.calls.length) batches = batches.filter((each) => each !== batch);
    return true;
  };

  return {
    messages,
    add(message) {
      if (message.role === "tool") {
        for (const result of message.results) addResult(result);
        return;
      }
      messages.push(message);
      const calls = callsOf(message);
      if (calls.length > 0) batches.push({ message, calls, results: calls.map(() => undefined), told: undefined });
    },
    addResult,
    splice(head, insert, tail) {
      const last = Math.max(messages.length - tail, head);
      const { messages: valid } = validHistory([...messages.slice(0, head), ...insert, ...messages.slice(last)]);
      messages.length = 0;
      for (const message of valid) messages.push(message);
      batches = [];
    },
    open: () => batches.flatMap(({ calls, results }) => calls.filter((_, i) => results[i] === undefined)),
  };
}
