import { describe, expect, it } from "vitest";
import { callSummary } from "../../../core/agent/call-summary.ts";
import { createChannel } from "../../../core/agent/channel.ts";
import { createGauge, tokensIn } from "../../../core/agent/gauge.ts";
import { createHistory } from "../../../core/agent/history.ts";
import { idleTimer } from "../../../core/agent/idle-timer.ts";
import { createLedger, tokensOf } from "../../../core/agent/ledger.ts";
import type { Message } from "../../../core/agent/message.ts";
import { outputBudget } from "../../../core/agent/output-budget.ts";
import { toolName, toSdk } from "../../../core/agent/sdk-messages.ts";
import { createFakeClock } from "../../support/fake-clock.ts";

const calls = (...ids: string[]): Message => ({
  role: "assistant",
  parts: ids.map((toolId) => ({ type: "call", toolId, tool: "t", input: {} })),
  model: "m",
});
const result = (toolId: string) => ({ toolId, tool: "t", text: toolId, isError: false });

describe("createChannel()", () => {
  it("hands on what was pushed before and while somebody reads, until its end", async () => {
    const channel = createChannel<number>();
    channel.push(1);
    const read: number[] = [];
    const reading = (async () => {
      for await (const value of channel.values) {
        read.push(value);
        if (value === 1) channel.push(2);
        if (value === 2) setImmediate(() => [channel.push(3), channel.end(), channel.push(4)]);
      }
    })();
    await reading;
    expect(read).toEqual([1, 2, 3]);
  });

  it("forgets a reader that leaves", async () => {
    const channel = createChannel<number>();
    channel.push(1);
    channel.push(2);
    for await (const value of channel.values) if (value === 1) break;
    channel.push(3);
    channel.end();
    const more: number[] = [];
    for await (const value of channel.values) more.push(value);
    expect(more).toEqual([]);
  });
});

describe("createHistory()", () => {
  it("makes a given one valid", () => {
    const history = createHistory([{ role: "user", text: "Go" }, calls("a", "b"), { role: "tool", results: [result("b"), result("x")] }]);
    expect(history.messages[2]).toMatchObject({
      results: [
        { toolId: "a", isError: true },
        { toolId: "b", isError: false },
      ],
    });
    expect(history.open()).toEqual([]);
  });

  it("puts results in the order of the calls, and makes up those that are missing", () => {
    const history = createHistory();
    history.add({ role: "user", text: "Go" });
    history.add({
      role: "assistant",
      parts: [
        { type: "call", toolId: "a", tool: "t", input: {} },
        { type: "call", toolId: "b", tool: "t", input: {} },
      ],
      model: "m",
    });
    expect(history.open().map(({ toolId }) => toolId)).toEqual(["a", "b"]);
    const made = history.addResults([result("b"), result("x")], "It was stopped.");
    expect(made).toEqual([{ toolId: "a", tool: "t", text: "It was stopped.", isError: true }]);
    expect(history.messages.at(-1)).toEqual({ role: "tool", results: [made[0], result("b")] });
    expect(history.addResults([], "again")).toEqual([]);
    expect(history.messages).toHaveLength(3);
  });
});

describe("createLedger()", () => {
  const usage = { input: 10, output: 1, cacheRead: 2, cacheWrite: 3 };

  it("sums usage and what has a price, for itself and for whatever caused it", () => {
    const told: string[] = [];
    const parent = createLedger(undefined, (model) => told.push(model));
    const child = createLedger(parent);
    parent.add("a", usage, 0.5);
    child.add("b", usage, null);
    child.add("b", usage, 0.25);
    expect(child.total()).toEqual({ usage: { input: 20, output: 2, cacheRead: 4, cacheWrite: 6 }, costUsd: 0.25 });
    expect(parent.total().costUsd).toBe(0.75);
    expect(tokensOf(parent.total().usage)).toBe(48);
    expect([...parent.byModel()].map(([model, { costUsd }]) => [model, costUsd])).toEqual([
      ["a", 0.5],
      ["b", 0.25],
    ]);
    expect(told).toEqual(["a", "b", "b"]);
  });

  it("knows no cost until something had a price", () => {
    const ledger = createLedger();
    ledger.add("a", usage, null);
    expect(ledger.total().costUsd).toBeNull();
  });
});

