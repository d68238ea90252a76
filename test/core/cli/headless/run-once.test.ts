import { describe, expect, it } from "vitest";
import { type Clock, systemClock } from "../../../../core/agent/clock.ts";
import type { SessionEvent } from "../../../../core/agent/session-event.ts";
import type { Opened } from "../../../../core/cli/headless/opened.ts";
import { type OnceOptions, runOnce } from "../../../../core/cli/headless/run-once.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";
import { until } from "../run-cli.ts";
import {
  deniedMarks,
  done,
  type FakeCli,
  fakeBackend,
  fakeCli,
  openedWith,
  type Play,
  toolDone,
  turn,
  unmarked,
  untilAborted,
} from "./fake-backend.ts";

async function run(play: Play, options: Partial<OnceOptions> = {}, cli: FakeCli = fakeCli(), clock: Clock = systemClock, over: Partial<Opened> = {}) {
  const backend = fakeBackend(play);
  const exit = await runOnce(
    openedWith(backend, over),
    { text: "Go", source: "headless" },
    { output: "stream-json", limits: {}, clock, graceMs: 30, ...options },
    cli,
  );
  const results = options.output === "text" || options.verbose ? [] : cli.lines().filter(({ type }) => type === "result");
  return { exit, cli, backend, results };
}

const playing =
  (...events: SessionEvent[]): Play =>
  ({ emit }) =>
    emit(...events);

