import { readdirSync, readFileSync } from "node:fs";
import type { TreePlatform, TreeRoot } from "./process-tree.ts";
import { signalAll } from "./signal-all.ts";

type Entry = { pid: number; parent: number; group: number; session: number; startedAt: number };

/** From /proc, so also those that left their session and whose parents are gone, by the marker in their environment. */
export const platform: TreePlatform = {
  startedAt: (pid) => readEntry(pid)?.startedAt ?? null,
  members: (root) => members(root).map(({ pid }) => pid),
  signal(root, pids, signal) {
    // The group at once, so that nothing slips through by a fork between two signals.
    const group = members(root).some((entry) => entry.group === root.pid) ? [-root.pid] : [];
    signalAll([...group, ...pids], signal);
  },
};

function members(root: TreeRoot): Entry[] {
  // A number may be used again, so what is older than the job is none of it.
  const entries = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => readEntry(Number(name)) ?? [])
    .filter((entry) => root.startedAt === null || entry.startedAt >= root.startedAt);
  const found = new Map<number, Entry>();
  for (const entry of entries) {
    if ((entry.pid === root.pid && entry.startedAt === root.startedAt) || entry.group === root.pid || entry.session === root.pid)
      found.set(entry.pid, entry);
  }
  for (const entry of entries) {
    if (root.seen.get(entry.pid) === entry.startedAt || (!found.has(entry.pid) && hasMarker(entry.pid, root.marker))) found.set(entry.pid, entry);
  }
  addDescendants(found, entries);
  for (const { pid, startedAt } of found.values()) root.seen.set(pid, startedAt);
  return [...found.values()];
}

function addDescendants(found: Map<number, Entry>, entries: readonly Entry[]): void {
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const entry of entries) if (found.has(entry.parent)) found.set(entry.pid, entry);
  }
}

/** Undefined for a process that is gone, or only waits to be collected. */
function readEntry(pid: number): Entry | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name stands in parentheses and may hold any character.
    const [state, parent, group, session, ...rest] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    if (state === "Z" || state === "X") return undefined;
    return { pid, parent: Number(parent), group: Number(group), session: Number(session), startedAt: Number(rest[15]) };
  } catch {
    return undefined;
  }
}

/** Processes of other users do not show their environment. */
function hasMarker(pid: number, marker: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").includes(marker);
  } catch {
    return false;
  }
}
