import { execFile } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** Descriptors of both ends: reading does not block, writing does. */
export type Pipe = { read: number; write: number };

export type Pipes = {
  /** Undefined where the system has no named pipes: Node's own have to do then. */
  take(): Promise<Pipe | undefined>;
  /** One that is there at once; makes some for those who come later where there is none. */
  ready(): Pipe | undefined;
  /** Resolves when those that were being made have no name any more. */
  close(): Promise<void>;
};

const BATCH = 16;
/** So many are left when more are made, for those who do not wait. */
const FEW = 4;

/**
 * Real pipes for the output of programs. What Node calls a pipe is a socket, and a program cannot open `/dev/stdout` or
 * `/dev/stderr` where that is one. They are made some at a time, and have no name any more when they are handed out.
 */
export function createPipes(): Pipes {
  const ready: Pipe[] = [];
  let making: Promise<void> | undefined;
  let unavailable = process.platform === "win32";
  let closed = false;

  const make = async () => {
    const folder = await mkdtemp(join(tmpdir(), "mortise-pipes-"));
    try {
      const paths = Array.from({ length: BATCH }, (_, index) => join(folder, String(index)));
      await promisify(execFile)("mkfifo", ["-m", "600", ...paths]);
      for (const path of paths) if (!closed) ready.push(openBoth(path));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };

  const makeMore = () => {
    making ??= make()
      .catch(() => {
        unavailable = true;
      })
      .finally(() => {
        making = undefined;
      });
    return making;
  };

  return {
    async take() {
      while (ready.length === 0 && !unavailable && !closed) await makeMore();
      return closed ? undefined : ready.pop();
    },
    ready() {
      if (ready.length <= FEW && !unavailable && !closed) void makeMore();
      return closed ? undefined : ready.pop();
    },
    async close() {
      closed = true;
      for (const { read, write } of ready.splice(0)) {
        closeSync(read);
        closeSync(write);
      }
      await making;
    },
  };
}

/** Reading first: a named pipe without a reader cannot be opened for writing. */
function openBoth(path: string): Pipe {
  const read = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return { read, write: openSync(path, constants.O_WRONLY) };
}
