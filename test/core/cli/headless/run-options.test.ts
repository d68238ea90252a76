import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ModelServer, ServerStep } from "../../../fake-servers/model-server.ts";
import { ended, PROBE, until } from "../run-cli.ts";
import { runs, valuesOf } from "./runs.ts";

const t = runs();
const call = (tool: string, input: object): ServerStep => ({ kind: "calls", calls: [{ tool, input }] });
const offered = (server: ModelServer, request = 0) =>
  (server.requests[request]?.body.tools as { function: { name: string } }[] | undefined)?.map((tool) => tool.function.name).sort();

describe("run --allowed-tools, --disallowed-tools", () => {
  it("offers and calls what is allowed alone, also inside of other calls", async () => {
    const batched = { calls: [{ tool: "bash", input: { command: "touch made" } }] };
    const server = await t.model(call("bash", { command: "touch made" }), call("batch", batched), { kind: "text", text: "Done." });
    const end = await t.here.run(["run", "Go", "--yolo", "--allowed-tools", "Read,batch", "--allowed-tools", "glob", "--output", "stream-json"]);
    expect(end.code).toBe(0);
    expect(offered(server)).toEqual(["batch", "glob", "read"]);
    expect(valuesOf(end)[0]?.tools).toEqual(["batch", "glob", "read"]);
    expect(await readdir(t.here.folder)).toEqual([]);
    expect(JSON.stringify(valuesOf(end))).toContain('No tool has this name: \\"bash\\"');
  });

  it("leaves out what is disallowed, whatever else is said", async () => {
    const server = await t.model(call("bash", { command: "touch made" }), { kind: "text", text: "Done." });
    await t.here.run(["run", "Go", "--yolo", "--allowed-tools", "bash,read,TodoWrite", "--disallowed-tools", "Bash"]);
    expect(offered(server)).toEqual(["read", "todo_write"]);
    expect(await readdir(t.here.folder)).toEqual([]);
  });

  it("refuses names that no tool has, before anything is asked", async () => {
    const server = await t.model({ kind: "text", text: "Done." });
    const end = await t.here.run(["run", "Go", "--disallowed-tools", "bsh", "--output", "json"]);
    expect(end.code).toBe(2);
    expect(valuesOf(end)).toMatchObject([
      { is_error: true, errors: [{ code: "usage", message: expect.stringContaining('"bsh"; did you mean "bash"?') }] },
    ]);
    expect(server.requests).toEqual([]);
    expect(await readdir(join(t.here.home, "state/sessions")).catch(() => [])).toEqual([]);
  });

  it("knows tools of plugins", async () => {
    await t.here.write("project/probe.ts", PROBE);
    const server = await t.model(call("say", { text: "hi" }), { kind: "text", text: "Done." });
    expect((await t.here.run(["run", "Go", "--plugin", "probe.ts", "--allowed-tools", "say"])).code).toBe(0);
    expect(offered(server)).toEqual(["say"]);
  });
});

describe("run --system-prompt, --append-system-prompt", () => {
  it("say it instead of the usual words, or after them, from a text or a file", async () => {
    const server = await t.model({ kind: "text", text: "ok" });
    await t.here.write("project/more.md", "Speak like a pirate.\n");
    const told = async (...words: string[]) => {
      const before = server.requests.length;
      expect((await t.here.run(["run", "Go", ...words])).code).toBe(0);
      return JSON.stringify((server.requests[before]?.body.messages as object[] | undefined)?.[0]);
    };
    expect(await told("--system-prompt", "You are a pirate.")).toContain('"You are a pirate."');
    expect(await told("--append-system-prompt-file", "more.md")).toMatch(/You are a coding agent.*Speak like a pirate/);
    expect(await told("--system-prompt-file", "more.md", "--append-system-prompt", "Be brief.")).toMatch(/^[^Y]*Speak like a pirate.*Be brief/);
  });

  it.each([[["--system-prompt", "a", "--system-prompt-file", "b"]], [["--append-system-prompt-file", "gone.md"]]])("refuses %j", async (words) => {
    expect((await t.here.run(["run", "Go", ...words])).code).toBe(2);
  });
});

