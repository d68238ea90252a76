import type { Agent } from "../../agent/agent.ts";
import type { Backend, Run } from "../../agent/backend.ts";
import type { Spent } from "../../agent/ledger.ts";
import type { Working } from "../../agent/tasks/background.ts";
import type { Host } from "../../host-types.ts";
import type { Session } from "../../session/session.ts";

/** A session that is ready to be driven. */
export type Opened = {
  backend: Backend;
  sessionId: string;
  cwd: string;
  model: string;
  /** Names of the tools that the model is offered. */
  tools: readonly string[];
  /** What each model was used for since the last time it was asked; left out where nobody counts. */
  takeSpent?(): ReadonlyMap<string, Spent>;
  /** Whether all of the session is on the disk. */
  saved(): boolean;
  /** False where the session is deleted in the end anyway: nobody misses what was not saved. */
  keeps?: boolean;
  /** From here on gets the runs that nobody asked for, as those that a report of a job starts. */
  onWake?(listener: (run: Run) => void): void;
  /** From here on told what works in the background, whenever something begins or ends there. */
  onTasks?(listener: (working: readonly Working[]) => void): void;
  /** Whether a call is allowed where everything is that no rule decides. */
  passesYolo?(call: { tool: string; input: Record<string, unknown> }): Promise<boolean>;
  /** Keeps rules that count as long as the session does. */
  addRules?(rules: readonly { tool: string; pattern: string; effect: "allow" | "ask" | "deny" }[]): Promise<void>;
};

/** What a result has to know of the session's log. */
export function savedOf({ saved, keeps = true }: Pick<Opened, "saved" | "keeps">): { saved: boolean; keeps: boolean } {
  return { saved: saved(), keeps };
}

/** The same, with what it is made of. */
export type OpenedHere = Opened & { agent: Agent; host: Host; session: Session };
