import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ended, until } from "../run-cli.ts";
import { bash, resultsOf, runs, valuesOf } from "./runs.ts";

const t = runs();

describe("run", () => {
  it("answers from real tool calls without a key", async () => {
    for (const name of ["a.ts", "b.ts", "c.txt"]) await t.here.write(`project/${name}`, "");
    const { code, stdout, stderr } = await t.here.run(["run", "how many TypeScript files are here?"]);
    expect(code).toBe(0);
    expect(stdout).toContain("2 TypeScript files");
    expect(stderr).toMatch(/^session: \S+\n$/);
  });

  it("prints one result, and each line of a stream, with what was spent", async () => {
    await t.model({ kind: "text", text: "Hello there." });
    const json = await t.here.run(["run", "Hi", "--output", "json"]);
    expect(json.code).toBe(0);
    expect(valuesOf(json)).toMatchObject([
      { type: "result", subtype: "success", result: "Hello there.", model_usage: { "fake/one": { output_tokens: 30 } }, session_saved: true },
    ]);
    expect(valuesOf(json)[0]?.total_cost_usd).toBeGreaterThan(0);
    const stream = await t.here.run(["run", "Hi", "--output", "stream-json", "--include-partial-messages"]);
    const types = valuesOf(stream).map(({ type }) => type);
    expect([types[0], ...new Set(types.slice(1))]).toEqual(["system", "stream_event", "assistant", "result"]);
  });

  it("sends what is piped in after the prompt, or as the prompt", async () => {
    const server = await t.model({ kind: "text", text: "ok" });
    await t.here.run(["run", "What is it?"], { stdin: "the piped text" });
    await t.here.run(["run"], { stdin: "only piped" });
    const texts = server.requests.map(({ body }) => JSON.stringify(body.messages));
    expect(texts[0]).toContain("What is it?\\n\\n<stdin>\\nthe piped text\\n</stdin>");
    expect(texts[1]).toContain("only piped");
    expect(texts[1]).not.toContain("<stdin>");
  });

  it("denies what nobody can be asked about, says so and exits with 5", async () => {
    await t.model(bash("touch made"), { kind: "text", text: "I may not." });
    const { code, stderr, ...end } = await t.here.run(["run", "Go", "--output", "stream-json"]);
    expect(code).toBe(5);
    expect(resultsOf(end)).toMatchObject([
      {
        is_error: false,
        result: "I may not.",
        terminal_reason: "permission",
        permission_denials: [{ tool: "bash", scopes: ["touch made", join(t.here.folder, "made")], source: "nobody" }],
      },
    ]);
    expect(await readdir(t.here.folder)).toEqual([]);
    await t.model(bash("touch made"), { kind: "text", text: "I may not." });
    expect((await t.here.run(["run", "Go", "--exit-zero-on-denial"])).code).toBe(0);
    await t.model(bash("touch made"), { kind: "text", text: "Made." });
    expect((await t.here.run(["run", "Go", "--yolo"])).code).toBe(0);
    expect(await readdir(t.here.folder)).toEqual(["made"]);
  });

  it("runs the layers of a --plugin file, and shows what they did", async () => {
    await t.here.write(
      "project/rewriter.ts",
      `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "rewriter", steer: ["tool.bash.input"] }, (api) => {
  api.setSlot("tool.bash.input", async (prev, input) => prev({ ...input, command: input.command.replace("wrote", "ran") }));
});`,
    );
    await t.model(bash("echo wrote"), { kind: "text", text: "Done." });
    const end = await t.here.run(["run", "Go", "--yolo", "--plugin", "rewriter.ts", "--output", "stream-json"]);
    const [call] = valuesOf(end).filter(({ type }) => type === "user");
    expect(call).toMatchObject({ tool_marks: { rewritten_by: ["rewriter"], input: { command: "echo ran" } } });
    expect(JSON.stringify(valuesOf(end).find(({ type }) => type === "assistant"))).toContain("echo wrote");
  });

  it("ends at its limits", async () => {
    await t.model(bash("echo 1"));
    const turns = await t.here.run(["run", "Go", "--yolo", "--max-turns", "2", "--output", "json"]);
    expect({ code: turns.code, results: resultsOf(turns) }).toMatchObject({ code: 6, results: [{ terminal_reason: "max_turns", num_turns: 2 }] });
    const cost = await t.here.run(["run", "Go", "--yolo", "--max-cost", "0.0001", "--output", "json"]);
    expect({ code: cost.code, results: resultsOf(cost) }).toMatchObject({ code: 6, results: [{ terminal_reason: "max_cost" }] });
  });

  it("ends at its timeout with what there was of the text", async () => {
    await t.model({ kind: "slow", text: "one two three four five six seven eight nine ten", everyMs: 1_000 });
    const end = await t.here.run(["run", "Go", "--timeout", "4", "--output", "json"]);
    expect(end.code).toBe(3);
    expect(resultsOf(end)).toMatchObject([{ terminal_reason: "timeout", is_error: true }]);
    expect(String(resultsOf(end)[0]?.result)).toMatch(/^one/);
  });

  it("tells a failure of the model", async () => {
    await t.model({ kind: "status", status: 400, error: { message: "The request is odd." } });
    const end = await t.here.run(["run", "Go", "--output", "json"]);
    expect(end.code).toBe(1);
    expect(resultsOf(end)).toMatchObject([
      { is_error: true, stop_reason: null, terminal_reason: "provider_error", errors: [{ code: "model_failed" }] },
    ]);
    const text = await t.here.run(["run", "Go"]);
    expect({ code: text.code, stdout: text.stdout }).toEqual({ code: 1, stdout: "" });
    expect(text.stderr).toContain("The request is odd");
  });

  it("tells a retry, and keeps nothing of the attempt that was cut", async () => {
    await t.model({ kind: "cut", text: "half of " }, { kind: "text", text: "The whole." });
    const end = await t.here.run(["run", "Go", "--output", "stream-json"]);
    expect(valuesOf(end)).toContainEqual(expect.objectContaining({ subtype: "api_retry" }));
    expect(resultsOf(end)).toMatchObject([{ result: "The whole.", retries: 1 }]);
  });
});

