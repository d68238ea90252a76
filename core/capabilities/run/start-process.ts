import { type ChildProcess, spawn } from "node:child_process";
import { closeSync } from "node:fs";
import { stat } from "node:fs/promises";
import { Socket } from "node:net";
import { normalize } from "node:path";
import type { Readable } from "node:stream";
import { MortiseError } from "../../../sdk/errors.ts";
import type { Pipe, Pipes } from "./pipes.ts";
import { type TreeRoot, treeRoot } from "./process-tree.ts";

export type StartRequest = {
  argv: readonly string[];
  /** Absolute. */
  cwd: string;
  env: Record<string, string>;
  marker: string;
  /** Closed at once without it. */
  stdin?: string | undefined;
};

export type StartedProcess = {
  root: TreeRoot;
  stdout: Readable;
  stderr: Readable;
  exit: Promise<{ exitCode: number | null; signal: string | null }>;
};

/** Starts a program in a session of its own, without a terminal. Throws `no_folder` or `run_failed`. */
export async function startProcess(request: StartRequest, pipes: Pipes): Promise<StartedProcess> {
  await requireFolder(request.cwd);
  const [out, err] = [await pipes.take(), await pipes.take()];
  const child = await spawned(request, out, err);
  const { pid } = child;
  if (pid === undefined) throw new MortiseError("run_failed", { seen: request.argv[0] ?? "" });
  const root = treeRoot(pid, request.marker);
  const exit = new Promise<{ exitCode: number | null; signal: string | null }>((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
  });
  // A program that does not read its input is no error of ours.
  child.stdin?.on("error", () => {}).end(request.stdin);
  return { root, stdout: reading(out, child.stdout), stderr: reading(err, child.stderr), exit };
}

/** Node names the program where the folder is what is missing. */
async function requireFolder(path: string): Promise<void> {
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new MortiseError(error.code === "EACCES" ? "run_failed" : "no_folder", { seen: path, cause: error });
  });
  if (!stats.isDirectory()) throw new MortiseError("no_folder", { seen: `${path} is no folder` });
}

/** A `PWD` that is not of this folder would be wrong, and one with `..` in it is not taken. */
function withFolder(env: Record<string, string>, cwd: string): Record<string, string> {
  const { PWD: _other, ...rest } = env;
  return normalize(cwd) === cwd ? { ...rest, PWD: cwd } : rest;
}

async function spawned({ argv, cwd, env, stdin }: StartRequest, out: Pipe | undefined, err: Pipe | undefined): Promise<ChildProcess> {
  const [program = "", ...args] = argv;
  try {
    const child = spawn(program, args, {
      cwd,
      env: withFolder(env, cwd),
      detached: true,
      windowsHide: true,
      stdio: [stdin === undefined ? "ignore" : "pipe", out?.write ?? "pipe", err?.write ?? "pipe"],
    });
    await new Promise<void>((resolve, reject) => child.once("spawn", resolve).once("error", reject));
    child.on("error", () => {});
    return child;
  } catch (error) {
    for (const pipe of [out, err]) if (pipe !== undefined) closeSync(pipe.read);
    await requireFolder(cwd);
    throw new MortiseError("run_failed", { seen: `${program}: ${reason(error)}`, cause: error });
  } finally {
    for (const pipe of [out, err]) if (pipe !== undefined) closeSync(pipe.write);
  }
}

function reason(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOENT") return "no such program";
  if (code === "EACCES") return "no permission to run it";
  if (code === "E2BIG") return "its arguments are too long";
  return code;
}

function reading(pipe: Pipe | undefined, stream: Readable | null): Readable {
  if (pipe !== undefined) return new Socket({ fd: pipe.read, readable: true, writable: false });
  if (stream === null) throw new MortiseError("run_failed", { seen: "its output cannot be read" });
  return stream;
}
