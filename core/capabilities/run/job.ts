import { randomBytes } from "node:crypto";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import type { RunResult } from "../../../sdk/api.ts";
import { MortiseError } from "../../../sdk/errors.ts";
import { createOutputKeeper, type KeptOutput } from "./output-keeper.ts";
import { readOutput } from "./output-stream.ts";
import type { Pipes } from "./pipes.ts";
import { endTree, isRunning, killTree, type TreeRoot } from "./process-tree.ts";
import { startProcess } from "./start-process.ts";

export type JobRequest = {
  /** Throws where the request is not granted. Asked first, with the job known already, so that it can be ended meanwhile. */
  allow?: () => Promise<void>;
  argv: readonly string[];
  /** Absolute. */
  cwd: string;
  /** The environment, given the marker of the job's processes. */
  env(marker: string): Record<string, string>;
  maxOutputBytes: number;
  timeoutMs?: number | undefined;
  stdin?: string | undefined;
  live?: ((text: string) => void) | undefined;
};

export type JobLimits = {
  /** Bytes that a program may print before it is ended. */
  hardBytes: number;
  /** Milliseconds between TERM and KILL. */
  graceMs: number;
};

export type Job = {
  /** Settles once the program runs, or rejects where it could not be started. */
  started: Promise<void>;
  /** Settles when the program has exited and its output is read, or rejects where it could not be started. */
  result: Promise<RunResult>;
  /** Undefined while it runs. */
  settled(): RunResult | undefined;
  /** Whether the program itself has not ended yet. */
  running(): boolean;
  output(): KeptOutput;
  lastLines(count: number): string;
  heldBytes(): number;
  /** Lets go of the output. */
  forget(): void;
  /** Ends the whole tree, also what the program left behind, and waits for that. Nothing it prints from now on is kept. */
  end(why: "timeout" | "cancelled" | "output"): Promise<void>;
  /** The same without waiting. */
  killNow(): void;
  /** Whether something of it may still run. */
  alive(): boolean;
};

/** After the exit of the program: how long a quiet pipe that something else holds open is waited for, and at most, in milliseconds. */
const PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 500;
/** The same for a process that closed its output and may be about to end. */
const EXIT_MS = 25;
const EXIT_LOOKS = 4;
/** Characters of one job that are shown while it runs. What would be cut out of the middle could not be redacted. */
const LIVE_CHARS = 8 * 1024 * 1024;

/** @param mark Of all jobs of a host: begins the mark of each. */
export function startJob(request: JobRequest, pipes: Pipes, limits: JobLimits, mark: string): Job {
  const marker = `${mark}-${randomBytes(12).toString("hex")}`;
  const output = createOutputKeeper(request.maxOutputBytes);
  const live = limitedLive(request.live);
  let root: TreeRoot | undefined;
  let why: "timeout" | "cancelled" | "output" | undefined;
  let ending: Promise<boolean> | undefined;
  let freeze = () => {};
  let settled: RunResult | undefined;
  let failed = false;
  let timer: NodeJS.Timeout | undefined;
  let wake = () => {};
  const started = Promise.withResolvers<void>();
  /** Settles when the tree was ended, in case its first process never exits. */
  const ended = new Promise<void>((resolve) => {
    wake = resolve;
  });

  const show = (text: string) => {
    output.push(text);
    live(text);
    if (output.producedBytes() > limits.hardBytes) void end("output");
  };

  const end = async (reason: "timeout" | "cancelled" | "output"): Promise<void> => {
    if (settled === undefined) why ??= reason;
    if (root === undefined) return;
    const tree = root;
    ending ??= (async () => {
      // What was printed before is read first.
      await turn();
      freeze();
      return endTree(tree, limits.graceMs);
    })();
    await ending;
    wake();
  };

  const finish = (exitCode: number | null, signal: string | null, leftRunning: boolean): RunResult => {
    const { text, droppedBytes, cutAt } = output.read();
    return { text, droppedBytes, ...(droppedBytes > 0 ? { cutAt } : {}), exitCode, signal, ended: why ?? "exit", leftRunning };
  };

  const run = async (): Promise<RunResult> => {
    await request.allow?.();
    if (why !== undefined) return finish(null, null, false);
    const program = await startProcess({ ...request, env: request.env(marker), marker }, pipes);
    root = program.root;
    started.resolve();
    const streams = [readOutput(program.stdout, show), readOutput(program.stderr, show)];
    freeze = () => {
      for (const stream of streams) stream.ignore();
    };
    if (why !== undefined) void end(why);
    if (request.timeoutMs !== undefined) timer = setTimeout(() => void end("timeout"), request.timeoutMs);
    const exit = await Promise.race([program.exit, ended.then(() => Promise.race([program.exit, sleep(LONGEST_PAUSE_MS, null)]))]);
    clearTimeout(timer);
    if (ending === undefined) await Promise.all(streams.map((stream) => stream.drained(PAUSE_MS, LONGEST_PAUSE_MS)));
    const clean = await ending;
    freeze();
    const left = clean === undefined ? await isLeft(program.root) : !clean;
    if (!left) root = undefined;
    return finish(exit?.exitCode ?? null, exit?.signal ?? null, left);
  };

  const result = run().then(
    (value) => {
      settled = value;
      started.resolve();
      return value;
    },
    (error: unknown) => {
      failed = true;
      const known = error instanceof MortiseError ? error : new MortiseError("run_failed", { seen: request.argv[0] ?? "", cause: error });
      started.reject(known);
      throw known;
    },
  );
  result.catch(() => {});
  started.promise.catch(() => {});

  return {
    started: started.promise,
    result,
    settled: () => settled,
    running: () => settled === undefined && !failed,
    output: output.read,
    lastLines: output.lastLines,
    heldBytes: output.heldBytes,
    forget: output.forget,
    async end(reason) {
      await end(reason);
      if (settled === undefined && !failed) await result.catch(() => {});
      if (ending !== undefined && (await ending)) root = undefined;
    },
    killNow() {
      why ??= settled === undefined ? "cancelled" : undefined;
      freeze();
      if (root !== undefined) killTree(root);
    },
    alive: () => root !== undefined || (settled === undefined && !failed),
  };
}

async function isLeft(root: TreeRoot): Promise<boolean> {
  for (let look = 0; look < EXIT_LOOKS; look++, await sleep(EXIT_MS)) if (!isRunning(root)) return false;
  return true;
}

function limitedLive(live: ((text: string) => void) | undefined): (text: string) => void {
  let left = LIVE_CHARS;
  return (text) => {
    if (live === undefined || left <= 0) return;
    left -= text.length;
    // The last of it ends with a line, since half a secret could not be told from other text.
    live(left > 0 ? text : text.slice(0, text.lastIndexOf("\n") + 1) || text);
    if (left <= 0) live("\n[more output is not shown while it runs]\n");
  };
}
