import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { type RunnerChild, startRunnerChild, startRunnerChildAhead } from "../../../core/isolate/runner-child.ts";

const idle = ["-e", "setInterval(() => {}, 1_000)"];
const started: RunnerChild[] = [];
const start = (argv: readonly string[] = idle, execPath = process.execPath) => {
  const one = startRunnerChild(execPath, argv);
  started.push(one);
  return one;
};

afterEach(() => {
  for (const { child, marks } of started.splice(0)) {
    child.kill("SIGKILL");
    marks.close();
  }
});

describe("startRunnerChildAhead()", () => {
  it("starts the one that is taken by whoever starts the same, once", () => {
    const before = process.listenerCount("exit");
    startRunnerChildAhead(process.execPath, idle);
    startRunnerChildAhead(process.execPath, idle);
    expect(process.listenerCount("exit")).toBe(before + 1);
    const other = start(["-e", "setInterval(() => {}, 2_000)"]);
    const first = start();
    const second = start();
    expect(new Set([other, first, second].map(({ child }) => child.pid)).size).toBe(3);
    // Files are numbered in the order they are opened: the first was started before the other.
    expect(first.marks.fd).toBeLessThan(other.marks.fd);
    expect(second.marks.fd).toBeGreaterThan(other.marks.fd);
  });

  it("is passed over where it is dead already", async () => {
    const dies = ["-e", ""];
    startRunnerChildAhead(process.execPath, dies);
    const first = start(dies);
    await once(first.child, "exit");
    startRunnerChildAhead(process.execPath, dies);
    await expect.poll(() => process.listenerCount("exit")).toBe(0);
    const next = start(dies);
    expect(next.child.exitCode).toBeNull();
  });

  it("does no harm where there is no such program", async () => {
    startRunnerChildAhead("/nowhere/node", idle);
    await new Promise((resolve) => setImmediate(resolve));
    expect(start(idle, "/nowhere/node").child.pid).toBeUndefined();
  });
});
