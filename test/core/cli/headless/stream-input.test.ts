import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ended, until } from "../run-cli.ts";
import { bash, runs, valuesOf } from "./runs.ts";

const t = runs();

describe("run --input stream-json", () => {
  const speak = (words: readonly string[] = []) => {
    const child = t.here.start(["run", "--input", "stream-json", "--output", "stream-json", ...words]);
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
    await t.model(bash("touch one"), { kind: "text", text: "First." }, bash("touch two"), { kind: "text", text: "Second." });
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
    expect(await readdir(t.here.folder)).toEqual(["one"]);
    expect(of("result")).toMatchObject([
      { subtype: "success", result: "First.", permission_denials: [] },
      { subtype: "success", result: "Second.", permission_denials: [{ tool_name: "Bash", tool_input: { command: "touch two" }, source: "person" }] },
    ]);
    expect(JSON.stringify(of("user"))).toContain("Not two.");
  });

  it("runs what the other side gives instead, unless a rule denies that", async () => {
    await t.here.write("home/config/permissions.jsonc", '{ "rules": [{ "tool": "bash", "pattern": "touch never", "effect": "deny" }] }');
    await t.model(bash("touch one"), { kind: "text", text: "First." }, bash("touch one"), { kind: "text", text: "Second." });
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
    expect((await readdir(t.here.folder)).sort()).toEqual(["other"]);
    expect(of("result")[1]).toMatchObject({ permission_denials: [{ source: "rule", tool_input: { command: "touch never" } }] });
  });

  it("denies what waits when the input ends, and finishes the run", async () => {
    await t.model(bash("touch one"), { kind: "text", text: "I may not." });
    const { child, end, write, of } = speak();
    write(said("Go"));
    await until(() => of("control_request").length === 1, "the request");
    child.stdin?.end();
    expect((await end).code).toBe(5);
    expect(of("result")).toMatchObject([{ result: "I may not.", permission_denials: [{ source: "nobody" }] }]);
  });

  it("allows without asking once the mode says so, and again asks after", async () => {
    await t.model(bash("touch one"), { kind: "text", text: "First." }, bash("touch two"), { kind: "text", text: "Second." });
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
    expect(await readdir(t.here.folder)).toEqual(["one"]);
  });

  it("interrupts a run, answers when it has stopped, and goes on with the next message", async () => {
    const server = await t.model({ kind: "silent", after: "head" }, { kind: "text", text: "Next." });
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

  /** A run of a session in which a command was allowed for the session; the model asks for the same once more. */
  async function keepsAllowed(): Promise<void> {
    await t.model(bash("touch one"), { kind: "text", text: "First." }, bash("touch one"), { kind: "text", text: "Second." });
    const { child, end, write, of } = speak(["--session-id", "kept"]);
    write(said("Go"));
    await allowForSession({ of, write });
    child.stdin?.end();
    expect((await end).code).toBe(0);
  }

  it("keeps what was allowed for the session in it", async () => {
    await keepsAllowed();
    expect((await t.here.run(["run", "Again", "--session", "kept"])).code).toBe(0);
  });

  it("counts what was allowed for the session in its own folder alone", async () => {
    await keepsAllowed();
    await t.here.write("elsewhere/a.txt", "");
    const elsewhere = join(t.here.folder, "..", "elsewhere");
    const { code, stderr } = await t.here.run(["run", "Again", "--session", "kept", "--cwd", elsewhere]);
    expect(code).toBe(5);
    expect(stderr).toContain(t.here.folder);
    expect(await readdir(elsewhere)).toEqual(["a.txt"]);
  });
});
