import { describe, expect, it } from "vitest";
import type { Message } from "../../../../core/agent/message.ts";
import type { ChaosStep } from "../../../../core/models/embedded/chaos/chaos.ts";
import { validHistory } from "../../../../core/session/valid-history.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { agentWith, doneOf, eventsOf, ofType, said } from "../agent-with.ts";

const model = { contextWindow: 20_000, maxOutput: 2_000 };
/** The window without its buffer of a fifth. */
const usable = 16_000;

const round = (number: number, chars = 4_000): Message[] => [
  { role: "user", text: `Question ${number}` },
  { role: "assistant", parts: [{ type: "call", toolId: `t${number}`, tool: "echo", input: { text: "x" } }], model: "embedded/chaos" },
  { role: "tool", results: [{ toolId: `t${number}`, tool: "echo", text: `${number} `.padEnd(chars, "x"), isError: false }] },
  { role: "assistant", parts: [{ type: "text", text: `Answer ${number}` }], model: "embedded/chaos" },
];
const rounds = (count: number, chars?: number) => Array.from({ length: count }, (_, i) => round(i + 1, chars)).flat();
const summary: ChaosStep = { kind: "text", text: "It is all about echoes.", usage: { input: 15_000, output: 100 } };
const answer: ChaosStep = { kind: "text", text: "Done.", usage: { input: 6_000, output: 20 } };

