import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ModelServer, SeenRequest, ServerStep } from "../../../fake-servers/model-server.ts";
import { startOpenAiServer } from "../../../fake-servers/openai.ts";
import { ended, isAlive, pidIn, type Scratch, scratch, until } from "../run-cli.ts";

let here: Scratch;
let server: ModelServer;
beforeEach(async () => {
  here = await scratch();
  server = await startOpenAiServer(stepFor);
  const models = { strong: { tier: "strong", price }, small: { tier: "weak", price } };
  const config = { models: { default: "fake/strong", providers: { fake: { url: server.url, models } } } };
  await here.write("home/config/config.jsonc", JSON.stringify(config));
  await here.write("project/a.txt", "hello");
});
afterEach(async () => {
  await here.remove();
  await server.close();
});

const price = { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 };
const general = { description: "Make it", prompt: "Part of it", subagent_type: "general", model_tier: "weak" };

/** The session gives a task away; the subagent runs a command that nobody allows, and reads. */
function stepFor({ body }: SeenRequest): ServerStep {
  const messages = body.messages as { role: string; content: unknown }[];
  const isChild = JSON.stringify(messages).includes("You are a subagent");
  const results = messages.filter(({ role }) => role === "tool").length;
  if (!isChild) return results === 0 ? { kind: "calls", calls: [{ tool: "task", input: general }] } : { kind: "text", text: "All done." };
  if (results === 0) return { kind: "calls", calls: [{ tool: "bash", input: { command: "touch made" } }] };
  return results === 1 ? { kind: "calls", calls: [{ tool: "read", input: { path: "a.txt" } }] } : { kind: "text", text: "It says hello." };
}

describe("a task in a run", () => {
  it("works on a weaker model of the provider, is denied what nobody allows, and is counted, told, kept and deleted with its session", async () => {
    const ran = await here.run(["run", "Do it", "--output", "stream-json"]);
    expect(ran.code).toBe(5);
    const lines: Record<string, unknown>[] = ran.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines[0]?.tools).toContain("task");
    expect(lines.filter(({ parent_tool_use_id }) => parent_tool_use_id !== undefined && parent_tool_use_id !== null).length).toBeGreaterThan(3);
    const result = lines.at(-1) as Record<string, unknown>;
    expect(result).toMatchObject({
      type: "result",
      result: "All done.",
      permission_denials: [{ tool: "bash" }],
      model_usage: { "fake/strong": {}, "fake/small": {} },
    });
    const asked = server.requests.map(({ body }) => body.model);
    expect(asked).toEqual(["strong", "small", "small", "small", "strong"]);
    expect(existsSync(join(here.folder, "made"))).toBe(false);

    const id = String(result.session_id);
    const tasks = join(here.home, "state/sessions", id, "tasks");
    const [name = ""] = await readdir(tasks);
    const log = await readFile(join(tasks, name), "utf8");
    expect(log).toContain("Part of it");
    expect(log).toContain("It says hello.");
    expect((await stat(join(tasks, name))).mode & 0o777).toBe(0o600);

    const { stdout } = await here.run(["trace", id]);
    expect(stdout).toMatch(/^task .*\n( {2}.*\n)*? {2}bash .*\n {2}read /ms);

    expect((await here.run(["session", "delete", id, "--force"])).code).toBe(0);
    expect(existsSync(tasks)).toBe(false);
  });

  it("can be tried without a model", async () => {
    await here.write("home/config/config.jsonc", "{}");
    await here.write("project/b.ts", "// TODO: all of it\n");
    const { code, stdout } = await here.run(["run", "Have a subagent find the TODOs"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^The subagent says:\n.*all of it/ms);
  });
});