describe("the sessions of run", () => {
  it("are gone on with, and copied", async () => {
    const server = await t.model({ kind: "text", text: "ok" });
    const first = resultsOf(await t.here.run(["run", "first", "--output", "json"]))[0]?.session_id;
    const second = await t.here.run(["run", "second", "--continue", "--output", "json"]);
    expect(resultsOf(second)[0]?.session_id).toBe(first);
    const third = resultsOf(await t.here.run(["run", "third", "--session", String(first), "--fork-session", "--output", "json"]))[0]?.session_id;
    expect(third).not.toBe(first);
    expect(JSON.stringify(server.requests[2]?.body.messages)).toMatch(/first.*second.*third/);
    const own = await t.here.run(["run", "fourth", "--session-id", "my-own", "--output", "json"]);
    expect(resultsOf(own)[0]?.session_id).toBe("my-own");
    expect((await t.here.run(["run", "again", "--session-id", "my-own"])).code).toBe(2);
  });

  it("exit with 4 where there is none, or another process has it", async () => {
    expect((await t.here.run(["run", "Go", "--continue"])).code).toBe(4);
    const none = await t.here.run(["run", "Go", "--session", "nope", "--output", "json"]);
    expect({ code: none.code, results: resultsOf(none) }).toMatchObject({ code: 4, results: [{ is_error: true, errors: [{ code: "no_session" }] }] });
    const server = await t.model({ kind: "silent", after: "head" });
    const child = t.here.start(["run", "Go", "--session-id", "taken"]);
    child.stdin?.end();
    const end = ended(child);
    await until(() => server.requests.length === 1, "the request");
    const locked = await t.here.run(["run", "Go", "--session", "taken", "--output", "json"]);
    expect({ code: locked.code, results: resultsOf(locked) }).toMatchObject({ code: 4, results: [{ errors: [{ code: "session_locked" }] }] });
    child.kill("SIGTERM");
    await end;
  });
});

describe("run --image", () => {
  it("shows the image to the model", async () => {
    const server = await t.model({ kind: "text", text: "A square." });
    const png = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(92)]);
    await writeFile(join(t.here.folder, "a.png"), png);
    expect((await t.here.run(["run", "What is it?", "--image", "a.png", "--output", "json"])).code).toBe(0);
    expect(JSON.stringify(server.requests[0]?.body.messages)).toContain(png.toString("base64"));
  });
});
