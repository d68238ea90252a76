import * as z from "zod/mini";

const kills = new Set<() => void>();
const signals = ["SIGTERM", "SIGHUP", "SIGINT"] as const;

/**
 * Calls back when this process exits, also by a signal that nobody else in it handles; the process then still dies of that signal.
 * Returns the undo.
 */
export function killOnExit(kill: () => void): () => void {
  if (kills.size === 0) {
    process.on("exit", killAll);
    for (const signal of signals) process.on(signal, onSignal);
  }
  kills.add(kill);
  return () => {
    if (!kills.delete(kill) || kills.size > 0) return;
    process.off("exit", killAll);
    for (const signal of signals) process.off(signal, onSignal);
  };
}

function killAll(): void {
  for (const kill of kills) kill();
}

/** Whoever else listens decides whether the process ends, and `exit` tells then. */
function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) - waiting() > 1) return;
  killAll();
  process.off(signal, onSignal);
  process.kill(process.pid, signal);
}

const Counted = z.object({ count: z.number() });

/** Listeners of the package signal-exit, which file locks bring along, by both of its ways: they end the process only where they are alone, so they wait for this one. */
function waiting(): number {
  const emitters = [Reflect.get(process, "__signal_exit_emitter__"), Reflect.get(globalThis, Symbol.for("signal-exit emitter"))];
  return emitters.reduce((sum: number, emitter: unknown) => {
    const parsed = Counted.safeParse(emitter);
    return parsed.success ? sum + parsed.data.count : sum;
  }, 0);
}
