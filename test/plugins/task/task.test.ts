import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { doneOf, eventsOf, ofType, said } from "../../core/agent/agent-with.ts";
import { calls, says } from "../../core/agent/tasks/scripts.ts";
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
});
