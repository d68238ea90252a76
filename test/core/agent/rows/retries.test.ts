import { describe, expect, it, onTestFinished } from "vitest";
import { createClean } from "../../../../core/models/clean-text.ts";
import { type ChaosStep, createChaos } from "../../../../core/models/embedded/chaos/chaos.ts";
import { guardModel } from "../../../../core/models/providers/guarded-model.ts";
import { poolModels } from "../../../../core/models/providers/key-pool.ts";
import { agentWith, doneOf, eventsWhile, modelOf, ofType, said, type With } from "../agent-with.ts";

const ok: ChaosStep = { kind: "text", text: "It is done." };
const refused: ChaosStep = { kind: "status", status: 401 };

const run = async (options: With, limits = {}) => {
  const driven = await agentWith(options);
  const events = await eventsWhile(driven.clock, driven.agent.run(said("Go"), limits), 1_000, 40_000);
  return { ...driven, events, done: doneOf(events), retries: ofType(events, "retry") };
};

describe("failures that pass by themselves", () => {
  it.each<[string, ChaosStep]>([
    ["500", { kind: "status", status: 500, times: 60 }],
    ["503", { kind: "status", status: 503, times: 60 }],
    ["529", { kind: "status", status: 529, times: 60 }],
    ["a connection that is reset", { kind: "network", code: "ECONNRESET", times: 60 }],
    ["a connection that is reset within the answer", { kind: "network", code: "ECONNRESET", text: "It is", times: 60 }],
  ])("are tried again without an end: %s", async (_, step) => {
    const { done, retries } = await run({ steps: [step, ok] });
    expect(retries).toHaveLength(60);
    expect(new Set(retries.map((retry) => retry.class))).toEqual(new Set(["transient"]));
    expect(done).toMatchObject({ reason: "end_turn", text: "It is done." });
  });

  it("wait longer each time, half of it by chance", async () => {
    for (const [random, delays] of [
      [0, [1_000, 2_000, 3_000, 4_000]],
      [0.5, [1_500, 3_000, 4_500, 6_000]],
    ] as const) {
      const { retries } = await run({ steps: [{ kind: "status", status: 500, times: 4 }, ok], random: () => random });
      expect(retries.map(({ delayMs }) => delayMs)).toEqual(delays);
    }
  });

  it("wait as long as the server says, whatever the failure", async () => {
    const { retries } = await run({ steps: [{ kind: "status", status: 503, retryAfter: "45" }, ok] });
    expect(retries).toMatchObject([{ class: "transient", delayMs: 45_000 }]);
  });
});

describe("limits of rate", () => {
  it("with a time to wait are waited for without an end, at least two seconds and at most an hour each", async () => {
    const { done, retries } = await run({ steps: [{ kind: "status", status: 429, retryAfter: "3", times: 30 }, ok] });
    expect(retries).toHaveLength(30);
    expect(done.reason).toBe("end_turn");
    const short = await run({ steps: [{ kind: "status", status: 429, retryAfter: "0" }, { kind: "status", status: 429, retryAfter: "9000" }, ok] });
    expect(short.retries.map(({ delayMs }) => delayMs)).toEqual([2_000, 3_600_000]);
  });

  it("without one are tried five times more", async () => {
    const { done, retries } = await run({ steps: [{ kind: "status", status: 429, times: 99 }] });
    expect(retries).toHaveLength(5);
    expect(done).toMatchObject({ reason: "error", error: { code: "model_failed" } });
  });
});

describe("servers that are not there", () => {
  it.each(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH"])("are tried five times more: %s", async (code) => {
    const { done, retries } = await run({ steps: [{ kind: "network", code, times: 99 }] });
    expect(retries.map((retry) => retry.class)).toEqual(Array(5).fill("connect"));
    expect(done).toMatchObject({ reason: "error", error: { code: "model_failed" } });
  });
});