describe("createGauge()", () => {
  it("goes by what was measured, and estimates what came since", () => {
    const gauge = createGauge();
    gauge.appended({ role: "user", text: "x".repeat(400) });
    expect(gauge.tokens()).toBe(100);
    gauge.measured({ input: 500, output: 50, cacheRead: 300, cacheWrite: 20 });
    expect(gauge.tokens()).toBe(870);
    expect(gauge.prompt()).toBe(820);
    gauge.appended({ role: "tool", results: [{ ...result("a"), text: "y".repeat(41) }] });
    expect(gauge.tokens()).toBe(881);
    gauge.measured({ input: 0, output: 9, cacheRead: 0, cacheWrite: 0 });
    expect(gauge.tokens()).toBe(881);
    gauge.reset(10);
    expect(gauge.tokens()).toBe(10);
  });

  it("counts images too", () => {
    expect(tokensIn([{ role: "user", text: "", images: [{ mediaType: "image/png", base64: "" }] }])).toBe(1_500);
  });
});

describe("outputBudget()", () => {
  it.each([
    [{ contextWindow: 200_000, maxOutput: 64_000 }, 10_000, 32_768],
    [{ contextWindow: 200_000, maxOutput: 8_192 }, 10_000, 8_192],
    [{ contextWindow: 32_768, maxOutput: 32_768 }, 20_000, 12_768],
    [{ contextWindow: 32_768, maxOutput: 32_768 }, 32_000, 4_096],
    [{ contextWindow: 4_096, maxOutput: 2_048 }, 4_000, 2_048],
  ])("gives an answer of %o after %d tokens %d", (model, prompt, tokens) => {
    expect(outputBudget(model, prompt, 32_768)).toBe(tokens);
  });
});

describe("idleTimer()", () => {
  it("fires once nothing came for so long, and not while it is paused", async () => {
    const clock = createFakeClock();
    const fired: number[] = [];
    const timer = idleTimer(clock, 100, () => fired.push(clock.now()));
    await clock.advance(90);
    timer.touch();
    await clock.advance(90);
    timer.pause(true);
    timer.pause(true);
    await clock.advance(1_000);
    timer.pause(false);
    await clock.advance(1_000);
    timer.pause(false);
    await clock.advance(99);
    expect(fired).toEqual([]);
    await clock.advance(1_000);
    expect(fired).toEqual([2_280]);
    expect(clock.waiting()).toBe(0);
  });

  it("is off at 0", async () => {
    const clock = createFakeClock();
    const timer = idleTimer(clock, 0, () => expect.unreachable());
    timer.pause(true);
    timer.pause(false);
    expect(clock.waiting()).toBe(0);
  });
});

describe("toSdk()", () => {
  const reader = { id: "p/m", images: false };

  it("sends thinking back to the model that had it alone", () => {
    const message = (model: string): Message => ({
      role: "assistant",
      parts: [
        { type: "thinking", text: "Hm." },
        { type: "text", text: "Yes." },
      ],
      model,
    });
    const types = (model: string, thinking = true) =>
      toSdk([message(model)], reader, () => thinking).flatMap(({ content }) => (typeof content === "string" ? [] : content.map(({ type }) => type)));
    expect([types("p/m"), types("p/other"), types("p/m", false)]).toEqual([["reasoning", "text"], ["text"], ["text"]]);
  });

  it("says something for an answer of nothing", () => {
    expect(toSdk([{ role: "assistant", parts: [], model: "p/m" }], reader)).toEqual([
      { role: "assistant", content: [{ type: "text", text: "(no answer)" }] },
    ]);
  });

  it("makes a message anew for another reader alone", () => {
    const message: Message = { role: "user", text: "Look", images: [{ mediaType: "image/png", base64: "AAAA" }] };
    const [blind] = toSdk([message], reader);
    expect(toSdk([message], reader)[0]).toBe(blind);
    expect(JSON.stringify(toSdk([message], { ...reader, images: true }))).toContain("AAAA");
  });
});

describe("toolName()", () => {
  it("leaves a prefix of functions out", () => {
    expect(["functions.bash", "bash", "my.functions.x"].map(toolName)).toEqual(["bash", "bash", "my.functions.x"]);
  });
});

describe("callSummary()", () => {
  it.each([
    ["bash", { description: "Tests", command: "npm  test\n--all" }, "bash npm test --all"],
    ["todo", { todos: [1] }, 'todo {"todos":[1]}'],
    ["list", {}, "list"],
    ["odd", "text", "odd"],
    ["read", { path: "x".repeat(200) }, `read ${"x".repeat(112)}...`],
  ])("says %s of %o in one line", (tool, input, line) => {
    expect(callSummary(tool, input)).toBe(line);
  });
});
