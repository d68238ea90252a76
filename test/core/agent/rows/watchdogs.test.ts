import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import type { NativeTool } from "../../../../core/host-types.ts";
import { type ChaosStep, createChaos } from "../../../../core/models/embedded/chaos/chaos.ts";
import { streamParts, usage } from "../../../../core/models/embedded/stream-parts.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";
import { agentWith, doneOf, echo, eventsOf, eventsWhile, ofType, said, type With } from "../agent-with.ts";

const end: ChaosStep = { kind: "text", text: "ok" };
const call: ChaosStep = { kind: "calls", calls: [{ tool: "echo", input: { text: "a" }, id: "c1" }] };
const asks: NativeTool = { ...echo, scopes: () => ({ scopes: [{ kind: "command", text: "make" }] }) };
/** Writes a line, and ends when it is stopped. */
const hangs: NativeTool = {
  ...echo,
  run: (_, { signal, write }) => {
    write("begun\n");
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve("begun")));
  },
};

/** Events up to a time on the clock, and those after it. */
const around = async (options: With, ms: number) => {
  const driven = await agentWith(options);
  const run = driven.agent.run(said("Go"));
  const seen: string[] = [];
  const reading = (async () => {
    for await (const { type } of run.events) seen.push(type);
  })();
  await driven.clock.advance(ms - 1);
  const before = [...seen];
  await driven.clock.advance(1);
  const after = seen.slice(before.length);
  run.cancel();
  await reading;
  return { ...driven, before, after };
};

describe("the time until the head of a response", () => {
  it("is 30 s unless it is said, and no second more", async () => {
    const hang: ChaosStep = { kind: "hang", after: "nothing" };
    const usual = await around({ steps: [hang] }, 30_000);
    expect([usual.before.includes("retry"), usual.after]).toEqual([false, ["retry"]]);
    const said = await around({ steps: [hang], timers: { connectMs: 5_000 } }, 5_000);
    expect([said.before.includes("retry"), said.after]).toEqual([false, ["retry"]]);
  });
});

describe("the time until the first output", () => {
  it("is 120 s unless it is said, from the head on; signs of life are no output", async () => {
    for (const step of [{ kind: "hang", after: "head" } as const, { kind: "pings", everyMs: 1_000 } as const]) {
      const usual = await around({ steps: [step] }, 120_000);
      expect([usual.before.includes("retry"), usual.after]).toEqual([false, ["retry"]]);
    }
  });
});

describe("the time between outputs", () => {
  it("is 120 s unless it is said; a try more, then the run ends with llm_idle", async () => {
    const { before, after } = await around({ steps: [{ kind: "hang", after: "text" }] }, 120_000);
    expect([before.includes("retry"), after]).toEqual([false, ["retry"]]);
    const driven = await agentWith({ steps: [{ kind: "hang", after: "text" }] });
    const events = await eventsWhile(driven.clock, driven.agent.run(said("Go")));
    expect(ofType(events, "retry")).toMatchObject([{ class: "idle" }]);
    expect(doneOf(events)).toMatchObject({ reason: "error", error: { code: "llm_idle" } });
    expect(driven.clock.waiting()).toBe(0);
  });

  it("begins anew with each piece of text, of a thought and of a call's input", async () => {
    const clock = createFakeClock();
    const slow = async function* (): AsyncGenerator<LanguageModelV4StreamPart> {
      const parts: LanguageModelV4StreamPart[] = [
        { type: "reasoning-start", id: "r" },
        { type: "reasoning-delta", id: "r", delta: "Hm" },
        { type: "reasoning-delta", id: "r", delta: "." },
        { type: "reasoning-end", id: "r" },
        { type: "text-start", id: "t" },
        { type: "text-delta", id: "t", delta: "Well" },
        { type: "text-end", id: "t" },
        { type: "tool-input-start", id: "c", toolName: "echo" },
        { type: "tool-input-delta", id: "c", delta: '{"text":' },
        { type: "tool-input-delta", id: "c", delta: '"a"}' },
        { type: "tool-input-end", id: "c" },
        { type: "tool-call", toolCallId: "c", toolName: "echo", input: '{"text":"a"}' },
      ];
      for (const part of parts) {
        if (/delta|call/.test(part.type)) await clock.sleep(100_000);
        yield part;
      }
      yield { type: "finish", usage: usage(1, 1), finishReason: { unified: "tool-calls", raw: undefined } };
    };
    const chaos = createChaos([end]);
    let requests = 0;
    const languageModel = {
      ...chaos,
      doStream: async (options: Parameters<typeof chaos.doStream>[0]) =>
        requests++ === 0 ? { stream: streamParts(() => slow(), options.abortSignal) } : chaos.doStream(options),
    };
    const { agent } = await agentWith({ clock, model: { languageModel } });
    const events = await eventsWhile(clock, agent.run(said("Go")), 10_000);
    expect(ofType(events, "retry")).toEqual([]);
    expect(ofType(events, "tool_done")).toMatchObject([{ text: "a" }]);
    expect(clock.now()).toBeGreaterThanOrEqual(600_000);
  });
});

