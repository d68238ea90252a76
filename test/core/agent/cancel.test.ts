import { describe, expect, it } from "vitest";
import type { Run } from "../../../core/agent/backend.ts";
import type { SessionEvent } from "../../../core/agent/session-event.ts";
import type { NativeTool } from "../../../core/host-types.ts";
import { validHistory } from "../../../core/session/valid-history.ts";
import { agentWith, type Driven, doneOf, echo, eventsOf, ofType, said, type With } from "./agent-with.ts";

const call = { kind: "calls", calls: [{ tool: "echo", input: { text: "a" }, id: "c1" }] } as const;

/** Cancels a run once an event came, and reads it to its end. */
async function cancelAt(run: Run, when: (event: SessionEvent) => boolean): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  for await (const event of run.events) {
    events.push(event);
    if (when(event)) run.cancel();
  }
  return events;
}

function expectValid({ agent }: Driven): void {
  const { closed, dropped } = validHistory(agent.messages());
  expect({ closed, dropped }).toEqual({ closed: 0, dropped: 0 });
}

describe("cancel()", () => {
  it("keeps what was streamed, and says that it was cut", async () => {
    const driven = await agentWith({ steps: [{ kind: "hang", after: "text", text: "It begins" }] });
    const events = await cancelAt(driven.agent.run(said("Go")), ({ type }) => type === "text_delta");
    expect(doneOf(events)).toMatchObject({ reason: "cancelled", error: null });
    expect(driven.agent.messages()).toMatchObject([
      { role: "user", text: "Go" },
      { role: "assistant", parts: [{ type: "text" }] },
      { role: "user", note: "cancelled" },
    ]);
    expectValid(driven);
  });

  it("ends a request that has brought nothing", async () => {
    const driven = await agentWith({ steps: [{ kind: "hang", after: "nothing" }] });
    const events = await cancelAt(driven.agent.run(said("Go")), ({ type }) => type === "turn_start");
    expect(doneOf(events)).toMatchObject({ reason: "cancelled", text: "" });
    expect(driven.agent.messages()).toMatchObject([{ text: "Go" }, { note: "cancelled" }]);
  });

  it("ends a wait before the next try", async () => {
    const driven = await agentWith({ steps: [{ kind: "status", status: 429, retryAfter: "3600" }] });
    const events = await cancelAt(driven.agent.run(said("Go")), ({ type }) => type === "retry");
    expect(doneOf(events)).toMatchObject({ reason: "cancelled" });
    expect(driven.clock.waiting()).toBe(0);
  });

  it("cancels the calls that run, and keeps what they answer", async () => {
    const slow: NativeTool = {
      ...echo,
      name: "slow",
      run: (_, { signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve("partial"))),
    };
    const driven = await agentWith({
      steps: [{ kind: "calls", calls: [...call.calls, { tool: "slow", input: { text: "" }, id: "c2" }] }],
      host: { tools: [echo, slow] },
    });
    const events = await cancelAt(driven.agent.run(said("Go")), (event) => event.type === "tool_start" && event.tool === "slow");
    expect(doneOf(events)).toMatchObject({ reason: "cancelled", turns: 1 });
    expect(driven.agent.messages()[2]).toMatchObject({ role: "tool", results: [{ toolId: "c1", text: "a" }, { toolId: "c2" }] });
    expectValid(driven);
  });

  it("waits no longer than its grace for a call that goes on regardless", async () => {
    const host = { tools: [echo] };
    const driven = await agentWith({ steps: [call], host, timers: { cancelGraceMs: 5_000 } });
    // The host answers every call in the end; one that did not must not hold the run.
    const stuck = await agentWith({ steps: [call], host, timers: { cancelGraceMs: 5_000 } });
    const begun = Promise.withResolvers<void>();
    const { createAgent } = await import("../../../core/agent/agent.ts");
    const agent = createAgent({
      host: {
        ...driven.host,
        call: () => {
          begun.resolve();
          return new Promise(() => {});
        },
      },
      model: stuck.model,
      clock: driven.clock,
      timers: { cancelGraceMs: 5_000 },
    });
    const run = agent.run(said("Go"));
    const events = eventsOf(run);
    await begun.promise;
    run.cancel();
    await driven.clock.advance(5_000);
    expect(doneOf(await events)).toMatchObject({ reason: "cancelled" });
    expect(agent.messages()[2]).toMatchObject({ results: [{ toolId: "c1", isError: true }] });
  });

  it("ends a question to a person", async () => {
    const asks: NativeTool = { ...echo, scopes: () => ({ scopes: [{ kind: "command", text: "make" }] }) };
    const driven = await agentWith({ steps: [call], host: { tools: [asks], answer: () => new Promise(() => {}) } });
    const events = await cancelAt(driven.agent.run(said("Go")), ({ type }) => type === "permission_asked");
    expect(doneOf(events)).toMatchObject({ reason: "cancelled" });
    expect(ofType(events, "permission_asked")).toMatchObject([{ toolId: "c1", tool: "echo", scopes: ["make"] }]);
    expectValid(driven);
  });

  it("stops a run that has not begun, and no other", async () => {
    const driven = await agentWith({
      steps: [
        { kind: "text", text: "one" },
        { kind: "text", text: "three" },
      ],
    });
    const [first, second, third] = ["1", "2", "3"].map((text) => driven.agent.run(said(text)));
    second?.cancel();
    const ends = await Promise.all([first, second, third].map(async (run) => (run === undefined ? undefined : doneOf(await eventsOf(run)).reason)));
    expect(ends).toEqual(["end_turn", "cancelled", "end_turn"]);
    expect(driven.agent.messages().filter(({ role }) => role === "user")).toMatchObject([{ text: "1" }, { text: "3" }]);
  });

  it("changes nothing after the end, and for the next run", async () => {
    const driven = await agentWith({
      steps: [
        { kind: "text", text: "one" },
        { kind: "text", text: "two" },
      ],
    });
    const first = driven.agent.run(said("1"));
    expect(doneOf(await eventsOf(first)).reason).toBe("end_turn");
    first.cancel();
    expect(doneOf(await eventsOf(driven.agent.run(said("2")))).reason).toBe("end_turn");
  });

  it("leaves a valid history and one done wherever it comes", async () => {
    const steps: With["steps"] = [
      { kind: "calls", text: "Let me see.", calls: [...call.calls, { tool: "echo", input: { text: "b" }, id: "c2" }] },
      { kind: "calls", calls: [{ tool: "echo", input: { text: "c" }, id: "c3" }] },
      { kind: "text", text: "It is done." },
    ];
    const whole = await eventsOf((await agentWith({ steps })).agent.run(said("Go")));
    for (let at = 0; at < whole.length - 1; at++) {
      const driven = await agentWith({ steps });
      let seen = 0;
      const events = await cancelAt(driven.agent.run(said("Go")), () => seen++ === at);
      expect(["cancelled", "end_turn"]).toContain(doneOf(events).reason);
      expectValid(driven);
      const next = await eventsOf(driven.agent.run(said("Go on")));
      expect(doneOf(next).reason).toBe("end_turn");
    }
  });

  it("is what closing the agent does to runs", async () => {
    const driven = await agentWith({ steps: [{ kind: "hang", after: "text" }] });
    const events = eventsOf(driven.agent.run(said("Go")));
    await driven.agent.close();
    expect(doneOf(await events).reason).toBe("cancelled");
  });
});
