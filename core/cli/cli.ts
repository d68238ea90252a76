import type { Stdio } from "./stdio.ts";

/** What a command has besides its arguments. It answers with its exit code. */
export type Cli = {
  stdio: Stdio;
  /** Aborted by a signal: what runs is to be cancelled. */
  aborted: AbortSignal;
  /** From here on this tells of an error that nothing caught, and answers the exit code. */
  onCrash(tell: (error: unknown) => Promise<number>): void;
};
