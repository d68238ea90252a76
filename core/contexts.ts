import type { Audience } from "../sdk/contract.ts";
import type { ActiveCall } from "./active-call.ts";
import type { Deadline } from "./deadline.ts";

/** What plugin code is doing when it asks something of the host. */
export type Context = {
  kind: "layer" | "judge" | "tool" | "scopes" | "redactor" | "autocmd" | "base" | "command" | "completion";
  call: ActiveCall | null;
  /** How deeply calls, slots and autocmds made each other. */
  depth: number;
  /** For whom tools are described, where it is that. */
  audience?: Audience;
  /** The `/` command that runs. */
  command?: RunningCommand;
  /** The permission prompt that a layer answers. */
  prompt?: RunningPrompt;
};

/** Layers that answer for a person, for as long as they may. */
export type RunningPrompt = { signal: AbortSignal; remainingMs(): number };

/** A `/` command of a plugin, for as long as it runs. Its clock stops while a person is asked. */
export type RunningCommand = { id: string; tool: { name: string }; sessionId: string; deadline: Deadline };

export type Contexts = {
  /** A key for one piece of work, to be given to isolates. */
  enter(context: Context): { key: string; leave(): void };
  get(key: string | null): Context | undefined;
};

export function createContexts(): Contexts {
  const contexts = new Map<string, Context>();
  let last = 0;
  return {
    enter(context) {
      const key = String(++last);
      contexts.set(key, context);
      return { key, leave: () => void contexts.delete(key) };
    },
    get: (key) => (key === null ? undefined : contexts.get(key)),
  };
}
