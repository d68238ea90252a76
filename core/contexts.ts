import type { Audience } from "../sdk/contract.ts";
import type { ActiveCall } from "./active-call.ts";

/** What plugin code is doing when it asks something of the host. */
export type Context = {
  kind: "layer" | "judge" | "tool" | "scopes" | "redactor" | "autocmd" | "base" | "command" | "completion";
  call: ActiveCall | null;
  /** How deeply calls, slots and autocmds made each other. */
  depth: number;
  /** For whom tools are described, where it is that. */
  audience?: Audience;
};

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
