import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ModelServer, ServerStep } from "../../../fake-servers/model-server.ts";
import { startOpenAiServer } from "../../../fake-servers/openai.ts";
import { type Ended, ended, isAlive, PROBE, type Scratch, scratch, until } from "../run-cli.ts";

let here: Scratch;
const servers: ModelServer[] = [];
beforeEach(async () => {
  here = await scratch();
});
afterEach(async () => {
  await here.remove();
  for (const server of servers.splice(0)) await server.close();
});

/** A model that does what the steps say, as the one of the config. */
async function model(...steps: ServerStep[]): Promise<ModelServer> {
  const server = await startOpenAiServer(steps);
  servers.push(server);
  const config = {
    models: {
      default: "fake/one",
      providers: { fake: { url: server.url, models: { one: { images: true, price: { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 } } } } },
    },
  };
  await here.write("home/config/config.jsonc", JSON.stringify(config));
  return server;
}

const valuesOf = ({ stdout }: Pick<Ended, "stdout">): Record<string, unknown>[] =>
  stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
const resultsOf = (end: Pick<Ended, "stdout">) => valuesOf(end).filter(({ type }) => type === "result");
const bash = (command: string): ServerStep => ({ kind: "calls", calls: [{ tool: "bash", input: { command } }] });

describe("run", () => {
  it("answers from real tool calls without a key", async () => {
    for (const name of ["a.ts", "b.ts", "c.txt"]) await here.write(`project/${name}`, "");
    const { code, stdout, stderr } = await here.run(["run", "how many TypeScript files are here?"]);
    expect(code).toBe(0);
    expect(stdout).toContain("2 TypeScript files");
    expect(stderr).toMatch(/^session: \S+\n$/);
  });

  it("prints one result, and each line of a stream, with what was spent", async () => {
    await model({ kind: "text", text: "Hello there." });
    const json = await here.run(["run", "Hi", "--output", "json"]);
    expect(json.code).toBe(0);
    expect(valuesOf(json)).toMatchObject([
      { type: "result", subtype: "success", result: "Hello there.", model_usage: { "fake/one": { output_tokens: 30 } }, session_saved: true },
    ]);
    expect(valuesOf(json)[0]?.total_cost_usd).toBeGreaterThan(0);
    const stream = await here.run(["run", "Hi", "--output", "stream-json", "--include-partial-messages"]);
    const types = valuesOf(stream).map(({ type }) => type);
    expect([types[0], ...new Set(types.slice(1))]).toEqual(["system", "stream_event", "assistant", "result"]);
  });

  it("sends what is piped in after the prompt, or as the prompt", async () => {
    const server = await model({ kind: "text", text: "ok" });
    await here.run(["run", "What is it?"], { stdin: "the piped text" });
    await here.run(["run"], { stdin: "only piped" });
    const texts = server.requests.map(({ body }) => JSON.stringify(body.messages));
    expect(texts[0]).toContain("What is it?\\n\\n<stdin>\\nthe piped text\\n</stdin>");
    expect(texts[1]).toContain("only piped");
    expect(texts[1]).not.toContain("<stdin>");
  });

  it("denies what nobody can be asked about, says so and exits with 5", async () => {
    await model(bash("touch made"), { kind: "text", text: "I may not." });
    const { code, stderr, ...end } = await here.run(["run", "Go", "--output", "stream-json"]);
    expect(code).toBe(5);
    expect(resultsOf(end)).toMatchObject([
      {
        is_error: false,
        result: "I may not.",
        terminal_reason: "permission",
        permission_denials: [{ tool: "bash", scopes: ["touch made", join(here.folder, "made")], source: "nobody" }],
      },
    ]);
    expect(await readdir(here.folder)).toEqual([]);
    await model(bash("touch made"), { kind: "text", text: "I may not." });
    expect((await here.run(["run", "Go", "--exit-zero-on-denial"])).code).toBe(0);
    await model(bash("touch made"), { kind: "text", text: "Made." });
    expect((await here.run(["run", "Go", "--yolo"])).code).toBe(0);
    expect(await readdir(here.folder)).toEqual(["made"]);
  });

  it("runs the layers of a --plugin file, and shows what they did", async () => {
    await here.write(
      "project/rewriter.ts",
      `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "rewriter", steer: ["tool.bash.input"] }, (api) => {
  api.setSlot("tool.bash.input", async (prev, input) => prev({ ...input, command: input.command.replace("wrote", "ran") }));
});`,
    );
    await model(bash("echo wrote"), { kind: "text", text: "Done." });
    const end = await here.run(["run", "Go", "--yolo", "--plugin", "rewriter.ts", "--output", "stream-json"]);
    const [call] = valuesOf(end).filter(({ type }) => type === "user");
    expect(call).toMatchObject({ tool_marks: { rewritten_by: ["rewriter"], input: { command: "echo ran" } } });
    expect(JSON.stringify(valuesOf(end).find(({ type }) => type === "assistant"))).toContain("echo wrote");
  });

  it("ends at its limits", async () => {
    await model(bash("echo 1"));
    const turns = await here.run(["run", "Go", "--yolo", "--max-turns", "2", "--output", "json"]);
    expect({ code: turns.code, results: resultsOf(turns) }).toMatchObject({ code: 6, results: [{ terminal_reason: "max_turns", num_turns: 2 }] });
    const cost = await here.run(["run", "Go", "--yolo", "--max-cost", "0.0001", "--output", "json"]);
    expect({ code: cost.code, results: resultsOf(cost) }).toMatchObject({ code: 6, results: [{ terminal_reason: "max_cost" }] });
  });

  it("ends at its timeout with what there was of the text", async () => {
    await model({ kind: "slow", text: "one two three four five six seven eight nine ten", everyMs: 1_000 });
    const end = await here.run(["run", "Go", "--timeout", "4", "--output", "json"]);
    expect(end.code).toBe(3);
    expect(resultsOf(end)).toMatchObject([{ terminal_reason: "timeout", is_error: true }]);
    expect(String(resultsOf(end)[0]?.result)).toMatch(/^one/);
  });

  it("tells a failure of the model", async () => {
    await model({ kind: "status", status: 400, error: { message: "The request is odd." } });
    const end = await here.run(["run", "Go", "--output", "json"]);
    expect(end.code).toBe(1);
    expect(resultsOf(end)).toMatchObject([
      { is_error: true, stop_reason: null, terminal_reason: "provider_error", errors: [{ code: "model_failed" }] },
    ]);
    const text = await here.run(["run", "Go"]);
    expect({ code: text.code, stdout: text.stdout }).toEqual({ code: 1, stdout: "" });
    expect(text.stderr).toContain("The request is odd");
  });

  it("tells a retry, and keeps nothing of the attempt that was cut", async () => {
    await model({ kind: "cut", text: "half of " }, { kind: "text", text: "The whole." });
    const end = await here.run(["run", "Go", "--output", "stream-json"]);
    expect(valuesOf(end)).toContainEqual(expect.objectContaining({ subtype: "api_retry" }));
    expect(resultsOf(end)).toMatchObject([{ result: "The whole.", retries: 1 }]);
  });
});

