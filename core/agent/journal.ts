import type { Message, ToolResultPart } from "./message.ts";
import type { RunEnd, RunError, Usage } from "./session-event.ts";

/** Keeps a session as things happen: what was given is kept once the promise resolves. A log of a session is one. */
export type Journal = {
  append(message: Message): Promise<void>;
  /** One result of a call, when it is done, in whichever order. */
  addResult(result: ToolResultPart): Promise<void>;
  addUsage(model: string, usage: Usage, costUsd: number | null): Promise<void>;
  addPermission(decision: { toolId: string; tool: string; decision: "allow" | "deny"; source: string; scopes: readonly string[] }): Promise<void>;
  set(fields: { model?: string; context?: { tokens: number; window: number } }): Promise<void>;
  /** Another history, as after compaction. */
  replace(messages: readonly Message[]): Promise<void>;
  end(reason: RunEnd, error: RunError | null): Promise<void>;
};

export const noJournal: Journal = {
  append: async () => {},
  addResult: async () => {},
  addUsage: async () => {},
  addPermission: async () => {},
  set: async () => {},
  replace: async () => {},
  end: async () => {},
};
