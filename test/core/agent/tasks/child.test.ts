import { describe, expect, it } from "vitest";
import { noJournal } from "../../../../core/agent/journal.ts";
import { doneOf, echo, eventsOf, modelOf, ofType, said } from "../agent-with.ts";
import { childEvents, driven, eventsWith, slowTool, subs, toldBy } from "./driven.ts";
import { calls, createScripts, says } from "./scripts.ts";

const main = (request: object, ...prompts: string[]) => [calls("sub", { request, prompts }, "s1"), says("ok")];
const research = { name: "Finder", audience: "research" };
const echoes = (n: number) => Array.from({ length: n }, (_, i) => calls("echo", { text: `${i}` }, `c${i}`));

/** Opens a subagent whenever it hears an event, at most `most` times. */
const listener = (event: string, most: number) => ({
  name: "listener",
  source: `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "listener", capabilities: { fs_read: true, fs_write: true, net: true, run: true, env: true } }, (api) => {
  let heard = 0;
  const request = { name: "Own", audience: "research" };
  api.createAutocmd("${event}", ({ data }) => {
    if (data.tool === "sub" || heard++ >= ${most}) return;
    void api.tools.call("sub", { request, prompts: ["own work"] }).then(({ text }) => console.log(text));
  });
});`,
});

describe("createChild()", () => {
  it("answers, with what it took, and lets its parent pay", async () => {
    const { agent, host } = await driven({ "main work": main(research, "sub work"), "sub work": [...echoes(2), says("found")] });
    const told: string[] = [];
    host.on("TaskStatusChanged", ({ name, status }) => void told.push(`${name} ${status}`));
    const events = await eventsOf(agent.run(said("main work")));
    const { answers, ...rest } = toldBy(events);
    expect(rest).toEqual({ model: "embedded/chaos", tier: "medium", clamped: false });
    expect(answers).toMatchObject([{ text: "found", ended: "done", turns: 3, calls: [{ tool: "echo", calls: 2, failed: 0, denied: 0 }] }]);
    expect(answers[0]?.costUsd).toBeCloseTo(3 * 0.0003, 9);
    expect(doneOf(events).costUsd).toBeCloseTo(5 * 0.0003, 9);
    expect(doneOf(childEvents(events))).toMatchObject({ reason: "end_turn", text: "found", turns: 3 });
    expect(childEvents(events)[0]).toMatchObject({ type: "run_start" });
    expect(told).toEqual(["Finder working", "Finder done"]);
  });

  it("goes on where it was with the next prompt, on what is left of its limits", async () => {
    const request = { ...research, limits: { maxTurns: 3 } };
    const { agent, model } = await driven({
      "main work": main(request, "sub work", "more of it"),
      "sub work": [says("one"), ...echoes(1), says("two")],
    });
    const { answers } = toldBy(await eventsOf(agent.run(said("main work"))));
    expect(answers).toMatchObject([
      { text: "one", ended: "done", turns: 1 },
      { text: "two", ended: "max_turns", turns: 3 },
    ]);
    expect(JSON.stringify(model.asked("sub work").at(-1)?.prompt)).toContain("more of it");
  });

  it("is asked once for what it has where its turns are used up, and no tool runs any more", async () => {
    const { agent, model } = await driven({
      "main work": main({ ...research, limits: { maxTurns: 3 } }, "sub work"),
      "sub work": [...echoes(2), says("half of it")],
    });
    const events = await eventsOf(agent.run(said("main work")));
    expect(toldBy(events).answers).toMatchObject([{ text: "half of it", ended: "max_turns", turns: 3 }]);
    expect(model.asked("sub work")).toHaveLength(3);
    expect(JSON.stringify(model.asked("sub work")[2]?.prompt)).toContain("limits of this task");
  });

  it("refuses calls that come after that, and gives what was said before", async () => {
    const talks = (i: number) => ({ kind: "calls", text: `Step ${i}.`, calls: [{ tool: "echo", input: { text: `${i}` }, id: `c${i}` }] }) as const;
    const { agent } = await driven({
      "main work": main({ ...research, limits: { maxTurns: 3 } }, "sub work"),
      "sub work": [talks(1), talks(2), talks(3)],
    });
    const events = await eventsOf(agent.run(said("main work")));
    const [answer] = toldBy(events).answers;
    expect(answer).toMatchObject({ ended: "max_turns", turns: 3 });
    expect(answer?.text).toContain("Step 3.");
    expect(ofType(childEvents(events), "tool_done").map(({ isError }) => isError)).toEqual([false, false, true]);
  });

  it("is stopped at its tokens, and at its cost", async () => {
    const step = { ...calls("echo", { text: "a" }), usage: { input: 400, output: 0 } };
    const steps = [
      step,
      { ...calls("echo", { text: "b" }), usage: { input: 400, output: 0 } },
      { ...calls("echo", { text: "c" }), usage: { input: 400, output: 0 } },
    ];
    const run = async (limits: object) => {
      const { agent } = await driven({ "main work": main({ ...research, limits }, "sub work"), "sub work": [...steps, says("so far")] });
      return toldBy(await eventsOf(agent.run(said("main work")))).answers[0];
    };
    expect(await run({ maxTokens: 1_300 })).toMatchObject({ ended: "max_tokens", turns: 4, text: "so far" });
    expect(await run({ maxCostUsd: 0.0013 })).toMatchObject({ ended: "max_cost", turns: 4, text: "so far" });
  });

  it("has no more than its parent's run has left", async () => {
    const { agent } = await driven({
      "main work": main({ ...research, limits: { maxTokens: 1_000_000, maxTurns: 100 } }, "sub work"),
      "sub work": [...echoes(20), says("never")],
    });
    const byTurns = await eventsOf(agent.run(said("main work"), { maxTurns: 5 }));
    expect(toldBy(byTurns).answers).toMatchObject([{ ended: "max_turns", turns: 4 }]);
    expect(doneOf(byTurns)).toMatchObject({ reason: "end_turn" });
    const two = await driven({ "main work": main(research, "sub work"), "sub work": [...echoes(12), says("never")] });
    const byTokens = await eventsOf(two.agent.run(said("main work"), { maxTotalTokens: 2_000 }));
    expect(toldBy(byTokens).answers).toMatchObject([{ ended: "max_tokens" }]);
    expect(doneOf(byTokens)).toMatchObject({ reason: "end_turn" });
  });

  it("asks nothing where nothing is left, and says so", async () => {
    const { agent, model } = await driven({
      "main work": main({ ...research, limits: { maxTurns: 1 } }, "sub work", "more of it"),
      "sub work": [says("one")],
    });
    const { answers } = toldBy(await eventsOf(agent.run(said("main work"))));
    expect(answers).toMatchObject([
      { ended: "done", text: "one" },
      { ended: "max_turns", text: "", turns: 1 },
    ]);
    expect(model.asked("sub work")).toHaveLength(1);
  });

  it("says nothing of cost where its model has no price", async () => {
    const { agent } = await driven(
      { "main work": main(research, "sub work"), "sub work": [says("found")] },
      {
        model: {
          ...modelOf(createScripts({}) as never),
          price: null,
          languageModel: createScripts({ "main work": main(research, "sub work"), "sub work": [says("found")] }),
        },
      },
    );
    const events = await eventsOf(agent.run(said("main work")));
    expect(toldBy(events).answers).toMatchObject([{ ended: "done", costUsd: null }]);
    expect(ofType(childEvents(events), "notice")).toEqual([]);
  });

  it("is stopped when its time is up, with what it said until then", async () => {
    const { agent, clock } = await driven({
      "main work": main({ ...research, limits: { timeoutMs: 30_000 } }, "sub work"),
      "sub work": [{ kind: "hang", after: "text", text: "I looked at one file" }],
    });
    const events = eventsWith(agent.run(said("main work")), ({ type, ...rest }) => {
      if (type === "child" && JSON.stringify(rest).includes("file")) void clock.advance(31_000);
    });
    const [answer] = toldBy(await events).answers;
    expect(answer).toMatchObject({ ended: "timeout", text: "I looked at one file" });
    expect(answer?.durationMs).toBeLessThan(40_000);
  });

  it("does not lose time while a person is asked", async () => {
    const answer = Promise.withResolvers<void>();
    const ask = { ...slowTool(), name: "ask", scopes: () => ({ scopes: [{ kind: "other" as const, text: "x" }] }), run: () => "asked" };
    const { agent, clock } = await driven(
      { "main work": main({ ...research, limits: { timeoutMs: 30_000 } }, "sub work"), "sub work": [calls("ask", { text: "" }), says("done")] },
      {},
      {
        tools: [ask],
        yolo: false,
        answer: async () => {
          await answer.promise;
          return { decision: "allow" };
        },
      },
    );
    const run = agent.run(said("main work"));
    const events = eventsWith(run, ({ type }) => {
      if (type === "permission_asked") void clock.advance(3_600_000).then(answer.resolve);
    });
    expect(toldBy(await events).answers).toMatchObject([{ ended: "done", text: "done" }]);
    expect(ofType(await events, "permission_asked")).toMatchObject([{ child: "Finder", toolId: "s1", tool: "ask" }]);
  });

  it("keeps the call that waits for it alive while it has watchdogs of its own", async () => {
    const slow = slowTool();
    const { agent, clock } = await driven(
      { "main work": main(research, "sub work"), "sub work": [calls("slow", { text: "" }), says("done")] },
      { timers: { toolIdleMs: 600_000 } },
      { tools: [slow] },
    );
    const events = await eventsWith(agent.run(said("main work")), (event) => {
      if (event.type === "child" && event.event.type === "tool_start") void clock.advance(600_001);
    });
    // The tool of the subagent is ended for it, not the subagent.
    expect(ofType(childEvents(events), "tool_done")).toMatchObject([{ tool: "slow", isError: true }]);
    expect(toldBy(events).answers).toMatchObject([{ ended: "done", text: "done" }]);
  });

  it("is stopped where it goes round in circles, by a guard of its own", async () => {
    const same = Array.from({ length: 12 }, (_, i) => calls("echo", { text: "again" }, `c${i}`));
    const { agent } = await driven({
      "main work": main(research, "sub work"),
      "sub work": [...same.slice(0, 5), says("I am stuck."), ...same],
    });
    const events = await eventsOf(agent.run(said("main work")));
    expect(toldBy(events).answers).toMatchObject([{ ended: "stuck", text: "I am stuck." }]);
    expect(doneOf(events)).toMatchObject({ reason: "end_turn" });
  });

  it("asks again for an answer that is empty, and says where there is none", async () => {
    const { agent, model } = await driven({
      "main work": main(research, "sub work"),
      "sub work": [{ kind: "empty" }, { kind: "empty" }, says("summed up")],
    });
    expect(toldBy(await eventsOf(agent.run(said("main work")))).answers).toMatchObject([{ ended: "done", text: "summed up" }]);
    expect(model.asked("sub work")).toHaveLength(3);
    const none = await driven({ "main work": main(research, "sub work"), "sub work": [{ kind: "empty" }] });
    expect(toldBy(await eventsOf(none.agent.run(said("main work")))).answers).toMatchObject([{ ended: "done", text: "" }]);
  });

  it("says what the provider failed with, and what was said before", async () => {
    const { agent } = await driven({
      "main work": main(research, "sub work"),
      "sub work": [
        { kind: "calls", text: "Looking.", calls: [{ tool: "echo", input: { text: "a" } }] },
        { kind: "status", status: 400, message: "no" },
      ],
    });
    const [answer] = toldBy(await eventsOf(agent.run(said("main work")))).answers;
    expect(answer).toMatchObject({ ended: "error", text: "Looking." });
    expect(answer?.error?.code).toBeTruthy();
  });
});

