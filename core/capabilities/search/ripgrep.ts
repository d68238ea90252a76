import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { closeSync } from "node:fs";
import { Socket } from "node:net";
import type { Readable } from "node:stream";
import { MortiseError } from "../../../sdk/errors.ts";
import { killOnExit } from "../run/kill-on-exit.ts";
import { createPipes, type Pipe } from "../run/pipes.ts";
import { findRipgrep } from "./find-ripgrep.ts";

export type RipgrepRequest = {
  /** Without those that are always given. */
  args: readonly string[];
  cwd: string;
  /** A descriptor to read from standard input. */
  stdin?: number | undefined;
  signal: AbortSignal;
  /** Given each piece of the output, which is written over afterwards; `false` ends the program. */
  onOutput(chunk: Buffer): boolean;
};

export type RipgrepResult = {
  exitCode: number | null;
  /** Why it did not come to its own end: the signal was aborted, or enough was read. */
  ended: "exit" | "aborted" | "enough";
  /** What it complained about, the first of it. */
  errors: string;
  /** How many lines it complained in. */
  errorLines: number;
};

export type Ripgrep = {
  /** Runs ripgrep and settles when it has ended. Throws `run_failed` where it cannot be started. */
  run(request: RipgrepRequest): Promise<RipgrepResult>;
  close(): Promise<void>;
  /** Ends all at once, without waiting. */
  killNow(): void;
};

const MAX_ERROR_CHARS = 8_000;
/** Neither the user's settings nor colours change what is read; a file that shrinks while it is mapped would end the program. */
const always = ["--no-config", "--color=never", "--no-mmap"];
/** Nothing else of the environment is needed, on one system alone. */
const passed = ["SystemRoot"];

/** The searches of a host that are under way. */
export function createRipgrep(): Ripgrep {
  const pipes = createPipes();
  const running = new Map<ChildProcess, Promise<unknown>>();
  let unwatch: (() => void) | undefined;
  const killNow = () => {
    for (const child of running.keys()) kill(child);
  };

  return {
    async run(request) {
      request.signal.throwIfAborted();
      const program = await findRipgrep();
      // It writes once for each file, which takes less through a pipe than through the socket that is one in Node.
      const pipe = pipes.ready();
      const child = start(program, request, pipe);
      unwatch ??= killOnExit(killNow);
      const result = ended(child, pipe, request);
      running.set(
        child,
        result.catch(() => {}),
      );
      try {
        return await result;
      } finally {
        running.delete(child);
        if (running.size === 0) {
          unwatch?.();
          unwatch = undefined;
        }
      }
    },
    async close() {
      killNow();
      await Promise.all([...running.values(), pipes.close()]);
    },
    killNow,
  };
}

function start(program: string, { args, cwd, stdin }: RipgrepRequest, pipe: Pipe | undefined): ChildProcess {
  const env = Object.fromEntries(passed.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
  const options = { cwd, env, windowsHide: true, stdio: [stdin ?? "ignore", pipe?.write ?? "pipe", "pipe"] } satisfies SpawnOptions;
  try {
    return spawn(program, [...always, ...args], options);
  } catch (error) {
    if (pipe !== undefined) closeSync(pipe.read);
    throw error;
  } finally {
    if (pipe !== undefined) closeSync(pipe.write);
  }
}

function ended(child: ChildProcess, pipe: Pipe | undefined, { signal, onOutput }: RipgrepRequest): Promise<RipgrepResult> {
  return new Promise((resolve, reject) => {
    let why: RipgrepResult["ended"] = "exit";
    const end = (reason: RipgrepResult["ended"]) => {
      if (why === "exit") why = reason;
      kill(child);
    };
    const onAbort = () => end("aborted");
    signal.addEventListener("abort", onAbort);
    const errors = collectErrors(child.stderr);
    const onChunk = (chunk: Buffer) => {
      if (why === "exit" && !onOutput(chunk)) end("enough");
    };
    const output = pipe === undefined ? child.stdout?.on("data", onChunk) : reading(pipe.read, onChunk);
    output?.on("error", () => {});
    child.once("error", (cause) => {
      signal.removeEventListener("abort", onAbort);
      reject(new MortiseError("run_failed", { seen: `ripgrep: ${cause.message}`, cause }));
    });
    // It starts nothing of its own, so its end is the end of all.
    const read = new Promise<void>((done) => (output == null ? done() : output.once("close", done)));
    child.once("close", async (exitCode) => {
      await read;
      signal.removeEventListener("abort", onAbort);
      resolve({ exitCode, ended: why, ...errors() });
    });
    if (signal.aborted) onAbort();
  });
}

const CHUNK_BYTES = 65_536;

/** Reads into one buffer: a stream's own way through its queue takes as long as the reading itself. */
function reading(fd: number, onChunk: (chunk: Buffer) => void): Socket {
  const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  const callback = (bytes: number) => {
    onChunk(buffer.subarray(0, bytes));
    return true;
  };
  return new Socket({ fd, readable: true, writable: false, onread: { buffer, callback } }).resume();
}

function collectErrors(stream: Readable | null): () => { errors: string; errorLines: number } {
  let errors = "";
  let errorLines = 0;
  stream?.setEncoding("utf8").on("data", (text: string) => {
    errorLines += text.split("\n").length - 1;
    if (errors.length < MAX_ERROR_CHARS) errors += text.slice(0, MAX_ERROR_CHARS - errors.length);
  });
  return () => ({ errors, errorLines });
}

function kill(child: ChildProcess): void {
  child.kill("SIGKILL");
}
