import { spawn } from "node:child_process";
import { Socket } from "node:net";
import type { Writable } from "node:stream";
import { MARKER_VARIABLE } from "./child-environment.ts";

/** Waits for a line or the end of its input. */
const wait = "read -r word && exit 0";

/** Without a line, ends all whose environment holds the mark, and the groups that they lead. */
const endMarked = `${wait}
for round in 1 2 3 4 5 6 7 8; do
  pids=$(grep -l -a -F -e "$1" /proc/[0-9]*/environ 2>/dev/null | tr -cd '0-9\\n')
  [ -n "$pids" ] || exit 0
  for pid in $pids; do
    kill -s KILL -- "-$pid" 2>/dev/null
    kill -s KILL "$pid" 2>/dev/null
  done
done`;

/** Without a line, ends one process. */
const endOne = `${wait}
kill -s KILL "$1" 2>/dev/null`;

/**
 * Ends the programs that carry a mark when this process dies in a way that leaves it no time, as by SIGKILL: a small process holds the other
 * end of a pipe, which the system closes. Returns what to call once there is nothing left to end. Where there is no /proc it does nothing.
 */
export function killAfterDeath(mark: string): () => void {
  return process.platform === "linux" ? afterDeath(endMarked, mark) : () => {};
}

/** The same for one child of this process that is too busy to hear of its death. Does nothing on Windows. */
export function killChildAfterDeath(pid: number): () => void {
  return process.platform === "win32" || pid <= 1 ? () => {} : afterDeath(endOne, String(pid));
}

function afterDeath(script: string, argument: string): () => void {
  const outer = process.env[MARKER_VARIABLE];
  const child = spawn("/bin/sh", ["-c", script, "sh", argument], {
    cwd: "/",
    // Of its own session, so that what ends this one does not end it; of an outer job all the same.
    detached: true,
    env: { PATH: process.env.PATH ?? "/usr/bin:/bin", ...(outer === undefined ? {} : { [MARKER_VARIABLE]: outer }) },
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.on("error", () => {});
  // Where no more files may be open there is none.
  const stdin: Writable | undefined = child.stdin;
  stdin?.on("error", () => {});
  child.unref();
  if (stdin instanceof Socket) stdin.unref();
  return () => void stdin?.end("over\n");
}