describe("compact()", () => {
  it("makes room before a request once the context is as full as it may be, and keeps the last messages and the new one", async () => {
    const history = rounds(10);
    const { agent, chaos, journal, host } = await agentWith({ steps: [summary, answer], model, history, contextTokens: usable });
    const told: string[] = [];
    for (const event of ["AutoCompacting", "CompactionDone"]) host.on(event, () => void told.push(event));
    const events = await eventsOf(agent.run(said("Go on")));
    expect(ofType(events, "compact_start")).toMatchObject([{ reason: "auto", contextWindow: 20_000 }]);
    const [done] = ofType(events, "compact_done");
    expect(done).toMatchObject({ summary: "It is all about echoes." });
    expect(done?.after).toBeLessThan(usable / 2);
    expect(doneOf(events)).toMatchObject({ reason: "end_turn", text: "Done.", turns: 1, usage: { input: 21_000, output: 120 } });
    expect(
      ofType(events, "text_delta")
        .map(({ text }) => text)
        .join(""),
    ).toBe("Done.");

    const messages = agent.messages();
    expect(messages.slice(0, 2)).toMatchObject([
      { role: "user", note: "summary" },
      { role: "assistant", parts: [{ text: "It is all about echoes." }] },
    ]);
    // A quarter of what is usable: three rounds of a thousand tokens, and a part of the one before.
    expect(messages.slice(-14, -2)).toEqual(history.slice(-12));
    expect(messages.at(-2)).toMatchObject({ text: "Go on" });
    expect(validHistory(messages)).toMatchObject({ closed: 0, dropped: 0 });
    expect(journal.find(([kind]) => kind === "replace")?.[1]).toEqual(messages.slice(0, -1));
    await waitUntil(() => told.length === 2);
    expect(told).toEqual(["AutoCompacting", "CompactionDone"]);

    const [asked, next] = chaos.requests;
    expect(asked?.tools).toBeUndefined();
    expect(asked?.prompt[0]).toMatchObject({ role: "system", content: expect.stringContaining("sum up") });
    expect(JSON.stringify(asked?.prompt)).not.toContain("Go on");
    expect(next?.tools).toHaveLength(1);
  });

  it("goes on by itself where it came in the middle of a task", async () => {
    const { agent } = await agentWith({
      steps: [{ kind: "calls", calls: [{ tool: "echo", input: { text: "a" }, id: "c1" }], usage: { input: usable, output: 50 } }, summary, answer],
      model,
      history: rounds(10),
      contextTokens: 1_000,
    });
    const events = await eventsOf(agent.run(said("Go")));
    expect(events.map(({ type }) => type)).toContain("compact_done");
    expect(doneOf(events)).toMatchObject({ reason: "end_turn", text: "Done.", turns: 2 });
    expect(agent.messages().at(-2)).toMatchObject({ role: "tool", results: [{ toolId: "c1" }] });
  });

  it("comes once where the provider finds the prompt too long, and asks again", async () => {
    const { agent } = await agentWith({ steps: [{ kind: "overflow" }, summary, answer], model, history: rounds(10), contextTokens: 1_000 });
    const events = await eventsOf(agent.run(said("Go on")));
    expect(ofType(events, "compact_start")).toMatchObject([{ reason: "overflow" }]);
    expect(doneOf(events)).toMatchObject({ reason: "end_turn", text: "Done." });
    const twice = await agentWith({ steps: [{ kind: "overflow" }, summary, { kind: "overflow" }], model, history: rounds(10), contextTokens: 1_000 });
    expect(doneOf(await eventsOf(twice.agent.run(said("Go on"))))).toMatchObject({ reason: "error", error: { code: "context_overflow" } });
  });

  it("ends a run that it cannot make room for", async () => {
    const alone = await agentWith({ steps: [{ kind: "overflow" }], model });
    expect(doneOf(await eventsOf(alone.agent.run(said("x".repeat(100_000)))))).toMatchObject({
      reason: "context_budget_exhausted",
      error: { code: "context_budget_exhausted" },
    });
    const long = { ...summary, text: "y".repeat(70_000) };
    const futile = await agentWith({ steps: [long], model, history: rounds(24), contextTokens: usable * 1.5 });
    const events = await eventsOf(futile.agent.run(said("Go on")));
    expect(ofType(events, "compact_done")).toHaveLength(2);
    expect(doneOf(events)).toMatchObject({ reason: "context_budget_exhausted", turns: 0 });
  });

  it("ends a run whose requests are as long after it as they were", async () => {
    const measured: ChaosStep = { kind: "calls", calls: [{ tool: "echo", input: { text: "a" } }], usage: { input: usable, output: 10 } };
    const steps = [summary, measured, summary, measured, summary, measured];
    const driven = await agentWith({ steps, model, history: rounds(10), contextTokens: usable, repeats: { sameCalls: 0, cycles: false } });
    const events = await eventsOf(driven.agent.run(said("Go on")));
    expect(ofType(events, "compact_done")).toHaveLength(1);
    expect(doneOf(events)).toMatchObject({ reason: "context_budget_exhausted", turns: 1 });
  });

  it("leaves the history where the summary is empty or fails", async () => {
    const history = rounds(10);
    const empty = await agentWith({ steps: [{ kind: "empty" }], model, history, contextTokens: usable });
    expect(doneOf(await eventsOf(empty.agent.run(said("Go on"))))).toMatchObject({ reason: "error", error: { code: "summary_failed" } });
    expect(empty.agent.messages()).toMatchObject([...history, { text: "Go on" }]);
  });

  it("leaves the history where the summary is longer than that, and than there is room for", async () => {
    const history = rounds(10);
    const long: ChaosStep = { kind: "text", text: "echo ".repeat(20_000), usage: { input: 100, output: 100 } };
    const { agent, journal } = await agentWith({ steps: [long], model, history, contextTokens: usable });
    expect(doneOf(await eventsOf(agent.run(said("Go on"))))).toMatchObject({ reason: "error", error: { code: "summary_failed" } });
    expect(agent.messages().slice(0, history.length)).toEqual(history);
    expect(journal.some(([kind]) => kind === "replace")).toBe(false);
  });

  it("leaves the history where it is cancelled", async () => {
    const history = rounds(10);
    const { agent } = await agentWith({ steps: [{ kind: "hang", after: "text" }], model, history, contextTokens: usable });
    const run = agent.run(said("Go on"));
    const events = [];
    for await (const event of run.events) {
      events.push(event);
      if (event.type === "compact_start") run.cancel();
    }
    expect(doneOf(events)).toMatchObject({ reason: "cancelled" });
    expect(agent.messages().slice(0, history.length)).toEqual(history);
  });

  it("asks again with less where the summary's own prompt is too long", async () => {
    const { agent, chaos } = await agentWith({
      steps: [{ kind: "overflow" }, { kind: "overflow" }, summary],
      model,
      history: rounds(10),
      contextTokens: 1_000,
    });
    const events = await eventsOf(agent.compact(""));
    expect(doneOf(events)).toMatchObject({ reason: "compact", turns: 1 });
    const texts = chaos.requests.map(({ prompt }) => JSON.stringify(prompt));
    expect(texts.map((text) => [text.includes("left out"), text.includes("Question 1")])).toEqual([
      [false, true],
      [true, true],
      [true, false],
    ]);
  });

  it("may be asked for, with words", async () => {
    const { agent, chaos, journal } = await agentWith({ steps: [summary], model, history: rounds(10) });
    const events = await eventsOf(agent.compact("Keep the numbers."));
    expect(ofType(events, "compact_start")).toMatchObject([{ reason: "manual" }]);
    expect(doneOf(events)).toMatchObject({ reason: "compact", usage: { input: 15_000 }, error: null });
    expect(JSON.stringify(chaos.requests[0]?.prompt.at(-1))).toContain("Keep the numbers.");
    expect(journal.at(-1)).toEqual(["end", { reason: "compact", error: null }]);
    const nothing = await agentWith({ model });
    expect(doneOf(await eventsOf(nothing.agent.compact("")))).toMatchObject({ reason: "compact", turns: 0, usage: { input: 0 } });
  });

  it("does not come by itself where it is switched off", async () => {
    const { agent } = await agentWith({
      steps: [{ kind: "overflow" }],
      model,
      history: rounds(10),
      contextTokens: usable,
      compaction: { auto: false },
    });
    const events = await eventsOf(agent.run(said("Go on")));
    expect(ofType(events, "compact_start")).toEqual([]);
    expect(doneOf(events)).toMatchObject({ error: { code: "context_overflow" } });
  });

  it("is paid for at the price of the model that sums up", async () => {
    const cheap = await agentWith({ steps: [summary] });
    const { agent } = await agentWith({
      steps: [answer],
      model,
      history: rounds(10),
      contextTokens: usable,
      summaryModel: { ...cheap.model, id: "cheap/one", price: { input: 0.1, output: 0.1, cacheRead: 0, cacheWrite: 0 } },
    });
    const done = doneOf(await eventsOf(agent.run(said("Go on"))));
    expect(done.costUsd).toBeCloseTo((15_100 * 0.1 + 6_000 * 1 + 20 * 10) / 1e6, 9);
  });
});

