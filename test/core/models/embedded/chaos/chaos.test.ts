import { describe, expect, it } from "vitest";
import { type ChaosStep, createChaos } from "../../../../../core/models/embedded/chaos/chaos.ts";
import { classifyError } from "../../../../../core/models/errors/classify-error.ts";
import { createFakeClock } from "../../../../support/fake-clock.ts";
import { ask, type Heard, user } from "../../asking.ts";

const hear = (step: ChaosStep, tools = ["bash"]): Promise<Heard> => ask(createChaos([step]), { messages: [user("hi")], tools });
const bash = { tool: "bash", input: { command: "ls" } };

describe("createChaos()", () => {
  it.each([
    [
      { kind: "status", status: 429, retryAfter: "7" },
      { class: "rate_limit", retryAfterMs: 7_000 },
    ],
    [{ kind: "status", status: 429 }, { class: "rate_limit" }],
    [{ kind: "status", status: 500 }, { class: "transient" }],
    [{ kind: "status", status: 401 }, { class: "auth" }],
    [{ kind: "status", status: 404 }, { class: "fatal" }],
    [{ kind: "network", code: "ECONNREFUSED" }, { class: "connect" }],
    [{ kind: "network", code: "ECONNRESET" }, { class: "transient" }],
    [{ kind: "overflow" }, { class: "overflow" }],
    [
      { kind: "budget_overflow", room: 5_000 },
      { class: "budget_overflow", maxOutput: 5_000 },
    ],
    [{ kind: "error_part", text: "It", type: "overloaded_error", message: "Overloaded" }, { class: "transient" }],
  ] satisfies [ChaosStep, object][])("fails as %j says, once", async (step, expected) => {
    const { errors } = await hear(step);
    expect(errors).toHaveLength(1);
    expect(classifyError(errors[0])).toMatchObject(expected);
  });

  it("fails so many times, then does the next step, then that one again", async () => {
    const model = createChaos([
      { kind: "status", status: 500, times: 2 },
      { kind: "text", text: "At last." },
    ]);
    const heard = [];
    for (let i = 0; i < 4; i++) heard.push(await ask(model, { messages: [user(`try ${i}`)] }));
    expect(heard.map(({ errors, text }) => (errors.length > 0 ? "failed" : text))).toEqual(["failed", "failed", "At last.", "At last."]);
    expect(model.requests).toHaveLength(4);
  });

  it("answers without a call and without a word", async () => {
    expect(await hear({ kind: "empty" })).toMatchObject({ text: "", calls: [], finish: "stop", errors: [] });
    expect(await hear({ kind: "thinking", text: "hm" })).toMatchObject({ text: "", thinking: "hm", finish: "stop" });
    expect(await hear({ kind: "thinking", text: "hm", answer: "Yes." })).toMatchObject({ text: "Yes.", thinking: "hm" });
  });

  it("calls: well, twice the same, and with an input that is no JSON", async () => {
    expect(await hear({ kind: "calls", calls: [bash], text: "I look." })).toMatchObject({
      text: "I look.",
      calls: [{ ...bash, invalid: false }],
      finish: "tool-calls",
    });
    expect((await hear({ kind: "duplicate_calls", call: bash })).calls).toMatchObject([bash, bash]);
    expect((await hear({ kind: "duplicate_calls", call: { ...bash, id: "same" } })).calls.length).toBeGreaterThan(0);
    expect((await hear({ kind: "invalid_json", tool: "bash" })).calls).toMatchObject([{ tool: "bash", invalid: true }]);
    expect((await hear({ kind: "calls", calls: [{ tool: "functions.bash", input: {} }] })).calls).toMatchObject([
      { tool: "functions.bash", invalid: true },
    ]);
  });

  it("ends before its end", async () => {
    const cut = await hear({ kind: "truncated", text: "It was a dark" });
    expect(cut.text).toBe("It was a dark");
    expect(cut.finish).not.toBe("stop");
    expect((await hear({ kind: "truncated_call", tool: "bash", input: '{"comm' })).calls).toEqual([]);
    expect(await hear({ kind: "max_tokens", text: "and so" })).toMatchObject({ text: "and so", finish: "length" });
    expect(await hear({ kind: "max_tokens", text: "", call: { tool: "bash", input: '{"comm' } })).toMatchObject({
      finish: "length",
      calls: [{ invalid: true }],
    });
    const broken = await hear({ kind: "network", code: "ECONNRESET", text: "It was" });
    expect(broken.text).toBe("It was");
    expect(classifyError(broken.errors[0]).class).toBe("transient");
  });

  it.each(["nothing", "head", "text"] as const)("hangs after %s until it is aborted", async (after) => {
    const clock = createFakeClock();
    const stop = new AbortController();
    let isDone = false;
    const asked = ask(createChaos([{ kind: "hang", after, text: "It" }], { clock }), { messages: [user("hi")], signal: stop.signal });
    void asked.finally(() => {
      isDone = true;
    });
    await clock.advance(3_600_000);
    expect(isDone).toBe(false);
    stop.abort();
    expect(await asked).toMatchObject({ aborted: true, text: after === "text" ? "It" : "", errors: [] });
  });

  it("drips by the clock it is given", async () => {
    const clock = createFakeClock();
    const asked = ask(createChaos([{ kind: "drip", text: "one two three", everyMs: 60_000 }], { clock }), { messages: [user("hi")] });
    await clock.advance(180_000);
    expect((await asked).text).toBe("one two three");
    expect(clock.now()).toBe(180_000);
  });

  it("gives signs of life that are no output", async () => {
    const clock = createFakeClock();
    const stop = new AbortController();
    const { stream } = await createChaos([{ kind: "pings", everyMs: 1_000 }], { clock }).doStream({ prompt: [], abortSignal: stop.signal });
    const seen: string[] = [];
    const reading = (async () => {
      for await (const { type } of stream) seen.push(type);
    })();
    await clock.advance(3_000);
    stop.abort();
    await expect(reading).rejects.toThrow();
    expect(seen).toEqual(["stream-start", "ping", "ping", "ping"]);
  });

  it("stops what it makes when nobody reads any more", async () => {
    const clock = createFakeClock();
    const { stream } = await createChaos([{ kind: "drip", text: "one two", everyMs: 1_000 }], { clock }).doStream({ prompt: [] });
    const reader = stream.getReader();
    for (const type of ["stream-start", "text-start"]) expect((await reader.read()).value?.type).toBe(type);
    await clock.advance(500);
    expect(clock.waiting()).toBe(1);
    await reader.cancel();
    await clock.advance(0);
    expect(clock.waiting()).toBe(0);
  });
});