describe("what a subagent may call", () => {
  it("is what its audience may, and what the plugin that opened it pays for", async () => {
    const { agent, model } = await driven(
      { "main work": main(research, "sub work"), "sub work": [calls("echo", { text: "a" }), says("no")] },
      {},
      { plugins: [subs("fs_read: true")], tools: [echoTool("echo", "run"), echoTool("look", "fs_read")] },
    );
    const events = await eventsOf(agent.run(said("main work")));
    expect(ofType(childEvents(events), "tool_done")).toMatchObject([{ tool: "echo", isError: true }]);
    expect(ofType(childEvents(events), "tool_done")[0]?.text).toContain("not granted");
    expect(model.asked("sub work")[0]?.tools?.map(({ name }) => name)).toEqual(["look", "sub"]);
  });

  it("is nothing where it was opened without an audience", async () => {
    const { agent, model } = await driven({
      "main work": main({ instructions: "You judge." }, "sub work"),
      "sub work": [calls("echo", { text: "a" }), says("no tools")],
    });
    const events = await eventsOf(agent.run(said("main work")));
    expect(toldBy(events).answers).toMatchObject([{ text: "no tools" }]);
    expect(model.asked("sub work")[0]?.tools ?? []).toEqual([]);
    expect(JSON.stringify(model.asked("sub work")[0]?.prompt)).toContain("You judge.");
  });

  it("is never more than its opener's audience", async () => {
    const { agent } = await driven({
      "main work": main(research, "sub work"),
      "sub work": [calls("sub", { request: { audience: "general" }, prompts: ["deeper"] }, "s2"), says("refused")],
      deeper: [says("never")],
    });
    const events = await eventsOf(agent.run(said("main work")));
    const [done] = ofType(childEvents(events), "tool_done");
    expect(done).toMatchObject({ tool: "sub", isError: true });
    expect(done?.text).toContain("research");
  });

  it("ends where subagents are three deep", async () => {
    const deeper = (prompt: string, id: string) => [calls("sub", { request: { audience: "research" }, prompts: [prompt] }, id), says("up")];
    const { agent } = await driven({
      "main work": deeper("level one", "s1"),
      "level one": deeper("level two", "s2"),
      "level two": deeper("level three", "s3"),
      "level three": deeper("level four", "s4"),
      "level four": [says("never")],
    });
    const events = await eventsOf(agent.run(said("main work")));
    expect(JSON.stringify(events)).toContain("too deeply");
    expect(toldBy(events).answers).toMatchObject([{ ended: "done", text: "up" }]);
  });
});

