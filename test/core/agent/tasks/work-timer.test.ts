import { describe, expect, it } from "vitest";
import { workTimer } from "../../../../core/agent/tasks/work-timer.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";

describe("workTimer()", () => {
  it("ends once so much time was worked, pauses not counted however they overlap", async () => {
    const clock = createFakeClock();
    let ended = 0;
    const timer = workTimer(clock, 1_000, () => ended++);
    await clock.advance(600);
    const [first, second] = [timer.pause(), timer.pause()];
    await clock.advance(10_000);
    first();
    first();
    await clock.advance(10_000);
    second();
    await clock.advance(399);
    expect(ended).toBe(0);
    await clock.advance(1);
    expect(ended).toBe(1);
    timer.pause()();
    await clock.advance(10_000);
    expect(ended).toBe(1);
  });

  it("never ends once it was stopped, nor where there is no end", async () => {
    const clock = createFakeClock();
    let ended = 0;
    const timer = workTimer(clock, 1_000, () => ended++);
    const resume = timer.pause();
    timer.stop();
    resume();
    workTimer(clock, Number.POSITIVE_INFINITY, () => ended++).pause()();
    await clock.advance(1_000_000);
    expect(ended).toBe(0);
    expect(clock.waiting()).toBe(0);
  });
});
