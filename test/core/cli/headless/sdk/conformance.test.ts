import { readdir } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ModelServer, ServerStep } from "../../../../fake-servers/model-server.ts";
import { startOpenAiServer } from "../../../../fake-servers/openai.ts";
import { ended, type Scratch, scratch, until } from "../../run-cli.ts";

let here: Scratch;
let server: ModelServer | undefined;
beforeEach(async () => {
  here = await scratch();
});
afterEach(async () => {
  await here.remove();
  await server?.close();
});

/** What the TypeScript client of the SDK writes, as it was seen: its command line has no word of ours. */
const COMMAND_LINE = ["--output-format", "stream-json", "--verbose", "--input-format", "stream-json"];
const initialize = (more: object = {}) => ({
  request_id: "xvlht3bmwrm",
  type: "control_request",
  request: { subtype: "initialize", systemPrompt: [""], ...more },
});
const said = (text: string) => ({
  type: "user",
  session_id: "",
  message: { role: "user", content: [{ type: "text", text }] },
  parent_tool_use_id: null,
});
const answer = (request_id: unknown, response: object) => ({ type: "control_response", response: { subtype: "success", request_id, response } });
const bash = (command: string): ServerStep => ({ kind: "calls", calls: [{ tool: "bash", input: { command } }] });

type Line = Record<string, unknown> & {
  message?: { content: unknown; id?: string };
  request?: Record<string, unknown>;
  response?: Record<string, unknown>;
};

async function client(steps: readonly ServerStep[], words: readonly string[] = []) {
  await server?.close();
  const asked = await startOpenAiServer(steps);
  server = asked;
  const price = { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 };
  const models = { default: "fake/one", providers: { fake: { url: asked.url, models: { one: { images: true, price }, two: {} } } } };
  await here.write("home/config/config.jsonc", JSON.stringify({ models }));
  const child = here.start([...COMMAND_LINE, ...words]);
  let shown = "";
  child.stdout.on("data", (text) => {
    shown += text;
  });
  const end = ended(child);
  const lines = (): Line[] =>
    shown
      .slice(0, shown.lastIndexOf("\n") + 1)
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  const of = (type: string) => lines().filter((line) => line.type === type);
  return {
    child,
    end,
    lines,
    of,
    requests: asked.requests,
    write: (...given: object[]) => {
      for (const line of given) child.stdin?.write(`${JSON.stringify(line)}\n`);
    },
    count: (type: string, count: number) => until(() => of(type).length >= count, `${count} lines of ${type}`),
    close: async () => {
      child.stdin?.end();
      return (await end).code;
    },
  };
}

