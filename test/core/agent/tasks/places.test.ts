import { describe, expect, it } from "vitest";
import { createPlaces, places } from "../../../../core/agent/tasks/places.ts";
import { doneOf, eventsOf, ofType, said } from "../agent-with.ts";
import { childEvents, driven, eventsWith, slowTool, toldBy } from "./driven.ts";
import { calls, says } from "./scripts.ts";

const never = new AbortController().signal;

describe("createPlaces()", () => {
  it("lets in as many as there are places, and the others in the order they came", async () => {
    const line = createPlaces();
    const order: string[] = [];
    const enter = (name: string) =>
      line.enter(2, never).then((leave) => {
        order.push(name);
        return leave;
      });
    const [a, b, c, d] = [enter("a"), enter("b"), enter("c"), enter("d")];
    const [leaveA, leaveB] = [await a, await b];
    expect(order).toEqual(["a", "b"]);
    leaveB();
    leaveB();
    await c;
    expect(order).toEqual(["a", "b", "c"]);
    leaveA();
    (await d)();
    (await c)();
    expect(line.inside()).toBe(0);
  });

  it("gives no place to one that gave up, and keeps none", async () => {
    const line = createPlaces();
    const leave = await line.enter(1, never);
    const stop = new AbortController();
    const waits = line.enter(1, stop.signal);
    stop.abort(new Error("enough"));
    await expect(waits).rejects.toThrow("enough");
    await expect(line.enter(1, stop.signal)).rejects.toThrow("enough");
    leave();
    (await line.enter(1, never))();
    expect(line.inside()).toBe(0);
  });

  it("holds up nobody for one that wants fewer inside", async () => {
    const line = createPlaces();
    const leave = await line.enter(8, never);
    const alone = line.enter(1, never);
    const other = await line.enter(8, never);
    other();
    leave();
    (await alone)();
    expect(line.inside()).toBe(0);
  });
});

describe("places of a process", () => {
  const request = { name: "Finder", audience: "general", places: 1 };
  const both = {
    kind: "calls",
    calls: [
      { tool: "sub", input: { request, prompts: ["first work"] }, id: "s1" },
      { tool: "sub", input: { request, prompts: ["second work"] }, id: "s2" },
    ],
  } as const;

  it("are waited for in line, which is told", async () => {
    const slow = slowTool();
    const { agent, clock, model } = await driven(
      { "main work": [both, says("ok")], "first work": [calls("slow", { text: "" }), says("one")], "second work": [says("two")] },
      {},
      { tools: [slow] },
    );
    const run = agent.run(said("main work"));
    const events = eventsWith(run, (event) => {
      if (event.type !== "child" || event.event.type !== "notice") return;
      expect(model.asked("second work")).toHaveLength(0);
      slow.goOn();
    });
    await clock.advance(1_000);
    expect(toldBy(await events, "s1").answers).toMatchObject([{ text: "one" }]);
    expect(toldBy(await events, "s2").answers).toMatchObject([{ text: "two" }]);
    expect(ofType(childEvents(await events), "notice")).toMatchObject([{ code: "waiting" }]);
    expect(places.inside()).toBe(0);
  });

  it("are not kept by a wait that is cancelled", async () => {
    const slow = slowTool();
    const { agent, model } = await driven(
      { "main work": [both, says("ok")], "first work": [calls("slow", { text: "" }), says("one")], "second work": [says("two")] },
      {},
      { tools: [slow] },
    );
    const run = agent.run(said("main work"));
    const events = await eventsWith(run, (event) => {
      if (event.type === "child" && event.event.type === "notice") void slow.begun.then(() => run.cancel());
    });
    expect(doneOf(events)).toMatchObject({ reason: "cancelled" });
    expect(model.asked("second work")).toHaveLength(0);
    expect(places.inside()).toBe(0);
  });

  it("are left by subagents that wait for subagents of their own", async () => {
    const inner = (prompt: string, id: string) =>
      ({
        kind: "calls",
        calls: [
          { tool: "sub", input: { request, prompts: [prompt] }, id },
          { tool: "sub", input: { request, prompts: [prompt] }, id: `${id}b` },
        ],
      }) as const;
    const { agent } = await driven({
      "main work": [both, says("ok")],
      "first work": [inner("inner one", "i1"), says("one")],
      "second work": [inner("inner two", "i2"), says("two")],
      "inner one": [inner("innermost", "i3"), says("inner")],
      "inner two": [says("inner")],
      innermost: [says("innermost")],
    });
    const events = await eventsOf(agent.run(said("main work")));
    expect(toldBy(events, "s1").answers).toMatchObject([{ text: "one" }]);
    expect(toldBy(events, "s2").answers).toMatchObject([{ text: "two" }]);
    expect(places.inside()).toBe(0);
  });
});
