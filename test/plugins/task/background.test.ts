import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Run } from "../../../core/agent/backend.ts";
import type { SessionEvent } from "../../../core/agent/session-event.ts";
import type { TaskFacts } from "../../../core/agent/tasks/child.ts";
import { readTask } from "../../../core/session/read-task.ts";
import { createTaskJournal } from "../../../core/session/task-journal.ts";
import { doneOf, eventsOf, ofType, said } from "../../core/agent/agent-with.ts";
import { slowTool } from "../../core/agent/tasks/driven.ts";
import { calls, says } from "../../core/agent/tasks/scripts.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { isAlive, waitUntil } from "../../support/wait-until.ts";
import { driven } from "./driven.ts";

const begin = (prompt: string, id = "t1", description = "Find it") =>
  calls("task", { description, prompt, background: true, subagent_type: "general" }, id);
const own = (slow: ReturnType<typeof slowTool>) => ({ tools: [slow] });
const texts = (events: readonly SessionEvent[]) => ofType(events, "tool_done").map(({ text }) => text);
const idIn = (text = "") => /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(text)?.[0] ?? "";
/** The runs that reports started. */
function wakes() {
  const runs: Promise<SessionEvent[]>[] = [];
  return { runs, onWake: (run: Run) => void runs.push(eventsOf(run)) };
}

