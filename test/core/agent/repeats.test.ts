import { describe, expect, it } from "vitest";
import { defaultRepeats } from "../../../core/agent/limits.ts";
import { createRepeats } from "../../../core/agent/repeats.ts";
import type { NativeTool } from "../../../core/host-types.ts";
import type { ChaosStep } from "../../../core/models/embedded/chaos/chaos.ts";
import { agentWith, doneOf, echo, eventsOf, ofType, said } from "./agent-with.ts";

const steps = (...texts: string[]): ChaosStep[] =>
  texts.map((text, i) => ({ kind: "calls", calls: [{ tool: "echo", input: { text }, id: `c${i + 1}` }] }));
const end: ChaosStep = { kind: "text", text: "ok" };

describe("createRepeats()", () => {
  it("refuses the third of the same calls in a row, whatever the order of the keys, and those after it", () => {
    const repeats = createRepeats(defaultRepeats);
    const inputs = [
      { a: 1, b: [{ c: 2, d: 3 }] },
      { b: [{ d: 3, c: 2 }], a: 1 },
    ];
    expect([0, 1, 0, 1].map((i) => repeats.call("t", inputs[i]))).toEqual([undefined, undefined, "same", "same"]);
    expect(repeats.call("t", { a: 2 })).toBeUndefined();
  });

  it("takes other tools for other calls", () => {
    const repeats = createRepeats(defaultRepeats);
    expect(["t", "u", "t"].map((tool) => repeats.call(tool, {}))).toEqual([undefined, undefined, undefined]);
  });

  it("refuses A-B-A-B where A came to the same, and goes on refusing", () => {
    const repeats = createRepeats(defaultRepeats);
    const verdicts = ["a", "b", "a", "b", "a", "b"].map((input) => {
      const verdict = repeats.call("t", input);
      if (verdict === undefined) repeats.result("t", input, { text: `result of ${input}`, isError: false });
      return verdict;
    });
    expect(verdicts).toEqual([undefined, undefined, undefined, "cycle", "cycle", "cycle"]);
  });

  it("lets A-B-A-B be where results change", () => {
    const repeats = createRepeats(defaultRepeats);
    const verdicts = ["a", "b", "a", "b", "a", "b"].map((input, i) => {
      const verdict = repeats.call("t", input);
      repeats.result("t", input, { text: String(i), isError: false });
      return verdict;
    });
    expect(new Set(verdicts)).toEqual(new Set([undefined]));
  });

  it("points out the third of the same errors in a row", () => {
    const repeats = createRepeats(defaultRepeats);
    const result = (input: number, text: string, isError = true) => repeats.result("t", input, { text, isError });
    expect([result(1, "no"), result(2, "no"), result(3, "no"), result(4, "no")]).toEqual([false, false, true, true]);
    expect([result(5, "fine", false), result(6, "no"), result(7, "other"), result(8, "no")]).toEqual([false, false, false, false]);
  });

  it("leaves alone what may come again, and counts as it is told", () => {
    const polling = createRepeats({ ...defaultRepeats, except: ["wait"] });
    expect([1, 2, 3, 4].map(() => polling.call("wait", {}))).toEqual(Array(4).fill(undefined));
    const strict = createRepeats({ ...defaultRepeats, sameCalls: 2 });
    expect([1, 2].map(() => strict.call("t", {}))).toEqual([undefined, "same"]);
    const off = createRepeats({ ...defaultRepeats, sameCalls: 0, cycles: false, sameErrors: 0 });
    expect([1, 2, 3, 4].map(() => off.call("t", {}))).toEqual(Array(4).fill(undefined));
    expect([1, 2, 3, 4].map(() => off.result("t", {}, { text: "no", isError: true }))).toEqual(Array(4).fill(false));
  });
});

describe("runCalls()", () => {
  it("does not run the third of the same calls, says so in its place, and goes on", async () => {
    let ran = 0;
    const tool: NativeTool = {
      ...echo,
      run: () => {
        ran++;
        return "a";
      },
    };
    const { agent } = await agentWith({ steps: [...steps("a", "a", "a"), end], host: { tools: [tool] } });
    const events = await eventsOf(agent.run(said("Go")));
    expect(ran).toBe(2);
    expect(ofType(events, "loop_detected")).toMatchObject([{ toolId: "c3", kind: "same" }]);
    expect(ofType(events, "tool_done")[2]).toMatchObject({ toolId: "c3", isError: true });
    expect(doneOf(events).reason).toBe("end_turn");
  });

  it("keeps a refused call in the order of the calls", async () => {
    const { agent } = await agentWith({
      steps: [
        ...steps("a", "a"),
        {
          kind: "calls",
          calls: [
            { tool: "echo", input: { text: "a" }, id: "d1" },
            { tool: "echo", input: { text: "b" }, id: "d2" },
          ],
        },
        end,
      ],
    });
    await eventsOf(agent.run(said("Go")));
    expect(agent.messages()[6]).toMatchObject({
      results: [
        { toolId: "d1", isError: true },
        { toolId: "d2", isError: false, text: "b" },
      ],
    });
  });

  it("ends a run that only goes round in circles", async () => {
    const same = await agentWith({ steps: steps("a") });
    const events = await eventsOf(same.agent.run(said("Go")));
    expect(doneOf(events)).toMatchObject({ reason: "doom_loop", turns: 5 });
    const cycle = await agentWith({ steps: steps(...Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? "a" : "b"))) });
    expect(doneOf(await eventsOf(cycle.agent.run(said("Go"))))).toMatchObject({ reason: "doom_loop", turns: 6 });
  });

  it("tells the model that the same error comes again and again, and ends where that changes nothing", async () => {
    const fails: NativeTool = { ...echo, run: () => ({ text: "No such file.", isError: true }) };
    const { agent } = await agentWith({ steps: steps("a", "b", "c", "d", "e", "f", "g"), host: { tools: [fails] } });
    const events = await eventsOf(agent.run(said("Go")));
    expect(ofType(events, "tool_done").map(({ text }) => text.includes("several times in a row"))).toEqual([false, false, true, true, true]);
    expect(ofType(events, "loop_detected").map(({ kind }) => kind)).toEqual(["same_error", "same_error", "same_error"]);
    expect(doneOf(events)).toMatchObject({ reason: "doom_loop" });
  });
});