describe("the model of a subagent", () => {
  const tiers = {
    of: (spec: string) => (spec.endsWith("weak") ? "weak" : "medium") as "weak" | "medium",
    model: (tier?: string) => (tier === "weak" ? "fake/weak" : "embedded/chaos"),
  };
  const scripts = (tier: string) => ({ "main work": main({ ...research, tier }, "sub work"), "sub work": [says("found")] });
  const openModel = async (id: string) => ({
    ...modelOf(createScripts({}) as never),
    id,
    languageModel: createScripts({ "sub work": [says("found")] }),
  });

  it.each([
    ["weak", "fake/weak", "weak", false],
    ["medium", "embedded/chaos", "medium", false],
    ["strong", "embedded/chaos", "medium", true],
  ] as const)("of tier %s is %s", async (tier, model, used, clamped) => {
    const { agent } = await driven(scripts(tier), { tiers, openModel });
    expect(toldBy(await eventsOf(agent.run(said("main work"))))).toMatchObject({ model, tier: used, clamped });
  });

  it("is its parent's where the other one cannot be opened, or would be stronger", async () => {
    const fails = await driven(scripts("weak"), { tiers, openModel: async () => Promise.reject(new Error("no key")) });
    expect(toldBy(await eventsOf(fails.agent.run(said("main work"))))).toMatchObject({ model: "embedded/chaos" });
    const stronger = await driven(scripts("weak"), {
      tiers: { of: (spec) => (spec === "fake/weak" ? "strong" : "medium"), model: () => "fake/weak" },
      openModel,
    });
    expect(toldBy(await eventsOf(stronger.agent.run(said("main work"))))).toMatchObject({
      model: "embedded/chaos",
      tier: "medium",
    });
  });
});