describe("a task in the background", () => {
  it("answers at once with its id, works on when the run is over, and wakes the session with what it says", async () => {
    const slow = slowTool();
    const { runs, onWake } = wakes();
    const { agent, model } = await driven(
      {
        "main work": [begin("long work"), says("It works."), says("So it was.")],
        "long work": [calls("slow", { text: "x" }), says("The answer is 7.")],
      },
      { onWake },
      own(slow),
    );
    const events = await eventsOf(agent.run(said("main work")));
    expect(doneOf(events)).toMatchObject({ reason: "end_turn", text: "It works." });
    const id = idIn(texts(events)[0]);
    expect(texts(events)[0]).toContain("in the background");
    expect(agent.working()).toEqual([{ id, name: "Find it" }]);
    slow.goOn();
    await waitUntil(() => runs.length === 1);
    const woken = (await runs[0]) ?? [];
    expect(ofType(woken, "user_message")).toMatchObject([{ source: "mailbox" }]);
    const [report] = ofType(woken, "user_message");
    for (const part of ["Find it", id, "is done", "The answer is 7."]) expect(report?.text).toContain(part);
    expect(doneOf(woken)).toMatchObject({ text: "So it was." });
    expect(JSON.stringify(model.asked("main work").at(-1)?.prompt)).toContain("The answer is 7.");
    expect(agent.working()).toEqual([]);
    // Five answers of a hundred: what it took while no run worked is the next one's.
    expect((doneOf(events)?.usage.input ?? 0) + (doneOf(woken)?.usage.input ?? 0)).toBe(500);
  });

  it("reports no more than it may, without what redactors take out, and has the rest for who asks", async () => {
    const long = `hunter2 ${"word ".repeat(2_000)}END`;
    const redactor = `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "hide", steer: ["tool.*.output"] }, (api) => { api.redact((text) => text.replaceAll("hunter2", "[hidden]")); });`;
    const { agent } = await driven(
      {
        "main work": [begin("long work"), says("It works."), calls("task_result", { id: "Find it" }, "r1"), says("ok")],
        "long work": [says(long)],
      },
      {},
      { plugins: [{ name: "hide", source: redactor }] },
    );
    const events = await eventsOf(agent.run({ ...said("main work"), waitsForTasks: true }));
    const [report] = ofType(events, "user_message").filter(({ source }) => source === "mailbox");
    expect(report?.text.length).toBeLessThanOrEqual(2_000);
    expect(report?.text).toContain("[hidden]");
    expect(report?.text).not.toContain("hunter2");
    expect(report?.text).toContain("task_result");
    expect(texts(events)[1]).toContain("END");
    expect(texts(events)[1]).not.toContain("hunter2");
  });

  it("is waited for by a run that says so, whose end tells of all, once", async () => {
    const slow = slowTool();
    const { agent } = await driven(
      {
        "main work": [begin("long work"), begin("short work", "t2", "Other"), says("Both work."), says("One is over."), says("Both are over.")],
        "long work": [calls("slow", { text: "x" }), says("long answer")],
        "short work": [says("short answer")],
      },
      {},
      own(slow),
    );
    const run = agent.run({ ...said("main work"), waitsForTasks: true });
    const events: SessionEvent[] = [];
    for await (const event of run.events) {
      events.push(event);
      if (event.type === "turn_end" && event.text === "One is over.") slow.goOn();
    }
    expect(ofType(events, "done")).toMatchObject([{ reason: "end_turn", text: "Both are over.", turns: 5 }]);
    const reports = ofType(events, "user_message").filter(({ source }) => source === "mailbox");
    expect(reports.map(({ text }) => /short answer|long answer/.exec(text)?.[0])).toEqual(["short answer", "long answer"]);
    expect(ofType(events, "notice").map(({ code }) => code)).toContain("waits_for_tasks");
  });

  it("ends with a run that waits for it and has no turn left, which is said", async () => {
    const slow = slowTool();
    const { agent } = await driven(
      { "main work": [begin("long work"), says("It works.")], "long work": [calls("slow", { text: "x" }), says("never")] },
      {},
      own(slow),
    );
    const events = await eventsOf(agent.run({ ...said("main work"), waitsForTasks: true }, { maxTurns: 2 }));
    expect(doneOf(events)).toMatchObject({ reason: "max_turns", text: "It works." });
    expect(ofType(events, "notice")).toMatchObject([{ code: "tasks_ended", text: expect.stringContaining("Find it") }]);
  });

  it("has so much less time than a run that waits for it, that its report is heard", async () => {
    const slow = slowTool();
    const clock = createFakeClock();
    const { agent } = await driven(
      { "main work": [begin("long work"), says("It works."), says("It took too long.")], "long work": [calls("slow", { text: "x" }), says("never")] },
      { clock },
      own(slow),
    );
    const run = agent.run({ ...said("main work"), waitsForTasks: true }, { timeoutMs: 60_000 });
    const events: SessionEvent[] = [];
    for await (const event of run.events) {
      events.push(event);
      if (event.type === "notice" && event.code === "waits_for_tasks") await clock.advance(54_001);
    }
    expect(doneOf(events)).toMatchObject({ reason: "end_turn", text: "It took too long." });
    expect(ofType(events, "user_message").at(-1)?.text).toContain("its time was up");
  });

  it("is waited for by task_wait, and then not reported once more", async () => {
    const slow = slowTool();
    const { runs, onWake } = wakes();
    const { agent } = await driven(
      {
        "main work": [begin("long work"), calls("task_wait", { timeout_ms: 1 }, "w1"), calls("task_wait", { timeout_ms: 600_000 }, "w2"), says("ok")],
        "long work": [calls("slow", { text: "x" }), says("long answer")],
      },
      { onWake },
      own(slow),
    );
    const events: SessionEvent[] = [];
    for await (const event of agent.run(said("main work")).events) {
      events.push(event);
      if (event.type === "tool_start" && event.toolId === "w2") slow.goOn();
    }
    expect(texts(events)[1]).toContain("Still at work");
    expect(texts(events)[2]).toContain("long answer");
    expect(doneOf(events)).toMatchObject({ reason: "end_turn", text: "ok" });
    expect(ofType(events, "user_message")).toHaveLength(1);
    expect(runs).toEqual([]);
  });

  it("is cancelled by its name, with its processes, and gives what it has", async () => {
    const { agent } = await driven({
      "main work": [
        begin("run it"),
        calls("task_wait", { timeout_ms: 3_000 }, "w1"),
        calls("task_result", { id: "Find it", cancel: true }, "r1"),
        says("ok"),
      ],
      "run it": [
        { kind: "calls", text: "I run it.", calls: [{ tool: "bash", input: { command: "echo pid $$; sleep 300" }, id: "b1" }] },
        says("never"),
      ],
    });
    const events: SessionEvent[] = [];
    let pid = 0;
    for await (const event of agent.run(said("main work")).events) {
      events.push(event);
      if (event.type === "child" && event.event.type === "tool_output") pid ||= Number(/pid (\d+)/.exec(event.event.text)?.[1]);
    }
    expect(pid).toBeGreaterThan(0);
    expect(texts(events)[2]).toContain("cancelled");
    expect(texts(events)[2]).toContain("I run it.");
    await waitUntil(async () => !(await isAlive(pid)));
    expect(agent.working()).toEqual([]);
  });

  it("goes on when its run is cancelled, and ends with its session, with its processes", async () => {
    let pid = 0;
    const { agent } = await driven({
      "main work": [begin("run it"), calls("task_wait", {}, "w1"), says("never")],
      "run it": [calls("bash", { command: "echo pid $$; sleep 300" }, "b1"), says("never")],
    });
    const run = agent.run(said("main work"));
    const events: SessionEvent[] = [];
    for await (const event of run.events) {
      events.push(event);
      if (event.type === "child" && event.event.type === "tool_output") pid ||= Number(/pid (\d+)/.exec(event.event.text)?.[1]);
      if (pid > 0) run.cancel();
    }
    expect(doneOf(events)).toMatchObject({ reason: "cancelled" });
    expect(agent.working()).toHaveLength(1);
    expect(await isAlive(pid)).toBe(true);
    await agent.close();
    await waitUntil(async () => !(await isAlive(pid)));
    expect(agent.working()).toEqual([]);
  });

  it("is not there where it never was, which is said with those that are", async () => {
    const { agent } = await driven({
      "main work": [
        begin("short work"),
        calls("task_wait", {}, "w1"),
        calls("task_result", { id: "0f0e0d0c-0b0a-4908-8706-050403020100" }, "r1"),
        calls("task_wait", { ids: ["../../etc", "Find it"] }, "w2"),
        says("ok"),
      ],
      "short work": [says("short answer")],
    });
    const done = ofType(await eventsOf(agent.run(said("main work"))), "tool_done");
    expect(done[2]).toMatchObject({ isError: true });
    expect(done[2]?.text).toContain('"Find it"');
    expect(done[3]).toMatchObject({ isError: false });
    for (const part of ["short answer", "../../etc"]) expect(done[3]?.text).toContain(part);
  });

  it("is one of sixteen at most", async () => {
    const slow = slowTool();
    const all = Array.from({ length: 17 }, (_, i) => ({
      tool: "task",
      input: { description: `Task ${i}`, prompt: "long work", background: true, subagent_type: "general" },
      id: `t${i}`,
    }));
    const { agent } = await driven(
      { "main work": [{ kind: "calls", calls: all }, says("ok")], "long work": Array.from({ length: 17 }, () => calls("slow", { text: "x" })) },
      {},
      own(slow),
    );
    const done = ofType(await eventsOf(agent.run(said("main work"))), "tool_done");
    expect(done.filter(({ isError }) => isError)).toHaveLength(1);
    expect(agent.working()).toHaveLength(16);
  });

  it("is lost with its session, or found as it ended, where that is gone on with", async () => {
    const slow = slowTool();
    const state = await mkdtemp(join(tmpdir(), "mortise-tasks-"));
    const kept = {
      sessionId: "s1",
      taskJournal: (task: TaskFacts) => createTaskJournal(state, "s1", task),
      readTask: (id: string) => readTask(state, "s1", id),
    };
    const before = await driven(
      {
        "main work": [begin("long work"), begin("short work", "t2", "Other"), calls("task_wait", { ids: ["Other"] }, "w1"), says("ok")],
        "long work": [{ kind: "calls", text: "I begin.", calls: [{ tool: "slow", input: { text: "x" }, id: "c1" }] }, says("never")],
        "short work": [says("short answer")],
      },
      kept,
      own(slow),
    );
    const begun = texts(await eventsOf(before.agent.run(said("main work"))));
    const [long, short] = begun.map(idIn);
    // Once as a process leaves it that is killed, and once as one that ends.
    for (const ends of [false, true]) {
      if (ends) await before.agent.close();
      const after = await driven(
        { "go on": [calls("task_result", { id: long }, "r1"), calls("task_wait", { ids: [short] }, "w1"), says("ok")] },
        { ...kept, sessionId: ends ? "s3" : "s2" },
      );
      const done = ofType(await eventsOf(after.agent.run(said("go on"))), "tool_done");
      expect(done).toMatchObject([{ isError: true }, { isError: false }]);
      expect(done[0]?.text).toContain("is lost");
      expect(done[0]?.text).toContain("I begin.");
      expect(done[1]?.text).toContain("short answer");
    }
    await rm(state, { recursive: true });
  });

  it("shares what the run has left with those beside it", async () => {
    const clock = createFakeClock();
    const all = [1, 2, 3].map((i) => ({ tool: "task", input: { description: `Task ${i}`, prompt: `work ${i}`, background: true }, id: `t${i}` }));
    const reads = Array.from({ length: 40 }, (_, i) => calls("glob", { pattern: `*.${i}` }, `g${i}`));
    const { agent } = await driven(
      {
        "main work": [{ kind: "calls", calls: all }, says("They work."), ...Array.from({ length: 3 }, () => says("ok"))],
        "work 1": [...reads],
        "work 2": [...reads],
        "work 3": [...reads],
      },
      { clock },
    );
    const events = await eventsOf(agent.run({ ...said("main work"), waitsForTasks: true }, { maxTotalTokens: 12_000 }));
    // What is under way when a share is used up is less than what is kept for the run itself.
    expect(tokensOf(doneOf(events)?.usage)).toBeLessThanOrEqual(12_000);
    expect(doneOf(events)).toMatchObject({ reason: "end_turn", text: "ok" });
    const reports = ofType(events, "user_message").filter(({ source }) => source === "mailbox");
    for (const { text } of reports) expect(text).toContain("limit of tokens");
    expect(reports).toHaveLength(3);
  });

  it("is listed and ended by a person, which the model is told", async () => {
    const slow = slowTool();
    const { runs, onWake } = wakes();
    const { agent, host } = await driven(
      { "main work": [begin("long work"), says("It works."), says("Well.")], "long work": [calls("slow", { text: "x" }), says("never")] },
      { onWake },
      own(slow),
    );
    await eventsOf(agent.run(said("main work")));
    const { sessionId } = agent;
    expect(await host.command("tasks", "", { sessionId })).toContain("at work");
    expect(await host.command("tasks", "stop nothing", { sessionId })).toContain("There is no task");
    expect(await host.command("tasks", "stop Find it", { sessionId })).toContain("is over");
    await waitUntil(() => runs.length === 1);
    expect(ofType((await runs[0]) ?? [], "user_message")[0]?.text).toContain("was cancelled");
  });
});

function tokensOf(usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }): number {
  return usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
}