describe("the time that a tool may be idle", () => {
  it("is 10 min unless it is said; what it wrote stays, and the run goes on", async () => {
    const usual = await around({ steps: [call, end], host: { tools: [hangs] } }, 600_000);
    expect([usual.before.includes("tool_done"), usual.after.includes("tool_done")]).toEqual([false, true]);
    const { agent, clock } = await agentWith({ steps: [call, end], host: { tools: [hangs] }, timers: { toolIdleMs: 60_000 } });
    const events = await eventsWhile(clock, agent.run(said("Go")));
    expect(ofType(events, "tool_done")).toMatchObject([{ isError: true, text: expect.stringMatching(/begun[\s\S]*no sign of life for 60 s/) }]);
    expect(doneOf(events)).toMatchObject({ reason: "end_turn", text: "ok" });
  });

  it("begins anew with what the tool writes", async () => {
    const clock = createFakeClock();
    const writes: NativeTool = {
      ...echo,
      run: async (_, { write }) => {
        for (let i = 0; i < 10; i++) {
          await clock.sleep(500_000);
          write(`${i}\n`);
        }
        return "done";
      },
    };
    const { agent } = await agentWith({ clock, steps: [call, end], host: { tools: [writes] } });
    const events = await eventsWhile(clock, agent.run(said("Go")), 100_000);
    expect(ofType(events, "tool_done")).toMatchObject([{ isError: false, text: "done" }]);
    expect(clock.now()).toBeGreaterThanOrEqual(5_000_000);
  });

  it("ends one call alone", async () => {
    const two: ChaosStep = {
      kind: "calls",
      calls: [
        { tool: "echo", input: { text: "a" }, id: "c1" },
        { tool: "quick", input: { text: "b" }, id: "c2" },
      ],
    };
    const { agent, clock } = await agentWith({ steps: [two, end], host: { tools: [hangs, { ...echo, name: "quick" }] } });
    await eventsWhile(clock, agent.run(said("Go")), 60_000);
    expect(agent.messages()[2]).toMatchObject({ results: [{ isError: true }, { isError: false, text: "b" }] });
  });
});

describe("the time that a tool has", () => {
  it("is its own; what it wrote stays, and the run goes on", async () => {
    const { agent } = await agentWith({ steps: [call, end], host: { tools: [{ ...hangs, timeoutMs: 100 }] } });
    const events = await eventsOf(agent.run(said("Go")));
    expect(ofType(events, "tool_done")).toMatchObject([{ isError: true, text: expect.stringContaining("begun") }]);
    expect(doneOf(events)).toMatchObject({ reason: "end_turn", text: "ok" });
  });

  it("stands still while a person is asked", async () => {
    const answered = Promise.withResolvers<void>();
    const { agent } = await agentWith({
      steps: [call, end],
      host: {
        tools: [{ ...asks, timeoutMs: 300 }],
        answer: async () => {
          await answered.promise;
          return { decision: "allow" };
        },
      },
    });
    const events = [];
    for await (const event of agent.run(said("Go")).events) {
      events.push(event);
      // Real time passes: twice as much as the tool has.
      if (event.type === "permission_asked") setTimeout(answered.resolve, 600);
    }
    expect(ofType(events, "tool_done")).toMatchObject([{ isError: false, text: "a" }]);
  });
});

describe("the time that a person has", () => {
  it("is all they want unless it is said; no other timer runs meanwhile", async () => {
    const never = () => new Promise<never>(() => {});
    const usual = await around({ steps: [call, end], host: { tools: [asks], answer: never } }, 3 * 3_600_000);
    expect([...usual.before, ...usual.after].filter((type) => type === "tool_done" || type === "permission_answered")).toEqual([]);
    const { agent, clock } = await agentWith({
      steps: [call, end],
      host: { tools: [asks], answer: never },
      timers: { permissionMs: 60_000, toolIdleMs: 10_000 },
    });
    const events = await eventsWhile(clock, agent.run(said("Go")));
    expect(ofType(events, "tool_done")).toMatchObject([{ isError: true, text: expect.stringContaining("Nobody answered in time") }]);
    expect(doneOf(events).reason).toBe("end_turn");
  });

  it("is none where nobody is there", async () => {
    const { agent, clock } = await agentWith({ steps: [call, end], host: { tools: [asks], yolo: false } });
    const events = await eventsOf(agent.run(said("Go")));
    expect(ofType(events, "tool_done")).toMatchObject([{ isError: true, marks: { permission: { decision: "deny", source: "nobody" } } }]);
    expect(clock.now()).toBe(0);
  });
});

