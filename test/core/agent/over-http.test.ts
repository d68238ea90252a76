import { describe, expect, it, onTestFinished } from "vitest";
import type { Clock } from "../../../core/agent/clock.ts";
import { systemClock } from "../../../core/agent/clock.ts";
import type { NativeTool } from "../../../core/host-types.ts";
import { openModel } from "../../../core/models/open-model.ts";
import type { ModelServer, ServerStep } from "../../fake-servers/model-server.ts";
import { kinds, startServer } from "../../fake-servers/start-server.ts";
import { agentWith, doneOf, echo, eventsOf, ofType, said, type With } from "./agent-with.ts";

/** Waits before the next try hardly take time; timers take theirs. */
const impatient: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 5), signal) };

/** How each provider says that the prompt is too long. */
const overflows: Readonly<Record<(typeof kinds)[number], { type?: string; code?: string; message: string }[]>> = {
  "openai-compatible": [
    { message: "the request exceeds the available context size, try increasing it", type: "exceed_context_size_error" },
    {
      message: "This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens.",
      code: "context_length_exceeded",
    },
    { message: "input length exceeds maximum context length" },
    { message: "This model's maximum prompt length is 131072 but the request contains 537812 tokens." },
  ],
  anthropic: [{ type: "invalid_request_error", message: "prompt is too long: 215000 tokens > 200000 maximum" }],
  openai: [
    { code: "context_length_exceeded", message: "Your input exceeds the context window of this model. Please adjust your input and try again." },
  ],
  google: [{ message: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)." }],
};

/** How each says that prompt and answer together are, and how much room that leaves. */
const budgets: Readonly<Record<(typeof kinds)[number], [message: string, room: number][]>> = {
  "openai-compatible": [
    [
      "This model's maximum context length is 16384 tokens. However, you requested 18384 tokens (10384 in the messages, 8000 in the completion).",
      6_000,
    ],
    ["This model's maximum context length is 8192 tokens and your request has 3192 input tokens (8192 > 8192 - 3192).", 5_000],
  ],
  anthropic: [
    ["input length and `max_tokens` exceed context limit: 195000 + 8192 > 200000, decrease input length or `max_tokens` and try again", 5_000],
    ["max_tokens: 8192 > 4096, which is the maximum allowed number of output tokens for fake-1", 4_096],
  ],
  openai: [["max_output_tokens is too large: 8192. This model supports at most 5000 completion tokens, whereas you provided 8192.", 5_000]],
  google: [["Unable to submit request because maxOutputTokens must be less than or equal to 5000", 5_000]],
};

const refusals: Readonly<Record<(typeof kinds)[number], string>> = {
  "openai-compatible": "Invalid signature in thinking block",
  anthropic: "messages.1.content.0: Invalid `signature` in `thinking` block",
  openai: "The encrypted content c2ln for item rs_1 could not be verified. Reason: Encrypted content could not be decrypted or parsed.",
  google: "Corrupted thought signature.",
};

describe.each(kinds)("createAgent() over HTTP, %s", (kind) => {
  const served = async (steps: readonly ServerStep[], options: With = {}) => {
    const server: ModelServer = await startServer(kind, steps);
    onTestFinished(() => server.close());
    const model = await openModel("mine/fake-1", {
      models: { providers: { mine: { kind, url: server.url, keyEnv: "MINE_KEY" } } },
      environment: { MINE_KEY: "a-key-of-nobody-0123456789" },
    });
    const driven = await agentWith({ ...options, model: { ...model, contextWindow: 100_000, maxOutput: 8_192, images: true }, clock: impatient });
    return { ...driven, server };
  };
  const calls = (text: string): ServerStep => ({ kind: "calls", text: "Let me see.", calls: [{ tool: "echo", input: { text } }] });
  const end: ServerStep = { kind: "text", text: "It is done." };

  it("runs calls and sends their results back", async () => {
    const { agent, server } = await served([calls("first"), calls("second"), end]);
    const events = await eventsOf(agent.run(said("Go")));
    expect(doneOf(events)).toMatchObject({ reason: "end_turn", text: "It is done.", turns: 3 });
    expect(ofType(events, "tool_done").map(({ text }) => text)).toEqual(["first", "second"]);
    expect(new Set(ofType(events, "tool_done").map(({ toolId }) => toolId)).size).toBe(2);
    expect(JSON.stringify(server.requests[2]?.body)).toMatch(/first.*second/s);
    expect(doneOf(events).usage.output).toBe(90);
  });

  it("shows words as they come", async () => {
    const { agent } = await served([{ kind: "slow", text: "one two three", everyMs: 20 }]);
    const events = await eventsOf(agent.run(said("Go")));
    expect(ofType(events, "text_delta").length).toBeGreaterThan(1);
    expect(doneOf(events).text).toBe("one two three");
  });

  it("puts together what comes byte by byte", async () => {
    const text = "Grüße, 世界 🌍";
    const of: ServerStep = { kind: "calls", text, calls: [{ tool: "echo", input: { text } }] };
    const { agent } = await served([{ kind: "bytes", of, bytes: 100_000, ending: "end", alone: true }, end]);
    const events = await eventsOf(agent.run(said("Go")));
    expect(ofType(events, "turn_end")[0]?.text).toBe(text);
    expect(ofType(events, "tool_done")).toMatchObject([{ text, isError: false }]);
    expect(ofType(events, "retry")).toEqual([]);
  });

  it("gives several calls of one answer ids of their own, and their results in order", async () => {
    const { agent, server } = await served([
      { kind: "calls", calls: ["one", "two", "three"].map((text) => ({ tool: "echo", input: { text } })) },
      { kind: "calls", calls: [{ tool: "functions.echo", input: { text: "four" } }] },
      end,
    ]);
    const events = await eventsOf(agent.run(said("Go")));
    const done = ofType(events, "tool_done");
    expect(done.map(({ tool, text, isError }) => [tool, text, isError])).toEqual(
      ["one", "two", "three", "four"].map((text) => ["echo", text, false]),
    );
    expect(new Set(done.map(({ toolId }) => toolId)).size).toBe(4);
    expect(JSON.stringify(server.requests.at(-1)?.body)).toMatch(/one.*two.*three.*four/s);
  });

  it.skipIf(kind === "google")("answers a call whose input is no JSON with an error, and runs it not", async () => {
    const { agent, server } = await served([{ kind: "raw_call", tool: "echo", input: '{"text": "half' }, end]);
    const events = await eventsOf(agent.run(said("Go")));
    expect(ofType(events, "tool_start")).toEqual([]);
    expect(ofType(events, "tool_done")).toMatchObject([{ isError: true, text: expect.stringContaining("no JSON") }]);
    expect(doneOf(events)).toMatchObject({ reason: "end_turn", text: "It is done." });
    expect(server.requests).toHaveLength(2);
  });

  it("sends images of a person, and those of results", async () => {
    const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const image = { mediaType: "image/png", base64: png } as const;
    const camera: NativeTool = { ...echo, run: () => ({ text: "click", images: [image] }) };
    const { agent, server } = await served([calls("a"), end], { host: { tools: [camera] } });
    await eventsOf(agent.run({ ...said("What is this?"), images: [image] }));
    const images = server.requests.map(({ body }) => JSON.stringify(body).split(png).length - 1);
    expect(images).toEqual([1, 2]);
  });

  it.each<[string, ServerStep, string]>([
    ["a limit with a time to wait", { kind: "status", status: 429, headers: { "retry-after": "7" } }, "rate_limit"],
    ["a limit without", { kind: "status", status: 429 }, "rate_limit"],
    ["a failing server", { kind: "status", status: 500 }, "transient"],
    ["a gateway without a server", { kind: "status", status: 502 }, "transient"],
    ["a busy server", { kind: "status", status: 529, error: { type: "overloaded_error", message: "Overloaded" } }, "transient"],
    ["a connection that is cut", { kind: "cut", text: "Half an" }, "transient"],
    ["a page instead of an answer", { kind: "page", html: "<html>Please log in</html>" }, "quiet"],
    ["a stream without an end", { kind: "unfinished", text: "Half an" }, "quiet"],
    ["an error within the stream", { kind: "stream_error", text: "Half an", type: "server_error", message: "Overloaded" }, "transient"],
  ])("tries again after %s", async (_, step, kindOfFailure) => {
    const { agent } = await served([step, end]);
    const events = await eventsOf(agent.run(said("Go")));
    expect(ofType(events, "retry")).toMatchObject([{ class: kindOfFailure }]);
    if (kindOfFailure === "rate_limit") expect(ofType(events, "retry")[0]?.delayMs).toBe("headers" in step ? 7_000 : 1_000);
    expect(doneOf(events)).toMatchObject({ reason: "end_turn", text: "It is done." });
    expect(JSON.stringify(agent.messages())).not.toContain("Half");
  });

  it.each<[string, ServerStep]>([
    ["a request that is wrong", { kind: "status", status: 400, error: { message: "messages: roles must alternate" } }],
    ["a model that is not there", { kind: "status", status: 404, error: { message: "There is no model fake-1" } }],
    ["a redirect", { kind: "redirect", to: "http://127.0.0.1:1/v1" }],
  ])("ends at once with %s", async (_, step) => {
    const { agent, server } = await served([step]);
    const events = await eventsOf(agent.run(said("Go")));
    expect(doneOf(events)).toMatchObject({ reason: "error", error: { code: "model_failed" } });
    expect(server.requests).toHaveLength(1);
  });

  it("tells of a key that is refused, without it", async () => {
    const { agent } = await served([
      { kind: "status", status: 401, error: { type: "authentication_error", message: "invalid x-api-key a-key-of-nobody-0123456789" } },
    ]);
    const events = await eventsOf(agent.run(said("Go")));
    expect(doneOf(events)).toMatchObject({ reason: "error", error: { code: "model_key_refused" } });
    expect(JSON.stringify(events)).not.toContain("nobody-0123456789");
  });

  const long = Array.from({ length: 40 }, (_, i) => [
    { role: "user" as const, text: `Question ${i} ${"x".repeat(4_000)}` },
    { role: "assistant" as const, parts: [{ type: "text" as const, text: `Answer ${i}` }], model: "m" },
  ]).flat();

  it.each(overflows[kind])("compacts what the server finds too long: %o", async (error) => {
    const { agent } = await served([{ kind: "status", status: 400, error }, { kind: "text", text: "All about x." }, end], {
      history: long,
      contextTokens: 100,
    });
    const events = await eventsOf(agent.run(said("Go")));
    expect(ofType(events, "compact_done")).toMatchObject([{ summary: "All about x." }]);
    expect(doneOf(events)).toMatchObject({ reason: "end_turn", text: "It is done." });
  });

  it.each(budgets[kind])("asks for as much as the server says that there is room for: %s", async (message, room) => {
    const { agent, server } = await served([{ kind: "status", status: 400, error: { message } }, end]);
    const events = await eventsOf(agent.run(said("Go")));
    expect(ofType(events, "retry")).toMatchObject([{ class: "budget_overflow", delayMs: 0 }]);
    const asked = server.requests.map(({ body }) =>
      Number(/"(?:max_tokens|max_completion_tokens|max_output_tokens|maxOutputTokens)":(\d+)/.exec(JSON.stringify(body))?.[1]),
    );
    expect(asked[0]).toBeGreaterThan(room);
    expect(asked[1]).toBe(room);
    expect(doneOf(events).reason).toBe("end_turn");
  });

  it("sends thinking back as it was signed, and no more once that is refused", async () => {
    const refusal: ServerStep = { kind: "status", status: 400, error: { message: refusals[kind] } };
    const { agent, server } = await served([{ kind: "thinking", thinking: "hm, well", text: "Yes." }, refusal, end]);
    await eventsOf(agent.run(said("Is it?")));
    const events = await eventsOf(agent.run(said("Sure?")));
    expect(ofType(events, "notice")).toMatchObject([{ code: "thinking_dropped" }]);
    expect(doneOf(events)).toMatchObject({ reason: "end_turn", text: "It is done." });
    const has = (i: number) => /hm, well|c2lnbmVk|rs_1/.test(JSON.stringify(server.requests[i]?.body));
    expect([has(1), has(2)]).toEqual([true, false]);
    expect(JSON.stringify(server.requests[2]?.body)).toContain("Yes.");
  });

  it.each<[string, ServerStep, string]>([
    ["nothing", { kind: "silent", after: "nothing" }, "timeout"],
    ["a head alone", { kind: "silent", after: "head" }, "timeout"],
    ["signs of life alone", { kind: "pings", everyMs: 50 }, "timeout"],
    ["half an answer", { kind: "stall", text: "Half an" }, "idle"],
  ])("gives up on a server that answers %s, and closes the connection", async (_, step, kindOfFailure) => {
    const { agent, server } = await served([step, end], { timers: { connectMs: 1_500, firstOutputMs: 1_500, modelIdleMs: 1_500 } });
    const events = await eventsOf(agent.run(said("Go")));
    expect(ofType(events, "retry")).toMatchObject([{ class: kindOfFailure }]);
    expect(doneOf(events)).toMatchObject({ reason: "end_turn", text: "It is done." });
    await expect.poll(() => server.aborted).toBe(1);
  });

  it("closes the connection when it is cancelled, and keeps what came", async () => {
    const { agent, server } = await served([{ kind: "slow", text: "one two three four five six", everyMs: 50 }]);
    const run = agent.run(said("Go"));
    const events = [];
    for await (const event of run.events) {
      events.push(event);
      if (event.type === "text_delta") run.cancel();
    }
    expect(doneOf(events)).toMatchObject({ reason: "cancelled" });
    expect(doneOf(events).text).toContain("one");
    await expect.poll(() => server.aborted).toBe(1);
  });

  it.each(["cut", "end"] as const)("takes no half of an answer for one, wherever the stream breaks off: %s", async (ending) => {
    const of: ServerStep = { kind: "calls", text: "Let me see.", calls: [{ tool: "echo", input: { text: "the whole of it" } }] };
    const ran: unknown[] = [];
    const tool: NativeTool = {
      ...echo,
      inputSchema: { type: "object" },
      run: (input) => {
        ran.push(input);
        return "";
      },
    };
    let isWhole = false;
    for (let bytes = 0; bytes < 5_000 && !isWhole; bytes += ending === "cut" ? 397 : 131) {
      ran.length = 0;
      const { agent, server } = await served([{ kind: "bytes", of, bytes, ending }, end], { host: { tools: [tool] } });
      const events = await eventsOf(agent.run(said("Go")));
      expect(doneOf(events), `after ${bytes} bytes`).toMatchObject({ reason: "end_turn", text: "It is done." });
      // Either it was asked again, or all of the answer had come.
      isWhole = ofType(events, "retry").length === 0;
      expect([ran, server.requests.length], `after ${bytes} bytes`).toEqual([isWhole ? [{ text: "the whole of it" }] : [], 2]);
      await server.close();
    }
    // A connection that is cut after the answer said that it is over takes nothing of it.
    expect(isWhole || ending === "cut").toBe(true);
  });

  it.each<[string, ServerStep]>([
    ["nothing was answered", { kind: "silent", after: "nothing" }],
    ["the head was", { kind: "silent", after: "head" }],
    ["the stream stands still", { kind: "stall", text: "Half an" }],
  ])("closes the connection when it is cancelled while %s", async (_, step) => {
    const { agent, server } = await served([step]);
    const run = agent.run(said("Go"));
    const events = eventsOf(run);
    await expect.poll(() => server.requests.length).toBe(1);
    run.cancel();
    expect(doneOf(await events)).toMatchObject({ reason: "cancelled", error: null });
    await expect.poll(() => server.aborted).toBe(1);
    expect(server.requests).toHaveLength(1);
  });

  it("says nothing of what was asked, of the key and of the body of a response", async () => {
    const message = "The request was odd";
    const { agent, server } = await served([
      { kind: "status", status: 500, error: { message } },
      { kind: "status", status: 400, error: { message } },
    ]);
    const events = await eventsOf(agent.run(said("a very private question")));
    const told = JSON.stringify(events.filter(({ type }) => type === "retry" || type === "done" || type === "notice"));
    expect(told).toContain(message);
    expect(told).not.toMatch(/private question|nobody-0123456789|param|generationConfig/);
    expect(JSON.stringify(server.requests)).toContain("nobody-0123456789");
  });
});