describe("the client of the SDK", () => {
  it("gets an answer in the form that it reads", async () => {
    const { write, count, lines, of, close } = await client([{ kind: "text", text: "Hello." }]);
    write(initialize(), said("Hi"));
    await count("result", 1);
    expect(await close()).toBe(0);
    expect(lines().map(({ type }) => type)).toEqual(["system", "control_response", "assistant", "result"]);
    expect(of("control_response")[0]?.response).toMatchObject({
      subtype: "success",
      request_id: "xvlht3bmwrm",
      response: { commands: [], agents: [], models: [{ value: "fake/one" }], account: {} },
    });
    expect(of("assistant")).toMatchObject([
      {
        parent_tool_use_id: null,
        message: { type: "message", role: "assistant", stop_reason: "end_turn", content: [{ type: "text", text: "Hello." }] },
      },
    ]);
    expect(of("result")).toMatchObject([
      { subtype: "success", is_error: false, errors: [], permission_denials: [], modelUsage: { "fake/one": { outputTokens: expect.any(Number) } } },
    ]);
    const ids = new Set(lines().map(({ session_id }) => session_id));
    expect(ids.size).toBe(1);
    expect(new Set(lines().map(({ uuid }) => uuid)).size).toBe(lines().length);
  });

  it.each([
    ["allows", { behavior: "allow", updatedInput: { command: "touch one" }, toolUseID: "call_0" }, ["one"]],
    ["changes", { behavior: "allow", updatedInput: { command: "touch other" }, toolUseID: "call_0" }, ["other"]],
    ["denies", { behavior: "deny", message: "Better not.", toolUseID: "call_0" }, []],
  ])("%s a call in canUseTool, and a denial is no crash", async (_how, verdict, left) => {
    const { write, count, of, close } = await client([bash("touch one"), { kind: "text", text: "Done." }], ["--permission-prompt-tool=stdio"]);
    write(initialize(), said("Go"));
    await count("control_request", 1);
    const [asked] = of("control_request");
    expect(asked?.request).toMatchObject({ subtype: "can_use_tool", tool_name: "Bash", input: { command: "touch one" }, tool_use_id: "call_0" });
    write(answer(asked?.request_id, verdict));
    await count("result", 1);
    expect(await close()).toBe(0);
    expect(await readdir(here.folder)).toEqual(left);
    expect(of("result")).toMatchObject([{ subtype: "success", permission_denials: left.length > 0 ? [] : [{ tool_name: "Bash" }] }]);
  });

  it("is denied where it has no canUseTool", async () => {
    const { write, count, of, close } = await client([bash("touch one"), { kind: "text", text: "Done." }]);
    write(initialize(), said("Go"));
    await count("control_request", 1);
    const request_id = of("control_request")[0]?.request_id;
    write({ type: "control_response", response: { subtype: "error", request_id, error: "canUseTool callback is not provided." } });
    await count("result", 1);
    expect(await close()).toBe(0);
    expect(await readdir(here.folder)).toEqual([]);
  });

  it("interrupts, and goes on with the next message", async () => {
    const { write, count, of, requests, close } = await client([
      { kind: "silent", after: "head" },
      { kind: "text", text: "After." },
    ]);
    write(initialize(), { ...said("one"), uuid: "u1" }, { ...said("two"), uuid: "u2" });
    await until(() => requests.length === 1, "the request");
    write({ request_id: "g3jpbyreqqn", type: "control_request", request: { subtype: "interrupt" } });
    await count("result", 2);
    expect(await close()).toBe(0);
    expect(of("result")).toMatchObject([
      { subtype: "error_during_execution", terminal_reason: "cancelled", errors: [expect.any(String)] },
      { subtype: "success", result: "After." },
    ]);
    expect(of("control_response").at(-1)?.response).toMatchObject({ response: { still_queued: ["u2"] } });
  });

  it("calls off what waits with an interrupt that says so", async () => {
    const { write, count, of, requests, close } = await client([{ kind: "silent", after: "head" }]);
    write(initialize(), { ...said("one"), uuid: "u1" }, { ...said("two"), uuid: "u2" });
    await until(() => requests.length === 1, "the request");
    write({ request_id: "i", type: "control_request", request: { subtype: "interrupt", cancel_queued: true } });
    await count("control_response", 2);
    expect(of("control_response").at(-1)?.response).toMatchObject({ response: { still_queued: [], cancelled: ["u2"] } });
    await close();
    expect(of("result")).toHaveLength(1);
  });

  it("goes on with a session, and with a copy of it", async () => {
    const first = await client([{ kind: "text", text: "A." }]);
    first.write(initialize(), said("first"));
    await first.count("result", 1);
    await first.close();
    const id = first.of("result")[0]?.session_id;
    const second = await client([{ kind: "text", text: "B." }], [`--resume=${id}`]);
    second.write(initialize(), said("second"));
    await second.count("result", 1);
    await second.close();
    expect(second.of("result")[0]?.session_id).toBe(id);
    const third = await client([{ kind: "text", text: "C." }], ["--continue", "--fork-session"]);
    third.write(initialize(), said("third"));
    await third.count("result", 1);
    await third.close();
    expect(third.of("result")[0]?.session_id).not.toBe(id);
    expect(JSON.stringify(third.requests[0]?.body.messages)).toMatch(/first.*second.*third/);
  });

  it("sees a message grow, under the id that the whole one has", async () => {
    const { write, count, of, close } = await client([{ kind: "text", text: "One two." }], ["--include-partial-messages"]);
    write(initialize(), said("Hi"));
    await count("result", 1);
    await close();
    const events = of("stream_event").map(({ event }) => event as { type: string; message?: { id: string } });
    expect([...new Set(events.map(({ type }) => type))]).toEqual([
      "message_start",
      "content_block_start",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
    expect(events[0]?.message?.id).toBe(of("assistant")[0]?.message?.id);
  });

  it("changes model and mode meanwhile, and learns what is not there", async () => {
    const { write, count, of, requests, close } = await client([{ kind: "text", text: "A." }]);
    write(initialize(), said("one"));
    await count("result", 1);
    const asks = [
      { subtype: "set_model", model: "fake/two" },
      { subtype: "set_model", model: "nonsense" },
      { subtype: "set_permission_mode", mode: "acceptEdits" },
      { subtype: "set_permission_mode", mode: "plan" },
      { subtype: "mcp_status" },
      { subtype: "hook_callback", callback_id: "hook_0" },
    ];
    write(...asks.map((request, i) => ({ request_id: `r${i}`, type: "control_request", request })));
    await count("control_response", 1 + asks.length);
    write(said("two"));
    await count("result", 2);
    await close();
    expect(requests.map(({ body }) => body.model)).toEqual(["one", "two"]);
    const answers = new Map(of("control_response").map(({ response }) => [response?.request_id, response]));
    expect(asks.map((_, i) => answers.get(`r${i}`)?.subtype)).toEqual(["success", "error", "success", "error", "success", "error"]);
    expect(answers.get("r2")?.response).toEqual({ mode: "acceptEdits" });
    expect(answers.get("r4")?.response).toEqual({ mcpServers: [] });
  });

  it("gives instructions, instead of ours or after them", async () => {
    const own = await client([{ kind: "text", text: "A." }]);
    own.write(initialize({ systemPrompt: ["You are a pirate."] }), said("Hi"));
    await own.count("result", 1);
    await own.close();
    expect(own.requests[0]?.body.messages).toMatchObject([{ role: "system", content: "You are a pirate." }, {}]);
    const more = await client([{ kind: "text", text: "A." }]);
    more.write(initialize({ systemPrompt: undefined, appendSystemPrompt: "Speak like a pirate." }), said("Hi"));
    await more.count("result", 1);
    await more.close();
    expect(JSON.stringify(more.requests[0]?.body.messages)).toMatch(/You are a coding agent.*Speak like a pirate\./);
  });

  it("is refused where it relies on hooks that guard, and told of others", async () => {
    const guarded = await client([bash("touch one")], ["--permission-mode=bypassPermissions", "--allow-dangerously-skip-permissions"]);
    guarded.write(initialize({ hooks: { PreToolUse: [{ hookCallbackIds: ["hook_0"] }] } }), said("Go"));
    await guarded.count("result", 1);
    expect(await guarded.close()).toBe(1);
    expect(guarded.of("control_response")[0]?.response).toMatchObject({ subtype: "error" });
    expect(guarded.of("result")).toMatchObject([{ subtype: "error_during_execution", errors: [expect.stringContaining("PreToolUse")] }]);
    expect(guarded.requests).toEqual([]);
    const others = await client([{ kind: "text", text: "A." }]);
    others.write(initialize({ hooks: { PostToolUse: [{ hookCallbackIds: ["hook_0"] }] }, sdkMcpServers: ["a"] }), said("Hi"));
    await others.count("result", 1);
    await others.close();
    expect(others.of("control_response")[0]?.response).toMatchObject({ subtype: "success", response: { hooks_applied: false } });
    expect((await others.end).stderr).toMatch(/PostToolUse[\s\S]*sdkMcpServers/);
  });

  it("limits cost over all messages, and turns for each", async () => {
    const { write, count, of, close } = await client([{ kind: "text", text: "A." }], ["--max-budget-usd=0.0001", "--max-turns=1"]);
    write(initialize(), said("one"), said("two"));
    await count("result", 2);
    expect(await close()).toBe(6);
    expect(of("result")).toMatchObject([
      { subtype: "error_max_budget_usd", is_error: true },
      { subtype: "error_max_budget_usd", num_turns: 0 },
    ]);
    const turns = await client([bash("echo 1")], ["--max-turns=1", "--permission-mode=bypassPermissions"]);
    turns.write(initialize(), said("one"));
    await turns.count("result", 1);
    await turns.close();
    expect(turns.of("result")).toMatchObject([{ subtype: "error_max_turns" }]);
  });

  it("reads errors as texts also where nothing can begin", async () => {
    const { close, of, end } = await client([], ["--model=nobody/knows"]);
    expect(await close()).toBe(2);
    expect(of("result")).toMatchObject([{ subtype: "error_during_execution", errors: [expect.stringContaining('"nobody"')] }]);
    expect((await end).stderr).toContain('"nobody"');
  });

  it("narrows the tools, and allows and forbids single commands", async () => {
    const words = ["--tools=Read,Bash", "--allowedTools=Bash(touch *),mcp__a__b", "--disallowedTools=Bash(touch never)", "--setting-sources=project"];
    const { write, count, of, close, end } = await client(
      [bash("touch one && touch never"), bash("touch one"), { kind: "text", text: "Done." }],
      words,
    );
    write(initialize(), said("Go"));
    await count("result", 1);
    expect(await close()).toBe(0);
    expect(of("system")[0]?.tools).toEqual(["Bash", "Read"]);
    expect(await readdir(here.folder)).toEqual(["one"]);
    expect(of("result")).toMatchObject([{ permission_denials: [{ source: "rule" }] }]);
    expect((await end).stderr).toMatch(/--setting-sources changes nothing here[\s\S]*mcp__a__b/);
  });

  it("keeps no session where it wants none", async () => {
    const { write, count, close } = await client([{ kind: "text", text: "A." }], ["--no-session-persistence"]);
    write(initialize(), said("secret"));
    await count("result", 1);
    expect(await close()).toBe(0);
    expect((await here.run(["session", "list", "--global", "--json"])).stdout.trim()).toMatch(/^\[\s*\]$/);
  });
});
