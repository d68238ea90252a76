import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ModelMessage } from "ai";
import { describe, expect, it, onTestFinished } from "vitest";
import { createClean } from "../../../../../core/models/clean-text.ts";
import { type ChaosStep, createChaos } from "../../../../../core/models/embedded/chaos/chaos.ts";
import { recordModel } from "../../../../../core/models/embedded/replay/record.ts";
import { createReplay, openCassette, type ReplayOptions } from "../../../../../core/models/embedded/replay/replay.ts";
import { classifyError } from "../../../../../core/models/errors/classify-error.ts";
import { openModel } from "../../../../../core/models/open-model.ts";
import { createFakeClock } from "../../../../support/fake-clock.ts";
import { ask, user } from "../../asking.ts";

const SECRET = "hunter2-hunter2-hunter2";
const clean = createClean({ DEPLOY_TOKEN: SECRET });

async function fresh(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "mortise-replay-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, "made", "cassette.jsonl");
}

const conversation: ModelMessage[] = [
  user("list the files"),
  { role: "assistant", content: [{ type: "tool-call", toolCallId: "id-1", toolName: "bash", input: { command: "ls" } }] },
  { role: "tool", content: [{ type: "tool-result", toolCallId: "id-1", toolName: "bash", output: { type: "text", value: "a.ts" } }] },
];

/** The same as it looks in another run: other ids, other words of the system. */
const again: ModelMessage[] = JSON.parse(JSON.stringify(conversation).replaceAll("id-1", "other-9"));

/** Records what a model answers to these requests. */
async function recorded(steps: readonly ChaosStep[], requests: readonly ModelMessage[][], tools: readonly string[] = ["bash"]): Promise<string> {
  const path = await fresh();
  const model = recordModel(createChaos(steps), { path, id: "embedded/chaos", clean });
  for (const messages of requests) await ask(model, { messages, tools });
  return path;
}

async function replay(path: string, options: ReplayOptions = {}): Promise<LanguageModelV4> {
  return createReplay(await openCassette(path), { clean, ...options });
}

const steps: ChaosStep[] = [
  { kind: "calls", calls: [{ tool: "bash", input: { command: "ls" } }], text: "I look." },
  { kind: "thinking", text: "one file", answer: "There is a.ts." },
];

