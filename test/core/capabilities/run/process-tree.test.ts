import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { endTree, isRunning, killTree, type TreePlatform, type TreeRoot, treeRoot } from "../../../../core/capabilities/run/process-tree.ts";
import { platform as linux } from "../../../../core/capabilities/run/process-tree-linux.ts";
import { platform as posix } from "../../../../core/capabilities/run/process-tree-posix.ts";
import { isAlive, waitUntil } from "../../../support/wait-until.ts";

const roots: TreeRoot[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) killTree(root);
});

/** A shell that starts a process in its group, one in a group of its own, and one that left everything; their numbers as they come. */
async function tree(): Promise<{ root: TreeRoot; pids: number[] }> {
  const marker = `mark-${Math.random()}`;
  const command = "sleep 300 & echo $!; setsid sleep 300 & echo $!; (setsid sleep 300 & echo $!); wait";
  const child = spawn("bash", ["-c", command], { detached: true, stdio: ["ignore", "pipe", "ignore"], env: { ...process.env, MORTISE_JOB: marker } });
  await once(child, "spawn");
  const root = treeRoot(child.pid!, marker);
  roots.push(root);
  let text = "";
  child.stdout!.on("data", (chunk) => {
    text += chunk;
  });
  await waitUntil(() => text.split("\n").length === 4);
  return { root, pids: [child.pid!, ...text.trim().split("\n").map(Number)] };
}

const sorted = (pids: readonly number[]) => [...pids].sort((a, b) => a - b);

describe.skipIf(process.platform !== "linux")("the tree on Linux", () => {
  it("holds all that a job started, and nothing else", async () => {
    const [one, other] = [await tree(), await tree()];
    await waitUntil(() => linux.members(one.root).length === 4);
    expect(sorted(linux.members(one.root))).toEqual(sorted(one.pids));
    expect(await endTree(one.root, 1_000)).toBe(true);
    expect(isRunning(one.root)).toBe(false);
    expect((await Promise.all(one.pids.map(isAlive))).includes(true)).toBe(false);
    expect(sorted(linux.members(other.root))).toEqual(sorted(other.pids));
    killTree(other.root);
    await waitUntil(async () => !(await Promise.all(other.pids.map(isAlive))).includes(true));
  });

  it("does not take a process for its own that has the number of an old one", async () => {
    const { root } = await tree();
    expect(linux.members({ ...root, marker: "none", startedAt: (root.startedAt ?? 0) + 1, seen: new Map() })).not.toContain(root.pid);
  });
});

describe.skipIf(process.platform === "win32")("the tree by ps", () => {
  it("holds the group and what is below it", async () => {
    const check: TreePlatform = posix;
    const { root, pids } = await tree();
    const [shell, inGroup, ownGroup, orphan] = pids as [number, number, number, number];
    // The last one leaves a moment after it says its number.
    await waitUntil(() => !check.members(root).includes(orphan));
    expect(sorted(check.members(root))).toEqual(sorted([shell, inGroup, ownGroup]));
    check.signal(root, check.members(root), "SIGKILL");
    await waitUntil(async () => !(await Promise.all([shell, inGroup, ownGroup].map(isAlive))).includes(true));
    expect(await isAlive(orphan)).toBe(true);
    process.kill(orphan, "SIGKILL");
  });
});
