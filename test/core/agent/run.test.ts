import { describe, expect, it } from "vitest";
import type { NativeTool } from "../../../core/host-types.ts";
import { agentWith, doneOf, echo, eventsOf, eventsWhile, ofType, said } from "./agent-with.ts";

const call = (text: string, id: string) => ({ tool: "echo", input: { text }, id });

describe("drive()", () => {
  it("runs calls and sends their results until the model has nothing more to call", async () => {
    const { agent, chaos } = await agentWith({
      steps: [
        { kind: "calls", text: "Let me see.", calls: [call("a", "c1"), call("b", "c2")] },
        { kind: "text", text: "It is done." },
      ],
    });
    const events = await eventsOf(agent.run(said("Do it")));
    expect(doneOf(events)).toMatchObject({ reason: "end_turn", error: null, text: "It is done.", turns: 2 });
    expect(agent.messages()).toMatchObject([
      { role: "user", text: "Do it" },
      {
        role: "assistant",
        parts: [
          { type: "text", text: "Let me see." },
          { type: "call", toolId: "c1" },
          { type: "call", toolId: "c2" },
        ],
      },
      {
        role: "tool",
        results: [
          { toolId: "c1", text: "a", isError: false },
          { toolId: "c2", text: "b" },
        ],
      },
      { role: "assistant", parts: [{ type: "text", text: "It is done." }] },
    ]);
    expect(chaos.requests[1]?.prompt.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool"]);
  });

  it("tells what happens in order, once", async () => {
    const { agent } = await agentWith({
      steps: [
        { kind: "calls", calls: [call("a", "c1")] },
        { kind: "text", text: "Done." },
      ],
    });
    const events = await eventsOf(agent.run(said("Do it")));
    expect(events.map(({ type }) => type)).toEqual([
      "run_start",
      "user_message",
      "title",
      "turn_start",
      "tool_pending",
      "turn_end",
      "tool_start",
      "tool_done",
      "turn_start",
      "text_delta",
      "turn_end",
      "done",
    ]);
    expect(ofType(events, "tool_done")[0]).toMatchObject({ toolId: "c1", tool: "echo", input: { text: "a" }, text: "a", isError: false });
  });

  it("offers the tools that are there with each request, and calls those alone", async () => {
    const { agent, host, chaos } = await agentWith({
      steps: [
        { kind: "calls", calls: [{ tool: "load", input: {} }] },
        { kind: "calls", calls: [{ tool: "late", input: {} }] },
        { kind: "text", text: "ok" },
      ],
      host: {
        tools: [
          echo,
          {
            name: "load",
            description: "Loads another tool.",
            inputSchema: { type: "object" },
            scopes: "none",
            run: async () => {
              await host.load({
                name: "late",
                source: `import { definePlugin } from "mortise/sdk"; import * as z from "zod/mini";
export default definePlugin({ name: "late" }, (api) => { api.registerTool({ name: "late", description: "Late.", input: z.object({}), scopes: "none", run: () => "late it is" }); });`,
              });
              return "loaded";
            },
          },
        ],
      },
    });
    const events = await eventsOf(agent.run(said("Do it")));
    expect(chaos.requests.map(({ tools }) => tools?.map(({ name }) => name))).toEqual([
      ["echo", "load"],
      ["echo", "load", "late"],
      ["echo", "load", "late"],
    ]);
    expect(ofType(events, "tool_done").map(({ text }) => text)).toEqual(["loaded", "late it is"]);
  });

  it("keeps the results in the order of the calls, whichever ends first", async () => {
    const first = Promise.withResolvers<string>();
    const slow: NativeTool = { ...echo, name: "slow", run: () => first.promise };
    const fast: NativeTool = { ...echo, name: "fast", run: () => "fast" };
    const { agent } = await agentWith({
      steps: [
        {
          kind: "calls",
          calls: [
            { tool: "slow", input: { text: "" }, id: "c1" },
            { tool: "fast", input: { text: "" }, id: "c2" },
          ],
        },
        { kind: "text", text: "ok" },
      ],
      host: { tools: [slow, fast] },
    });
    const ended: string[] = [];
    for await (const event of agent.run(said("Do it")).events) {
      if (event.type !== "tool_done") continue;
      ended.push(event.toolId);
      first.resolve("slow");
    }
    expect(ended).toEqual(["c2", "c1"]);
    expect(agent.messages()[2]).toMatchObject({ role: "tool", results: [{ toolId: "c1" }, { toolId: "c2" }] });
  });

  it("takes names with the prefix of functions for those of tools", async () => {
    const { agent } = await agentWith({
      steps: [
        { kind: "calls", calls: [{ tool: "functions.echo", input: { text: "a" }, id: "c1" }] },
        { kind: "text", text: "ok" },
      ],
    });
    const events = await eventsOf(agent.run(said("Do it")));
    expect(ofType(events, "tool_done")).toMatchObject([{ tool: "echo", text: "a", isError: false }]);
    expect(agent.messages()[1]).toMatchObject({ parts: [{ type: "call", tool: "echo" }] });
  });

  it("answers a tool that is not there with an error that names close ones", async () => {
    const { agent } = await agentWith({
      steps: [
        { kind: "calls", calls: [{ tool: "ehco", input: {}, id: "c1" }] },
        { kind: "text", text: "ok" },
      ],
    });
    const [done] = ofType(await eventsOf(agent.run(said("Do it"))), "tool_done");
    expect(done).toMatchObject({ isError: true });
    expect(done?.text).toContain("echo");
  });

  it.each([
    { name: "is no JSON", step: { kind: "invalid_json", tool: "echo", input: '{"text": "a' } as const },
    { name: "was cut at the longest answer", step: { kind: "max_tokens", text: "", call: { tool: "echo", input: '{"text": "a' } } as const },
    { name: "was cut before anything of it came", step: { kind: "max_tokens", text: "", call: { tool: "echo", input: "" } } as const },
  ])("never runs a call whose input $name", async ({ step }) => {
    let ran = 0;
    const tool: NativeTool = {
      ...echo,
      inputSchema: { type: "object" },
      run: () => {
        ran++;
        return "";
      },
    };
    const { agent } = await agentWith({ steps: [step, { kind: "text", text: "ok" }], host: { tools: [tool] } });
    const events = await eventsOf(agent.run(said("Do it")));
    expect(ran).toBe(0);
    expect(ofType(events, "tool_done")).toMatchObject([{ isError: true }]);
    expect(agent.messages()[2]).toMatchObject({ role: "tool", results: [{ isError: true }] });
    expect(doneOf(events)).toMatchObject({ reason: "end_turn", text: "ok" });
  });

  it("tells calls with the same id apart", async () => {
    const { agent } = await agentWith({
      steps: [
        { kind: "duplicate_calls", call: call("a", "c1") },
        { kind: "text", text: "ok" },
      ],
    });
    await eventsOf(agent.run(said("Do it")));
    expect(agent.messages()[2]).toMatchObject({ results: [{ toolId: "c1" }, { toolId: "c1_2" }] });
  });

  it("goes on after an answer that was cut, three times in a row", async () => {
    const { agent, chaos } = await agentWith({ steps: [{ kind: "max_tokens", text: "more " }] });
    const events = await eventsOf(agent.run(said("Tell me")));
    expect(doneOf(events)).toMatchObject({ reason: "max_tokens", turns: 4, text: "more more more more " });
    expect(chaos.requests).toHaveLength(4);
  });

  it("nudges a model that answers nothing after results, and ends where it goes on so", async () => {
    const { agent } = await agentWith({
      steps: [{ kind: "calls", calls: [call("a", "c1")] }, { kind: "empty" }, { kind: "thinking", text: "Hm." }, { kind: "text", text: "ok" }],
    });
    const events = await eventsOf(agent.run(said("Do it")));
    expect(ofType(events, "nudge").map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(doneOf(events)).toMatchObject({ reason: "end_turn", text: "ok" });

    const other = await agentWith({ steps: [{ kind: "calls", calls: [call("a", "c1")] }, { kind: "empty" }] });
    const all = await eventsOf(other.agent.run(said("Do it")));
    expect(ofType(all, "nudge")).toHaveLength(20);
    expect(doneOf(all)).toMatchObject({ reason: "end_turn", text: "" });
  });

  it("does not nudge where there is no result to look at", async () => {
    const { agent } = await agentWith({ steps: [{ kind: "empty" }] });
    const events = await eventsOf(agent.run(said("Hello")));
    expect(ofType(events, "nudge")).toEqual([]);
    expect(doneOf(events)).toMatchObject({ reason: "end_turn", turns: 1 });
  });

  it("stops at its most turns, with every call answered", async () => {
    let number = 0;
    const counter: NativeTool = { ...echo, run: () => String(number++) };
    const { agent } = await agentWith({
      steps: [{ kind: "calls", calls: [call("a", "c1")] }],
      host: { tools: [counter] },
      repeats: { sameCalls: 0 },
    });
    const events = await eventsOf(agent.run(said("Go"), { maxTurns: 5 }));
    expect(doneOf(events)).toMatchObject({ reason: "max_turns", turns: 5 });
    expect(agent.messages().at(-1)).toMatchObject({ role: "tool" });
  });

  it.each([
    { limit: { maxCostUsd: 0.0002 }, reason: "max_cost" },
    { limit: { maxTotalTokens: 150 }, reason: "max_total_tokens" },
  ])("stops once a request took it past $reason, before calls run", async ({ limit, reason }) => {
    const { agent } = await agentWith({
      steps: [
        { kind: "calls", calls: [call("a", "c1")], usage: { input: 50, output: 10 } },
        { kind: "calls", calls: [call("b", "c2")], usage: { input: 80, output: 10 } },
        { kind: "text", text: "never" },
      ],
    });
    const events = await eventsOf(agent.run(said("Go"), limit));
    expect(doneOf(events)).toMatchObject({ reason, turns: 2 });
    expect(ofType(events, "tool_done").map(({ toolId }) => toolId)).toEqual(["c1"]);
    expect(agent.messages().at(-1)).toMatchObject({ role: "tool", results: [{ toolId: "c2", isError: true }] });
  });

  it.each([
    { limit: { maxCostUsd: 0.001 }, reason: "max_cost" },
    { limit: { maxTotalTokens: 200 }, reason: "max_total_tokens" },
  ])("holds $reason by an estimate where the provider does not say what it used, and says so once", async ({ limit, reason }) => {
    const steps = ["a", "b", "c", "d", "e"].map((id) => ({
      kind: "calls" as const,
      calls: [call("x".repeat(200), id)],
      usage: { input: 0, output: 0 },
    }));
    const { agent, journal } = await agentWith({ steps, repeats: { sameCalls: 0 } });
    const events = await eventsOf(agent.run(said("Go"), limit));
    expect(doneOf(events).reason).toBe(reason);
    expect(ofType(events, "turn_end").length).toBeGreaterThan(1);
    expect(ofType(events, "notice").map(({ code }) => code)).toEqual(["no_usage"]);
    expect(journal.filter(([kind]) => kind === "addUsage")).toHaveLength(ofType(events, "turn_end").length);
  });

  it("makes no tokens up where no limit needs them", async () => {
    const { agent } = await agentWith({ steps: [{ kind: "text", text: "ok", usage: { input: 0, output: 0 } }] });
    const events = await eventsOf(agent.run(said("Go")));
    expect(doneOf(events).usage).toEqual({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 });
    expect(ofType(events, "notice")).toEqual([]);
  });

  it("stops everything when its time is up", async () => {
    const { agent, clock } = await agentWith({ steps: [{ kind: "hang", after: "text", text: "It begins" }], timers: { modelIdleMs: 0 } });
    const events = await eventsWhile(clock, agent.run(said("Go"), { timeoutMs: 60_000 }));
    expect(doneOf(events)).toMatchObject({ reason: "timeout", text: "It begins" });
    expect(clock.now()).toBe(60_000);
    expect(agent.messages()).toMatchObject([{ text: "Go" }, { parts: [{ text: "It begins" }] }, { role: "user", note: "timeout" }]);
  });

  it("keeps everything in the journal before it goes on", async () => {
    const { agent, journal } = await agentWith({
      steps: [
        { kind: "calls", calls: [call("a", "c1")] },
        { kind: "text", text: "ok" },
      ],
    });
    await eventsOf(agent.run(said("Go")));
    expect(journal.map(([kind]) => kind)).toEqual(["append", "append", "addUsage", "addResult", "append", "addUsage", "set", "end"]);
    expect(journal.at(-1)).toEqual(["end", { reason: "end_turn", error: null }]);
  });

  it("goes on where the journal fails, and says so once", async () => {
    const fails = async () => {
      throw new Error("no space left");
    };
    const { agent } = await agentWith({
      steps: [{ kind: "text", text: "ok" }],
      journal: { append: fails, addResult: fails, addUsage: fails, addPermission: fails, set: fails, replace: fails, end: fails },
    });
    const events = await eventsOf(agent.run(said("Go")));
    expect(ofType(events, "notice")).toMatchObject([{ code: "not_saved" }]);
    expect(doneOf(events)).toMatchObject({ reason: "end_turn" });
  });

  it("lets one run follow another, each with its own end", async () => {
    const { agent, chaos } = await agentWith({
      steps: [
        { kind: "text", text: "one" },
        { kind: "text", text: "two" },
      ],
    });
    const [first, second] = [agent.run(said("1")), agent.run(said("2"))];
    expect(doneOf(await eventsOf(second)).text).toBe("two");
    expect(doneOf(await eventsOf(first)).text).toBe("one");
    expect(chaos.requests[1]?.prompt.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
  });

  it("sends no request for a message of nothing", async () => {
    const { agent, chaos } = await agentWith();
    const events = await eventsOf(agent.run(said("  ")));
    expect(doneOf(events)).toMatchObject({ reason: "dropped", turns: 0 });
    expect(chaos.requests).toEqual([]);
  });
});
