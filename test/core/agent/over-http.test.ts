import { describe, expect, it, onTestFinished } from "vitest";
import type { Clock } from "../../../core/agent/clock.ts";
import { systemClock } from "../../../core/agent/clock.ts";
import { openModel } from "../../../core/models/open-model.ts";
import type { ModelServer, ServerStep } from "../../fake-servers/model-server.ts";
import { kinds, startServer } from "../../fake-servers/start-server.ts";
import { agentWith, doneOf, eventsOf, ofType, said, type With } from "./agent-with.ts";

/** Waits before the next try hardly take time; timers take theirs. */
const impatient: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 5), signal) };

describe.each(kinds)("createAgent() over HTTP, %s", (kind) => {
  const served = async (steps: readonly ServerStep[], options: With = {}) => {
    const server: ModelServer = await startServer(kind, steps);
    onTestFinished(() => server.close());
    const model = await openModel("mine/fake-1", {
      models: { providers: { mine: { kind, url: server.url, keyEnv: "MINE_KEY" } } },
      environment: { MINE_KEY: "a-key-of-nobody-0123456789" },
    });
    const driven = await agentWith({ ...options, model: { ...model, contextWindow: 100_000 }, clock: impatient });
    return { ...driven, server };
  };
  const calls = (text: string): ServerStep => ({ kind: "calls", text: "Let me see.", calls: [{ tool: "echo", input: { text } }] });
  const end: ServerStep = { kind: "text", text: "It is done." };

  it("runs calls and sends their results back", async () => {
    const { agent, server } = await served([calls("first"), calls("second"), end]);
    const events = await eventsOf(agent.run(said("Go")));
    expect(doneOf(events)).toMatchObject({ reason: "end_turn", text: "It is done.", turns: 3 });
    expect(ofType(events, "tool_done").map(({ text }) => text)).toEqual(["first", "second"]);
    expect(new Set(ofType(events, "tool_done").map(({ toolId }) => toolId)).size).toBe(2);
    expect(JSON.stringify(server.requests[2]?.body)).toMatch(/first.*second/s);
    expect(doneOf(events).usage.output).toBe(90);
  });

  it("shows words as they come", async () => {
    const { agent } = await served([{ kind: "slow", text: "one two three", everyMs: 20 }]);
    const events = await eventsOf(agent.run(said("Go")));
    expect(ofType(events, "text_delta").length).toBeGreaterThan(1);
    expect(doneOf(events).text).toBe("one two three");
  });

  it.each<[string, ServerStep, string]>([
    ["a limit with a time to wait", { kind: "status", status: 429, headers: { "retry-after": "7" } }, "rate_limit"],
    ["a failing server", { kind: "status", status: 500 }, "transient"],
    ["a busy server", { kind: "status", status: 529, error: { type: "overloaded_error", message: "Overloaded" } }, "transient"],
    ["a connection that is cut", { kind: "cut", text: "Half an" }, "transient"],
    ["a stream without an end", { kind: "unfinished", text: "Half an" }, "quiet"],
  ])("tries again after %s", async (_, step, kindOfFailure) => {
    const { agent } = await served([step, end]);
    const events = await eventsOf(agent.run(said("Go")));
    expect(ofType(events, "retry")).toMatchObject([{ class: kindOfFailure }]);
    expect(doneOf(events)).toMatchObject({ reason: "end_turn", text: "It is done." });
    expect(JSON.stringify(agent.messages())).not.toContain("Half");
  });

  it("tells of a key that is refused, without it", async () => {
    const { agent } = await served([
      { kind: "status", status: 401, error: { type: "authentication_error", message: "invalid x-api-key a-key-of-nobody-0123456789" } },
    ]);
    const events = await eventsOf(agent.run(said("Go")));
    expect(doneOf(events)).toMatchObject({ reason: "error", error: { code: "model_key_refused" } });
    expect(JSON.stringify(events)).not.toContain("nobody-0123456789");
  });

  it("compacts what the server finds too long", async () => {
    const tooLong: ServerStep = { kind: "status", status: 400, error: { message: "prompt is too long: 215000 tokens > 200000 maximum" } };
    const history = Array.from({ length: 40 }, (_, i) => [
      { role: "user" as const, text: `Question ${i} ${"x".repeat(4_000)}` },
      { role: "assistant" as const, parts: [{ type: "text" as const, text: `Answer ${i}` }], model: "m" },
    ]).flat();
    const { agent } = await served([tooLong, { kind: "text", text: "All about x." }, end], { history, contextTokens: 100 });
    const events = await eventsOf(agent.run(said("Go")));
    expect(ofType(events, "compact_done")).toMatchObject([{ summary: "All about x." }]);
    expect(doneOf(events)).toMatchObject({ reason: "end_turn", text: "It is done." });
  });

  it.each(["nothing", "head"] as const)("gives up on a server that answers %s, and closes the connection", async (after) => {
    const { agent, server } = await served([{ kind: "silent", after }, end], { timers: { connectMs: 1_500, firstOutputMs: 1_500 } });
    const events = await eventsOf(agent.run(said("Go")));
    expect(ofType(events, "retry")).toMatchObject([{ class: "timeout" }]);
    expect(doneOf(events)).toMatchObject({ reason: "end_turn" });
    expect(server.aborted).toBe(1);
  });

  it("closes the connection when it is cancelled, and keeps what came", async () => {
    const { agent, server } = await served([{ kind: "slow", text: "one two three four five six", everyMs: 50 }]);
    const run = agent.run(said("Go"));
    const events = [];
    for await (const event of run.events) {
      events.push(event);
      if (event.type === "text_delta") run.cancel();
    }
    expect(doneOf(events)).toMatchObject({ reason: "cancelled" });
    expect(doneOf(events).text).toContain("one");
    await expect.poll(() => server.aborted).toBe(1);
  });
});
