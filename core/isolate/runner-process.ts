import type { Code } from "../../sdk/errors.ts";
import { createChannel } from "../frames/channel.ts";
import type { Mark } from "./protocol/mark.ts";
import { type HostMessage, RunnerMessage } from "./protocol/messages.ts";
import { startRunnerChild } from "./runner-child.ts";
import type { RunnerFiles } from "./runner-files.ts";

/** How a runner ended: why, whose turn it was, and whether the host ended it. */
export type RunnerEnd = { code: Code; mark: Mark; stderr: string; killed: boolean };

export type RunnerProcess = {
  readonly pid: number;
  send(message: HostMessage, parts?: readonly string[]): void;
  mark(): Mark;
  /** Ends it at once, for a reason. */
  kill(code: Code): void;
  /** From now on what it had said is heard before its end is told. */
  hearOut(): void;
  /** Keeps the host's event loop alive while something is in flight. */
  hold(held: boolean): void;
  /** When it last said anything, by the monotonic clock. */
  heard(): number;
  /** Resolves once the process is gone. */
  readonly gone: Promise<void>;
};

export type RunnerListener = {
  onMessage(message: RunnerMessage, parts: readonly string[]): void;
  /** Told once. */
  onEnd(end: RunnerEnd): void;
};

/** Milliseconds that the last words of a process that is gone are waited for. */
const LAST_WORDS_MS = 300;
/** So many calls begin side by side, half of the most that a batch makes: with more the runner waits, with less each costs more. */
const GROUP = 13;
const STDERR_CHARS = 8_192;
/** Signals by which V8 ends a process that is out of memory. */
const OUT_OF_MEMORY: readonly (NodeJS.Signals | null)[] = ["SIGABRT", "SIGTRAP", "SIGILL"];

/** Starts a runner: no files but its own code, no processes, no environment. */
export function startRunnerProcess(execPath: string, files: RunnerFiles, listener: RunnerListener): RunnerProcess {
  const { child, socket, marks } = startRunnerChild(execPath, files.argv);
  let stderr = "";
  let ended = false;
  let patient = false;
  let reason: Code | undefined;
  let heard = performance.now();
  child.stderr?.on("data", (chunk: Buffer) => {
    stderr = (stderr + chunk.toString("utf8")).slice(-STDERR_CHARS);
  });
  socket.once("close", () => {
    if (ended) return;
    // A runner is over with its socket; how it ended is said by its exit, which is waited for.
    child.ref();
    child.kill("SIGKILL");
  });

  const channel = createChannel(
    socket,
    ({ head, parts }) => {
      heard = performance.now();
      if (!ended) listener.onMessage(RunnerMessage.parse(JSON.parse(head)), parts);
    },
    () => kill("runner_lost"),
    { group: GROUP },
  );
  const gone = new Promise<void>((resolve) => {
    child.once("error", () => {
      end("runner_lost");
      resolve();
    });
    child.once("exit", (_code, signal) => {
      // What was read before it is heard before it.
      setImmediate(() => {
        endHeard(reason ?? (OUT_OF_MEMORY.includes(signal) ? "memory_exceeded" : "runner_lost"));
        resolve();
      });
    });
  });
  const runner: RunnerProcess = {
    pid: child.pid ?? 0,
    send: (message, parts = []) => {
      if (!ended) channel.send(message, parts);
    },
    mark: () => marks.read(),
    kill,
    hearOut() {
      patient = true;
    },
    hold: (held) => (held ? socket.ref() : socket.unref()),
    heard: () => heard,
    gone,
  };
  runner.send({ t: "init" }, files.parts);
  return runner;

  function kill(code: Code): void {
    // Its end is waited for, so that none is left behind.
    child.ref();
    child.kill("SIGKILL");
    reason ??= code;
    if (!patient) end(code);
  }

  /** What is still in the socket is read first. */
  function endHeard(code: Code): void {
    if (!patient || socket.closed) {
      end(code);
      return;
    }
    socket.once("close", () => end(code));
    setTimeout(end, LAST_WORDS_MS, code).unref();
  }

  function end(code: Code): void {
    if (ended) return;
    ended = true;
    const mark = marks.read();
    marks.close();
    socket.destroy();
    listener.onEnd({ code, mark, stderr, killed: reason !== undefined });
  }
}