describe("budgets", () => {
  it("share no counter: all of each class may come in one request", async () => {
    const { done, retries } = await run({
      steps: [
        { kind: "network", code: "ECONNREFUSED", times: 5 },
        { kind: "status", status: 429, times: 5 },
        ...Array<ChaosStep>(10).fill({ kind: "truncated", text: "It" }),
        { kind: "status", status: 500, times: 5 },
        ...Array<ChaosStep>(10).fill({ kind: "hang", after: "nothing" }),
        { kind: "hang", after: "text" },
        { kind: "budget_overflow", room: 7_000 },
        { kind: "budget_overflow", room: 6_000 },
        ok,
      ],
    });
    expect(done).toMatchObject({ reason: "end_turn", text: "It is done." });
    expect(Object.groupBy(retries, (retry) => retry.class)).toMatchObject({
      connect: { length: 5 },
      rate_limit: { length: 5 },
      quiet: { length: 10 },
      transient: { length: 5 },
      timeout: { length: 10 },
      idle: { length: 1 },
      budget_overflow: { length: 2 },
    });
  });

  it("begin anew with each request", async () => {
    const down: ChaosStep = { kind: "network", code: "ECONNREFUSED", times: 5 };
    const { done, retries } = await run({
      steps: [down, { kind: "calls", calls: [{ tool: "echo", input: { text: "a" } }] }, down, ok],
    });
    expect(retries).toHaveLength(10);
    expect(done.reason).toBe("end_turn");
  });

  it("end with the run's time, and before a wait that is longer than may be", async () => {
    const late = await run({ steps: [{ kind: "status", status: 500, times: 999 }] }, { timeoutMs: 120_000 });
    expect(late.done).toMatchObject({ reason: "error", error: { code: "model_failed" } });
    expect(late.clock.now()).toBeLessThan(120_000);
    const long = await run({ steps: [{ kind: "status", status: 500, times: 999 }], timers: { retryWaitMs: 10_000 } });
    expect(long.retries.every(({ delayMs }) => delayMs <= 10_000)).toBe(true);
    expect(long.done).toMatchObject({ reason: "error", error: { code: "model_failed" } });
  });
});

describe("failures that do not pass", () => {
  it.each<[string, ChaosStep, string]>([
    ["an invalid request", { kind: "status", status: 400, message: "messages: roles must alternate" }, "model_failed"],
    ["an unknown model", { kind: "status", status: 404, message: "model: fake-2" }, "model_failed"],
    ["credits that are used up", { kind: "status", status: 402 }, "model_failed"],
    ["a refused key", refused, "model_key_refused"],
    ["a key that may not", { kind: "status", status: 403 }, "model_key_refused"],
  ])("end the run at once: %s", async (_, step, code) => {
    const { done, retries, chaos } = await run({ steps: [step] });
    expect([retries.length, chaos.requests.length]).toEqual([0, 1]);
    expect(done).toMatchObject({ reason: "error", error: { code } });
  });
});

describe("several keys", () => {
  it("are walked through once, before anything else, without a retry and without a wait", async () => {
    const limited: ChaosStep = { kind: "status", status: 429, retryAfter: "60" };
    const keys = [createChaos([refused]), createChaos([limited]), createChaos([limited, ok])] as const;
    const languageModel = guardModel(poolModels(keys), createClean({}));
    const { done, retries, clock } = await run({ model: { languageModel } });
    // Every one was tried before the wait that the last two ask for; then the pool is tried again.
    expect(retries).toMatchObject([{ class: "rate_limit", delayMs: 60_000 }]);
    expect(keys.map(({ requests }) => requests.length)).toEqual([2, 2, 2]);
    expect(done.reason).toBe("end_turn");
    expect(clock.now()).toBeGreaterThanOrEqual(60_000);

    const good = [createChaos([refused]), createChaos([ok])] as const;
    const second = await run({ model: { languageModel: guardModel(poolModels(good), createClean({})) } });
    expect(second.retries).toEqual([]);
    expect(second.done.reason).toBe("end_turn");
  });
});

describe("a key that is refused where somebody can mend it", () => {
  /** A person who answers with models, one after another. */
  const mending = async (steps: readonly ChaosStep[], answers: readonly (readonly ChaosStep[] | undefined)[]) => {
    const asked: string[] = [];
    const driven = await agentWith({
      steps,
      async reauth({ message }) {
        asked.push(message);
        const mended = answers[asked.length - 1];
        return mended && modelOf(createChaos(mended));
      },
    });
    const events = await eventsWhile(driven.clock, driven.agent.run(said("Go")));
    return { ...driven, asked, events, done: doneOf(events) };
  };

  it("is asked for, and the request is sent again with it at once", async () => {
    const { done, asked, events, agent, model } = await mending([refused], [[ok]]);
    expect(done).toMatchObject({ reason: "end_turn", text: "It is done." });
    expect(asked).toHaveLength(1);
    expect(ofType(events, "notice")).toMatchObject([{ code: "auth_required" }]);
    expect(ofType(events, "retry")).toMatchObject([{ class: "auth", delayMs: 0 }]);
    expect(agent.model()).not.toBe(model);
  });

  it("is asked for twice in a row at most, and again after an answer", async () => {
    const thrice = await mending([refused], [[refused], [refused], [ok]]);
    expect(thrice.asked).toHaveLength(2);
    expect(thrice.done).toMatchObject({ reason: "error", error: { code: "model_key_refused" } });
    const calls: ChaosStep = { kind: "calls", calls: [{ tool: "echo", input: { text: "a" } }] };
    const later = await mending([refused], [[refused], [calls, refused], [refused], [ok]]);
    expect(later.asked).toHaveLength(4);
    expect(later.done.reason).toBe("end_turn");
  });

  it("ends the run where there is no other, and where asking fails", async () => {
    expect((await mending([refused], [undefined])).done).toMatchObject({ reason: "error", error: { code: "model_key_refused" } });
    const { done } = await run({
      steps: [refused],
      reauth: async () => {
        throw new Error("the terminal is gone");
      },
    });
    expect(done).toMatchObject({ reason: "error", error: { code: "model_key_refused" } });
  });

  it("may take its time, with no timer running, until the run is cancelled", async () => {
    const driven = await agentWith({ steps: [refused], reauth: () => new Promise(() => {}) });
    const events = [];
    const handle = driven.agent.run(said("Go"));
    for await (const event of handle.events) {
      events.push(event);
      if (event.type !== "notice") continue;
      await driven.clock.advance(3_600_000);
      handle.cancel();
    }
    expect(doneOf(events)).toMatchObject({ reason: "cancelled", error: null });
    expect(ofType(events, "retry")).toEqual([]);
  });
});