describe("an answer that has to fit a schema", () => {
  const outputSchema = { type: "object", properties: { n: { type: "integer", minimum: 1 } }, required: ["n"] };

  it("is taken as it fits, and nothing is asked for any more", async () => {
    const { agent, model } = await driven({
      "main work": main({ ...research, outputSchema }, "sub work"),
      "sub work": [...echoes(1), calls("structured_output", { n: "7", more: true }), says("never")],
    });
    const events = await eventsOf(agent.run(said("main work")));
    expect(toldBy(events).answers).toMatchObject([{ ended: "done", output: { n: 7 } }]);
    expect(model.asked("sub work")).toHaveLength(2);
    expect(doneOf(childEvents(events))).toMatchObject({ reason: "end_turn" });
  });

  it("is asked for twice more, then there is none, and it is said why", async () => {
    const wrong = await driven({
      "main work": main({ ...research, outputSchema }, "sub work"),
      "sub work": [calls("structured_output", { n: 0 }), says("That is it.")],
    });
    expect(toldBy(await eventsOf(wrong.agent.run(said("main work")))).answers).toMatchObject([
      { ended: "no_output", text: "That is it.", faults: [expect.stringContaining("n")] },
    ]);
    expect(wrong.model.asked("sub work")).toHaveLength(4);
    const never = await driven({ "main work": main({ ...research, outputSchema }, "sub work"), "sub work": [says("No.")] });
    expect(toldBy(await eventsOf(never.agent.run(said("main work")))).answers).toMatchObject([{ ended: "no_output", faults: [] }]);
    expect(never.model.asked("sub work")).toHaveLength(3);
  });

  it("is another one for each prompt", async () => {
    const { agent } = await driven({
      "main work": main({ ...research, outputSchema }, "sub work", "again"),
      "sub work": [calls("structured_output", { n: 1 }, "o1"), says("No.")],
    });
    expect(toldBy(await eventsOf(agent.run(said("main work")))).answers).toMatchObject([{ output: { n: 1 } }, { ended: "no_output" }]);
  });

  it("can be given at the last, where limits are reached", async () => {
    const { agent } = await driven({
      "main work": main({ ...research, outputSchema, limits: { maxTurns: 2 } }, "sub work"),
      "sub work": [...echoes(1), calls("structured_output", { n: 3 })],
    });
    expect(toldBy(await eventsOf(agent.run(said("main work")))).answers).toMatchObject([{ ended: "done", output: { n: 3 } }]);
  });

  it.each([
    { type: "array" },
    {},
    { type: "object", properties: { a: { type: "no such type" } } },
    { type: "object", properties: { a: { $ref: "https://example.com/x" } } },
    { type: "object", properties: { a: { pattern: "(" } } },
  ])("is refused before anything is asked where its schema is none: %j", async (schema) => {
    const { agent, model } = await driven({ "main work": main({ ...research, outputSchema: schema }, "sub work"), "sub work": [says("x")] });
    const [done] = ofType(await eventsOf(agent.run(said("main work"))), "tool_done");
    expect(done).toMatchObject({ isError: true });
    expect(done?.text).toContain("schema");
    expect(model.asked("sub work")).toHaveLength(0);
  });

  it("is not waited for where its patterns never end", async () => {
    const schema = { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } }, required: ["a"] };
    const { agent } = await driven({
      "main work": main({ ...research, outputSchema: schema }, "sub work"),
      "sub work": [calls("structured_output", { a: `${"a".repeat(60)}!` }), says("So be it.")],
    });
    expect(toldBy(await eventsOf(agent.run(said("main work")))).answers).toMatchObject([{ ended: "no_output" }]);
  });
});

