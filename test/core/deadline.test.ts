import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createDeadline } from "../../core/deadline.ts";
import { MortiseError } from "../../sdk/errors.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const codeOf = (signal: AbortSignal) => (signal.reason instanceof MortiseError ? signal.reason.code : signal.reason);

describe("createDeadline()", () => {
  it("aborts when its time is up, and not before", () => {
    const deadline = createDeadline(1_000);
    vi.advanceTimersByTime(999);
    expect(deadline.signal.aborted).toBe(false);
    expect(deadline.remainingMs()).toBe(1);
    vi.advanceTimersByTime(1);
    expect(codeOf(deadline.signal)).toBe("deadline_passed");
    expect(deadline.signal.reason).toMatchObject({ seen: "1000 ms" });
  });

  it("stops its clock while a person is asked", () => {
    const deadline = createDeadline(1_000);
    vi.advanceTimersByTime(400);
    const resume = deadline.pause();
    vi.advanceTimersByTime(3_600_000);
    expect(deadline.remainingMs()).toBe(600);
    expect(deadline.signal.aborted).toBe(false);
    resume();
    vi.advanceTimersByTime(599);
    expect(deadline.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(codeOf(deadline.signal)).toBe("deadline_passed");
  });

  it("runs on when the last of several pauses has ended", () => {
    const deadline = createDeadline(1_000);
    const first = deadline.pause();
    const second = deadline.pause();
    first();
    first();
    vi.advanceTimersByTime(5_000);
    expect(deadline.remainingMs()).toBe(1_000);
    second();
    vi.advanceTimersByTime(1_000);
    expect(deadline.signal.aborted).toBe(true);
  });

  it("has no more left than what waits for it", () => {
    const outer = createDeadline(1_000);
    const inner = createDeadline(5_000, outer.signal, outer);
    expect(inner.remainingMs()).toBe(1_000);
    const resume = inner.pause();
    vi.advanceTimersByTime(3_000);
    expect(inner.remainingMs()).toBe(1_000);
    resume();
    vi.advanceTimersByTime(400);
    expect(inner.remainingMs()).toBe(600);
    vi.advanceTimersByTime(600);
    expect(inner.signal.aborted).toBe(true);
  });

  it("never ends without a limit", () => {
    const deadline = createDeadline(Number.POSITIVE_INFINITY);
    const resume = deadline.pause();
    vi.advanceTimersByTime(1_000);
    resume();
    vi.advanceTimersByTime(2 ** 40);
    expect(deadline.signal.aborted).toBe(false);
    expect(deadline.remainingMs()).toBe(Number.POSITIVE_INFINITY);
  });

  it("waits the rest, not all of it again, when one timer is not enough", () => {
    const month = 31 * 24 * 3_600_000;
    const deadline = createDeadline(month);
    vi.advanceTimersByTime(month - 1);
    expect(deadline.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(deadline.signal.aborted).toBe(true);
  });

  it("is over at once with no time left", () => {
    const deadline = createDeadline(0);
    vi.advanceTimersByTime(1);
    expect(codeOf(deadline.signal)).toBe("deadline_passed");
  });

  it("aborts with its parent, also while its clock stands", () => {
    const parent = new AbortController();
    const deadline = createDeadline(1_000, parent.signal);
    deadline.pause();
    parent.abort(new MortiseError("runner_lost"));
    expect(codeOf(deadline.signal)).toBe("runner_lost");
  });

  it("takes a parent's foreign reason for a cancel", () => {
    const parent = new AbortController();
    const deadline = createDeadline(1_000, parent.signal);
    parent.abort();
    expect(codeOf(deadline.signal)).toBe("cancelled");
  });

  it("begins aborted under a parent that was aborted before", () => {
    expect(codeOf(createDeadline(1_000, AbortSignal.abort()).signal)).toBe("cancelled");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("keeps the first reason", () => {
    const deadline = createDeadline(1_000);
    deadline.cancel(new MortiseError("cancelled"));
    vi.advanceTimersByTime(2_000);
    expect(codeOf(deadline.signal)).toBe("cancelled");
  });

  it("stays quiet once disposed, even when a pause ends later", () => {
    const parent = new AbortController();
    const deadline = createDeadline(1_000, parent.signal);
    const resume = deadline.pause();
    deadline.dispose();
    resume();
    vi.advanceTimersByTime(2_000);
    parent.abort();
    expect(deadline.signal.aborted).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("tells when its clock stops and goes on, also for what it waits for", () => {
    const told: boolean[] = [];
    const outer = createDeadline(1_000, undefined, undefined, (paused) => told.push(paused));
    const inner = createDeadline(1_000, undefined, outer);
    const [first, second] = [inner.pause(), outer.pause()];
    expect(told).toEqual([true]);
    first();
    first();
    expect(told).toEqual([true]);
    second();
    expect(told).toEqual([true, false]);
    for (const deadline of [outer, inner]) deadline.dispose();
  });
});
