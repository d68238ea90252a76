import { describe, expect, it } from "vitest";
import type { NativeTool } from "../../../core/host-types.ts";
import { agentWith, doneOf, echo, eventsOf, eventsWhile, ofType, said } from "./agent-with.ts";

const call = { kind: "calls", calls: [{ tool: "echo", input: { text: "a" }, id: "c1" }] } as const;
const end = { kind: "text", text: "ok" } as const;
const asks: NativeTool = { ...echo, scopes: () => ({ scopes: [{ kind: "command", text: "make" }] }) };

describe("runCalls()", () => {
  it("shows what a tool writes while it runs", async () => {
    const writes: NativeTool = {
      ...echo,
      run: (_, { write }) => {
        write("one\n");
        write("two\n");
        return "done";
      },
    };
    const { agent } = await agentWith({ steps: [call, end], host: { tools: [writes] } });
    const events = await eventsOf(agent.run(said("Go")));
    expect(ofType(events, "tool_output").map(({ toolId, text }) => [toolId, text])).toEqual([
      ["c1", "one\n"],
      ["c1", "two\n"],
    ]);
  });

  it("ends a tool that gives no sign of life, and goes on with what it wrote", async () => {
    const hangs: NativeTool = {
      ...echo,
      run: (_, { signal, write }) => {
        write("begun\n");
        return new Promise((resolve) => signal.addEventListener("abort", () => resolve("partial")));
      },
    };
    const { agent, clock } = await agentWith({ steps: [call, end], host: { tools: [hangs] } });
    const events = await eventsWhile(clock, agent.run(said("Go")), 60_000);
    expect(ofType(events, "tool_done")).toMatchObject([{ isError: true, text: expect.stringContaining("no sign of life") }]);
    expect(clock.now()).toBeGreaterThanOrEqual(600_000);
    expect(doneOf(events)).toMatchObject({ reason: "end_turn", text: "ok" });
  });

  it("lets a person take their time, and a tool that writes now and then its own", async () => {
    const answered = Promise.withResolvers<void>();
    let wrote = 0;
    const { agent, clock } = await agentWith({
      steps: [call, end],
      host: {
        tools: [asks],
        answer: async () => {
          await answered.promise;
          wrote++;
          return { decision: "allow" };
        },
      },
    });
    const run = agent.run(said("Go"));
    const events = [];
    for await (const event of run.events) {
      events.push(event);
      if (event.type !== "permission_asked") continue;
      await clock.advance(3_600_000);
      answered.resolve();
    }
    expect(wrote).toBe(1);
    expect(ofType(events, "tool_done")).toMatchObject([{ isError: false, text: "a", marks: { permission: { source: "person" } } }]);
  });

  it("denies what nobody answers in time, where there is one", async () => {
    const { agent, clock } = await agentWith({
      steps: [call, end],
      host: { tools: [asks], answer: () => new Promise(() => {}) },
      timers: { permissionMs: 300_000 },
    });
    const events = await eventsWhile(clock, agent.run(said("Go")), 10_000);
    expect(ofType(events, "tool_done")).toMatchObject([{ isError: true, text: expect.stringContaining("Nobody answered in time") }]);
    expect(clock.now()).toBeGreaterThanOrEqual(300_000);
    expect(doneOf(events)).toMatchObject({ reason: "end_turn" });
  });

  it("denies at once where nobody is there", async () => {
    const { agent, journal } = await agentWith({ steps: [call, end], host: { tools: [asks], yolo: false } });
    const events = await eventsOf(agent.run(said("Go")));
    expect(ofType(events, "tool_done")).toMatchObject([{ isError: true, marks: { permission: { decision: "deny", source: "nobody" } } }]);
    expect(journal.filter(([kind]) => kind === "addPermission")).toMatchObject([
      [expect.anything(), { toolId: "c1", decision: "deny", scopes: ["make"] }],
    ]);
  });

  it("shows the model the images of a result behind the results, where it sees any", async () => {
    const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const pictures: NativeTool = { ...echo, run: () => ({ text: "a picture", images: [{ mediaType: "image/png", base64: png }] }) };
    for (const images of [true, false]) {
      const { agent, chaos } = await agentWith({ steps: [call, end], host: { tools: [pictures] }, model: { images } });
      const events = await eventsOf(agent.run(said("Go")));
      expect(ofType(events, "tool_done")[0]?.images).toHaveLength(1);
      const prompt = chaos.requests[1]?.prompt ?? [];
      expect(prompt.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool", "user"]);
      expect(JSON.stringify(prompt).includes(png)).toBe(images);
    }
  });

  it("redacts what it shows of a call", async () => {
    const redactor = {
      name: "redactor",
      source: `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "redactor", steer: ["tool.*.output"] }, (api) => { api.redact((text) => text.replaceAll("sk-secret", "[redacted]")); });`,
    };
    const adds = {
      name: "adds",
      source: `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "adds", steer: ["tool.*.input"] }, (api) => { api.setSlot("tool.echo.input", (prev) => prev({ text: "sk-secret" })); });`,
    };
    const { agent } = await agentWith({
      steps: [call, end],
      host: { tools: [asks], answer: "allow", plugins: [redactor, adds] },
    });
    const events = await eventsOf(agent.run(said("Go")));
    expect(JSON.stringify(events)).not.toContain("sk-secret");
    expect(ofType(events, "tool_start")).toMatchObject([{ summary: "echo [redacted]" }]);
    const types = events.map(({ type }) => type);
    expect(types.indexOf("permission_answered")).toBeLessThan(types.indexOf("tool_start"));
  });

  it("answers a call that the host fails with an error of that call alone", async () => {
    const { createAgent } = await import("../../../core/agent/agent.ts");
    const driven = await agentWith({ steps: [{ kind: "calls", calls: [...call.calls, { tool: "echo", input: { text: "b" }, id: "c2" }] }, end] });
    const agent = createAgent({
      host: {
        ...driven.host,
        call: ({ tool, input, ...request }) => {
          if (request.callerId === "c1") throw new Error("broken");
          return driven.host.call(tool, input, request);
        },
      },
      model: driven.model,
      clock: driven.clock,
    });
    const events = await eventsOf(agent.run(said("Go")));
    expect(agent.messages()[2]).toMatchObject({
      results: [
        { toolId: "c1", isError: true },
        { toolId: "c2", isError: false },
      ],
    });
    expect(doneOf(events).reason).toBe("end_turn");
  });
});
