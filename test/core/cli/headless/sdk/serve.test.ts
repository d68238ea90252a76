import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import type { Run } from "../../../../../core/agent/backend.ts";
import { systemClock } from "../../../../../core/agent/clock.ts";
import { createAsks } from "../../../../../core/cli/headless/sdk/asks.ts";
import type { Mode } from "../../../../../core/cli/headless/sdk/modes.ts";
import { createOutbox } from "../../../../../core/cli/headless/sdk/outbox.ts";
import { serve } from "../../../../../core/cli/headless/sdk/serve.ts";
import { createSink } from "../../../../../core/cli/headless/sink.ts";
import { sdkNames } from "../../../../../core/cli/headless/tool-names.ts";
import type { PromptAnswer, PromptRequest } from "../../../../../core/permission/permission.ts";
import { until } from "../../run-cli.ts";
import { done, fakeBackend, fakeCli, openedWith, type Play, turn, untilAborted } from "../fake-backend.ts";

function serving(plays: readonly Play[], mode: Mode = "default", more: { queues?: boolean } = {}) {
  const cli = fakeCli();
  const input = new PassThrough();
  const asks = createAsks(mode, sdkNames);
  const backend = fakeBackend(...plays);
  const kept: unknown[] = [];
  const opened = openedWith(backend, {
    addRules: async (rules) => void kept.push(...rules),
    passesYolo: async ({ input: of }) => of.command !== "always asked",
  });
  const options = { input, asks, outbox: createOutbox(createSink(cli.stdio)), limits: {}, clock: systemClock, graceMs: 50, ...more };
  const exit = serve(opened, options, cli);
  const write = (...lines: (object | string)[]) => {
    for (const line of lines) input.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
  };
  const of = (type: string) => cli.lines().filter((line) => line.type === type);
  return {
    cli,
    input,
    asks,
    backend,
    kept,
    exit,
    write,
    of,
    say: (text: string) => write({ type: "user", message: { role: "user", content: text } }),
  };
}

const answers: Play = ({ emit, input }) => emit(...turn(1, `You said ${input.text}.`), done({ text: `You said ${input.text}.` }));

function request(over: Partial<PromptRequest> = {}): PromptRequest {
  return {
    id: "p1",
    tool: "bash",
    toolId: "host-1",
    callerId: "t4",
    sessionId: "s1",
    input: { command: "make" },
    scopes: [{ kind: "command", text: "make" }],
    reasons: [],
    suggestions: [{ tool: "bash", pattern: "make *", effect: "allow" }],
    asksAgain: [],
    denials: [{ tool: "bash", pattern: "make", effect: "deny" }],
    signal: new AbortController().signal,
    ...over,
  };
}

const outcome = (work: Promise<PromptAnswer>): Promise<PromptAnswer | "nobody"> => work.catch(() => "nobody" as const);