describe("earlier thinking that the provider refuses", () => {
  it.each([
    "messages.1.content.0: Invalid `signature` in `thinking` block",
    "The encrypted content gAAA for item rs_1 could not be verified.",
    "Item 'fc_1' of type 'function_call' was provided without its required 'reasoning' item: 'rs_1'.",
    "Corrupted thought signature.",
  ])("is left out once and for all, and the request is sent again: %s", async (message) => {
    const thinks: ChaosStep = { kind: "thinking", text: "Hm.", answer: "Hello." };
    const refusal: ChaosStep = { kind: "status", status: 400, message };
    const { agent, clock, chaos } = await agentWith({ steps: [thinks, refusal, thinks, ok, ok] });
    const asked = async () => eventsWhile(clock, agent.run(said("Hi")));
    await asked();
    const events = await asked();
    expect(ofType(events, "notice")).toMatchObject([{ code: "thinking_dropped" }]);
    expect(doneOf(events)).toMatchObject({ reason: "end_turn", text: "Hello." });
    const later = await asked();
    expect(ofType(later, "notice")).toEqual([]);
    // What it thought since is its own again.
    const thoughts = chaos.requests.map(({ prompt }) => JSON.stringify(prompt).split('"reasoning"').length - 1);
    expect(thoughts).toEqual([0, 1, 0, 1]);
  });

  it("ends the run where it is refused though there is none", async () => {
    const { done } = await run({ steps: [{ kind: "status", status: 400, message: "Invalid `signature` in `thinking` block" }] });
    expect(done).toMatchObject({ reason: "error", error: { code: "model_failed" } });
  });
});

describe("a try that is given up", () => {
  it("leaves nothing in the answer, the history or the journal", async () => {
    const { events, done, agent, journal } = await run({ steps: [{ kind: "network", code: "ECONNRESET", text: "Half an answer" }, ok] });
    const types = events.map(({ type }) => type);
    expect(types.indexOf("retry")).toBeGreaterThan(types.indexOf("text_delta"));
    expect(done.text).toBe("It is done.");
    expect(JSON.stringify([agent.messages(), journal])).not.toContain("Half");
  });

  it("leaves nothing either where the run is cancelled before the next", async () => {
    const { agent, clock } = await agentWith({ steps: [{ kind: "network", code: "ECONNRESET", text: "Half an answer" }] });
    const handle = agent.run(said("Go"));
    onTestFinished(() => handle.cancel());
    const events = [];
    for await (const event of handle.events) {
      events.push(event);
      if (event.type === "retry") handle.cancel();
    }
    expect(doneOf(events)).toMatchObject({ reason: "cancelled", text: "" });
    expect(JSON.stringify(agent.messages())).not.toContain("Half");
    expect(clock.waiting()).toBe(0);
  });

  it("is told without what was asked, keys and the body of the response", async () => {
    const body = JSON.stringify({ error: { message: "quota", echo: "my private question, key sk-ant-api03-abcdefghijklmnop" } });
    const steps: ChaosStep[] = [{ kind: "status", status: 500, message: "failed for sk-ant-api03-abcdefghijklmnop", body }, ok];
    const { agent, clock } = await agentWith({ steps });
    const events = await eventsWhile(clock, agent.run(said("my private question")));
    const [retry] = ofType(events, "retry");
    expect(retry?.message).toContain("500");
    expect(JSON.stringify(retry)).not.toMatch(/private question|abcdefgh/);
  });
});
