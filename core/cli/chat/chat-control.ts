import type { Agent } from "../../agent/agent.ts";
import type { Host } from "../../host-types.ts";

/** What a person types with a slash in front. */
export type ChatCommand = {
  /** Without the slash. */
  name: string;
  description: string;
  /** Who brings it: `mortise`, or the name of a plugin. */
  source: string;
  /** Resolves to what is shown as a notice, if anything. A rejection is shown as an error. */
  run(args: string, chat: ChatControl): Promise<string | undefined>;
};

/** What commands may do with the chat that runs. `host`, `agent` and `sessionId` are those of the session that is open now. */
export type ChatControl = {
  host: Host;
  agent: Agent;
  sessionId: string;
  /** Shows a notice. Nothing in it can steer the terminal. */
  say(text: string): void;
  /** Sends a message as the person would. */
  send(text: string): void;
  newSession(): Promise<void>;
  /** Throws what opening a session throws: `no_session`, `session_locked`. */
  openSession(id: string): Promise<void>;
  setModel(spec: string): Promise<void>;
  /** Summarises the conversation. Resolves once that is over. */
  compact(words: string): Promise<void>;
  exit(): void;
  /** Empties the screen. The conversation stays. */
  clear(): void;
};
