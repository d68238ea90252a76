import { describe, expect, it } from "vitest";
import type { NativeTool } from "../../../../core/host-types.ts";
import type { ChaosStep } from "../../../../core/models/embedded/chaos/chaos.ts";
import { agentWith, doneOf, echo, eventsOf, ofType, said, type With } from "../agent-with.ts";

const end: ChaosStep = { kind: "text", text: "ok" };
const empty: ChaosStep = { kind: "empty" };
const cut: ChaosStep = { kind: "max_tokens", text: "more " };
const call = (text: string): ChaosStep => ({ kind: "calls", calls: [{ tool: "echo", input: { text } }] });

const run = async (options: With, limits = {}) => {
  const driven = await agentWith(options);
  const events = await eventsOf(driven.agent.run(said("Go"), limits));
  return { ...driven, events, done: doneOf(events), nudges: ofType(events, "nudge").length };
};

describe("an answer of nothing", () => {
  it.each<[string, ChaosStep]>([
    ["no part at all", empty],
    ["thinking alone", { kind: "thinking", text: "Hm." }],
    ["blanks alone", { kind: "text", text: " \n " }],
  ])("behind results is nudged, and kept as an answer: %s", async (_, step) => {
    const { done, nudges, agent, chaos } = await run({ steps: [call("a"), step, end] });
    expect([nudges, done.reason, done.text]).toEqual([1, "end_turn", "ok"]);
    expect(agent.messages().map((message) => (message.role === "user" ? (message.note ?? "said") : message.role))).toEqual([
      "said",
      "assistant",
      "tool",
      "assistant",
      "nudge",
      "assistant",
    ]);
    expect(chaos.requests[2]?.prompt.at(-1)).toMatchObject({ role: "user", content: [{ text: expect.stringContaining("empty") }] });
  });

  it("is nudged twenty times in a row, then the run ends", async () => {
    const { done, nudges } = await run({ steps: [call("a"), empty] });
    expect([nudges, done.reason, done.turns]).toEqual([20, "end_turn", 22]);
  });

  it("is counted anew after calls", async () => {
    const many = Array<ChaosStep>(15).fill(empty);
    const { done, nudges } = await run({ steps: [call("a"), ...many, call("b"), ...many, end] });
    expect([nudges, done.text]).toEqual([30, "ok"]);
  });

  it("with no result among the last five messages ends the run", async () => {
    expect(await run({ steps: [empty] })).toMatchObject({ nudges: 0, done: { reason: "end_turn", turns: 1 } });
    const { agent } = await agentWith({ steps: [call("a"), end, end, end, end, empty] });
    for (let i = 0; i < 4; i++) await eventsOf(agent.run(said("And?")));
    const events = await eventsOf(agent.run(said("And?")));
    expect(ofType(events, "nudge")).toEqual([]);
    expect(doneOf(events)).toMatchObject({ reason: "end_turn", text: "" });
  });
});

describe("an answer that is cut at its longest", () => {
  it("is gone on with three times in a row, as one answer", async () => {
    const whole = await run({ steps: [cut, cut, cut, { kind: "text", text: "done" }] });
    expect(whole.done).toMatchObject({ reason: "end_turn", text: "more more more done", turns: 4 });
    const never = await run({ steps: [cut] });
    expect(never.done).toMatchObject({ reason: "max_tokens", text: "more more more more ", turns: 4 });
  });

  it("is gone on with also late in a run: what counts are cuts in a row", async () => {
    const { done } = await run({ steps: [call("a"), call("b"), call("c"), cut, cut, call("d"), cut, cut, cut, { kind: "text", text: "done" }] });
    expect(done).toMatchObject({ reason: "end_turn", text: "more more more done" });
  });

  it.each<[string, ChaosStep]>([
    ["within its input", { kind: "max_tokens", text: "", call: { tool: "echo", input: '{"text": "rm -rf' } }],
    ["before its input", { kind: "max_tokens", text: "", call: { tool: "echo", input: "" } }],
    ["as no JSON", { kind: "invalid_json", tool: "echo", input: '{"text": "rm -rf' }],
  ])("runs no call that came %s: it is answered with an error", async (_, step) => {
    let ran = 0;
    const tool: NativeTool = { ...echo, inputSchema: { type: "object" }, run: () => String(ran++) };
    const { done, agent } = await run({ steps: [step, end], host: { tools: [tool] } });
    expect([ran, done.reason, done.text]).toEqual([0, "end_turn", "ok"]);
    expect(agent.messages()[2]).toMatchObject({ role: "tool", results: [{ isError: true }] });
  });

  it("within a call that the stream breaks off in is asked for again", async () => {
    const { done, events } = await run({ steps: [{ kind: "truncated_call", tool: "echo", input: '{"te' }, end], clock: hasty() });
    expect(ofType(events, "retry")).toMatchObject([{ class: "quiet" }]);
    expect(ofType(events, "tool_done")).toEqual([]);
    expect(done.reason).toBe("end_turn");
  });
});

describe("the end that layers put off", () => {
  const plugin = {
    name: "checker",
    source: `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "checker", steer: ["agent.stop"] }, (api) => { api.setSlot("agent.stop", () => ({ continue: "Check again" })); });`,
  };

  it("is put off three times in a row, and anew once the person speaks", async () => {
    const { agent, chaos } = await agentWith({ steps: [end], host: { plugins: [plugin] } });
    const handle = agent.run(said("Go"));
    let continued = 0;
    for await (const event of handle.events) {
      if (event.type !== "continued") continue;
      if (++continued === 3) void handle.say(said("Wait"));
    }
    expect(continued).toBeGreaterThan(3);
    expect(continued).toBeLessThanOrEqual(6);
    expect(chaos.requests.length).toBeLessThanOrEqual(8);
  });
});

describe("the limits of a run", () => {
  it("are 200 turns unless it is said", async () => {
    let count = 0;
    const { done } = await run({ steps: [call("a")], repeats: { sameCalls: 0 }, host: { tools: [{ ...echo, run: () => String(count++) }] } });
    expect(done).toMatchObject({ reason: "max_turns", turns: 200 });
  });

  it.each([
    ["max_cost", { maxCostUsd: 0.0005 }],
    ["max_total_tokens", { maxTotalTokens: 300 }],
  ])("stop it however much progress there is: %s", async (reason, limit) => {
    let count = 0;
    const tool: NativeTool = { ...echo, run: () => String(count++) };
    const { done, agent } = await run({ steps: [call("a"), call("b"), call("c"), call("d"), call("e"), end], host: { tools: [tool] } }, limit);
    expect(done.reason).toBe(reason);
    expect(agent.messages().at(-1)?.role).toBe("tool");
  });
});

/** A clock on which no time passes. */
function hasty() {
  return { now: () => 0, sleep: async () => {}, timer: () => () => {} };
}
