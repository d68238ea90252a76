import { setTimeout as passed } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { openRig } from "./support.ts";

describe("createPool()", () => {
  const answer = Promise.withResolvers<null>();
  const rig = openRig({}, () => answer.promise);

  it("starts a spare once the runner that was taken has nothing to do", async () => {
    await rig.add("waits", 'api.judge("tool.bash.input", async () => { await api.store.get("x") })');
    const judged = rig.invoke("waits", "judge", [{}, {}], { windowMs: 20_000 });
    await passed(1_000);
    expect(rig.isolates.runners().map(({ spare }) => spare)).toEqual([false]);
    answer.resolve(null);
    expect(await judged).toMatchObject({ ok: true });
    await expect.poll(() => rig.isolates.runners().map(({ spare }) => spare), { timeout: 10_000 }).toEqual([false, true]);
  });
});
