import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import { layer, node26, openRig } from "./support.ts";

/** The longest time that a timer of this process was late while `work` ran, in milliseconds. */
async function longestLag(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last - 5);
    last = now;
  }, 5);
  await work();
  clearInterval(timer);
  return longest;
}

/** A child that does nothing but use up a core, for so many milliseconds. */
function busyChild(ms: number): Promise<void> {
  const child = spawn(node26, ["-e", `const end = Date.now() + ${ms}; while (Date.now() < end);`], { stdio: "ignore" });
  return new Promise((resolve) => child.once("exit", () => resolve()));
}

describe("the host's event loop", () => {
  const rig = openRig({ spare: false });

  it.each([
    ["a loop", "() => { for (;;); }"],
    ["a native loop that only a kill ends", "() => Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)"],
    ["a memory bomb", "() => { const a = []; for (;;) a.push({ a: {}, b: [] }) }"],
  ])("stays as free beside %s as beside a plain busy child", async (_what, run) => {
    await rig.add("hostile", layer(run));
    const beside = await longestLag(() => rig.chain(["hostile"], {}));
    const plain = await longestLag(() => busyChild(800));
    // Both share the cores with the host; what would block it is the length of a slice and more.
    expect(beside).toBeLessThan(Math.max(3 * plain, 150));
  });
});
