import { describe, expect, it } from "vitest";
import type { CallMarks } from "../../../../../core/agent/session-event.ts";
import { type ChatState, costSoFar, initialState } from "../../../../../core/cli/chat/state/chat-state.ts";
import { type ChatEvent, reduce } from "../../../../../core/cli/chat/state/reduce.ts";

const marks: CallMarks = {
  rewrittenBy: [],
  allowedBy: null,
  stoppedBy: null,
  respondedBy: null,
  permission: { decision: "allow", source: "person", scopes: [] },
  nested: [],
};
const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
const start = initialState({ model: "a/b", context: { tokens: 0, window: 100 }, costUsd: null, title: null });
const run: ChatEvent = { type: "run_start", model: "a/b" };
const turn: ChatEvent = { type: "turn_start", turn: 1 };
const text = (of: string): ChatEvent => ({ type: "text_delta", text: of });
const turnEnd = (of: string, costUsd: number | null = null): ChatEvent => ({
  type: "turn_end",
  turn: 1,
  text: of,
  model: "a/b",
  usage,
  costUsd,
  contextTokens: 10,
  contextWindow: 100,
});
const done = (more: Partial<Extract<ChatEvent, { type: "done" }>> = {}): ChatEvent => ({
  type: "done",
  reason: "end_turn",
  error: null,
  text: "",
  usage,
  costUsd: null,
  turns: 1,
  contextTokens: 10,
  contextWindow: 100,
  ...more,
});
const toolDone = (toolId: string, more: object = {}): ChatEvent => ({
  type: "tool_done",
  toolId,
  tool: "bash",
  input: { command: "ls" },
  text: "out",
  isError: false,
  images: [],
  marks,
  durationMs: 5,
  ...more,
});

function reduced(events: readonly ChatEvent[], from: ChatState = start): ChatState {
  return events.reduce((state, event, index) => reduce(state, event, 1_000 * index), from);
}
const shown = (state: ChatState) =>
  state.entries.map((entry) => (entry.kind === "tool" ? `${entry.row.tool}:${entry.row.state}` : `${entry.kind}:${entry.text}`));