describe("the end of a call", () => {
  it("is the end of its subagent, at once, with what it said", async () => {
    const slow = slowTool();
    const { agent, model } = await driven(
      {
        "main work": main(research, "sub work"),
        "sub work": [{ kind: "calls", text: "I began.", calls: [{ tool: "slow", input: { text: "" }, id: "c1" }] }, says("never")],
      },
      {},
      { tools: [slow] },
    );
    const run = agent.run(said("main work"));
    const events = eventsWith(run, (event) => {
      if (event.type === "child" && event.event.type === "tool_start") run.cancel();
    });
    expect(doneOf(await events)).toMatchObject({ reason: "cancelled" });
    const [done] = ofType(await events, "tool_done");
    expect(done?.text).toContain("I began.");
    expect(doneOf(childEvents(await events))).toMatchObject({ reason: "cancelled" });
    expect(model.asked("sub work")).toHaveLength(1);
  });

  it("closes what was not waited for", async () => {
    const source = `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "hasty" }, (api) => {
  api.registerTool({ name: "sub", description: "Opens and leaves.", scopes: "none", input: { type: "object", additionalProperties: true },
    run: ({ request }) => { api.agent.session(request).catch(() => {}); return "left"; } });
});`;
    const openModel = async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return { ...modelOf(createScripts({}) as never), languageModel: createScripts({}) };
    };
    const closed: string[] = [];
    const { agent } = await driven(
      { "main work": [calls("sub", { request: { tier: "weak" }, prompts: [] }, "s1"), says("ok")] },
      {
        openModel,
        tiers: { of: () => "weak", model: () => "fake/weak" },
        taskJournal: () => ({ ...noJournal, close: async () => void closed.push("closed") }),
      },
      { plugins: [{ name: "hasty", source }] },
    );
    expect(ofType(await eventsOf(agent.run(said("main work"))), "tool_done")).toMatchObject([{ text: "left", isError: false }]);
    expect(closed).toEqual(["closed"]);
  });

  it("keeps what its subagent said where the plugin's isolate is lost, and ends it", async () => {
    const plugin = subs(undefined, "await new Promise((go) => setTimeout(go, 1_000)); for (;;) {}");
    const { agent } = await driven(
      { "main work": main(research, "sub work"), "sub work": [{ kind: "hang", after: "text", text: "I had begun" }] },
      {},
      { plugins: [plugin] },
    );
    const events = await eventsOf(agent.run(said("main work")));
    const [done] = ofType(events, "tool_done");
    expect(done).toMatchObject({ isError: true });
    expect(done?.text).toContain("I had begun");
    expect(doneOf(childEvents(events))).toMatchObject({ reason: "cancelled" });
    expect(doneOf(events)).toMatchObject({ reason: "end_turn" });
  });

  it("keeps its answer where its log cannot be closed", async () => {
    const taskJournal = () => ({ ...noJournal, close: () => Promise.reject(new Error("no space left")) });
    const { agent } = await driven({ "main work": main(research, "sub work"), "sub work": [says("found")] }, { taskJournal });
    const events = await eventsOf(agent.run(said("main work")));
    expect(toldBy(events).answers).toMatchObject([{ text: "found", ended: "done" }]);
    expect(ofType(events, "notice")).toMatchObject([{ code: "not_saved" }]);
  });

  it("ends with the run, whoever called for it", async () => {
    const slow = slowTool();
    const begun = Promise.withResolvers<void>();
    const own = { ...slowTool(), name: "own" };
    const { agent, host, model } = await driven(
      {
        "main work": [calls("slow", { text: "x" }, "c1"), says("ok")],
        "own work": [calls("own", { text: "y" }, "c2"), says("never asked for")],
      },
      {},
      { tools: [echo, slow, own], plugins: [subs(), listener("ToolStart", 1)] },
    );
    const told: string[] = [];
    const ended = Promise.withResolvers<void>();
    host.on("TaskStatusChanged", ({ name, status }) => {
      told.push(`${name} ${status}`);
      if (status === "working") begun.resolve();
      else ended.resolve();
    });
    const events = eventsOf(agent.run(said("main work")));
    await Promise.all([slow.begun, begun.promise, own.begun]);
    slow.goOn();
    expect(doneOf(await events)).toMatchObject({ reason: "end_turn", text: "ok" });
    await ended.promise;
    expect(told).toEqual(["Own working", "Own error"]);
    expect(model.asked("own work")).toHaveLength(1);
  });

  it.each(["TaskStatusChanged", "ToolDone"])(
    "makes no more of itself without end through a listener of %s",
    async (event) => {
      const slow = slowTool();
      const { agent, host } = await driven(
        {
          "main work": [
            {
              kind: "calls",
              calls: [
                { tool: "sub", input: { request: research, prompts: ["own work"] }, id: "s1" },
                { tool: "slow", input: { text: "x" }, id: "c1" },
              ],
            },
            says("ok"),
          ],
          "own work": Array.from({ length: 1_000 }, (_, i) => (i % 2 === 0 ? calls("echo", { text: `${i}` }, `e${i}`) : says("done"))),
        },
        {},
        { tools: [echo, slow], plugins: [subs(), listener(event, 400)] },
      );
      let begun = 0;
      host.on("TaskStatusChanged", ({ status }) => void (status === "working" && begun++));
      const run = agent.run(said("main work"));
      const events = eventsOf(run);
      await slow.begun;
      let before = -1;
      while (begun > before && begun < 300) {
        before = begun;
        await new Promise((resolve) => setTimeout(resolve, 2_000));
      }
      slow.goOn();
      await events;
      expect(begun).toBeGreaterThan(1);
      expect(begun).toBeLessThan(300);
    },
    60_000,
  );

  it.each(["\u001b[2Ja", "a\nb", " ", "\u0007"])("is refused where its name would be %j", async (name) => {
    const { agent } = await driven({ "main work": main({ ...research, name }, "sub work") });
    const [done] = ofType(await eventsOf(agent.run(said("main work"))), "tool_done");
    expect(done).toMatchObject({ isError: true, text: expect.stringContaining("agent.session, name") });
  });

  it("has a name without what redactors take out", async () => {
    const redactor = `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "hide", steer: ["tool.*.output"] }, (api) => {
  api.redact((text) => text.replaceAll("hunter2", "[hidden]"));
});`;
    const { agent, host } = await driven(
      { "main work": main({ ...research, name: "Try hunter2" }, "sub work"), "sub work": [says("found")] },
      {},
      { plugins: [subs(), { name: "hide", source: redactor }] },
    );
    const names = new Set<unknown>();
    host.on("TaskStatusChanged", ({ name }) => void names.add(name));
    const events = await eventsOf(agent.run(said("main work")));
    for (const { name } of ofType(events, "child")) names.add(name);
    expect([...names]).toEqual(["Try [hidden]"]);
  });
});

function echoTool(name: string, capability: "run" | "fs_read") {
  return { name, capability, description: "Answers.", inputSchema: { type: "object" }, scopes: "none" as const, run: () => "ok" };
}