describe("runOnce()", () => {
  it("prints init, messages and results in their order, and one result at the end", async () => {
    const call = { toolId: "t1", tool: "read", input: { path: "a.ts" } };
    const { exit, cli } = await run(
      playing(
        ...turn(1, "Looking.", [call]),
        toolDone("t1", "read", call.input, "1: export"),
        ...turn(2, "Renamed it."),
        done({ text: "Renamed it." }),
      ),
    );
    expect(exit).toBe(0);
    const wire = { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 2, cache_creation_input_tokens: 1 };
    const [init, first, result, second, last] = cli.lines();
    expect(init).toEqual({ type: "system", subtype: "init", cwd: "/w/app", session_id: "s1", tools: ["bash", "read"], model: "fake/one" });
    expect(first).toEqual({
      type: "assistant",
      message: {
        id: expect.stringMatching(/^msg_/),
        type: "message",
        stop_reason: "tool_use",
        model: "fake/one",
        role: "assistant",
        content: [
          { type: "text", text: "Looking." },
          { type: "tool_use", id: "t1", name: "read", input: { path: "a.ts" } },
        ],
        usage: wire,
      },
      session_id: "s1",
    });
    expect(result).toEqual({
      type: "user",
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "1: export", is_error: false }] },
      session_id: "s1",
    });
    expect(second).toMatchObject({ type: "assistant", message: { content: [{ type: "text", text: "Renamed it." }] } });
    expect(last).toMatchObject({
      type: "result",
      subtype: "success",
      is_error: false,
      num_turns: 1,
      result: "Renamed it.",
      stop_reason: "end_turn",
      session_id: "s1",
      total_cost_usd: 0.5,
      usage: wire,
      terminal_reason: "end_turn",
      permission_denials: [],
      errors: [],
      model_usage: { "fake/one": { input_tokens: 20, cost_usd: 0.5 } },
      compactions: 0,
      retries: 0,
      session_saved: true,
    });
    expect(cli.lines()).toHaveLength(5);
  });

  it("prints the answer alone as text, and the session beside it", async () => {
    const { exit, cli } = await run(playing(...turn(1, "Hello."), done({ text: "Hello." })), { output: "text" });
    expect({ exit, out: cli.out(), err: cli.err() }).toEqual({ exit: 0, out: "Hello.\n", err: "session: s1\n" });
  });

  it("prints one object, or with verbose one array of everything", async () => {
    const plain = await run(playing(...turn(1, "Hello."), done({ text: "Hello." })), { output: "json" });
    expect(plain.cli.lines()).toHaveLength(1);
    expect(plain.cli.lines()[0]).toMatchObject({ type: "result", result: "Hello." });
    expect(plain.cli.err()).toContain("session: s1");
    const all = await run(playing(...turn(1, "Hello."), done({ text: "Hello." })), { output: "json", verbose: true });
    expect(JSON.parse(all.cli.out()).map(({ type }: { type: string }) => type)).toEqual(["system", "assistant", "result"]);
  });

  it("exits with 5 where a call was denied, and says which; with 0 where that is asked for", async () => {
    const denied = playing(
      ...turn(1, "", [{ toolId: "t1", tool: "bash", input: { command: "make" } }]),
      toolDone("t1", "bash", { command: "make" }, "Nobody is there to allow it.", deniedMarks("make"), true),
      ...turn(2, "I may not."),
      done({ text: "I may not." }),
    );
    const { exit, cli, results } = await run(denied);
    expect(exit).toBe(5);
    expect(results[0]).toMatchObject({
      is_error: false,
      terminal_reason: "permission",
      permission_denials: [
        {
          tool: "bash",
          tool_use_id: "t1",
          tool_input: { command: "make" },
          scopes: ["make"],
          reason: "Nobody is there to allow it.",
          source: "nobody",
        },
      ],
    });
    expect(cli.lines()).toContainEqual(expect.objectContaining({ subtype: "permission_denied", tool_name: "bash", scopes: ["make"] }));
    expect((await run(denied, { exitZeroOnDenial: true })).exit).toBe(0);
    const text = await run(denied, { output: "text" });
    expect(text.cli.err()).toContain("denied (nobody): bash make");
  });

  it("counts denials inside a batch and of subagents, and no cancelled calls", async () => {
    const batch = { ...unmarked, nested: [{ tool: "bash", input: { command: "a" }, isError: true, marks: deniedMarks("a", "rule") }] };
    const { results } = await run(
      playing(
        toolDone("t1", "batch", {}, "...", batch),
        { type: "child", parentToolId: "t2", name: "research", event: toolDone("c1", "bash", {}, "no", deniedMarks("b"), true) },
        toolDone("t3", "bash", {}, "cancelled", deniedMarks("c", "cancelled"), true),
        done(),
      ),
    );
    expect(results[0]?.permission_denials).toMatchObject([{ scopes: ["a"] }, { scopes: ["b"] }]);
  });

  it.each([
    [done({ reason: "max_turns" }), 6, "max_turns", true],
    [done({ reason: "max_cost" }), 6, "max_cost", true],
    [done({ reason: "max_total_tokens" }), 6, "max_total_tokens", true],
    [done({ reason: "max_tokens" }), 6, "max_tokens", true],
    [done({ reason: "timeout" }), 3, "timeout", true],
    [done({ reason: "cancelled" }), 1, "cancelled", true],
    [done({ reason: "doom_loop" }), 1, "doom_loop", true],
    [done({ reason: "context_budget_exhausted" }), 1, "context_budget_exhausted", true],
    [done({ reason: "error", error: { code: "model_failed", message: "It broke." } }), 1, "provider_error", true],
    [done({ reason: "error", error: { code: "internal", message: "It broke." } }), 1, "error", true],
    [done(), 0, "end_turn", false],
  ] as const)("tells the end of %o with exit code %i", async (end, code, word, isError) => {
    const { exit, results } = await run(playing(end));
    expect(exit).toBe(code);
    expect(results).toHaveLength(1);
    expect(results[0]).toMatchObject({ terminal_reason: word, is_error: isError, subtype: isError ? "error" : "success" });
    expect(results[0]?.stop_reason).toBe(end.reason === "error" ? null : end.reason);
    if (end.error !== null) expect(results[0]).toMatchObject({ result: "It broke.", errors: [end.error] });
  });

  it("gives the reason for which a message was dropped", async () => {
    const { exit, results } = await run(
      playing({ type: "message_dropped", reason: "Not on Fridays.", plugin: "week" }, done({ reason: "dropped", text: "" })),
    );
    expect(exit).toBe(1);
    expect(results[0]).toMatchObject({ result: "Not on Fridays.", terminal_reason: "dropped", is_error: true });
  });

  it("tells retries, compaction, loops, notices and subagents", async () => {
    const { cli, results } = await run(
      playing(
        { type: "retry", attempt: 1, class: "rate_limit", message: "rate limited", delayMs: 3_100 },
        { type: "compact_start", reason: "auto", contextTokens: 90, contextWindow: 100 },
        { type: "compact_done", before: 90, after: 20, contextWindow: 100, summary: "s" },
        { type: "loop_detected", toolId: "t1", tool: "bash", kind: "same" },
        { type: "notice", code: "not_saved", text: "The disk is full." },
        { type: "child", parentToolId: "t9", name: "research", event: turn(1, "child turn")[2] as SessionEvent },
        done(),
      ),
    );
    const lines = cli.lines();
    expect(lines).toContainEqual(
      expect.objectContaining({ type: "system", subtype: "api_retry", attempt: 1, retry_delay_ms: 3100, error: "rate limited", session_id: "s1" }),
    );
    expect(lines).toContainEqual(expect.objectContaining({ subtype: "compact_boundary" }));
    expect(lines).toContainEqual(expect.objectContaining({ subtype: "loop_detected", tool_name: "bash", kind: "same" }));
    expect(lines).toContainEqual(expect.objectContaining({ subtype: "notice", code: "not_saved" }));
    expect(lines.filter((line) => "parent_tool_use_id" in line)).toMatchObject([{ type: "assistant", parent_tool_use_id: "t9" }]);
    expect(results[0]).toMatchObject({ retries: 1, compactions: 1, session_saved: false, errors: [{ code: "not_saved" }] });
  });

  it("fails where the session was not saved, with the answer all the same, unless it is not to be kept", async () => {
    const play = () => playing({ type: "notice", code: "not_saved", text: "The disk is full." }, done({ text: "All done." }));
    const kept = await run(play());
    expect(kept.exit).toBe(1);
    expect(kept.results).toMatchObject([
      {
        subtype: "error",
        is_error: true,
        result: "All done.",
        terminal_reason: "end_turn",
        errors: [{ code: "not_saved", message: "The disk is full." }],
      },
    ]);
    const unkept = await run(play(), {}, fakeCli(), systemClock, { keeps: false });
    expect(unkept.exit).toBe(0);
    expect(unkept.results).toMatchObject([{ subtype: "success", is_error: false, session_saved: false }]);
    const before = await run(playing(done({ text: "All done." })), {}, fakeCli(), systemClock, { saved: () => false });
    expect(before.exit).toBe(1);
    expect(before.results).toMatchObject([{ is_error: true, errors: [{ code: "not_saved" }] }]);
  });

  it("ends with one result where a signal comes and the run ends", async () => {
    const cli = fakeCli();
    const { exit, results, backend } = await run(
      async ({ emit, cancelled }) => {
        emit({ type: "turn_start", turn: 1 }, { type: "text_delta", text: "half" });
        cli.signal();
        await untilAborted(cancelled);
        emit(done({ reason: "cancelled", text: "half" }));
      },
      {},
      cli,
    );
    expect(backend.cancels()).toBe(1);
    expect(exit).toBe(1);
    expect(results).toMatchObject([{ result: "half", terminal_reason: "cancelled", is_error: true }]);
  });

  it("ends with one result where a signal comes and the run never ends", async () => {
    const cli = fakeCli();
    const { results } = await run(
      async ({ emit }) => {
        emit({ type: "turn_start", turn: 1 }, { type: "text_delta", text: "thrown away" });
        emit({ type: "retry", attempt: 1, class: "cut", message: "cut", delayMs: 1 }, { type: "text_delta", text: "so far" });
        cli.signal();
        await new Promise(() => {});
      },
      {},
      cli,
    );
    expect(results).toMatchObject([{ result: "so far", terminal_reason: "cancelled" }]);
  });

  it("ends with one result where the backend lets its time pass", async () => {
    const clock = createFakeClock();
    const ends = run(() => new Promise(() => {}), { limits: { timeoutMs: 5_000 } }, fakeCli(), clock);
    await clock.advance(5_000);
    await clock.advance(5_000);
    const { exit, results, backend } = await ends;
    expect(backend.limits).toEqual([{ timeoutMs: 5_000 }]);
    expect({ exit, results }).toMatchObject({ exit: 3, results: [{ terminal_reason: "timeout", is_error: true }] });
  });

  it("ends with one result where the backend ends without a word, or throws", async () => {
    expect((await run(() => {})).results).toMatchObject([{ terminal_reason: "error", errors: [{ code: "internal" }] }]);
    const cli = fakeCli();
    const backend = {
      ...fakeBackend(() => {}),
      run: () => {
        throw new Error("no run");
      },
    };
    const exit = await runOnce(openedWith(backend), { text: "Go", source: "headless" }, { output: "json", limits: {}, clock: systemClock }, cli);
    expect(exit).toBe(1);
    expect(cli.lines()).toMatchObject([{ is_error: true, result: "no run" }]);
  });

  it("ends with one result where something breaks that nothing catches, also when the run ends after all", async () => {
    const cli = fakeCli();
    let crashed = 0;
    const { results } = await run(
      async ({ emit }) => {
        emit(...turn(1, "Almost."));
        await until(() => cli.out().includes("Almost"), "the turn");
        crashed = await cli.crash(new Error("boom"));
        emit(done());
      },
      {},
      cli,
    );
    expect(crashed).toBe(1);
    expect(results).toMatchObject([
      { is_error: true, result: "Something inside failed: boom", errors: [{ code: "internal" }], terminal_reason: "error" },
    ]);
  });

  it("cancels the run once nobody reads", async () => {
    const cli = fakeCli();
    const { exit, backend } = await run(
      async ({ emit, cancelled }) => {
        cli.leave();
        emit(...turn(1, "a"));
        await untilAborted(cancelled);
        emit(done({ reason: "cancelled" }));
      },
      {},
      cli,
    );
    expect({ exit, cancels: backend.cancels() }).toEqual({ exit: 1, cancels: 1 });
  });

  it("shows what plugins did to a call", async () => {
    const marks = { ...unmarked, rewrittenBy: ["rewriter"], allowedBy: "helper" };
    const { cli } = await run(playing(toolDone("t1", "bash", { command: "rg x" }, "ok", marks), done()));
    expect(cli.lines()).toContainEqual(
      expect.objectContaining({
        type: "user",
        tool_marks: { rewritten_by: ["rewriter"], allowed_by: "helper", stopped_by: null, responded_by: null, input: { command: "rg x" } },
      }),
    );
  });

  it("streams what is not whole yet where that is asked for", async () => {
    const { cli } = await run(
      playing(
        { type: "run_start", model: "fake/one" },
        { type: "turn_start", turn: 1 },
        { type: "thinking_delta", text: "hm" },
        { type: "text_delta", text: "a" },
        { type: "text_delta", text: "b" },
        ...turn(1, "", [{ toolId: "t1", tool: "bash", input: { command: "ls" } }]).slice(1),
        { type: "tool_start", toolId: "t1", tool: "bash", summary: "ls", input: { command: "ls" } },
        { type: "tool_output", toolId: "t1", text: "file\n" },
        { type: "text_delta", text: "cut" },
        { type: "retry", attempt: 1, class: "cut", message: "cut", delayMs: 1 },
        done(),
      ),
      { partial: true },
    );
    const events = cli.lines().flatMap(({ event }) => (event === undefined ? [] : [event as { type: string; index?: number; delta?: unknown }]));
    expect(events.map(({ type, index }) => (index === undefined ? type : `${type} ${index}`))).toEqual([
      "message_start",
      "content_block_start 0",
      "content_block_delta 0",
      "content_block_stop 0",
      "content_block_start 1",
      "content_block_delta 1",
      "content_block_delta 1",
      "content_block_stop 1",
      "content_block_start 2",
      "content_block_delta 2",
      "content_block_stop 2",
      "message_delta",
      "message_stop",
      "message_start",
      "content_block_start 0",
      "content_block_delta 0",
      "content_block_stop 0",
      "message_delta",
      "message_stop",
    ]);
    expect(events[9]?.delta).toEqual({ type: "input_json_delta", partial_json: '{"command":"ls"}' });
    expect(cli.lines()).toContainEqual({ type: "tool_progress", tool_use_id: "t1", tool_name: "bash", text: "file\n", session_id: "s1" });
  });
});