describe("the time of a run", () => {
  const fourHours = 4 * 3_600_000;
  it.each<[string, With]>([
    ["the model drips on", { steps: [{ kind: "drip", text: "word ".repeat(10_000), everyMs: 60_000 }] }],
    ["a tool hangs", { steps: [call, end], host: { tools: [hangs] }, timers: { toolIdleMs: 0 } }],
    ["a person is asked", { steps: [call, end], host: { tools: [asks], answer: () => new Promise(() => {}) } }],
    ["a key is asked for", { steps: [{ kind: "status", status: 401 }], reauth: () => new Promise(() => {}) }],
  ])("is 4 h unless it is said, also while %s", async (_, options) => {
    const { agent, clock } = await agentWith(options);
    const events = await eventsWhile(clock, agent.run(said("Go")), 60_000);
    expect(doneOf(events)).toMatchObject({ reason: "timeout", error: null });
    expect(clock.now()).toBeGreaterThanOrEqual(fourHours);
    expect(clock.now()).toBeLessThan(fourHours + 10 * 60_000);
    expect(clock.waiting()).toBe(0);
    expect(agent.messages().at(-1)).toMatchObject({ role: "user", note: "timeout" });
  });
});

describe("a timer of 0", () => {
  it.each<[string, ChaosStep, With["timers"]]>([
    ["connectMs", { kind: "hang", after: "nothing" }, { connectMs: 0 }],
    ["firstOutputMs", { kind: "hang", after: "head" }, { firstOutputMs: 0 }],
    ["modelIdleMs", { kind: "hang", after: "text" }, { modelIdleMs: 0 }],
  ])("is off: %s", async (_, step, timers = {}) => {
    const { agent, clock } = await agentWith({ steps: [step], timers });
    const events = await eventsWhile(clock, agent.run(said("Go"), { timeoutMs: 3_600_000 }), 60_000);
    expect(ofType(events, "retry")).toEqual([]);
    expect(doneOf(events).reason).toBe("timeout");
  });

  it("is off: the run's", async () => {
    const { agent, clock } = await agentWith({
      steps: [{ kind: "drip", text: "one two three", everyMs: 5 * 3_600_000 }],
      timers: { modelIdleMs: 0, firstOutputMs: 0 },
    });
    const events = await eventsWhile(clock, agent.run(said("Go"), { timeoutMs: 0 }), 600_000);
    expect(doneOf(events)).toMatchObject({ reason: "end_turn", text: "one two three" });
  });
});

describe("a cancel", () => {
  const layer = (slot: string) => ({
    name: "stuck",
    source: `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "stuck", steer: [${JSON.stringify(slot)}] }, (api) => { api.setSlot(${JSON.stringify(slot)}, () => new Promise(() => {})); });`,
  });
  it.each<[string, With, string]>([
    ["the model says nothing", { steps: [{ kind: "hang", after: "nothing" }] }, "turn_start"],
    ["the model streams", { steps: [{ kind: "hang", after: "text" }] }, "text_delta"],
    ["a wait before the next try", { steps: [{ kind: "status", status: 500, times: 99 }] }, "retry"],
    ["a tool runs", { steps: [call, end], host: { tools: [hangs] } }, "tool_output"],
    ["a person is asked", { steps: [call, end], host: { tools: [asks], answer: () => new Promise(() => {}) } }, "permission_asked"],
    ["a layer of a call hangs", { steps: [call, end], host: { plugins: [layer("tool.echo.input")] } }, "turn_end"],
    ["a layer of the end hangs", { steps: [end], host: { plugins: [layer("agent.stop")] } }, "turn_end"],
    ["a summary is written", { steps: [{ kind: "hang", after: "nothing" }], contextTokens: 190_000, history: talk() }, "compact_start"],
  ])("ends the run while %s, with a history that can be gone on from", async (_, options, when) => {
    const { agent, clock } = await agentWith(options);
    const run = agent.run(said("Go"));
    const events = [];
    for await (const event of run.events) {
      events.push(event);
      if (event.type === when) run.cancel();
    }
    expect(doneOf(events)).toMatchObject({ reason: "cancelled", error: null });
    expect(clock.waiting()).toBe(0);
    const open = agent.messages().flatMap((message) => (message.role === "assistant" ? message.parts.filter(({ type }) => type === "call") : []));
    const closed = agent.messages().flatMap((message) => (message.role === "tool" ? message.results : []));
    expect(closed).toHaveLength(open.length);
  });
});

function talk() {
  return Array.from({ length: 20 }, (_, i) => [
    { role: "user" as const, text: `Question ${i} ${"x".repeat(4_000)}` },
    { role: "assistant" as const, parts: [{ type: "text" as const, text: `Answer ${i}` }], model: "embedded/chaos" },
  ]).flat();
}
