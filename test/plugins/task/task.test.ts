import { existsSync, readFileSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SessionEvent } from "../../../core/agent/session-event.ts";
import type { CallRecord } from "../../../core/record.ts";
import { testHost } from "../../../core/testing/testing.ts";
import { readTrace } from "../../../core/traces.ts";
import { doneOf, eventsOf, ofType, said } from "../../core/agent/agent-with.ts";
import { calls, says } from "../../core/agent/tasks/scripts.ts";
import { isAlive, waitUntil } from "../../support/wait-until.ts";
import { driven } from "./driven.ts";

const task = (prompt: string, more: object = {}) => calls("task", { description: "Find it", prompt, ...more }, "t1");

describe("task", () => {
  it("has a research subagent read files, and answers what it says", async () => {
    const { agent, host, model } = await driven({
      "main work": [task("look into a.txt"), says("It says hello.")],
      "look into": [calls("read", { path: "a.txt" }, "c1"), says("The file says hello.")],
    });
    await writeFile(join(host.folder, "a.txt"), "hello\n");
    const events = await eventsOf(agent.run(said("main work")));
    expect(ofType(events, "tool_done")).toMatchObject([{ toolId: "t1", tool: "task", text: "The file says hello.", isError: false }]);
    expect(doneOf(events)).toMatchObject({ reason: "end_turn", text: "It says hello.", turns: 2, usage: { input: 400 } });
    const child = ofType(events, "child");
    expect(child.every(({ name, parentToolId }) => name === "Find it" && parentToolId === "t1")).toBe(true);
    expect(child.map(({ event }) => event.type)).toEqual(expect.arrayContaining(["run_start", "turn_start", "tool_start", "tool_done", "done"]));
    expect(
      ofType(events, "tool_output")
        .map(({ text }) => text)
        .join(""),
    ).toContain("read a.txt");
    const offered = model.asked("look into")[0]?.tools?.map(({ name }) => name) ?? [];
    expect(offered).toContain("read");
    for (const name of ["write", "edit", "bash", "task", "question"]) expect(offered).not.toContain(name);
  });

  it("lets a research subagent change nothing, however it calls", async () => {
    const write = { path: "b.txt", content: "no" };
    const { agent, host } = await driven({
      "main work": [task("try everything"), says("ok")],
      "try everything": [
        calls("write", write, "c1"),
        calls("bash", { command: "touch c.txt" }, "c2"),
        calls(
          "batch",
          {
            tool_calls: [
              { tool: "write", parameters: write },
              { tool: "task", parameters: { description: "x", prompt: "y" } },
            ],
          },
          "c3",
        ),
        calls("code_execution", { code: 'try { await tools.write({ path: "b.txt", content: "no" }) } catch (e) { return String(e) }' }, "c4"),
        calls("task", { description: "Sub", prompt: "main work" }, "c5"),
        says("nothing worked"),
      ],
    });
    const events = await eventsOf(agent.run(said("main work")));
    const done = ofType(events, "child").flatMap(({ event }) => (event.type === "tool_done" ? [event] : []));
    expect(done.map(({ tool, isError }) => [tool, isError])).toEqual([
      ["write", true],
      ["bash", true],
      ["batch", false],
      ["code_execution", false],
      ["task", true],
    ]);
    expect(done[2]?.text.match(/\[ERROR\]/g)).toHaveLength(2);
    expect(existsSync(join(host.folder, "b.txt"))).toBe(false);
    expect(existsSync(join(host.folder, "c.txt"))).toBe(false);
    expect(ofType(events, "tool_done")).toMatchObject([{ text: "nothing worked", isError: false }]);
  });

  it("lets a general subagent write and run, with the rules and the person of the session, under its name", async () => {
    const { agent, host } = await driven(
      {
        "main work": [task("make files", { subagent_type: "general" }), says("ok")],
        "make files": [calls("write", { path: "b.txt", content: "yes" }, "c1"), calls("bash", { command: "rm b.txt" }, "c2"), says("made")],
      },
      {},
      { answer: ({ tool }) => ({ decision: tool === "write" ? "allow" : "deny" }), rules: [{ tool: "write", effect: "ask" }] },
    );
    const events = await eventsOf(agent.run(said("main work")));
    expect(await readFile(join(host.folder, "b.txt"), "utf8")).toBe("yes");
    expect(host.prompts.map(({ tool, task }) => [tool, task?.name])).toEqual([
      ["write", "Find it"],
      ["bash", "Find it"],
    ]);
    expect(ofType(events, "permission_asked")).toMatchObject([
      { tool: "write", child: "Find it", toolId: "t1" },
      { tool: "bash", child: "Find it", toolId: "t1" },
    ]);
    expect(ofType(events, "permission_answered").map(({ decision }) => decision)).toEqual(["allow", "deny"]);
    const [{ text } = { text: "" }] = ofType(events, "tool_done");
    expect(text).toContain("made");
    expect(text).toContain("bash 1");
  });

  it("answers with JSON that fits the schema, and asks again until it does", async () => {
    const output_schema = { type: "object", properties: { n: { type: "integer", minimum: 1 } }, required: ["n"] };
    const { agent, model } = await driven({
      "main work": [task("count", { output_schema }), says("ok")],
      count: [says("Seven, I think."), calls("structured_output", { n: 0 }, "o1"), calls("structured_output", { n: 7 }, "o2")],
    });
    const events = await eventsOf(agent.run(said("main work")));
    expect(ofType(events, "tool_done")).toMatchObject([{ text: '{"n":7}', isError: false, tool: "task" }]);
    expect(model.asked("count")).toHaveLength(3);
    expect(model.asked("count")[0]?.tools?.map(({ name }) => name)).toContain("structured_output");
  });

  it("fails clearly where it never gets what fits, with what was said", async () => {
    const output_schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
    const { agent } = await driven({
      "main work": [task("count", { output_schema }), says("ok")],
      count: [says("I will not.")],
    });
    const [done] = ofType(await eventsOf(agent.run(said("main work"))), "tool_done");
    expect(done).toMatchObject({ isError: true });
    expect(done?.text).toContain("I will not.");
    expect(done?.text).toContain("schema");
  });

  it("ends at once with its run: processes too, and what was said stays", async () => {
    const command = "sleep 600 & echo $! > pid; wait";
    const { agent, host } = await driven({
      "main work": [task("run it", { subagent_type: "general" }), says("never")],
      "run it": [{ kind: "calls", text: "I start it.", calls: [{ tool: "bash", input: { command }, id: "c1" }] }, says("never")],
    });
    const run = agent.run(said("main work"));
    const events = eventsOf(run);
    const file = join(host.folder, "pid");
    await waitUntil(() => existsSync(file) && readFileSync(file, "utf8").trim() !== "");
    const pid = Number(readFileSync(file, "utf8"));
    expect(await isAlive(pid)).toBe(true);
    run.cancel();
    await waitUntil(async () => !(await isAlive(pid)));
    expect(doneOf(await events)).toMatchObject({ reason: "cancelled" });
    const [done] = ofType(await events, "tool_done");
    expect(done).toMatchObject({ tool: "task", isError: true });
    expect(done?.text).toMatch(/^I start it\..*cancelled/s);
    expect(JSON.stringify(agent.messages())).toContain("I start it.");
  });

  it("is denied what nobody can answer, as its session is, and says so", async () => {
    const { agent, host } = await driven(
      {
        "main work": [task("run it", { subagent_type: "general" }), says("ok")],
        "run it": [calls("bash", { command: "touch made" }, "c1"), says("I could not.")],
      },
      {},
      { yolo: false },
    );
    const events = await eventsOf(agent.run(said("main work")));
    expect(existsSync(join(host.folder, "made"))).toBe(false);
    const [done] = ofType(events, "tool_done");
    expect(done?.text).toMatch(/^I could not\..*denied: bash 1/s);
    expect(ofType(events, "child").map(({ event }) => event)).toContainEqual(
      expect.objectContaining({ type: "tool_done", marks: expect.objectContaining({ permission: expect.objectContaining({ source: "nobody" }) }) }),
    );
  });

  it("counts what was allowed for the session, in both directions", async () => {
    const bash = (id: string) => calls("bash", { command: "make it" }, id);
    const { agent, host } = await driven(
      { "main work": [task("run it", { subagent_type: "general" }), bash("m1"), says("ok")], "run it": [bash("c1"), says("ran")] },
      {},
      { answer: () => ({ decision: "allow", remember: "session" }) },
    );
    await eventsOf(agent.run(said("main work")));
    expect(host.prompts.map(({ task: asked }) => asked?.name)).toEqual(["Find it"]);
  });

  it("has read nothing of what its session read: a file that it changes is stale there", async () => {
    const { agent, host } = await driven({
      "main work": [
        calls("read", { path: "a.txt" }, "m1"),
        task("change it", { subagent_type: "general" }),
        calls("edit", { path: "a.txt", old_string: "two", new_string: "three" }, "m2"),
        says("ok"),
      ],
      "change it": [calls("edit", { path: "a.txt", old_string: "one", new_string: "two" }, "c1"), says("changed")],
    });
    await writeFile(join(host.folder, "a.txt"), "one\n");
    const done = ofType(await eventsOf(agent.run(said("main work"))), "tool_done");
    expect(done.map(({ tool, isError }) => [tool, isError])).toEqual([
      ["read", false],
      ["task", false],
      ["edit", true],
    ]);
    expect(await readFile(join(host.folder, "a.txt"), "utf8")).toBe("two\n");
  });

  it("tells listeners of its calls, and traces them under its own", async () => {
    const { agent, host } = await driven({
      "main work": [task("look into a.txt"), says("ok")],
      "look into": [calls("batch", { tool_calls: [{ tool: "list", parameters: {} }] }, "c1"), says("found")],
    });
    const told: Record<string, unknown>[] = [];
    const turns: unknown[] = [];
    host.on("ToolDone", (data) => void told.push(data));
    for (const event of ["TurnStart", "TurnEnd"]) host.on(event, (data) => void turns.push(data));
    const events = await eventsOf(agent.run(said("main work")));
    const records = (await readTrace(join(host.folder, ".state/sessions"), host.sessionId)) ?? [];
    const of = (tool: string) => records.find((each) => "tool" in each && each.tool === tool) as CallRecord | undefined;
    expect(of("task")).toMatchObject({ ran: true });
    expect(of("task")).not.toHaveProperty("taskId");
    expect(of("batch")).toMatchObject({ parentId: of("task")?.toolId, sessionId: host.sessionId, taskId: expect.any(String) });
    expect(of("list")).toMatchObject({ parentId: of("batch")?.toolId, taskId: of("batch")?.taskId, origin: "nested" });
    expect(told.map(({ tool, taskId }) => [tool, taskId])).toEqual([
      ["list", of("batch")?.taskId],
      ["batch", of("batch")?.taskId],
      ["task", undefined],
    ]);
    expect(turns).toHaveLength(2);
    expect(doneOf(events)).toMatchObject({ reason: "end_turn" });
  });

  it("shows its layers whose call it is", async () => {
    const source = `import { definePlugin, deny } from "mortise/sdk";
export default definePlugin({ name: "guard", steer: ["tool.*.input"] }, (api) => {
  api.judge("tool.*.input", (_, ctx) => (ctx.tool === "read" && ctx.taskId !== undefined ? deny("Not for subagents.") : undefined));
});`;
    const { agent, host } = await driven(
      {
        "main work": [calls("read", { path: "a.txt" }, "m1"), task("look into a.txt"), says("ok")],
        "look into": [calls("read", { path: "a.txt" }, "c1"), says("no")],
      },
      {},
      { plugins: [{ name: "guard", source }] },
    );
    await writeFile(join(host.folder, "a.txt"), "one\n");
    const events = await eventsOf(agent.run(said("main work")));
    expect(ofType(events, "tool_done")[0]).toMatchObject({ tool: "read", isError: false });
    const inside = ofType(events, "child").flatMap(({ event }) => (event.type === "tool_done" ? [event] : []));
    expect(inside).toMatchObject([{ tool: "read", isError: true, marks: { stoppedBy: "guard" } }]);
  });

  it("has a list of its own, and is shown instruction files that its session saw", async () => {
    const todos = (content: string) => ({ todos: [{ content }] });
    const { agent, host } = await driven({
      "main work": [
        calls("read", { path: "src/a.txt" }, "m1"),
        calls("todo_write", todos("Of the session"), "m2"),
        task("look into src"),
        calls("todo_write", todos("Of the session"), "m3"),
        says("ok"),
      ],
      "look into src": [calls("read", { path: "src/a.txt" }, "c1"), calls("todo_write", todos("Of the subagent"), "c2"), says("found")],
    });
    await mkdir(join(host.folder, "src"));
    await writeFile(join(host.folder, "src/a.txt"), "one\n");
    await writeFile(join(host.folder, "src/AGENTS.md"), "Use tabs here.\n");
    const events = await eventsOf(agent.run(said("main work")));
    const own = ofType(events, "tool_done").map(({ text }) => text);
    const inside = ofType(events, "child").flatMap(({ event }) => (event.type === "tool_done" ? [event.text] : []));
    expect(own[0]).toContain("Use tabs here.");
    expect(inside[0]).toContain("Use tabs here.");
    expect(own[3]).toBe(own[1]);
    expect(inside[1]).not.toContain("Of the session");
  });

  it("tells that it summed up, and is shown instruction files again, as its session is not", async () => {
    const read = (id: string) => calls("read", { path: "src/a.txt" }, id);
    const { agent, host } = await driven(
      {
        "main work": [read("m1"), task("look into src"), read("m2"), says("ok")],
        "look into src": [
          read("c1"),
          read("c2"),
          { kind: "calls", calls: [{ tool: "glob", input: { pattern: "*" }, id: "c3" }], usage: { input: 165_000, output: 20 } },
          says("It is all about a."),
        ],
        "Sum up": [read("c4"), says("found")],
      },
      { compaction: { tailTokens: 0 } },
    );
    await mkdir(join(host.folder, "src"));
    await writeFile(join(host.folder, "src/a.txt"), "one\n");
    await writeFile(join(host.folder, "src/AGENTS.md"), "Use tabs here.\n");
    const told: unknown[] = [];
    for (const event of ["AutoCompacting", "CompactionDone"]) host.on(event, (data) => void told.push([event, data]));
    const events = await eventsOf(agent.run(said("main work")));
    const shows = (done: readonly { text: string }[]) => done.map(({ text }) => text.includes("Use tabs here."));
    const reads = (each: readonly SessionEvent[]) => ofType(each, "tool_done").filter(({ tool }) => tool === "read");
    expect(shows(reads(events))).toEqual([true, false]);
    const inside = ofType(events, "child");
    expect(shows(reads(inside.map(({ event }) => event)))).toEqual([true, false, true]);
    const { taskId } = inside[0] ?? {};
    expect(taskId).toBeDefined();
    await waitUntil(() => told.length === 2);
    expect(told).toMatchObject([
      ["AutoCompacting", { taskId, sessionId: agent.sessionId }],
      ["CompactionDone", { taskId, summary: "It is all about a." }],
    ]);
  });

  it("runs several side by side, also from a batch", async () => {
    const one = { description: "One", prompt: "part one" };
    const two = { description: "Two", prompt: "part two" };
    const { agent } = await driven({
      "main work": [
        calls(
          "batch",
          {
            tool_calls: [
              { tool: "task", parameters: one },
              { tool: "task", parameters: two },
            ],
          },
          "b1",
        ),
        says("ok"),
      ],
      "part one": [says("first")],
      "part two": [says("second")],
    });
    const events = await eventsOf(agent.run(said("main work")));
    expect(ofType(events, "tool_done")[0]?.text).toMatch(/## task\nfirst.*## task\nsecond/s);
    expect(new Set(ofType(events, "child").map(({ name, parentToolId }) => `${parentToolId} ${name}`))).toEqual(new Set(["b1 One", "b1 Two"]));
  });
});

describe("a host without an agent", () => {
  it("has no task, neither for a model nor by name", async () => {
    const host = await testHost();
    expect(host.tools().map(({ name }) => name)).not.toContain("task");
    expect((await host.definitions("main")).map(({ name }) => name)).not.toContain("task");
    expect(await host.call("task", { description: "a", prompt: "b" })).toMatchObject({ isError: true, code: "unknown_tool" });
    const never = () => Promise.reject(new Error("never"));
    const undo = host.agent.drive({ sessionId: "another" }, { open: never, consult: never });
    expect(host.tools("main").map(({ name }) => name)).toContain("task");
    for (const audience of ["research", "general", "code"] as const) expect(host.tools(audience).map(({ name }) => name)).not.toContain("task");
    expect(await host.call("task", { description: "a", prompt: "b" })).toMatchObject({ isError: true, text: expect.stringContaining("no agent") });
    undo();
    expect(host.tools().map(({ name }) => name)).not.toContain("task");
    await host.close();
  });
});
