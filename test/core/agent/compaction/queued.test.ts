import { describe, expect, it } from "vitest";
import type { Run } from "../../../../core/agent/backend.ts";
import type { Message } from "../../../../core/agent/message.ts";
import type { SessionEvent } from "../../../../core/agent/session-event.ts";
import type { NativeTool } from "../../../../core/host-types.ts";
import { validHistory } from "../../../../core/session/valid-history.ts";
import { agentWith, doneOf, echo, eventsOf, eventsWhile, ofType, said } from "../agent-with.ts";

const call = { kind: "calls", calls: [{ tool: "echo", input: { text: "a" }, id: "c1" }] } as const;
const summary = { kind: "text", text: "It is all about echoes." } as const;
const end = { kind: "text", text: "Done." } as const;
const history: Message[] = [
  { role: "user", text: "Question" },
  { role: "assistant", parts: [{ type: "text", text: "Answer".padEnd(200_000, "x") }], model: "embedded/chaos" },
];

/** A tool that does something while it runs, once. */
function meanwhile(work: () => void): NativeTool {
  let isDone = false;
  return {
    ...echo,
    run: ({ text }) => {
      if (!isDone) work();
      isDone = true;
      return String(text);
    },
  };
}

/** A run whose first call asks for compactions. */
async function compacted(words: readonly string[], steps: Parameters<typeof agentWith>[0] & object, also: (run: Run) => void = () => {}) {
  const asked: Run[] = [];
  let run: Run | undefined;
  const driven = await agentWith({
    history,
    ...steps,
    host: {
      tools: [
        meanwhile(() => {
          for (const each of words) asked.push(driven.agent.compact(each));
          if (run !== undefined) also(run);
        }),
      ],
      ...steps.host,
    },
  });
  run = driven.agent.run(said("Go"));
  const events = await eventsOf(run);
  const ends = await Promise.all(asked.map((each) => eventsOf(each)));
  return { ...driven, events, ends };
}

