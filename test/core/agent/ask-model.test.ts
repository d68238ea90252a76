import { describe, expect, it } from "vitest";
import type { ChaosStep } from "../../../core/models/embedded/chaos/chaos.ts";
import { agentWith, doneOf, eventsWhile, ofType, said, type With } from "./agent-with.ts";

const ok: ChaosStep = { kind: "text", text: "It is done." };
const run = async (options: With, limits = {}) => {
  const driven = await agentWith(options);
  const events = await eventsWhile(driven.clock, driven.agent.run(said("Go"), limits), 1_000, 20_000);
  return { ...driven, events, done: doneOf(events), retries: ofType(events, "retry") };
};

describe("askModel()", () => {
  it("tries again after failures of a server, for as long as it takes", async () => {
    const { done, retries } = await run({ steps: [{ kind: "status", status: 503, times: 40 }, ok] });
    expect(done).toMatchObject({ reason: "end_turn", text: "It is done.", turns: 1 });
    expect(retries).toHaveLength(40);
    expect(retries.map(({ delayMs }) => delayMs).slice(0, 3)).toEqual([1_000, 2_000, 3_000]);
    expect(Math.max(...retries.map(({ delayMs }) => delayMs))).toBe(30_000);
  });

  it("waits as long as the server asks", async () => {
    const { clock, retries } = await run({ steps: [{ kind: "status", status: 429, retryAfter: "90" }, ok] });
    expect(retries).toMatchObject([{ class: "rate_limit", delayMs: 90_000 }]);
    expect(clock.now()).toBeGreaterThanOrEqual(90_000);
  });

  it.each([
    { what: "a rate limit that names no time", step: { kind: "status", status: 429, times: 99 }, tries: 5, code: "model_failed" },
    { what: "a server that is not there", step: { kind: "network", code: "ECONNREFUSED", times: 99 }, tries: 5, code: "model_failed" },
    { what: "streams that end before their end", step: { kind: "truncated", text: "It" }, tries: 10, code: "model_failed" },
    { what: "a wrong key", step: { kind: "status", status: 401, times: 99 }, tries: 0, code: "model_key_refused" },
    { what: "a request that is wrong", step: { kind: "status", status: 400, times: 99 }, tries: 0, code: "model_failed" },
    { what: "a model that is unknown", step: { kind: "status", status: 404, times: 99 }, tries: 0, code: "model_failed" },
  ] as const)("gives up on $what after $tries further tries", async ({ step, tries, code }) => {
    const { done, retries } = await run({ steps: [step] });
    expect(retries).toHaveLength(tries);
    expect(done).toMatchObject({ reason: "error", error: { code }, text: "" });
  });

  it("counts each class of failures alone", async () => {
    const { done, retries } = await run({
      steps: [
        { kind: "network", code: "ECONNREFUSED", times: 5 },
        { kind: "status", status: 429, times: 5 },
        { kind: "status", status: 500, times: 5 },
        ok,
      ],
    });
    expect(retries).toHaveLength(15);
    expect(done.reason).toBe("end_turn");
  });

  it("shows a retry before it shows anything of the next try, and keeps nothing of the failed one", async () => {
    const { events, agent, done } = await run({ steps: [{ kind: "network", code: "ECONNRESET", text: "Half an answer" }, ok] });
    const types = events.map(({ type }) => type);
    expect(types.indexOf("retry")).toBeGreaterThan(types.indexOf("text_delta"));
    expect(types.lastIndexOf("text_delta")).toBeGreaterThan(types.indexOf("retry"));
    expect(done.text).toBe("It is done.");
    expect(JSON.stringify(agent.messages())).not.toContain("Half");
  });

  it("does not wait past the end of the run, nor longer than it may", async () => {
    const late = await run({ steps: [{ kind: "status", status: 429, retryAfter: "600" }] }, { timeoutMs: 60_000 });
    expect(late.done).toMatchObject({ reason: "error", error: { code: "model_failed" } });
    expect(late.clock.now()).toBeLessThan(60_000);
    const long = await run({ steps: [{ kind: "status", status: 429, retryAfter: "600" }], timers: { retryWaitMs: 30_000 } });
    expect(long.done).toMatchObject({ reason: "error", error: { code: "model_failed" } });
  });

  it("asks at once for less where prompt and answer are too long together, twice at most", async () => {
    const { chaos, retries, done } = await run({ steps: [{ kind: "budget_overflow", room: 6_000 }, { kind: "budget_overflow", room: 5_000 }, ok] });
    expect(chaos.requests.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([8_192, 6_000, 5_000]);
    expect(retries.map(({ delayMs }) => delayMs)).toEqual([0, 0]);
    expect(done.reason).toBe("end_turn");
    const small = await run({ steps: [{ kind: "budget_overflow", room: 100 }] });
    expect(small.chaos.requests.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([8_192, 4_096]);
    expect(small.done).toMatchObject({ reason: "error", error: { code: "model_failed" } });
  });

  it("sends no earlier thinking once the provider refused it", async () => {
    const refusal: ChaosStep = { kind: "status", status: 400, message: "messages.1.content.0: Invalid `signature` in `thinking` block" };
    const driven = await agentWith({ steps: [{ kind: "thinking", text: "Hm.", answer: "Hello." }, refusal, ok] });
    await eventsWhile(driven.clock, driven.agent.run(said("Hi")));
    const events = await eventsWhile(driven.clock, driven.agent.run(said("Go")));
    expect(doneOf(events).text).toBe("It is done.");
    expect(ofType(events, "notice")).toMatchObject([{ code: "thinking_dropped" }]);
    const thinks = (i: number) => JSON.stringify(driven.chaos.requests[i]?.prompt).includes("reasoning");
    expect([thinks(1), thinks(2)]).toEqual([true, false]);
  });

  it.each([
    { what: "no head of a response", step: { kind: "hang", after: "nothing" }, at: 30_000, tries: 10, code: "model_timeout", each: 30_000 },
    { what: "no output", step: { kind: "hang", after: "head" }, at: 120_000, tries: 10, code: "model_timeout", each: 120_000 },
    { what: "no output but signs of life", step: { kind: "pings", everyMs: 5_000 }, at: 120_000, tries: 10, code: "model_timeout", each: 120_000 },
    { what: "nothing more after some words", step: { kind: "hang", after: "text" }, at: 120_000, tries: 1, code: "llm_idle", each: 120_000 },
  ] as const)("ends a try that brings $what, and the run in the end", async ({ step, tries, code, each, at }) => {
    const { retries, done, clock } = await run({ steps: [step], model: { contextWindow: 100_000 } });
    expect(retries).toHaveLength(tries);
    expect(done).toMatchObject({ reason: "error", error: { code } });
    expect(clock.now()).toBeGreaterThanOrEqual(each * (tries + 1));
    expect(at).toBe(each);
  });

  it("lets an answer drip for as long as it likes", async () => {
    const { done, retries, clock } = await run({ steps: [{ kind: "drip", text: "one two three four five", everyMs: 100_000 }] });
    expect(retries).toEqual([]);
    expect(done.text).toBe("one two three four five");
    expect(clock.now()).toBeGreaterThan(400_000);
  });

  it("leaves nothing running on the clock", async () => {
    const { clock } = await run({ steps: [{ kind: "status", status: 500 }, ok] });
    expect(clock.waiting()).toBe(0);
  });
});
