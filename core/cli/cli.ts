import type { Stdio } from "./stdio.ts";

/** What a command has besides its arguments. It answers with its exit code. */
export type Cli = {
  stdio: Stdio;
  /** Aborted by a signal: what runs is to be cancelled. */
  aborted: AbortSignal;
};