describe("compact() of an agent that works", () => {
  it("sums up between two turns, in the run, which tells of it, pays for it and goes on", async () => {
    const { agent, chaos, events, ends } = await compacted(["Keep the names", " "], { steps: [call, summary, end] });
    expect(events.map(({ type }) => type).filter((type) => /tool_done|compact|turn_start|done/.test(type))).toEqual([
      "turn_start",
      "tool_done",
      "compact_start",
      "compact_done",
      "turn_start",
      "done",
    ]);
    expect(ofType(events, "compact_start")).toMatchObject([{ reason: "manual" }]);
    expect(doneOf(events)).toMatchObject({ reason: "end_turn", text: "Done.", turns: 2, usage: { input: 300, output: 60 } });
    expect(JSON.stringify(chaos.requests[1]?.prompt)).toContain("Keep the names");
    expect(chaos.requests).toHaveLength(3);
    expect(JSON.stringify(chaos.requests[2]?.prompt)).toContain("It is all about echoes.");
    expect(validHistory(agent.messages())).toMatchObject({ closed: 0, dropped: 0 });
    // The last word is not the model's own.
    expect(chaos.requests[2]?.prompt.at(-1)?.role).not.toBe("assistant");
    for (const each of ends) {
      expect(each.map(({ type }) => type)).toEqual(["done"]);
      expect(doneOf(each)).toMatchObject({ reason: "compact", error: null, turns: 1, usage: { input: 0, output: 0 }, costUsd: null });
    }
  });

  it("keeps what was said meanwhile out of the summary, with its images", async () => {
    const images = [
      { mediaType: "image/png", base64: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==" },
    ];
    const outcomes: Promise<string>[] = [];
    const { agent, chaos, events } = await compacted([""], { steps: [call, summary, end], model: { images: true } }, (run) => {
      outcomes.push(run.say({ ...said("Look at this"), images }), run.say({ text: "", images, source: "headless" }));
    });
    expect(await Promise.all(outcomes)).toEqual(["delivered", "delivered"]);
    expect(ofType(events, "user_message").slice(1)).toMatchObject([
      { text: "Look at this", images: 1 },
      { text: "", images: 1 },
    ]);
    expect(JSON.stringify(chaos.requests[1]?.prompt)).not.toContain("Look at this");
    const [first, second] = chaos.requests[2]?.prompt.slice(-2) ?? [];
    for (const message of [first, second])
      expect(message).toMatchObject({
        role: "user",
        content: expect.arrayContaining([expect.objectContaining({ type: "file", mediaType: "image/png" })]),
      });
    expect(agent.messages().slice(-3, -1)).toMatchObject([
      { text: "Look at this", images },
      { text: "", images },
    ]);
  });

  it("sums up after an answer that calls nothing, and the run ends as it would have", async () => {
    const { agent, chaos } = await agentWith({ history, steps: [end, summary] });
    const run = agent.run(said("Go"));
    const asked = agent.compact("");
    const [events, own] = [await eventsOf(run), await eventsOf(asked)];
    expect(doneOf(events)).toMatchObject({ reason: "end_turn", text: "Done.", turns: 1 });
    expect(ofType(events, "compact_done")).toHaveLength(1);
    expect(doneOf(own)).toMatchObject({ reason: "compact" });
    expect(chaos.requests).toHaveLength(2);
  });

  it("tells a failure to both, and the run goes on with the conversation as it was", async () => {
    const { agent, events, ends } = await compacted([""], { steps: [call, { kind: "text", text: "" }, end] });
    expect(ofType(events, "notice")).toMatchObject([{ code: "not_compacted" }]);
    expect(doneOf(events)).toMatchObject({ reason: "end_turn", text: "Done." });
    expect(doneOf(ends[0] ?? [])).toMatchObject({ reason: "error", error: { code: "summary_failed" } });
    expect(agent.messages()[1]).toBe(history[1]);
  });

  it("leaves it to layers whether there is one", async () => {
    const skips = {
      name: "skips",
      source: `import { definePlugin, deny } from "mortise/sdk";
export default definePlugin({ name: "skips", steer: ["agent.compact.before"] }, (api) => { api.setSlot("agent.compact.before", () => ({ skip: true })); });`,
    };
    const { chaos, events, ends } = await compacted([""], { steps: [call, end], host: { plugins: [skips] } });
    expect(chaos.requests).toHaveLength(2);
    expect(ofType(events, "compact_start")).toEqual([]);
    expect(doneOf(ends[0] ?? [])).toMatchObject({ reason: "compact", turns: 0 });
  });

  it("does it after a run that ended before it could", async () => {
    const { agent, chaos } = await agentWith({ history, steps: [{ kind: "hang", after: "text" }, summary] });
    const run = agent.run(said("Go"));
    const asked = agent.compact("Later");
    for await (const { type } of run.events) if (type === "text_delta") run.cancel();
    const own = await eventsOf(asked);
    expect(own.map(({ type }) => type)).toEqual(["run_start", "compact_start", "compact_done", "done"]);
    expect(doneOf(own)).toMatchObject({ reason: "compact", turns: 1 });
    expect(chaos.requests).toHaveLength(2);
  });

  it("does not do it once whoever asked for it thought better of it", async () => {
    const { agent, chaos, clock } = await agentWith({ history, steps: [{ kind: "drip", text: "one two", everyMs: 1_000 }] });
    const run = agent.run(said("Go"));
    const asked = agent.compact("");
    asked.cancel();
    expect(doneOf(await eventsWhile(clock, run))).toMatchObject({ reason: "end_turn" });
    expect(doneOf(await eventsOf(asked))).toMatchObject({ reason: "cancelled" });
    expect(chaos.requests).toHaveLength(1);
  });

  it("leaves a draft that waits its place behind the run that works", async () => {
    const order: string[] = [];
    const { agent } = await agentWith({ history, steps: [end, summary, { kind: "text", text: "Second." }] });
    const follow = async (name: string, run: Run): Promise<SessionEvent[]> => {
      const events = await eventsOf(run);
      order.push(name);
      return events;
    };
    const [first, draft, asked] = await Promise.all([
      follow("first", agent.run(said("Go"))),
      follow("draft", agent.run(said("And then"), { maxTurns: 3 })),
      follow("compact", agent.compact("")),
    ]);
    expect(ofType(first, "compact_done")).toHaveLength(1);
    expect(doneOf(asked)).toMatchObject({ reason: "compact" });
    expect(ofType(draft, "user_message")).toMatchObject([{ text: "And then" }]);
    expect(doneOf(draft)).toMatchObject({ text: "Second.", reason: "end_turn" });
    expect(order).toEqual(["compact", "first", "draft"]);
  });
});
