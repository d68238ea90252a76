import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../../../core/agent/clock.ts";
import type { SessionEvent } from "../../../../core/agent/session-event.ts";
import type { NativeTool } from "../../../../core/host-types.ts";
import { openModel } from "../../../../core/models/open-model.ts";
import type { ServerStep } from "../../../fake-servers/model-server.ts";
import { kinds, startServer } from "../../../fake-servers/start-server.ts";
import { faultOf } from "../../../fake-servers/strict.ts";
import { agentWith, doneOf, echo, eventsOf, ofType, said, type With } from "../agent-with.ts";

const end: ServerStep = { kind: "text", text: "It is done." };
const two: ServerStep = {
  kind: "calls",
  text: "Let me see.",
  calls: [
    { tool: "echo", input: { text: "a" } },
    { tool: "echo", input: { text: "b" } },
  ],
};
/** Ends for "a", and never for others. */
const hangs: NativeTool = { ...echo, run: ({ text }) => (text === "a" ? "a" : new Promise(() => {})) };
const asks: NativeTool = { ...echo, scopes: () => ({ scopes: [{ kind: "command", text: "make" }] }) };

describe.each(kinds)("what is sent after a run was stopped, to a server that refuses what is not whole: %s", (kind) => {
  const served = async (steps: readonly ServerStep[], options: With = {}) => {
    let at = 0;
    const faults: string[] = [];
    const server = await startServer(kind, (request) => {
      const fault = faultOf(kind, request);
      if (fault !== undefined) {
        faults.push(fault);
        return { kind: "status", status: 400, error: { message: fault } };
      }
      // The first request may have been stopped before it was here.
      return JSON.stringify(request.body).includes("And now?") ? end : (steps[Math.min(at++, steps.length - 1)] ?? end);
    });
    onTestFinished(() => server.close());
    const model = await openModel("mine/fake-1", {
      models: { providers: { mine: { kind, url: server.url, key: "a-key-of-nobody" } } },
      environment: {},
    });
    const driven = await agentWith({ timers: { cancelGraceMs: 100 }, ...options, model: { ...model, images: true }, clock: systemClock });
    return { ...driven, faults };
  };

  it.each<[string, ServerStep, SessionEvent["type"], With]>([
    ["a text streamed", { kind: "slow", text: "one two three four five", everyMs: 50 }, "text_delta", {}],
    ["a call was begun", two, "tool_pending", {}],
    ["nothing of the calls had run", two, "turn_end", {}],
    ["one of two calls had ended", two, "tool_done", { host: { tools: [hangs] } }],
    ["a person was asked", two, "permission_asked", { host: { tools: [asks], answer: () => new Promise(() => {}) } }],
    ["nothing had come", { kind: "silent", after: "head" }, "turn_start", {}],
  ])("while %s", async (_, step, when, options) => {
    const { agent, faults } = await served([step, end], options);
    const run = agent.run(said("Go"));
    for await (const event of run.events) if (event.type === when) run.cancel();
    const events = await eventsOf(agent.run(said("And now?")));
    expect(faults).toEqual([]);
    expect(doneOf(events).reason).toBe("end_turn");
    expect(ofType(events, "retry")).toEqual([]);
  });

  it("or answered nothing, was nudged, spoken to, cut, and shown images", async () => {
    const image = {
      mediaType: "image/png",
      base64: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    } as const;
    const camera: NativeTool = { ...echo, run: () => ({ text: "", images: [image] }) };
    const steps: ServerStep[] = [
      two,
      { kind: "text", text: "" },
      { kind: "thinking", thinking: "Hm.", text: "" },
      { kind: "max_tokens", text: "It is" },
      ...(kind === "google" ? [] : [{ kind: "raw_call", tool: "echo", input: '{"te' } satisfies ServerStep]),
      { kind: "calls", calls: [{ tool: "nowhere", input: {} }] },
      end,
    ];
    const { agent, faults } = await served(steps, { host: { tools: [camera] } });
    const run = agent.run({ ...said("Go"), images: [image] });
    void run.say(said("And quickly"));
    const events = await eventsOf(run);
    expect(faults).toEqual([]);
    expect(doneOf(events)).toMatchObject({ reason: "end_turn" });
    expect(doneOf(await eventsOf(agent.run(said("And now?"))))).toMatchObject({ reason: "end_turn" });
    expect(faults).toEqual([]);
  });
});