/** A session that lets a task work in the background, and answers before that has: it has to wait for a file. */
function background({ body }: SeenRequest): ServerStep {
  const messages = body.messages as { role: string; content: unknown }[];
  const text = JSON.stringify(messages);
  const results = messages.filter(({ role }) => role === "tool").length;
  if (text.includes("You are a subagent")) {
    const wait = "echo $$ > pid; until [ -e go ]; do sleep 0.05; done; echo gone";
    return results === 0 ? { kind: "calls", calls: [{ tool: "bash", input: { command: wait } }] } : { kind: "text", text: "Part is done." };
  }
  if (text.includes("is done.")) return { kind: "text", text: "All is done." };
  const input = { description: "Do part", prompt: "Part of it", subagent_type: "general", background: true };
  return results === 0 ? { kind: "calls", calls: [{ tool: "task", input }] } : { kind: "text", text: "It works." };
}

describe("a task in the background of a run", () => {
  beforeEach(async () => {
    await server.close();
    server = await startOpenAiServer(background);
    const config = { models: { default: "fake/strong", providers: { fake: { url: server.url, models: { strong: { price }, other: { price } } } } } };
    await here.write("home/config/config.jsonc", JSON.stringify(config));
  });
  const lines = (stdout: string): Record<string, unknown>[] =>
    stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));

  it("is waited for, and what the model says to its report is the result", async () => {
    const child = here.start(["run", "Do it", "--yolo", "--output", "stream-json"]);
    child.stdin?.end();
    let shown = "";
    child.stdout.on("data", (text) => {
      shown += text;
    });
    const end = ended(child);
    await until(() => shown.includes("waits_for_tasks"), "the wait");
    await here.write("project/go", "");
    const { code, stdout } = await end;
    expect(code).toBe(0);
    expect(lines(stdout).filter(({ type }) => type === "result")).toMatchObject([
      { result: "All is done.", num_turns: 3, is_error: false, errors: [] },
    ]);
  });

  it("ends with a run that is stopped, with its processes, and the result says so", async () => {
    const child = here.start(["run", "Do it", "--yolo", "--output", "json"]);
    child.stdin?.end();
    const end = ended(child);
    const pid = await pidIn(join(here.folder, "pid"));
    await until(() => isAlive(pid) && server.requests.length >= 3, "the wait");
    child.kill("SIGTERM");
    const { code, stdout } = await end;
    expect(code).toBe(143);
    expect(JSON.parse(stdout)).toMatchObject({ is_error: true, errors: expect.arrayContaining([expect.objectContaining({ code: "tasks_ended" })]) });
    await until(() => !isAlive(pid), "the end of its process");
  });

  it("has a message of a program answered before it is, and its report starts a run of its own before the end", async () => {
    const child = here.start(["run", "--input", "stream-json", "--output", "stream-json", "--yolo"]);
    child.stdin?.end(`${JSON.stringify({ type: "user", message: { role: "user", content: "Do it" } })}\n`);
    let shown = "";
    child.stdout.on("data", (text) => {
      shown += text;
    });
    const end = ended(child);
    await until(() => shown.includes('"type":"result"'), "the first result");
    await here.write("project/go", "");
    const { code, stdout } = await end;
    expect(code).toBe(0);
    expect(lines(stdout).filter(({ type }) => type === "result")).toMatchObject([{ result: "It works." }, { result: "All is done." }]);
  });
});

describe("a model that a task names", () => {
  it.each([true, false])("is taken where the user allows it, and else there is no such field: %s", async (allowModel) => {
    await server.close();
    const input = { description: "Look", prompt: "Part of it", model: "fake/other" };
    server = await startOpenAiServer(({ body }) => {
      const messages = body.messages as { role: string }[];
      const isOver = messages.some(({ role }) => role === "tool") || JSON.stringify(messages).includes("You are a subagent");
      return isOver ? { kind: "text", text: "ok" } : { kind: "calls", calls: [{ tool: "task", input }] };
    });
    const models = {
      default: "fake/small",
      providers: { fake: { url: server.url, models: { small: { tier: "weak", price }, other: { tier: "strong", price } } } },
    };
    await here.write("home/config/config.jsonc", JSON.stringify({ models, ...(allowModel ? { options: { task: { allowModel } } } : {}) }));
    expect((await here.run(["run", "Do it"])).code).toBe(0);
    const asked = server.requests.map(({ body }) => body.model);
    expect(asked).toEqual(allowModel ? ["small", "other", "small"] : ["small", "small", "small"]);
  });
});
