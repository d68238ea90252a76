import { describe, expect, it } from "vitest";
import { openRig } from "./support.ts";

describe("warm()", () => {
  it("starts the runner that the first call gets, without an isolate and without a message", async () => {
    const rig = openRig({ spare: false });
    expect(rig.isolates.runners()).toEqual([]);
    rig.isolates.warm();
    rig.isolates.warm();
    const [runner, ...others] = rig.isolates.runners();
    expect(others).toEqual([]);
    expect(runner).toMatchObject({ plugins: [], spare: false, own: false });
    expect(rig.isolates.sent()).toBe(0);
    await rig.add("echo", 'api.setSlot("tool.bash.input", (prev, value) => prev(value))');
    const { end } = await rig.chain(["echo"], { command: "true" });
    expect(end).toEqual({ kind: "value" });
    expect(rig.isolates.runners().map(({ pid }) => pid)).toEqual([runner?.pid]);
  });
});