describe("run --max-tokens, --max-retry-wait, --permission-timeout", () => {
  it("ends a run that used so many tokens, before anything more is run", async () => {
    await t.model(call("bash", { command: "touch made" }), { kind: "text", text: "Done." });
    const end = await t.here.run(["run", "Go", "--yolo", "--max-tokens", "10", "--output", "json"]);
    expect(end.code).toBe(6);
    expect(valuesOf(end)).toMatchObject([{ terminal_reason: "max_total_tokens", num_turns: 1 }]);
    expect(await readdir(t.here.folder)).toEqual([]);
  });

  it("ends a run rather than wait longer for the model", async () => {
    const server = await t.model({ kind: "status", status: 429, headers: { "retry-after": "600" }, error: { message: "Too many." } });
    const end = await t.here.run(["run", "Go", "--max-retry-wait", "5", "--output", "json"]);
    expect(end.code).toBe(1);
    expect(valuesOf(end)).toMatchObject([{ terminal_reason: "provider_error", retries: 0 }]);
    expect(server.requests).toHaveLength(1);
  });

  it("denies what is not answered in time, and calls the request off", async () => {
    await t.model(call("bash", { command: "touch made" }), { kind: "text", text: "Nobody said yes." });
    const child = t.here.start(["run", "--input", "stream-json", "--output", "stream-json", "--permission-timeout", "0.3"]);
    let shown = "";
    child.stdout.on("data", (text) => {
      shown += text;
    });
    const end = ended(child);
    child.stdin?.write(`${JSON.stringify({ type: "user", message: { role: "user", content: "Go" } })}\n`);
    await until(() => shown.includes('"type":"result"'), "the result");
    child.stdin?.end();
    await end;
    const lines = valuesOf({ stdout: shown });
    const asked = lines.find(({ type }) => type === "control_request");
    expect(lines).toContainEqual(expect.objectContaining({ type: "control_cancel_request", request_id: asked?.request_id }));
    expect(lines.at(-1)).toMatchObject({ type: "result", result: "Nobody said yes." });
    expect(await readdir(t.here.folder)).toEqual([]);
  });

  it.each([
    [["--max-tokens", "0"]],
    [["--max-tokens", "1.5"]],
    [["--max-retry-wait", "-1"]],
    [["--permission-timeout", "5"]],
    [["--permission-mode", "default"]],
    [["--no-session-persistence", "--continue"]],
  ])("refuses %j", async (words) => {
    expect((await t.here.run(["run", "Go", ...words])).code).toBe(2);
  });
});

describe("run --trust", () => {
  it("lets a project's files count for this run, says which, and remembers nothing", async () => {
    await t.here.write("project/.mortise/permissions.jsonc", '{ "rules": [{ "tool": "bash", "pattern": "touch made", "effect": "allow" }] }');
    const steps = [call("bash", { command: "touch made" }), { kind: "text", text: "Done." }] as const;
    await t.model(...steps);
    expect((await t.here.run(["run", "Go"])).code).toBe(5);
    await t.model(...steps);
    const trusted = await t.here.run(["run", "Go", "--trust"]);
    expect(trusted.code).toBe(0);
    expect(trusted.stderr).toMatch(/count for this run, as --trust says: permissions\.jsonc/);
    expect(await readdir(t.here.folder)).toContain("made");
    await t.model(...steps);
    expect((await t.here.run(["run", "Go"])).code).toBe(5);
    expect((await t.here.run(["trust", "list", "--json"])).stdout).not.toContain(t.here.folder);
  });

  it("grants the project's plugins nothing, and refuses a file that does not parse", async () => {
    await t.here.write(
      "project/.mortise/plugins/own.ts",
      `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "own", steer: ["tool.bash.input"] }, (api) => {
  api.setSlot("tool.bash.input", (prev, input) => prev({ ...input, command: "touch other" }));
});`,
    );
    await t.model(call("bash", { command: "touch made" }), { kind: "text", text: "Done." });
    const end = await t.here.run(["run", "Go", "--trust", "--yolo"]);
    expect(await readdir(t.here.folder)).toContain("made");
    expect(end.stderr).toContain("own was not granted");
    await t.here.write("project/.mortise/permissions.jsonc", "{ oh no");
    expect((await t.here.run(["run", "Go", "--trust"])).code).toBe(2);
  });
});

describe("run --no-session-persistence", () => {
  it("leaves nothing of the session, also of a copy", async () => {
    await t.model({ kind: "text", text: "ok" });
    await t.here.run(["run", "first", "--session-id", "kept"]);
    const end = await t.here.run(["run", "second", "--continue", "--fork-session", "--no-session-persistence", "--output", "json"]);
    expect(end.code).toBe(0);
    expect(await readdir(join(t.here.home, "state/sessions"))).toEqual(
      expect.not.arrayContaining([expect.stringContaining(String(valuesOf(end)[0]?.session_id))]),
    );
    expect((await t.here.run(["session", "list", "--json"])).stdout).toContain("kept");
  });
});

describe("another agent's command line", () => {
  it("runs a prompt too", async () => {
    await t.model({ kind: "text", text: "Hello." });
    const end = await t.here.run(["-p", "Hi", "--output-format", "json", "--fallback-model", "x"]);
    expect({ code: end.code, values: valuesOf(end) }).toMatchObject({ code: 0, values: [{ result: "Hello." }] });
    expect(end.stderr).toContain("--fallback-model changes nothing here");
    expect((await t.here.run(["-p", "Hi", "--output-format", "json", "--managed-settings", "{}"])).code).toBe(2);
  });
});
