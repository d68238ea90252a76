import { describe, expect, it } from "vitest";
import { createGate } from "../../../core/programs/gate.ts";

describe("createGate()", () => {
  it("lets so many in, and the others in their order", async () => {
    const gate = createGate(2);
    const in_: number[] = [];
    const enter = (n: number) =>
      gate.enter().then((leave) => {
        in_.push(n);
        return leave;
      });
    const [first, second, third, fourth] = [enter(1), enter(2), enter(3), enter(4)];
    const leave = await first;
    await second;
    expect(in_).toEqual([1, 2]);
    leave();
    leave();
    await third;
    expect(in_).toEqual([1, 2, 3]);
    (await second)();
    await fourth;
    expect(in_).toEqual([1, 2, 3, 4]);
  });

  it("forgets who gives up waiting", async () => {
    const gate = createGate(1);
    const leave = await gate.enter();
    const stop = new AbortController();
    const waits = gate.enter(stop.signal);
    stop.abort(new Error("enough"));
    await expect(waits).rejects.toThrow("enough");
    await expect(gate.enter(stop.signal)).rejects.toThrow("enough");
    leave();
    (await gate.enter())();
  });
});
