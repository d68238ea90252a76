import { afterEach, describe, expect, it, vi } from "vitest";
import { openRig } from "./support.ts";

afterEach(() => {
  vi.useRealTimers();
});

describe("createPool()", () => {
  const answer = Promise.withResolvers<null>();
  const rig = openRig({}, () => answer.promise);
  const spares = () => rig.isolates.runners().map(({ spare }) => spare);

  it("starts a spare once the runner that was taken has nothing to do", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    await rig.add("waits", 'api.judge("tool.bash.input", async () => { await api.store.get("x") })');
    const judged = rig.invoke("waits", "judge", [{}, {}], { windowMs: 20_000 });
    await expect.poll(() => rig.calls.length).toBe(1);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(spares()).toEqual([false]);
    answer.resolve(null);
    expect(await judged).toMatchObject({ ok: true });
    await vi.advanceTimersByTimeAsync(300);
    expect(spares()).toEqual([false, true]);
  });

  it("starts it after ten seconds where that never ends", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const busy = openRig({}, () => new Promise(() => {}));
    await busy.add("waits", 'api.judge("tool.bash.input", async () => { await api.store.get("x") })');
    void busy.invoke("waits", "judge", [{}, {}], { windowMs: 60_000 });
    await expect.poll(() => busy.calls.length).toBe(1);
    await vi.advanceTimersByTimeAsync(9_000);
    expect(busy.isolates.runners()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(busy.isolates.runners().map(({ spare }) => spare)).toEqual([false, true]);
  });
});
