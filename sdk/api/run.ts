export type RunRequest = {
  /** A program with its arguments. Nothing is read by a shell unless you start one. */
  argv: readonly string[];
  cwd?: string;
  /** Set over the host's environment, which comes without its secrets. A grant of some commands lets it set language, time zone, colours and the like alone. */
  env?: Record<string, string>;
  /** Bytes kept of the output, head and tail; 8 MB unless said. */
  maxOutputBytes?: number;
  /** Ended with TERM, then KILL, after so many milliseconds. */
  timeoutMs?: number;
  /** Text for its standard input; closed at once without it. */
  stdin?: string;
  /** Show the output of the job while the tool runs. */
  live?: boolean;
  /** When the job ends at the latest, with all it left running: with the tool call that started it (`task`, unless said), the plugin (unless said outside a call), or the session. */
  scope?: "task" | "plugin" | "session";
  name?: string;
};

export type RunResult = {
  /** Standard output and error, merged as they came; head and tail where it was too long. */
  text: string;
  /** Bytes that were left out of `text` in the middle. */
  droppedBytes: number;
  /** The index in `text` where they were left out. */
  cutAt?: number;
  exitCode: number | null;
  /** A signal's name, as `SIGTERM`. */
  signal: string | null;
  /** Why it was ended before its time. */
  ended: "exit" | "timeout" | "cancelled" | "output";
  /** Whether a process it left behind still runs. */
  leftRunning: boolean;
};

export type Run = {
  /** Starts a program and waits for its end. */
  exec(request: RunRequest): Promise<RunResult>;
  /** Gives an id once the program runs. */
  start(request: RunRequest): Promise<number>;
  /** Undefined where it is not over after `timeoutMs`. */
  wait(job: number, options?: { timeoutMs?: number }): Promise<RunResult | undefined>;
  /** The last lines a job printed. */
  tail(job: number, lines?: number): Promise<string>;
  stop(job: number): Promise<void>;
  list(): Promise<{ id: number; name?: string; argv: string[]; running: boolean }[]>;
};
