import { setTimeout as sleep } from "node:timers/promises";
import * as linux from "./process-tree-linux.ts";
import * as posix from "./process-tree-posix.ts";
import * as windows from "./process-tree-windows.ts";

/** What tells the processes of one job from all others. */
export type TreeRoot = {
  /** The process that was started; its own session and group have the same number. */
  pid: number;
  /** In the environment of all it starts. */
  marker: string;
  /** When it started, on the system's own clock; null where the system does not say. */
  startedAt: number | null;
  /** Processes that were found to belong to it, with their start: one that starts another program shows no environment for a moment. */
  seen: Map<number, number>;
};

/** What each platform's file gives. */
export type TreePlatform = {
  startedAt(pid: number): number | null;
  /** The processes that still run: the first one, its group and session, those below, and those that left it all but carry the marker. */
  members(root: TreeRoot): number[];
  signal(root: TreeRoot, members: readonly number[], signal: "SIGTERM" | "SIGKILL"): void;
};

const { platform }: { platform: TreePlatform } = process.platform === "linux" ? linux : process.platform === "win32" ? windows : posix;

const POLL_MS = 25;
const KILL_ROUNDS = 100;

export function treeRoot(pid: number, marker: string): TreeRoot {
  return { pid, marker, startedAt: platform.startedAt(pid), seen: new Map() };
}

export function isRunning(root: TreeRoot): boolean {
  return platform.members(root).length > 0;
}

/** Ends all of it: TERM, and after the grace KILL. Whether nothing is left, which only a process stuck in the kernel can prevent. */
export async function endTree(root: TreeRoot, graceMs: number): Promise<boolean> {
  platform.signal(root, platform.members(root), "SIGTERM");
  for (const end = performance.now() + graceMs; performance.now() < end; await sleep(POLL_MS)) if (await isOver(root)) return true;
  // What is being ended may start more meanwhile.
  for (let round = 0; round < KILL_ROUNDS; round++) {
    if (await isOver(root)) return true;
    platform.signal(root, platform.members(root), "SIGKILL");
    await sleep(POLL_MS);
  }
  return false;
}

/** Looks twice, since a process that is just being started may not be told from others yet. */
async function isOver(root: TreeRoot): Promise<boolean> {
  if (isRunning(root)) return false;
  await sleep(POLL_MS);
  return !isRunning(root);
}

/** KILL at once, without waiting: for a host that exits now. */
export function killTree(root: TreeRoot): void {
  for (let round = 0; round < 5; round++) {
    const members = platform.members(root);
    if (members.length === 0) return;
    platform.signal(root, members, "SIGKILL");
  }
}
