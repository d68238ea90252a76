import type { Agent } from "../../agent/agent.ts";
import type { Host } from "../../host-types.ts";
import type { Session } from "../../session/session.ts";

/** What a person types with a slash in front. */
export type ChatCommand = {
  /** Without the slash. */
  name: string;
  description: string;
  /** Who brings it: `mortise`, or the name of a plugin. */
  source: string;
  /** Resolves to what is shown as a notice, if anything. A rejection is shown as an error. `signal` is aborted where the person cancels it. */
  run(args: string, chat: ChatControl, signal: AbortSignal): Promise<string | undefined>;
  /** What its arguments may become. */
  complete?(args: string, chat: ChatControl): Promise<readonly ChatArgument[]>;
};

export type ChatArgument = { value: string; description?: string };

/** What commands may do with the chat that runs. `host`, `agent` and `sessionId` are those of the session that is open now. */
export type ChatControl = {
  host: Host;
  agent: Agent;
  sessionId: string;
  session: Session;
  /** While it is on, what no rule decides is allowed. */
  yolo: { isOn(): boolean; set(on: boolean): void };
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