describe("serve()", () => {
  it("says who it is at once, with the names that the other side knows", async () => {
    const { cli, input, exit } = serving([answers]);
    await until(() => cli.lines().length > 0, "the first line");
    expect(cli.lines()[0]).toEqual({
      type: "system",
      subtype: "init",
      cwd: "/w/app",
      tools: ["Bash", "Read"],
      model: "fake/one",
      permissionMode: "default",
      apiKeySource: "none",
      mcp_servers: [],
      slash_commands: [],
      output_style: "default",
      skills: [],
      plugins: [],
      session_id: "s1",
      uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    });
    input.end();
    expect(await exit).toBe(0);
  });

  it("runs messages one after another, also those that wait at the end of the input, each with one result", async () => {
    const { input, exit, say, of, backend } = serving([answers]);
    say("one");
    say("two");
    say("three");
    input.end();
    expect(await exit).toBe(0);
    expect(of("result").map(({ result }) => result)).toEqual(["You said one.", "You said two.", "You said three."]);
    expect(of("result")[0]).toMatchObject({ subtype: "success", duration_api_ms: expect.any(Number), permission_denials: [] });
    expect(backend.inputs.every(({ source }) => source === "headless")).toBe(true);
  });

  it("refuses a message that comes too early, where none is to wait", async () => {
    const gate = Promise.withResolvers<void>();
    const waits: Play = async ({ emit }) => {
      await gate.promise;
      emit(...turn(1, "First."), done({ text: "First." }));
    };
    const { input, exit, say, of, backend } = serving([waits, answers], "default", { queues: false });
    say("one");
    await until(() => backend.inputs.length === 1, "the run");
    say("two");
    await until(() => of("result").length === 1, "the refusal");
    gate.resolve();
    await until(() => of("result").length === 2, "the result");
    say("three");
    input.end();
    expect(await exit).toBe(0);
    expect(of("result")).toMatchObject([{ error_details: [{ code: "busy" }] }, { result: "First." }, { result: "You said three." }]);
  });

  it("names a failed run error_during_execution, and exits as the last run did", async () => {
    const fails: Play = ({ emit }) => emit(done({ reason: "error", error: { code: "model_failed", message: "no" } }));
    const { input, exit, say, of } = serving([answers, fails]);
    say("one");
    say("two");
    input.end();
    expect(await exit).toBe(1);
    expect(of("result").map(({ subtype }) => subtype)).toEqual(["success", "error_during_execution"]);
  });

  it("warns of lines that it does not understand, and goes on", async () => {
    const { cli, write, input, exit, say, of } = serving([answers]);
    write("{", "", "[1]", { type: "unheard" }, { type: "user" }, { type: "control_response", response: { request_id: "req_9", behavior: "allow" } });
    say("one");
    input.end();
    await exit;
    expect(cli.err().trim().split("\n")).toHaveLength(5);
    expect(of("result")).toHaveLength(1);
  });

  it("answers initialize, and refuses what it does not know", async () => {
    const { write, input, exit, of, cli } = serving([answers]);
    write(
      { type: "control_request", request_id: "a", request: { subtype: "initialize", hooks: { PreToolUse: [] }, agents: { a: {} } } },
      { type: "control_request", request_id: "b", request: { subtype: "mcp_message" } },
      { type: "control_request", request_id: "c", request: { subtype: "set_permission_mode", mode: "plan" } },
      { type: "control_request", request_id: "d", request: { subtype: "set_permission_mode", mode: "acceptEdits" } },
    );
    await until(() => of("control_response").length === 4, "all answers");
    input.end();
    await exit;
    const byId = new Map(of("control_response").map(({ response }) => [(response as { request_id: string }).request_id, response]));
    expect(byId.get("a")).toMatchObject({ subtype: "success", request_id: "a", response: { commands: [], models: [{ value: "fake/one" }] } });
    expect(byId.get("b")).toMatchObject({ subtype: "error", error: "unsupported: mcp_message" });
    expect(byId.get("c")).toMatchObject({ subtype: "error" });
    expect(byId.get("d")).toMatchObject({ subtype: "success" });
    expect(cli.err()).toContain("ignored");
  });

  it("sets the model, with null the one it was started with, and says where there is none", async () => {
    const { write, input, exit, of, backend } = serving([answers]);
    write(
      { type: "control_request", request_id: "a", request: { subtype: "set_model", model: "other/two" } },
      { type: "control_request", request_id: "b", request: { subtype: "set_model", model: null } },
      { type: "control_request", request_id: "c", request: { subtype: "set_model", model: "nonsense" } },
      { type: "control_request", request_id: "d", request: { subtype: "set_model", model: 7 } },
    );
    await until(() => of("control_response").length === 4, "all answers");
    input.end();
    await exit;
    expect(backend.models).toEqual(["other/two", "fake/one"]);
    expect(
      of("control_response")
        .map(({ response }) => (response as { subtype: string }).subtype)
        .sort(),
    ).toEqual(["error", "error", "success", "success"]);
  });

  it("answers an interrupt after the run has really stopped, and at once where none works", async () => {
    let release = () => {};
    const slow: Play = async ({ emit, cancelled }) => {
      emit({ type: "turn_start", turn: 1 });
      await untilAborted(cancelled);
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      emit(done({ reason: "cancelled", text: "half" }));
    };
    const { write, input, exit, of, say, cli, backend } = serving([slow, answers]);
    say("one");
    await until(() => backend.inputs.length === 1, "the run");
    write({ type: "control_request", request_id: "a", request: { subtype: "interrupt" } });
    await until(() => backend.cancels() === 1, "the cancel");
    expect(of("control_response")).toEqual([]);
    release();
    await until(() => of("control_response").length === 1, "the answer");
    expect(cli.lines().map(({ type }) => type)).toEqual(["system", "result", "control_response"]);
    expect(of("result")[0]).toMatchObject({ is_error: true, terminal_reason: "cancelled" });
    write({ type: "control_request", request_id: "b", request: { subtype: "interrupt" } });
    say("two");
    input.end();
    await exit;
    expect(of("control_response")).toHaveLength(2);
    expect(of("result")).toHaveLength(2);
  });

  it("shows runs that nobody asked for as those of messages", async () => {
    const cli = fakeCli();
    const input = new PassThrough();
    let wakes: (run: Run) => void = () => {};
    const backend = fakeBackend(answers);
    const opened = openedWith(backend, {
      onWake(listener) {
        wakes = listener;
      },
    });
    const options = { input, asks: createAsks("default", sdkNames), outbox: createOutbox(createSink(cli.stdio)), limits: {}, clock: systemClock };
    const exit = serve(opened, options, cli);
    wakes(backend.run({ text: "the job ended", source: "mailbox" }));
    await until(() => cli.out().includes('"result"'), "the result");
    input.end();
    expect(await exit).toBe(0);
    expect(cli.lines().map(({ type }) => type)).toEqual(["system", "assistant", "result"]);
  });

  it("ends at a signal with one result for each message, also for those that waited", async () => {
    const { cli, exit, say, of, backend } = serving([() => new Promise(() => {})]);
    say("one");
    say("two");
    await until(() => backend.inputs.length === 1, "the run");
    cli.signal();
    await exit;
    expect(of("result")).toMatchObject([{ terminal_reason: "cancelled" }, { terminal_reason: "cancelled" }]);
    expect(backend.inputs).toHaveLength(1);
  });

  it("tells one result at a signal that comes before any message", async () => {
    const { cli, exit, of } = serving([answers]);
    await until(() => of("system").length === 1, "the first line");
    cli.signal();
    await exit;
    expect(of("result")).toMatchObject([{ terminal_reason: "cancelled", num_turns: 0 }]);
  });

  it("tells none at a signal after the last message had its own", async () => {
    const { cli, exit, of, say } = serving([answers]);
    say("one");
    await until(() => of("result").length === 1, "the result");
    cli.signal();
    await exit;
    expect(of("result")).toHaveLength(1);
  });

  it("tells one result where something breaks before any message", async () => {
    const { cli, of } = serving([answers]);
    await until(() => of("system").length === 1, "the first line");
    expect(await cli.crash(new Error("boom"))).toBe(1);
    expect(of("result")).toMatchObject([{ error_details: [{ code: "internal" }] }]);
  });

  it("tells one result where something breaks that nothing catches", async () => {
    const { cli, say, of, backend } = serving([() => new Promise(() => {})]);
    say("one");
    await until(() => backend.inputs.length === 1, "the run");
    expect(await cli.crash(new Error("boom"))).toBe(1);
    expect(of("result")).toMatchObject([{ subtype: "error_during_execution", error_details: [{ code: "internal" }] }]);
  });
});

