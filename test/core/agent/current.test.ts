import { describe, expect, it } from "vitest";
import type { Agent } from "../../../core/agent/agent.ts";
import { createLedger } from "../../../core/agent/ledger.ts";
import type { NativeTool } from "../../../core/host-types.ts";
import { agentWith, type Driven, doneOf, echo, eventsOf, eventsWhile, ofType, said } from "./agent-with.ts";

const call = { kind: "calls", calls: [{ tool: "echo", input: { text: "a" }, id: "c1" }] } as const;
const end = { kind: "text", text: "ok" } as const;
const spends = { input: 1_000, output: 100, cacheRead: 0, cacheWrite: 0 };

describe("Agent.current()", () => {
  it("lets a call spend for its run, show what its subagent does, and keeps it alive meanwhile", async () => {
    let agent: Agent | undefined;
    let driven: Driven | undefined;
    const child: NativeTool = {
      ...echo,
      run: async () => {
        const run = agent?.current();
        for (let i = 0; i < 3; i++) {
          await driven?.clock.sleep(500_000);
          run?.emit({ type: "child", parentToolId: "c1", name: "finder", event: { type: "turn_start", turn: i + 1 } });
        }
        createLedger(run?.ledger).add("child/model", spends, 0.25);
        return "found";
      },
    };
    driven = await agentWith({ steps: [call, end], host: { tools: [child] } });
    agent = driven.agent;
    expect(agent.current()).toBeUndefined();
    const events = await eventsWhile(driven.clock, agent.run(said("Go")), 100_000);
    expect(ofType(events, "child").map(({ name, event }) => [name, event.type])).toEqual(Array(3).fill(["finder", "turn_start"]));
    expect(ofType(events, "tool_done")).toMatchObject([{ text: "found", isError: false }]);
    expect(doneOf(events)).toMatchObject({ reason: "end_turn", usage: { input: 1_200 } });
    expect(doneOf(events).costUsd).toBeCloseTo(0.25 + 2 * 0.0003, 9);
    expect(driven.journal.filter(([kind, value]) => kind === "addUsage" && JSON.stringify(value).includes("child/model"))).toHaveLength(1);
  });

  it("stops a run at once whose subagent takes it past a limit", async () => {
    let agent: Agent | undefined;
    const child: NativeTool = {
      ...echo,
      run: (_, { signal }) => {
        agent?.current()?.ledger.add("child/model", spends, 1);
        return new Promise((resolve) => signal.addEventListener("abort", () => resolve("partial")));
      },
    };
    const driven = await agentWith({ steps: [call, end], host: { tools: [child] } });
    agent = driven.agent;
    const events = await eventsOf(agent.run(said("Go"), { maxCostUsd: 0.5 }));
    expect(doneOf(events)).toMatchObject({ reason: "max_cost", turns: 1 });
    expect(driven.agent.messages()[2]).toMatchObject({ role: "tool", results: [{ toolId: "c1", isError: true }] });
    expect(driven.chaos.requests).toHaveLength(1);
  });

  it("says that a limit of cost does not hold for a model without a price", async () => {
    const { agent } = await agentWith({ steps: [end], model: { price: null } });
    const events = await eventsOf(agent.run(said("Go"), { maxCostUsd: 0.5 }));
    expect(ofType(events, "notice")).toMatchObject([{ code: "no_price" }]);
    expect(doneOf(events)).toMatchObject({ reason: "end_turn", costUsd: null });
  });

  it("pays for a subagent from the run that caused it, and tells listeners nothing of it", async () => {
    const { host, model, clock } = await agentWith({ steps: [end] });
    const { createAgent } = await import("../../../core/agent/agent.ts");
    const paid = createLedger();
    const told: string[] = [];
    for (const event of ["TurnStart", "TurnEnd", "SessionStatusChanged"]) host.on(event, () => void told.push(event));
    const agent = createAgent({
      host: { ...host, call: ({ tool, input, ...request }) => host.call(tool, input, request) },
      model,
      clock,
      audience: "research",
      sessionId: "task-1",
      child: { taskId: "task-1", name: "finder", ledger: paid },
    });
    expect(doneOf(await eventsOf(agent.run(said("Find it")))).costUsd).toBeCloseTo(0.0003, 9);
    expect(paid.total().costUsd).toBeCloseTo(0.0003, 9);
    await new Promise((resolve) => setImmediate(resolve));
    expect(told).toEqual([]);
  });
});