describe("slots of compaction", () => {
  const plugin = (steer: string, setup: string) => ({
    name: "shaper",
    source: `import { definePlugin, deny } from "mortise/sdk";
export default definePlugin({ name: "shaper", steer: ["${steer}"] }, (api) => { ${setup} });`,
  });
  const shaping = (answers: string) => plugin("agent.compact.before", `api.setSlot("agent.compact.before", (prev, value) => (${answers}));`);

  it("add to what the summary is asked for, and to what goes on", async () => {
    const { agent, chaos } = await agentWith({
      steps: [summary, answer],
      model,
      history: rounds(10),
      contextTokens: usable,
      host: { plugins: [shaping(`{ instructions: "Keep names of " + value.reason, continue: "Read the plan." }`)] },
    });
    await eventsOf(agent.run(said("Go on")));
    expect(JSON.stringify(chaos.requests[0]?.prompt)).toContain("Keep names of auto");
    expect(JSON.stringify(chaos.requests[1]?.prompt.at(-1))).toContain("Read the plan.");
  });

  it("may skip one, but not where the provider refuses the prompt", async () => {
    const options = { model, history: rounds(10), host: { plugins: [shaping(`{ skip: true }`)] } };
    const auto = await agentWith({ ...options, steps: [answer], contextTokens: usable });
    const events = await eventsOf(auto.agent.run(said("Go on")));
    expect(ofType(events, "compact_start")).toEqual([]);
    expect(doneOf(events)).toMatchObject({ reason: "end_turn" });
    const overflow = await agentWith({ ...options, steps: [{ kind: "overflow" }, summary, answer], contextTokens: 100 });
    expect(ofType(await eventsOf(overflow.agent.run(said("Go on"))), "compact_done")).toHaveLength(1);
  });

  it("choose which results a summary does without", async () => {
    const prepare = plugin(
      "agent.compact.prepare",
      `api.setSlot("agent.compact.prepare", (prev, { results, collapse }) => ({ collapse: [...collapse, results.find(({ text }) => text.startsWith("2 ")).index, 999] }));`,
    );
    const { agent, chaos } = await agentWith({ steps: [summary], model, history: rounds(10), host: { plugins: [prepare] } });
    await eventsOf(agent.compact(""));
    const results = chaos.requests[0]?.prompt.filter(({ role }) => role === "tool").map((message) => JSON.stringify(message).includes("left out"));
    expect(results).toEqual([false, true, ...Array(results === undefined ? 0 : results.length - 2).fill(false)]);
  });
});
