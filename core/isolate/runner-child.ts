import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import { MortiseError } from "../../sdk/errors.ts";
import { createMarkFile, type MarkFile } from "./mark-file.ts";

/** A process that was started as a runner, and that nobody talks with yet. */
export type RunnerChild = { child: ChildProcess; socket: Socket; marks: MarkFile };

const living = new Set<ChildProcess>();
let ahead: { key: string; started: RunnerChild } | undefined;

/** Starts a runner's process: no processes of its own, no environment. Takes the one that was started ahead with the same words. */
export function startRunnerChild(execPath: string, argv: readonly string[]): RunnerChild {
  const waiting = ahead?.key === keyOf(execPath, argv) ? ahead.started : undefined;
  if (waiting === undefined) return start(execPath, argv);
  ahead = undefined;
  const { pid, exitCode, signalCode } = waiting.child;
  if (pid !== undefined && exitCode === null && signalCode === null && !waiting.socket.destroyed) return waiting;
  waiting.child.kill("SIGKILL");
  waiting.marks.close();
  return start(execPath, argv);
}

/** Starts one now, for whoever starts one with these words next: the code that talks with it can be loaded meanwhile. */
export function startRunnerChildAhead(execPath: string, argv: readonly string[]): void {
  ahead ??= { key: keyOf(execPath, argv), started: start(execPath, argv) };
}

function start(execPath: string, argv: readonly string[]): RunnerChild {
  const marks = createMarkFile();
  const child = spawn(execPath, argv, { stdio: ["ignore", "ignore", "pipe", "pipe", marks.fd], env: {}, cwd: "/", windowsHide: true });
  const socket = child.stdio[3];
  if (!(socket instanceof Socket)) throw new MortiseError("internal", { seen: "a runner without a socket" });
  endWithHost(child);
  // What goes wrong shows as an end; an error without a listener would end the host.
  child.on("error", () => {});
  socket.on("error", () => {});
  // Nothing of the runner keeps the host alive unless something is in flight.
  child.unref();
  socket.unref();
  if (child.stderr instanceof Socket) child.stderr.unref();
  return { child, socket, marks };
}

function keyOf(execPath: string, argv: readonly string[]): string {
  return JSON.stringify([execPath, argv]);
}

/** A host that ends takes its runners along, also those that are stuck in a turn and would not see it. */
function endWithHost(child: ChildProcess): void {
  if (living.size === 0) process.once("exit", killAll);
  living.add(child);
  child.once("exit", () => {
    living.delete(child);
    if (living.size === 0) process.off("exit", killAll);
  });
}

function killAll(): void {
  for (const child of living) child.kill("SIGKILL");
}
