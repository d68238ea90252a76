import { describe, expect, it, onTestFinished } from "vitest";
import { classifyError } from "../../../../core/models/errors/classify-error.ts";
import type { Model } from "../../../../core/models/model.ts";
import { openModel } from "../../../../core/models/open-model.ts";
import type { ModelServer, ServerStep } from "../../../fake-servers/model-server.ts";
import { kinds, startServer } from "../../../fake-servers/start-server.ts";
import { ask, user } from "../asking.ts";

const KEY = "a-key-of-nobody-0123456789";

type Kind = (typeof kinds)[number];

/** A model over HTTP, and its server, which ends with the test. */
async function served(kind: Kind, steps: readonly ServerStep[]): Promise<{ model: Model; server: ModelServer }> {
  const server = await startServer(kind, steps);
  onTestFinished(() => server.close());
  const models = { providers: { mine: { kind, url: server.url, keyEnv: "MINE_KEY" } } };
  return { server, model: await openModel("mine/fake-1", { models, environment: { MINE_KEY: KEY } }) };
}

describe.each(kinds)("openProvider() over HTTP, %s", (kind) => {
  it("streams text, and counts tokens", async () => {
    const { model, server } = await served(kind, [{ kind: "text", text: "Hello over HTTP." }]);
    const heard = await ask(model.languageModel, { messages: [user("hi")] });
    expect(heard).toMatchObject({ text: "Hello over HTTP.", finish: "stop", errors: [], usage: { output: 30 } });
    expect(heard.usage).toMatchObject(kind === "anthropic" ? { input: 120, cached: 15 } : { input: 120, cached: 20 });
    if (kind !== "google") expect(server.requests[0]?.body).toMatchObject({ model: "fake-1", stream: true });
    expect(JSON.stringify(server.requests[0]?.headers)).toContain(KEY);
  });

  it("streams thinking before the text", async () => {
    const { model } = await served(kind, [{ kind: "thinking", thinking: "hm, well", text: "Yes." }]);
    expect(await ask(model.languageModel, { messages: [user("hi")] })).toMatchObject({ thinking: "hm, well", text: "Yes." });
  });

  it("gives calls, several in one answer, which are not run", async () => {
    const calls = [
      { tool: "bash", input: { command: "ls" } },
      { tool: "read", input: { path: "a.ts" } },
    ];
    const { model, server } = await served(kind, [{ kind: "calls", calls }]);
    const heard = await ask(model.languageModel, { messages: [user("hi")], tools: ["bash", "read"] });
    expect(heard.calls).toEqual(calls.map((call) => ({ ...call, invalid: false })));
    expect(heard.finish).toBe("tool-calls");
    expect(JSON.stringify(server.requests[0]?.body.tools)).toContain('"bash"');
  });

  it.skipIf(kind === "google")("marks a call whose input is no JSON", async () => {
    const { model } = await served(kind, [{ kind: "raw_call", tool: "bash", input: '{"command": "ls' }]);
    const heard = await ask(model.languageModel, { messages: [user("hi")], tools: ["bash"] });
    expect(heard.calls).toMatchObject([{ tool: "bash", invalid: true }]);
  });

  it("tells that an answer was cut at its longest", async () => {
    const { model } = await served(kind, [{ kind: "max_tokens", text: "and so" }]);
    expect(await ask(model.languageModel, { messages: [user("hi")] })).toMatchObject({ text: "and so", finish: "length" });
  });

  it.each([
    ["a limit with a time to wait", { kind: "status", status: 429, headers: { "retry-after": "7" } }, { class: "rate_limit", retryAfterMs: 7_000 }],
    ["a limit without", { kind: "status", status: 429 }, { class: "rate_limit" }],
    ["a failing server", { kind: "status", status: 500 }, { class: "transient" }],
    ["a busy server", { kind: "status", status: 529, error: { type: "overloaded_error", message: "Overloaded" } }, { class: "transient" }],
    ["a wrong key", { kind: "status", status: 401, error: { type: "authentication_error", message: "invalid x-api-key" } }, { class: "auth" }],
    ["an unknown model", { kind: "status", status: 404, error: { type: "not_found_error", message: "model: fake-1" } }, { class: "fatal" }],
    [
      "a prompt that is too long",
      { kind: "status", status: 400, error: { message: "prompt is too long: 215000 tokens > 200000 maximum" } },
      { class: "overflow" },
    ],
    [
      "an answer that would not fit",
      { kind: "status", status: 400, error: { message: "input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000" } },
      { class: "budget_overflow", maxOutput: 10_000 },
    ],
    ["a redirect, which is not followed", { kind: "redirect", to: "http://127.0.0.1:1/v1" }, { class: "fatal" }],
    ["an error within the stream", { kind: "stream_error", text: "It", type: "overloaded_error", message: "Overloaded" }, { class: "transient" }],
  ] satisfies [string, ServerStep, object][])("classifies %s", async (_, step, expected) => {
    const { model, server } = await served(kind, [step]);
    const { errors } = await ask(model.languageModel, { messages: [user("hi")] });
    expect(errors).toHaveLength(1);
    expect(classifyError(errors[0])).toMatchObject(expected);
    expect(server.requests).toHaveLength(1);
  });

  it("classifies a server that is not there", async () => {
    const { model, server } = await served(kind, []);
    await server.close();
    const { errors } = await ask(model.languageModel, { messages: [user("hi")] });
    expect(classifyError(errors[0])).toMatchObject({ class: "connect" });
  });

  it("keeps what streamed before the connection was cut, and says that it is not whole", async () => {
    const { model } = await served(kind, [{ kind: "cut", text: "It was a dark" }]);
    const heard = await ask(model.languageModel, { messages: [user("hi")] });
    expect(heard.text).toBe("It was a dark");
    expect(classifyError(heard.errors[0])).toMatchObject({ class: "transient" });
  });

  it("does not take a stream without an end for an answer", async () => {
    const { model } = await served(kind, [{ kind: "unfinished", text: "It was a dark" }]);
    const heard = await ask(model.languageModel, { messages: [user("hi")] });
    expect(heard.text).toBe("It was a dark");
    expect(heard.finish).not.toBe("stop");
  });

  it("closes the connection when it is aborted in the middle", async () => {
    const { model, server } = await served(kind, [{ kind: "slow", text: "one two three four five six seven eight nine ten", everyMs: 50 }]);
    const stop = new AbortController();
    const asked = ask(model.languageModel, { messages: [user("hi")], signal: stop.signal });
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort();
    expect(await asked).toMatchObject({ aborted: true, errors: [] });
    while (server.aborted === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  it("ends a request that is never answered when it is aborted", async () => {
    const { model, server } = await served(kind, [{ kind: "silent", after: "nothing" }]);
    const stop = new AbortController();
    const asked = ask(model.languageModel, { messages: [user("hi")], signal: stop.signal });
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort();
    expect((await asked).text).toBe("");
  });

  it("puts neither the key nor the prompt into an error, whatever the server echoes", async () => {
    const message = `Incorrect API key provided: ${KEY}. Also sk-proj-abcdefghijklmnop1234.`;
    const { model } = await served(kind, [{ kind: "status", status: 401, error: { message } }]);
    const { errors } = await ask(model.languageModel, { messages: [user("a very private question")] });
    const [error] = errors;
    const all = JSON.stringify([error, Object.getOwnPropertyNames(error).map((name) => Reflect.get(Object(error), name)), classifyError(error)]);
    expect(all).toContain("[redacted]");
    expect(all).not.toContain(KEY);
    expect(all).not.toContain("abcdefghijklmnop1234");
    expect(all).not.toContain("private question");
    expect(classifyError(error).class).toBe("auth");
  });
});

describe("openProvider()", () => {
  const open = (spec: string, models = {}, environment: NodeJS.ProcessEnv = {}) => openModel(spec, { models, environment });

  it("refuses a provider that nobody knows", async () => {
    await expect(open("antropic/x")).rejects.toMatchObject({ code: "unknown_model" });
    await expect(open("nothing")).rejects.toMatchObject({ code: "unknown_model" });
    await expect(open("embedded/nothing")).rejects.toMatchObject({ code: "unknown_model" });
    await expect(open("constructor/x")).rejects.toMatchObject({ code: "unknown_model" });
  });

  it("asks for a key before anything is sent, and names the variable", async () => {
    await expect(open("anthropic/x")).rejects.toMatchObject({ code: "key_missing", seen: expect.stringContaining("ANTHROPIC_API_KEY") });
    await expect(open("openrouter/some/model")).rejects.toMatchObject({ code: "key_missing", seen: expect.stringContaining("OPENROUTER_API_KEY") });
    expect((await open("openrouter/some/model", {}, { OPENROUTER_API_KEY: KEY })).name).toBe("some/model");
    expect((await open("anthropic/claude-haiku-4-5", {}, { ANTHROPIC_API_KEY: KEY })).contextWindow).toBe(200_000);
  });

  it("needs no key for servers on this machine", async () => {
    expect(await open("ollama/qwen3:8b")).toMatchObject({ id: "ollama/qwen3:8b", price: null });
  });

  it("sends no key of the environment unencrypted to another machine unless the config names it", async () => {
    const url = "http://192.0.2.1:8000/v1";
    await expect(open("mine/x", { providers: { mine: { url } } }, { MINE_API_KEY: KEY })).rejects.toMatchObject({ code: "key_missing" });
    await expect(open("mine/x", { providers: { mine: { url, keyEnv: "MINE_API_KEY" } } }, { MINE_API_KEY: KEY })).resolves.toMatchObject({
      name: "x",
    });
    await expect(open("mine/x", { providers: { mine: { url } } })).resolves.toMatchObject({ name: "x" });
  });

  it("takes sizes and prices of the config over those of the table", async () => {
    const price = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 };
    const models = { providers: { anthropic: { key: KEY, models: { "claude-haiku-4-5": { contextWindow: 1_000, price } } } } };
    expect(await open("anthropic/claude-haiku-4-5", models)).toMatchObject({ contextWindow: 1_000, maxOutput: 1_000, price, images: true });
  });
});
