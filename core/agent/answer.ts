import type { FinishReason } from "ai";
import type { AssistantPart } from "./message.ts";
import { toolName } from "./sdk-messages.ts";
import type { Usage } from "./session-event.ts";

/** What one request has brought so far. */
export type Answer = {
  readonly parts: readonly AssistantPart[];
  /** Calls that are not to be run, by id, and why: their input is not whole, or no JSON. */
  readonly broken: ReadonlyMap<string, string>;
  finish: FinishReason | undefined;
  usage: Usage;
  text(): string;
};

export type AnswerBuilder = Answer & {
  begin(type: "text" | "thinking", id: string): void;
  add(id: string, delta: string, provider: unknown): void;
  /** What the provider wants back with the part, which may come with its end. */
  mark(id: string, provider: unknown): void;
  /** Answers the id and the name that the call goes by. */
  beginCall(id: string, tool: string): { toolId: string; tool: string };
  addInput(id: string, delta: string): void;
  call(call: { id: string; tool: string; input: unknown; isInvalid: boolean; provider: unknown }): void;
  /** Nothing more comes. Calls that were begun and never ended are broken. */
  end(finish: FinishReason, usage: Usage): void;
};

type Begun = { toolId: string; tool: string; input: string; ended: boolean };

/** @param isTaken Whether a call of the conversation has this id: some servers begin to count anew with each answer. */
export function createAnswer(isTaken: (toolId: string) => boolean = () => false): AnswerBuilder {
  const parts: AssistantPart[] = [];
  const texts = new Map<string, { type: "text" | "thinking"; text: string; provider?: unknown }>();
  /** By the provider's id, then all of them. */
  const calls = new Map<string, Begun>();
  const begunCalls: Begun[] = [];
  const taken = new Set<string>();
  const broken = new Map<string, string>();

  const beginText = (type: "text" | "thinking", id: string) => {
    const part = { type, text: "" };
    texts.set(id, part);
    parts.push(part);
  };
  /** Some servers use an id twice, and a result must belong to one call. */
  const free = (id: string): string => {
    const name = id === "" ? "call" : id;
    let own = name;
    for (let number = 2; taken.has(own) || isTaken(own); number++) own = `${name}_${number}`;
    taken.add(own);
    return own;
  };

  const answer: AnswerBuilder = {
    parts,
    broken,
    finish: undefined,
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    text: () => parts.map((part) => (part.type === "text" ? part.text : "")).join(""),
    begin: beginText,
    add(id, delta, provider) {
      const part = texts.get(id);
      if (part === undefined) return;
      part.text += delta;
      if (provider !== undefined) part.provider = provider;
    },
    mark(id, provider) {
      const part = texts.get(id);
      if (part !== undefined && provider !== undefined) part.provider = provider;
    },
    beginCall(id, tool) {
      const begun = { toolId: free(id), tool: toolName(tool), input: "", ended: false };
      calls.set(id, begun);
      begunCalls.push(begun);
      return begun;
    },
    addInput(id, delta) {
      const begun = calls.get(id);
      if (begun !== undefined) begun.input += delta;
    },
    call({ id, tool, input, isInvalid, provider }) {
      const begun = calls.get(id);
      const toolId = begun === undefined || begun.ended ? free(id) : begun.toolId;
      if (begun !== undefined) begun.ended = true;
      const isText = isInvalid && typeof input === "string";
      // What is sent back has to be an object.
      parts.push({ type: "call", toolId, tool: toolName(tool), input: isText ? {} : input, ...(provider === undefined ? {} : { provider }) });
      if (isText) broken.set(toolId, `The input is no JSON, so the call was not run: ${cut(input)}`);
    },
    end(finish, usage) {
      answer.finish = finish;
      answer.usage = usage;
      for (const [id, begun] of calls)
        if (!begun.ended) answer.call({ id, tool: begun.tool, input: begun.input, isInvalid: true, provider: undefined });
      if (finish !== "length") return;
      const last = parts.findLast((part) => part.type === "call");
      if (last !== undefined && (broken.has(last.toolId) || !isWhole(begunCalls.find(({ toolId }) => toolId === last.toolId)?.input)))
        broken.set(last.toolId, "The answer was cut off before the input of this call was whole, so it was not run. Write less at once.");
    },
  };
  return answer;
}

/** Some providers take the little that came of an input for no input at all. */
function isWhole(input: string | undefined): boolean {
  if (input === undefined) return true;
  try {
    JSON.parse(input);
    return true;
  } catch {
    return false;
  }
}

function cut(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200)}...`;
}