describe("the sessions of run", () => {
  it("are gone on with, and copied", async () => {
    const server = await model({ kind: "text", text: "ok" });
    const first = resultsOf(await here.run(["run", "first", "--output", "json"]))[0]?.session_id;
    const second = await here.run(["run", "second", "--continue", "--output", "json"]);
    expect(resultsOf(second)[0]?.session_id).toBe(first);
    const third = resultsOf(await here.run(["run", "third", "--session", String(first), "--fork-session", "--output", "json"]))[0]?.session_id;
    expect(third).not.toBe(first);
    expect(JSON.stringify(server.requests[2]?.body.messages)).toMatch(/first.*second.*third/);
    const own = await here.run(["run", "fourth", "--session-id", "my-own", "--output", "json"]);
    expect(resultsOf(own)[0]?.session_id).toBe("my-own");
    expect((await here.run(["run", "again", "--session-id", "my-own"])).code).toBe(2);
  });

  it("exit with 4 where there is none, or another process has it", async () => {
    expect((await here.run(["run", "Go", "--continue"])).code).toBe(4);
    const none = await here.run(["run", "Go", "--session", "nope", "--output", "json"]);
    expect({ code: none.code, results: resultsOf(none) }).toMatchObject({ code: 4, results: [{ is_error: true, errors: [{ code: "no_session" }] }] });
    const server = await model({ kind: "silent", after: "head" });
    const child = here.start(["run", "Go", "--session-id", "taken"]);
    child.stdin?.end();
    const end = ended(child);
    await until(() => server.requests.length === 1, "the request");
    const locked = await here.run(["run", "Go", "--session", "taken", "--output", "json"]);
    expect({ code: locked.code, results: resultsOf(locked) }).toMatchObject({ code: 4, results: [{ errors: [{ code: "session_locked" }] }] });
    child.kill("SIGTERM");
    await end;
  });
});