describe("permission requests", () => {
  const answer = (over: object) => ({ type: "control_response", response: { request_id: "req_1", ...over } });
  const adding = (rule: object) => ({ type: "addRules", behavior: "allow", destination: "session", rules: [rule] });

  it.each<[string, object, PromptAnswer]>([
    ["an allow is for once", answer({ behavior: "allow" }), { decision: "allow" }],
    [
      "an allow with the rules that were suggested is for the session",
      answer({ behavior: "allow", updatedPermissions: [adding({ toolName: "Bash", ruleContent: "make *" })] }),
      { decision: "allow", remember: "session" },
    ],
    [
      "an allow with a narrower rule is for once",
      answer({ behavior: "allow", updatedPermissions: [adding({ toolName: "Bash", ruleContent: "make test" })] }),
      { decision: "allow" },
    ],
    [
      "an allow with the rule of another tool is for once",
      answer({ behavior: "allow", updatedPermissions: [adding({ toolName: "Read", ruleContent: "make *" })] }),
      { decision: "allow" },
    ],
    [
      "an allow with a rule that denies is for once",
      answer({ behavior: "allow", updatedPermissions: [{ ...adding({ toolName: "Bash", ruleContent: "make *" }), behavior: "deny" }] }),
      { decision: "allow" },
    ],
    [
      "an allow of the nested shape",
      {
        type: "control_response",
        response: { subtype: "success", request_id: "req_1", response: { behavior: "allow", updatedInput: { command: "make" } } },
      },
      { decision: "allow" },
    ],
    ["another input goes with the allow", answer({ behavior: "allow", updatedInput: { a: 1 } }), { decision: "allow", input: { a: 1 } }],
    ["another input that is no object is a deny", answer({ behavior: "allow", updatedInput: "ls" }), { decision: "deny" }],
    ["a deny", answer({ behavior: "deny" }), { decision: "deny" }],
    ["a deny with words", answer({ behavior: "deny", message: "Use npm." }), { decision: "deny", guidance: "Use npm." }],
    ["anything else is a deny", answer({ behavior: "yes" }), { decision: "deny" }],
    ["a request that is called off is a deny", { type: "control_cancel_request", request_id: "req_1" }, { decision: "deny" }],
  ])("%s", async (_name, line, expected) => {
    const { asks, of, write, input, exit, kept } = serving([answers]);
    const asked = outcome(asks.ask(request()));
    await until(() => of("control_request").length === 1, "the request");
    expect(of("control_request")[0]).toMatchObject({
      request_id: "req_1",
      request: {
        subtype: "can_use_tool",
        tool_name: "Bash",
        input: { command: "make" },
        tool_use_id: "t4",
        scopes: [{ kind: "command", text: "make" }],
        permission_suggestions: [{ type: "addRules", rules: [{ toolName: "Bash", ruleContent: "make *" }] }],
      },
      session_id: "s1",
      uuid: expect.any(String),
    });
    write(line);
    expect(await asked).toEqual(expected);
    expect(kept).toEqual("remember" in expected ? request().suggestions : []);
    input.end();
    await exit;
  });

  it("say which subagent it is for", async () => {
    const { asks, of, write, input, exit } = serving([answers]);
    const asked = outcome(asks.ask(request({ task: { id: "task-1", name: "Find it" } })));
    await until(() => of("control_request").length === 1, "the request");
    expect(of("control_request")[0]).toMatchObject({ request: { agent_id: "task-1", agent_name: "Find it" } });
    write(answer({ behavior: "deny" }));
    expect(await asked).toEqual({ decision: "deny" });
    input.end();
    await exit;
  });

  it("of the end of the input are answered by nobody, those that wait and those that come", async () => {
    const { asks, of, input, exit } = serving([answers]);
    const asked = outcome(asks.ask(request()));
    await until(() => of("control_request").length === 1, "the request");
    input.end();
    expect(await asked).toBe("nobody");
    expect(await outcome(asks.ask(request()))).toBe("nobody");
    expect(of("control_request")).toHaveLength(1);
    await exit;
  });

  it("of a call that ended are called off", async () => {
    const { asks, of, input, exit } = serving([answers]);
    const stop = new AbortController();
    const asked = outcome(asks.ask(request({ signal: stop.signal })));
    await until(() => of("control_request").length === 1, "the request");
    stop.abort();
    expect(await asked).toBe("nobody");
    expect(of("control_cancel_request")).toMatchObject([{ request_id: "req_1" }]);
    input.end();
    await exit;
  });

  it("are not shown in the mode bypassPermissions, but for what is always asked", async () => {
    const { asks, of, write, input, exit } = serving([answers]);
    write({ type: "control_request", request_id: "m", request: { subtype: "set_permission_mode", mode: "bypassPermissions" } });
    await until(() => asks.mode() === "bypassPermissions", "the mode");
    expect(await asks.ask(request())).toEqual({ decision: "allow" });
    expect(of("control_request")).toEqual([]);
    const always = [request({ reasons: [{ plugin: "guard", reason: "live" }] }), request({ input: { command: "always asked" } })].map((each) =>
      outcome(asks.ask(each)),
    );
    await until(() => of("control_request").length === 2, "two requests");
    input.end();
    expect(await Promise.all(always)).toEqual(["nobody", "nobody"]);
    await exit;
  });

  it("that are denied with an interrupt stop the run", async () => {
    const asking: Play = async ({ emit, cancelled }) => {
      await untilAborted(cancelled);
      emit(done({ reason: "cancelled" }));
    };
    const { asks, of, write, say, input, exit, backend } = serving([asking]);
    say("one");
    await until(() => backend.inputs.length === 1, "the run");
    const asked = outcome(asks.ask(request()));
    await until(() => of("control_request").length === 1, "the request");
    write(answer({ behavior: "deny", interrupt: true }));
    expect(await asked).toEqual({ decision: "deny" });
    await until(() => of("result").length === 1, "the result");
    input.end();
    await exit;
    expect(backend.cancels()).toBe(1);
  });
});