describe("recordModel() and createReplay()", () => {
  it("give the same answers to the same requests, whatever ids calls have", async () => {
    const path = await recorded(steps, [[user("list the files")], conversation]);
    const model = await replay(path);
    const first = await ask(model, { messages: [user("list the files")], tools: ["bash"] });
    expect(first).toMatchObject({ text: "I look.", calls: [{ tool: "bash", input: { command: "ls" } }], finish: "tool-calls", errors: [] });
    const second = await ask(model, { messages: again, tools: ["bash"] });
    expect(second).toMatchObject({ thinking: "one file", text: "There is a.ts.", finish: "stop", usage: { input: 100, output: 20 } });
    const other = await ask(await replay(path), { instructions: "Today is another day", messages: again, tools: ["bash"] });
    expect(other.text).toBe("There is a.ts.");
  });

  it("names the first message that differs", async () => {
    const path = await recorded(steps, [[user("list the files")], conversation]);
    const changed: ModelMessage[] = JSON.parse(JSON.stringify(conversation).replace("a.ts", "b.ts"));
    const { errors } = await ask(await replay(path), { messages: changed, tools: ["bash"] });
    expect(errors[0]).toMatchObject({
      code: "not_recorded",
      seen: expect.stringMatching(/message 3 differs: tool .*b\.ts.*recorded is tool .*a\.ts/),
    });
    const tools = await ask(await replay(path), { messages: conversation, tools: ["read"] });
    expect(tools.errors[0]).toMatchObject({ code: "not_recorded", seen: expect.stringContaining("+read -bash") });
    const longer = await ask(await replay(path), { messages: [...conversation, user("and now?")], tools: ["bash"] });
    expect(longer.errors[0]).toMatchObject({ seen: expect.stringMatching(/message 4 differs: user "and now\?", and recorded is none/) });
  });

  it("give by turn what came at this place, whatever is asked", async () => {
    const path = await recorded(steps, [[user("list the files")], conversation]);
    const model = await replay(path, { mode: "turn" });
    expect((await ask(model, { messages: [user("anything else")] })).text).toBe("I look.");
    expect((await ask(model, { messages: [user("anything else")] })).text).toBe("I look.");
    expect((await ask(model, { messages: again })).text).toBe("There is a.ts.");
    const { errors } = await ask(model, { messages: [...again, { role: "assistant", content: "x" }, user("more")] });
    expect(errors[0]).toMatchObject({ code: "not_recorded", seen: expect.stringContaining("no turn 3") });
  });

  it("keep failures, and give what came for the same request in order", async () => {
    const path = await recorded(
      [
        { kind: "status", status: 429, retryAfter: "7" },
        { kind: "text", text: "Now." },
      ],
      [[user("hi")], [user("hi")]],
    );
    const model = await replay(path);
    const first = await ask(model, { messages: [user("hi")], tools: ["bash"] });
    expect(classifyError(first.errors[0])).toMatchObject({ class: "rate_limit", retryAfterMs: 7_000 });
    for (let i = 0; i < 2; i++) expect((await ask(model, { messages: [user("hi")], tools: ["bash"] })).text).toBe("Now.");
    expect((await ask(await replay(path, { mode: "turn" }), { messages: [user("hi")] })).text).toBe("Now.");
  });

  it("keep a stream that broke", async () => {
    const path = await recorded([{ kind: "network", code: "ECONNRESET", text: "It was a" }], [[user("hi")]]);
    const heard = await ask(await replay(path), { messages: [user("hi")], tools: ["bash"] });
    expect(heard.text).toBe("It was a");
    expect(classifyError(heard.errors[0]).class).toBe("transient");
  });

  it("write no secret: of requests, of answers also where parts split it, of calls, of errors", async () => {
    const key = "sk-ant-api03-abcdefghijklmnop";
    const path = await fresh();
    const split: LanguageModelV4 = {
      ...createChaos([]),
      doStream: async () => ({
        stream: new ReadableStream({
          start(controller) {
            controller.enqueue({ type: "text-start", id: "1" });
            for (const delta of ["the key is ", key.slice(0, 9), key.slice(9), " or ", SECRET.slice(0, 4), SECRET.slice(4)])
              controller.enqueue({ type: "text-delta", id: "1", delta });
            controller.enqueue({ type: "text-end", id: "1" });
            controller.enqueue({ type: "tool-call", toolCallId: "c", toolName: "bash", input: JSON.stringify({ command: `echo ${SECRET}` }) });
            controller.enqueue({ type: "error", error: { message: `bad token ${SECRET}` } });
            controller.close();
          },
        }),
      }),
    };
    await ask(recordModel(split, { path, id: "x/y", clean }), { messages: [user(`my key is ${key}, my token ${SECRET}`)], tools: ["bash"] });
    const text = await readFile(path, "utf8");
    expect(text).toContain("[redacted]");
    for (const piece of [key, SECRET, key.slice(9), SECRET.slice(4)]) expect(text).not.toContain(piece);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await ask(await replay(path), { messages: [user(`my key is ${key}, my token ${SECRET}`)], tools: ["bash"] })).text).toBe(
      "the key is [redacted] or [redacted]",
    );
  });

  it("take a folder by another name for the same", async () => {
    const path = await fresh();
    const says = (cwd: string) => ({ messages: [user(`What is in ${cwd}/src?`)] });
    await ask(recordModel(createChaos([]), { path, id: "x/y", clean, cwd: "/home/one/project" }), says("/home/one/project"));
    expect(await readFile(path, "utf8")).not.toContain("/home/one");
    expect((await ask(await replay(path, { cwd: "/tmp/two" }), says("/tmp/two"))).text).toBe("ok");
    expect((await ask(await replay(path, { cwd: "/tmp/two" }), says("/tmp/three"))).errors[0]).toMatchObject({ code: "not_recorded" });
  });

  it("keep nothing of a request that was aborted", async () => {
    const path = await fresh();
    const clock = createFakeClock();
    const model = recordModel(
      createChaos(
        [
          { kind: "hang", after: "text" },
          { kind: "text", text: "ok" },
        ],
        { clock },
      ),
      { path, id: "x/y", clean },
    );
    const stop = new AbortController();
    const asked = ask(model, { messages: [user("hi")], signal: stop.signal });
    await clock.advance(10);
    stop.abort(new Error("a reason of the program's own"));
    await asked;
    await ask(model, { messages: [user("hi")] });
    expect((await openCassette(path)).entries.map(({ parts }) => parts.length > 2)).toEqual([true]);
  });

  it("play at the speed of the recording where that is wanted", async () => {
    const clock = createFakeClock();
    const path = await fresh();
    const asked = ask(recordModel(createChaos([{ kind: "drip", text: "one two", everyMs: 1_000 }], { clock }), { path, id: "x/y", clean, clock }), {
      messages: [user("hi")],
    });
    await clock.advance(3_000);
    await asked;
    const playing = ask(await replay(path, { atSpeed: true, clock }), { messages: [user("hi")] });
    const before = clock.now();
    await clock.advance(1_500);
    expect(clock.waiting()).toBe(1);
    await clock.advance(1_500);
    expect((await playing).text).toBe("one two");
    expect(clock.now() - before).toBe(3_000);
  });
});

describe("openCassette()", () => {
  it("names the line that is none", async () => {
    const path = await recorded(steps, [[user("hi")]]);
    await writeFile(path, `${await readFile(path, "utf8")}{"version":1}\n`);
    await expect(openCassette(path)).rejects.toMatchObject({ code: "file_broken", seen: expect.stringContaining(":2:") });
    await expect(openCassette(`${path}.gone`)).rejects.toMatchObject({ code: "file_broken" });
  });
});

describe("openModel()", () => {
  it("records any model, and plays a recording", async () => {
    const path = await fresh();
    const model = await openModel("embedded/scripted", { models: {} }, { record: path });
    const { text } = await ask(model.languageModel, { messages: [user("hi")] });
    const again = await openModel("embedded/replay", { models: {} }, { cassette: { path } });
    expect((await ask(again.languageModel, { messages: [user("hi")] })).text).toBe(text);
    expect((await openCassette(path)).entries[0]?.model).toBe("embedded/scripted");
    await expect(openModel("embedded/replay", { models: {} })).rejects.toMatchObject({ code: "unknown_model" });
  });
});
