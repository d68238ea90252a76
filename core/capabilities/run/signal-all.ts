/** Sends a signal to processes, and to groups as negative numbers. One that is gone, or is another user's, is passed over. */
export function signalAll(pids: readonly number[], signal: "SIGTERM" | "SIGKILL"): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {}
  }
}
