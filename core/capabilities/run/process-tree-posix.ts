import { execFileSync } from "node:child_process";
import type { TreePlatform } from "./process-tree.ts";
import { signalAll } from "./signal-all.ts";

type Entry = { pid: number; parent: number; group: number };

/** From `ps`: the group, and those below it in groups of their own. One that left the group and whose parent is gone is not found. */
export const platform: TreePlatform = {
  startedAt: () => null,
  members(root) {
    const entries = readEntries();
    const found = new Set<number>();
    for (const { pid, group } of entries) if (pid === root.pid || group === root.pid) found.add(pid);
    for (let before = -1; before !== found.size; ) {
      before = found.size;
      for (const { pid, parent } of entries) if (found.has(parent)) found.add(pid);
    }
    return [...found];
  },
  signal: (root, pids, signal) => signalAll(pids.length === 0 ? [] : [-root.pid, ...pids], signal),
};

/** One option each: some systems take all behind a `=` for a heading. */
const columns = ["pid", "ppid", "pgid", "stat"];

function readEntries(): Entry[] {
  const text = execFileSync("ps", ["-A", ...columns.flatMap((column) => ["-o", `${column}=`])], { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  return text
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state]) => state !== undefined && !state.startsWith("Z"))
    .map(([pid, parent, group]) => ({ pid: Number(pid), parent: Number(parent), group: Number(group) }));
}