describe("reduce()", () => {
  it("puts what streams together, and ends it with its turn", () => {
    const streaming = reduced([run, turn, text("one "), text("two")]);
    expect(streaming.entries).toMatchObject([{ kind: "answer", text: "one two", live: true }]);
    expect(reduced([turnEnd("one two")], streaming).entries).toMatchObject([{ kind: "answer", text: "one two", live: false }]);
  });

  it("shows an answer that did not stream", () => {
    expect(shown(reduced([run, turn, turnEnd("whole")]))).toEqual(["answer:whole"]);
  });

  it("takes away what a failed attempt wrote, and counts down to the next", () => {
    const state = reduced([
      run,
      { type: "user_message", text: "hi", images: 0, source: "terminal", rewrittenBy: null },
      turn,
      { type: "thinking_delta", text: "hm" },
      text("half"),
      { type: "tool_pending", toolId: "1", tool: "bash" },
      { type: "retry", attempt: 1, class: "transient", message: "500", delayMs: 3_000 },
    ]);
    expect(shown(state)).toEqual(["user:hi", "notice:The model failed: 500"]);
    expect(state.working?.retry).toEqual({ attempt: 1, at: 9_000 });
    expect(reduced([text("again")], state).working?.retry).toBeNull();
  });

  it("follows a call from its first letter to its result", () => {
    const steps: ChatEvent[] = [
      run,
      turn,
      { type: "tool_pending", toolId: "1", tool: "bash" },
      { type: "permission_asked", askId: "q", toolId: "1", tool: "bash", scopes: ["ls"], child: null },
      { type: "permission_answered", askId: "q", decision: "allow", source: "person" },
      { type: "tool_start", toolId: "1", tool: "bash", summary: "bash ls", input: { command: "ls" } },
      { type: "tool_output", toolId: "1", text: "line" },
      toolDone("1"),
    ];
    const states = steps.map((_, index) => reduced(steps.slice(0, index + 1)));
    expect(states.map((state) => shown(state).at(-1))).toEqual([
      undefined,
      undefined,
      "bash:written",
      "bash:asked",
      "bash:written",
      "bash:running",
      "bash:running",
      "bash:ok",
    ]);
    expect(states[6]?.entries[0]).toMatchObject({ row: { about: "ls", output: "line", begunAt: 5_000 } });
    // Without what the person took to answer.
    expect(states[7]?.entries[0]).toMatchObject({ live: false, row: { text: "out", durationMs: 2_000, output: "" } });
  });

  it("tells calls in the order of their ends", () => {
    const state = reduced([
      run,
      { type: "tool_start", toolId: "1", tool: "slow", summary: "slow", input: {} },
      { type: "tool_start", toolId: "2", tool: "bash", summary: "bash ls", input: {} },
      { type: "notice", code: "x", text: "meanwhile" },
      toolDone("2"),
    ]);
    expect(shown(state)).toEqual(["slow:running", "notice:meanwhile", "bash:ok"]);
  });

  it("stops what goes on with the run, and says why it ended", () => {
    const state = reduced([
      run,
      { type: "tool_start", toolId: "1", tool: "bash", summary: "bash ls", input: {} },
      text("half an answer"),
      done({ reason: "cancelled" }),
    ]);
    expect(shown(state)).toEqual(["answer:half an answer", "bash:stopped", "notice:The run was cancelled."]);
    expect(state.entries.every(({ live }) => !live)).toBe(true);
    expect(state.working).toBeNull();
  });

  it("shows why a run failed", () => {
    expect(shown(reduced([run, done({ reason: "error", error: { code: "model_failed", message: "The key is wrong." } })]))).toEqual([
      "notice:The key is wrong.",
    ]);
  });

  it("keeps a message waiting until it is in the history, dropped or taken back", () => {
    const sent = reduced([
      { type: "sent", id: 1, text: "a" },
      { type: "sent", id: 2, text: "b" },
      { type: "sent", id: 3, text: "c" },
    ]);
    const one = reduced([{ type: "user_message", text: "A", images: 0, source: "terminal", rewrittenBy: "shout" }], sent);
    expect(one.queued.map(({ text: of }) => of)).toEqual(["b", "c"]);
    expect(one.entries).toMatchObject([{ kind: "user", text: "A", rewrittenBy: "shout" }]);
    const two = reduced([{ type: "message_dropped", reason: "Not today.", plugin: "guard" }], one);
    expect(shown(two).at(-1)).toBe("notice:guard dropped the message: Not today.");
    expect(reduced([{ type: "unsent", id: 3 }], two).queued).toEqual([]);
  });

  it("takes a report of a job for no message of the person", () => {
    const sent = reduced([{ type: "sent", id: 1, text: "a" }]);
    const state = reduced([{ type: "user_message", text: "job 1 ended", images: 0, source: "mailbox", rewrittenBy: null }], sent);
    expect(state.queued).toHaveLength(1);
    expect(state.entries).toMatchObject([{ from: "report" }]);
  });

  it("shows a subagent under the call that started it, and knows that it asks", () => {
    const child = (event: Extract<ChatEvent, { type: "child" }>["event"]): ChatEvent => ({ type: "child", parentToolId: "1", name: "scout", event });
    const state = reduced([
      run,
      { type: "tool_start", toolId: "1", tool: "task", summary: "task look", input: {} },
      child({ type: "tool_start", toolId: "c1", tool: "grep", summary: "grep x", input: {} }),
      child({ type: "permission_asked", askId: "q", toolId: "c2", tool: "bash", scopes: [], child: "scout" }),
      child({ type: "text_delta", text: "found it" }),
    ]);
    expect(state.entries).toMatchObject([
      {
        row: {
          tool: "task",
          children: [
            {
              name: "scout",
              said: "found it",
              rows: [
                { tool: "grep", about: "x" },
                { tool: "bash", state: "asked" },
              ],
            },
          ],
        },
      },
    ]);
    expect(state.askers).toEqual({ q: "scout" });
  });

  it("counts what was spent, of subagents too, and once", () => {
    const working = reduced([
      run,
      turnEnd("a", 0.5),
      { type: "tool_start", toolId: "1", tool: "task", summary: "task", input: {} },
      { type: "child", parentToolId: "1", name: "x", event: { ...(turnEnd("b", 0.25) as Extract<ChatEvent, { type: "turn_end" }>) } },
    ]);
    expect(costSoFar(working)).toBe(0.75);
    expect(costSoFar(reduced([done({ costUsd: 0.75 })], working))).toBe(0.75);
    expect(costSoFar(reduced([run, turnEnd("c", 1)], reduced([done({ costUsd: 0.75 })], working)))).toBe(1.75);
    expect(costSoFar(reduced([run, turnEnd("a"), done()]))).toBeNull();
  });

  it("remembers no more than the last entries", () => {
    const state = reduced(Array.from({ length: 2_000 }, (_, i): ChatEvent => ({ type: "said", tone: "info", text: `${i}` })));
    expect(state.entries.length).toBeLessThanOrEqual(600);
    expect(shown(state).at(-1)).toBe("notice:1999");
  });

  it("shows an earlier conversation, and that it was interrupted", () => {
    const state = reduced([
      {
        type: "opened",
        opening: { model: "a/b", context: { tokens: 5, window: 10 }, costUsd: 1, title: "Old" },
        past: {
          title: "Old",
          sessionId: "s1",
          ended: "interrupted",
          messages: [
            { role: "user", text: "list" },
            {
              role: "assistant",
              model: "a/b",
              parts: [
                { type: "text", text: "I look." },
                { type: "call", toolId: "1", tool: "bash", input: { command: "ls" } },
              ],
            },
            { role: "user", text: "for the model alone", note: "nudge" },
          ],
        },
      },
    ]);
    expect(shown(state)).toEqual([
      'notice:Going on with "Old" (session s1).',
      "user:list",
      "answer:I look.",
      "bash:stopped",
      expect.stringContaining("interrupted"),
    ]);
  });
});
