import type { RunContext } from "../agent-state.ts";
import type { Ledger } from "../ledger.ts";
import type { Parent } from "./child.ts";
import type { ChildCall } from "./driver.ts";

/**
 * A run and a call for a conversation that outlives both: whatever run works meanwhile tells of it and pays for it, and where none does, the next one.
 * Nothing of them ends it but its own `close`.
 */
export function detached(
  { agent, run: current }: Pick<Parent, "agent" | "run">,
  run: RunContext,
  call: ChildCall,
): { run: RunContext; call: ChildCall } {
  const { signal } = new AbortController();
  const ledger: Ledger = {
    add(model, usage, costUsd) {
      const payer = current();
      if (payer !== undefined) return payer.ledger.add(model, usage, costUsd);
      agent.owed.push({ model, usage, costUsd });
      void run.keep(agent.journal.addUsage(model, usage, costUsd));
    },
    total: () => (current() ?? run).ledger.total(),
    byModel: () => (current() ?? run).ledger.byModel(),
  };
  return {
    run: { ...run, signal, ledger, alive: new Map(), emit: (event) => current()?.emit(event) },
    call: { ...call, signal, remainingMs: () => Number.POSITIVE_INFINITY, pause: () => () => {}, live: () => {} },
  };
}
