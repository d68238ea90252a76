import { describe, expect, it } from "vitest";
import { beginInTime } from "../../../../core/cli/headless/begin-in-time.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";
import { codeOf } from "./code-of.ts";

const hangs = () => new Promise<void>(() => {});

describe("beginInTime()", () => {
  it("gives up a start that hangs, a while after a signal or at the timeout", async () => {
    const clock = createFakeClock();
    const stop = new AbortController();
    const after = codeOf(beginInTime(hangs, { aborted: stop.signal, timeoutMs: undefined, clock, graceMs: 100 }));
    stop.abort();
    await clock.advance(100);
    expect(await after).toBe("cancelled");
    const late = codeOf(beginInTime(hangs, { aborted: new AbortController().signal, timeoutMs: 5_000, clock }));
    await clock.advance(5_000);
    expect(await late).toBe("deadline_passed");
  });

  it("leaves what has begun alone, and passes on what it throws", async () => {
    const clock = createFakeClock();
    const stop = new AbortController();
    const going = Promise.withResolvers<void>();
    const work = beginInTime(
      async (begun) => {
        begun();
        await going.promise;
      },
      { aborted: stop.signal, timeoutMs: 10, clock, graceMs: 10 },
    );
    stop.abort();
    await clock.advance(1_000);
    expect(clock.waiting()).toBe(0);
    going.resolve();
    await work;
    const throws = beginInTime(() => Promise.reject(new Error("no")), { aborted: stop.signal, timeoutMs: 10, clock });
    expect(await codeOf(throws)).toBe("Error: no");
    expect(clock.waiting()).toBe(0);
  });
});
