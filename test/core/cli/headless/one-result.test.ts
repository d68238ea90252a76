import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { ended, isAlive, PROBE, until } from "../run-cli.ts";
import { bash, resultsOf, runs, valuesOf } from "./runs.ts";

const t = runs();

describe("one result, whatever happens", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("at %s while the model works, with exit code %i", async (signal, code) => {
    const server = await t.model({ kind: "slow", text: "one two three four five six seven eight nine ten", everyMs: 300 });
    const child = t.here.start(["run", "Go", "--output", "stream-json", "--include-partial-messages"]);
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
    await t.model(bash("echo $$ > pid; sleep 300"));
    const child = t.here.start(["run", "Go", "--yolo", "--output", "json"]);
    child.stdin?.end();
    const end = ended(child);
    await until(() => readFile(join(t.here.folder, "pid"), "utf8").then(Boolean, () => false), "the command");
    child.kill("SIGINT");
    const done = await end;
    expect(done.code).toBe(130);
    expect(resultsOf(done)).toHaveLength(1);
    const pid = Number(await readFile(join(t.here.folder, "pid"), "utf8"));
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
    const end = await t.here.run(words);
    expect({ code: end.code, values: valuesOf(end) }).toMatchObject({
      code,
      values: [{ type: "result", is_error: true, errors: [{ code: error }] }],
    });
    expect(end.stderr).toContain("mortise:");
  });

  it("of 5 MB through a slow reader", async () => {
    const word = "x".repeat(1_000_000);
    await t.model({ kind: "text", text: `${word} ${word} ${word} ${word} ${word}` });
    const child = t.here.start(["run", "Go", "--output", "json"]);
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
    const server = await t.model({ kind: "silent", after: "head" });
    const breaks = `import{existsSync}from"node:fs";const t=setInterval(()=>{if(existsSync(${JSON.stringify(join(t.here.folder, "now"))})){clearInterval(t);throw new Error("boom")}},20)`;
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(breaks)}` };
    const child = t.here.start(["run", "Go", "--output", "stream-json"], { env });
    child.stdin?.end();
    const end = ended(child);
    await until(() => server.requests.length === 1, "the request");
    await writeFile(join(t.here.folder, "now"), "");
    const done = await end;
    expect(done.code).toBe(1);
    expect(resultsOf(done)).toMatchObject([{ is_error: true, terminal_reason: "error", errors: [{ code: "internal" }] }]);
    expect(done.stderr).toContain("boom");
  });

  it("and no further request where nobody reads any more", async () => {
    const server = await t.model(bash("echo 1"), bash("echo 2"), { kind: "silent", after: "head" });
    const child = t.here.start(["run", "Go", "--yolo", "--output", "stream-json"]);
    child.stdin?.end();
    child.stdout.on("error", () => {});
    (child.stdout as NodeJS.ReadableStream & { destroy(): void }).destroy();
    const end = await ended(child);
    expect({ code: end.code, signal: end.signal }).toEqual({ code: 1, signal: null });
    expect(end.stderr).not.toMatch(/EPIPE|^ {4}at /m);
    expect(server.requests.length).toBeLessThan(3);
  });

  it("and nothing else on standard output, whatever plugins print", async () => {
    await t.here.write("project/probe.ts", PROBE.replace("export default", 'console.log("noise");\nexport default'));
    await t.model({ kind: "calls", calls: [{ tool: "say", input: { text: "hi" } }] }, { kind: "text", text: "ok" });
    const end = await t.here.run(["run", "Go", "--plugin", "probe.ts", "--output", "json"]);
    expect(valuesOf(end)).toMatchObject([{ type: "result", result: "ok" }]);
  });
});