describe("one result, whatever happens", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("at %s while the model works, with exit code %i", async (signal, code) => {
    const server = await model({ kind: "slow", text: "one two three four five six seven eight nine ten", everyMs: 300 });
    const child = here.start(["run", "Go", "--output", "stream-json", "--include-partial-messages"]);
    child.stdin?.end();
    let shown = "";
    child.stdout.on("data", (text) => {
      shown += text;
    });
    const end = ended(child);
    await until(() => shown.includes("text_delta"), "some text");
    child.kill(signal);
    const done = await end;
    expect(done.code).toBe(code);
    expect(resultsOf({ stdout: shown })).toMatchObject([{ terminal_reason: "cancelled", is_error: true }]);
    expect(shown.endsWith("\n")).toBe(true);
    await until(() => server.aborted === 1, "the end of the request");
  });

  it("at a signal while a tool runs, whose processes end", async () => {
    await model(bash("echo $$ > pid; sleep 300"));
    const child = here.start(["run", "Go", "--yolo", "--output", "json"]);
    child.stdin?.end();
    const end = ended(child);
    await until(() => readFile(join(here.folder, "pid"), "utf8").then(Boolean, () => false), "the command");
    child.kill("SIGINT");
    const done = await end;
    expect(done.code).toBe(130);
    expect(resultsOf(done)).toHaveLength(1);
    const pid = Number(await readFile(join(here.folder, "pid"), "utf8"));
    await until(() => !isAlive(pid), "the end of the command");
  });

  it.each([
    [["run", "--output", "json"], 2, "usage"],
    [["run", "Go", "--output", "json", "--no-such"], 2, "usage"],
    [["run", "Go", "--output=stream-json", "--max-turns", "0"], 2, "usage"],
    [["run", "Go", "--output", "json", "--model", "nobody/knows"], 2, "unknown_model"],
    [["run", "Go", "--output", "json", "--cwd", "gone"], 2, "no_folder"],
    [["run", "Go", "--output", "json", "--image", "gone.png"], 2, "usage"],
    [["run", "Go", "--output", "json", "--fork-session"], 2, "usage"],
    [["run", "Go", "--output", "json", "--plugin", "gone.ts"], 2, "plugin_not_found"],
  ])("for %j, which cannot begin", async (words, code, error) => {
    const end = await here.run(words);
    expect({ code: end.code, values: valuesOf(end) }).toMatchObject({
      code,
      values: [{ type: "result", is_error: true, errors: [{ code: error }] }],
    });
    expect(end.stderr).toContain("mortise:");
  });

  it("of 5 MB through a slow reader", async () => {
    const word = "x".repeat(1_000_000);
    await model({ kind: "text", text: `${word} ${word} ${word} ${word} ${word}` });
    const child = here.start(["run", "Go", "--output", "json"]);
    child.stdin?.end();
    const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
    const chunks: Buffer[] = [];
    for await (const chunk of child.stdout) {
      chunks.push(Buffer.from(chunk));
      if (chunks.length % 8 === 0) await delay(10);
    }
    expect(await exited).toBe(0);
    const [result, ...more] = valuesOf({ stdout: Buffer.concat(chunks).toString("utf8") });
    expect(more).toEqual([]);
    expect(String(result?.result)).toHaveLength(5_000_004);
  });

  it("where something breaks that nothing catches", async () => {
    const server = await model({ kind: "silent", after: "head" });
    const breaks = `import{existsSync}from"node:fs";const t=setInterval(()=>{if(existsSync(${JSON.stringify(join(here.folder, "now"))})){clearInterval(t);throw new Error("boom")}},20)`;
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(breaks)}` };
    const child = here.start(["run", "Go", "--output", "stream-json"], { env });
    child.stdin?.end();
    const end = ended(child);
    await until(() => server.requests.length === 1, "the request");
    await writeFile(join(here.folder, "now"), "");
    const done = await end;
    expect(done.code).toBe(1);
    expect(resultsOf(done)).toMatchObject([{ is_error: true, terminal_reason: "error", errors: [{ code: "internal" }] }]);
    expect(done.stderr).toContain("boom");
  });

  it("and no further request where nobody reads any more", async () => {
    const server = await model(bash("echo 1"), bash("echo 2"), { kind: "silent", after: "head" });
    const child = here.start(["run", "Go", "--yolo", "--output", "stream-json"]);
    child.stdin?.end();
    child.stdout.on("error", () => {});
    (child.stdout as NodeJS.ReadableStream & { destroy(): void }).destroy();
    const end = await ended(child);
    expect({ code: end.code, signal: end.signal }).toEqual({ code: 1, signal: null });
    expect(end.stderr).not.toMatch(/EPIPE|^ {4}at /m);
    expect(server.requests.length).toBeLessThan(3);
  });

  it("and nothing else on standard output, whatever plugins print", async () => {
    await here.write("project/probe.ts", PROBE.replace("export default", 'console.log("noise");\nexport default'));
    await model({ kind: "calls", calls: [{ tool: "say", input: { text: "hi" } }] }, { kind: "text", text: "ok" });
    const end = await here.run(["run", "Go", "--plugin", "probe.ts", "--output", "json"]);
    expect(valuesOf(end)).toMatchObject([{ type: "result", result: "ok" }]);
  });
});

describe("run --input stream-json", () => {
  const speak = (words: readonly string[] = []) => {
    const child = here.start(["run", "--input", "stream-json", "--output", "stream-json", ...words]);
    let shown = "";
    child.stdout.on("data", (text) => {
      shown += text;
    });
    const end = ended(child);
    const lines = () => valuesOf({ stdout: shown.slice(0, shown.lastIndexOf("\n") + 1) });
    return {
      child,
      end,
      lines,
      of: (type: string) => lines().filter((line) => line.type === type),
      write: (line: object) => child.stdin?.write(`${JSON.stringify(line)}\n`),
    };
  };
  const said = (content: string) => ({ type: "user", message: { role: "user", content } });

  it("asks the other side for permission, in both shapes of answers, and runs what it allows", async () => {
    await model(bash("touch one"), { kind: "text", text: "First." }, bash("touch two"), { kind: "text", text: "Second." });
    const { child, end, write, of } = speak();
    await until(() => of("system").length === 1, "init");
    write(said("Go"));
    await until(() => of("control_request").length === 1, "the first request");
    const [first] = of("control_request");
    expect(first).toMatchObject({ request: { subtype: "can_use_tool", tool_name: "Bash", input: { command: "touch one" }, tool_use_id: "call_0" } });
    write({
      type: "control_response",
      response: { subtype: "success", request_id: first?.request_id, response: { behavior: "allow", updatedInput: { command: "touch one" } } },
    });
    await until(() => of("result").length === 1, "the first result");
    write(said("Go on"));
    await until(() => of("control_request").length === 2, "the second request");
    write({ type: "control_response", response: { request_id: of("control_request")[1]?.request_id, behavior: "deny", message: "Not two." } });
    await until(() => of("result").length === 2, "the second result");
    child.stdin?.end();
    expect((await end).code).toBe(5);
    expect(await readdir(here.folder)).toEqual(["one"]);
    expect(of("result")).toMatchObject([
      { subtype: "success", result: "First.", permission_denials: [] },
      { subtype: "success", result: "Second.", permission_denials: [{ tool_name: "Bash", tool_input: { command: "touch two" }, source: "person" }] },
    ]);
    expect(JSON.stringify(of("user"))).toContain("Not two.");
  });

  it("runs what the other side gives instead, unless a rule denies that", async () => {
    await here.write("home/config/permissions.jsonc", '{ "rules": [{ "tool": "bash", "pattern": "touch never", "effect": "deny" }] }');
    await model(bash("touch one"), { kind: "text", text: "First." }, bash("touch one"), { kind: "text", text: "Second." });
    const { child, end, write, of } = speak();
    for (const [number, command] of ["touch other", "touch never"].entries()) {
      write(said("Go"));
      await until(() => of("control_request").length === number + 1, "a request");
      const { request_id } = of("control_request")[number] as { request_id: string };
      write({ type: "control_response", response: { request_id, behavior: "allow", updatedInput: { command } } });
      await until(() => of("result").length === number + 1, "a result");
    }
    child.stdin?.end();
    expect((await end).code).toBe(5);
    expect((await readdir(here.folder)).sort()).toEqual(["other"]);
    expect(of("result")[1]).toMatchObject({ permission_denials: [{ source: "rule", tool_input: { command: "touch never" } }] });
  });

  it("denies what waits when the input ends, and finishes the run", async () => {
    await model(bash("touch one"), { kind: "text", text: "I may not." });
    const { child, end, write, of } = speak();
    write(said("Go"));
    await until(() => of("control_request").length === 1, "the request");
    child.stdin?.end();
    expect((await end).code).toBe(5);
    expect(of("result")).toMatchObject([{ result: "I may not.", permission_denials: [{ source: "nobody" }] }]);
  });

  it("allows without asking once the mode says so, and again asks after", async () => {
    await model(bash("touch one"), { kind: "text", text: "First." }, bash("touch two"), { kind: "text", text: "Second." });
    const { child, end, write, of } = speak(["--yolo", "--permission-mode", "default"]);
    write({ type: "control_request", request_id: "m", request: { subtype: "set_permission_mode", mode: "bypassPermissions" } });
    write(said("Go"));
    await until(() => of("result").length === 1, "the first result");
    expect(of("control_request")).toEqual([]);
    write({ type: "control_request", request_id: "n", request: { subtype: "set_permission_mode", mode: "default" } });
    write(said("Go on"));
    await until(() => of("control_request").length === 1, "a request");
    child.stdin?.end();
    await end;
    expect(await readdir(here.folder)).toEqual(["one"]);
  });

  it("interrupts a run, answers when it has stopped, and goes on with the next message", async () => {
    const server = await model({ kind: "silent", after: "head" }, { kind: "text", text: "Next." });
    const { child, end, write, of, lines } = speak();
    write(said("Go"));
    await until(() => server.requests.length === 1, "the request");
    write({ type: "control_request", request_id: "i", request: { subtype: "interrupt" } });
    await until(() => of("control_response").length === 1, "the answer");
    expect(lines().map(({ type }) => type)).toEqual(["system", "result", "control_response"]);
    write(said("Next"));
    child.stdin?.end();
    expect((await end).code).toBe(0);
    expect(of("result")).toMatchObject([{ terminal_reason: "cancelled" }, { result: "Next." }]);
  });

  /** Answers the first request for permission as a client does that keeps what was suggested. */
  async function allowForSession({ of, write }: Pick<ReturnType<typeof speak>, "of" | "write">): Promise<void> {
    await until(() => of("control_request").length === 1, "the request");
    const [asked] = of("control_request") as { request_id: string; request: { permission_suggestions: object[] } }[];
    const updatedPermissions = asked?.request.permission_suggestions;
    write({ type: "control_response", response: { request_id: asked?.request_id, behavior: "allow", updatedPermissions } });
  }

  it("keeps what was allowed for the session in it", async () => {
    await model(bash("touch one"), { kind: "text", text: "First." }, bash("touch one"), { kind: "text", text: "Second." });
    const { child, end, write, of } = speak(["--session-id", "kept"]);
    write(said("Go"));
    await allowForSession({ of, write });
    child.stdin?.end();
    expect((await end).code).toBe(0);
    expect((await here.run(["run", "Again", "--session", "kept"])).code).toBe(0);
  });

  it("counts what was allowed for the session in its own folder alone", async () => {
    await model(bash("touch one"), { kind: "text", text: "First." }, bash("touch one"), { kind: "text", text: "Second." });
    const { child, end, write, of } = speak(["--session-id", "kept"]);
    write(said("Go"));
    await allowForSession({ of, write });
    child.stdin?.end();
    expect((await end).code).toBe(0);
    await here.write("elsewhere/a.txt", "");
    const elsewhere = join(here.folder, "..", "elsewhere");
    const { code, stderr } = await here.run(["run", "Again", "--session", "kept", "--cwd", elsewhere]);
    expect(code).toBe(5);
    expect(stderr).toContain(here.folder);
    expect(await readdir(elsewhere)).toEqual(["a.txt"]);
  });
});

describe("run --image", () => {
  it("shows the image to the model", async () => {
    const server = await model({ kind: "text", text: "A square." });
    const png = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(92)]);
    await writeFile(join(here.folder, "a.png"), png);
    expect((await here.run(["run", "What is it?", "--image", "a.png", "--output", "json"])).code).toBe(0);
    expect(JSON.stringify(server.requests[0]?.body.messages)).toContain(png.toString("base64"));
  });
});
