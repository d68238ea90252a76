import { describe, expect, it } from "vitest";
import { createChaos } from "../../../core/models/embedded/chaos/chaos.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { agentWith, doneOf, echo, eventsOf, ofType, said } from "./agent-with.ts";

const plugin = (name: string, steer: string[], setup: string) => ({
  name,
  source: `import { ask, definePlugin, deny } from "mortise/sdk";
export default definePlugin({ name: "${name}", capabilities: { run: true }, steer: ${JSON.stringify(steer)} }, (api) => { ${setup} });`,
});

describe("agent.user_message", () => {
  const layer = (body: string, options = "") =>
    plugin("guard", ["agent.user_message"], `api.setSlot("agent.user_message", (prev, value, ctx) => { ${body} }, {${options}});`);

  it("may be rewritten: the model, the history and the screen have the new text", async () => {
    const { agent, chaos } = await agentWith({
      steps: [{ kind: "text", text: "ok" }],
      host: { plugins: [layer(`return { text: value.text.replace(/key-\\w+/, "[key]") };`)] },
    });
    const events = await eventsOf(agent.run(said("Use key-123")));
    expect(ofType(events, "user_message")).toMatchObject([{ text: "Use [key]", rewrittenBy: "guard" }]);
    expect(agent.messages()[0]).toMatchObject({ text: "Use [key]", rewrittenBy: "guard" });
    expect(JSON.stringify(chaos.requests[0]?.prompt)).not.toContain("key-123");
  });

  it("may be dropped: nothing is sent, and whoever wrote it reads why", async () => {
    const { agent, chaos } = await agentWith({ host: { plugins: [layer(`return deny("Not while the build is red.");`)] } });
    const events = await eventsOf(agent.run(said("Deploy")));
    expect(ofType(events, "message_dropped")).toMatchObject([{ reason: "Not while the build is red.", plugin: "guard" }]);
    expect(doneOf(events)).toMatchObject({ reason: "dropped", turns: 0 });
    expect(chaos.requests).toEqual([]);
    expect(agent.messages()).toEqual([]);
  });

  it("is dropped where a layer leaves nothing of it, and where a guard of it failed", async () => {
    const emptied = await agentWith({ host: { plugins: [layer(`return { text: " " };`)] } });
    expect(doneOf(await eventsOf(emptied.agent.run(said("Hi")))).reason).toBe("dropped");
    const failed = await agentWith({ host: { plugins: [layer(`throw new Error("broken");`, `onFailure: "block"`)] } });
    const events = await eventsOf(failed.agent.run(said("Hi")));
    expect(ofType(events, "message_dropped")).toMatchObject([{ plugin: "guard" }]);
  });

  it("is left as it was by a layer that fails and does not block", async () => {
    const { agent } = await agentWith({ steps: [{ kind: "text", text: "ok" }], host: { plugins: [layer(`throw new Error("broken");`)] } });
    expect(ofType(await eventsOf(agent.run(said("Hi"))), "user_message")).toMatchObject([{ text: "Hi", rewrittenBy: null }]);
  });

  it("costs all five capabilities", async () => {
    const poor = {
      name: "poor",
      source: layer(`return { text: "changed" };`).source.replace(`steer: ["agent.user_message"]`, "").replace(`"guard"`, `"poor"`),
    };
    const { agent } = await agentWith({ steps: [{ kind: "text", text: "ok" }], host: { plugins: [poor] } });
    expect(ofType(await eventsOf(agent.run(said("Hi"))), "user_message")).toMatchObject([{ text: "Hi" }]);
  });

  it("shows its layers the session, the model and how full the context is", async () => {
    const { agent } = await agentWith({ steps: [{ kind: "text", text: "ok" }], host: { plugins: [layer(`return { text: JSON.stringify(ctx) };`)] } });
    const [heard] = ofType(await eventsOf(agent.run(said("Hi"))), "user_message");
    expect(JSON.parse(heard?.text ?? "")).toMatchObject({
      sessionId: agent.sessionId,
      model: "embedded/chaos",
      contextSize: 0,
      contextWindow: 200_000,
      deadlineMs: 30_000,
    });
  });
});

describe("agent.stop", () => {
  const goesOn = plugin(
    "checker",
    ["agent.stop"],
    `api.setSlot("agent.stop", (prev, { reason, numTurns }) => ({ continue: "Check " + reason + " " + numTurns }));`,
  );

  it("may go on three times in a row", async () => {
    const { agent, chaos } = await agentWith({ steps: [{ kind: "text", text: "ok" }], host: { plugins: [goesOn] } });
    const events = await eventsOf(agent.run(said("Go")));
    expect(ofType(events, "continued")).toMatchObject([
      { by: "checker", text: "Check finished 1" },
      { by: "checker", text: "Check finished 2" },
      { by: "checker", text: "Check finished 3" },
    ]);
    expect(chaos.requests).toHaveLength(4);
    expect(doneOf(events)).toMatchObject({ reason: "end_turn", turns: 4 });
  });

  it("is not asked once the turns are used up", async () => {
    const { agent } = await agentWith({ steps: [{ kind: "text", text: "ok" }], host: { plugins: [goesOn] } });
    const events = await eventsOf(agent.run(said("Go"), { maxTurns: 1 }));
    expect(ofType(events, "continued")).toEqual([]);
  });
});

describe("marks", () => {
  const call = { kind: "calls", calls: [{ tool: "echo", input: { text: "a" }, id: "c1" }] } as const;
  const steps = [call, { kind: "text", text: "ok" }] as const;

  it("name who rewrote a call; the history keeps what the model wrote", async () => {
    const rewriter = plugin(
      "rewriter",
      ["tool.*.input"],
      `api.setSlot("tool.echo.input", (prev, input) => prev({ ...input, text: input.text + "!" }));`,
    );
    const { agent } = await agentWith({ steps, host: { plugins: [rewriter] } });
    const events = await eventsOf(agent.run(said("Go")));
    expect(ofType(events, "tool_start")).toMatchObject([{ toolId: "c1", summary: "echo a!", input: { text: "a!" } }]);
    expect(ofType(events, "tool_done")).toMatchObject([{ input: { text: "a!" }, text: "a!", marks: { rewrittenBy: ["rewriter"], stoppedBy: null } }]);
    expect(agent.messages()[1]).toMatchObject({ parts: [{ type: "call", input: { text: "a" } }] });
  });

  it("name who allowed a call in a person's place, and who stopped one", async () => {
    const asks = { ...echo, scopes: () => ({ scopes: [{ kind: "command" as const, text: "make" }] }) };
    const allows = plugin("allower", [], `api.setSlot("permission.prompt", () => ({ decision: "allow" }));`);
    const allowed = await agentWith({ steps, host: { tools: [asks], plugins: [allows], yolo: false } });
    expect(ofType(await eventsOf(allowed.agent.run(said("Go"))), "tool_done")).toMatchObject([{ isError: false, marks: { allowedBy: "allower" } }]);
    const stops = plugin("stopper", ["tool.*.input"], `api.setSlot("tool.*.input", () => deny("Not now."));`);
    const stopped = await agentWith({ steps, host: { plugins: [stops] } });
    expect(ofType(await eventsOf(stopped.agent.run(said("Go"))), "tool_done")).toMatchObject([
      { isError: true, text: "Not now.", marks: { stoppedBy: "stopper" } },
    ]);
  });

  it("tell of the calls that a call made", async () => {
    const asks = { ...echo, scopes: () => ({ scopes: [{ kind: "command" as const, text: "make" }] }) };
    const allows = plugin("allower", [], `api.setSlot("permission.prompt", () => ({ decision: "allow" }));`);
    const nests = plugin(
      "nester",
      [],
      `api.registerTool({ name: "nest", description: "Nests.", input: { type: "object" }, scopes: "none", run: async () => (await api.tools.call("echo", { text: "in" })).text });`,
    );
    const { agent } = await agentWith({
      steps: [
        { kind: "calls", calls: [{ tool: "nest", input: {}, id: "c1" }] },
        { kind: "text", text: "ok" },
      ],
      host: { tools: [asks], plugins: [allows, nests], yolo: false },
    });
    const [done] = ofType(await eventsOf(agent.run(said("Go"))), "tool_done");
    expect(done).toMatchObject({
      text: "in",
      marks: { allowedBy: null, nested: [{ tool: "echo", input: { text: "in" }, marks: { allowedBy: "allower" } }] },
    });
  });
});

describe("autocmds", () => {
  it("tell of a run from its start to its end", async () => {
    const { agent, host } = await agentWith({
      steps: [
        { kind: "calls", calls: [{ tool: "echo", input: { text: "a" } }] },
        { kind: "text", text: "ok" },
      ],
    });
    const told: [string, Record<string, unknown>][] = [];
    for (const event of ["TurnStart", "TurnEnd", "TurnError", "ToolStart", "ToolDone", "SessionStatusChanged"])
      host.on(event, (data) => void told.push([event, data]));
    await eventsOf(agent.run(said("Go")));
    await waitUntil(() => told.length === 6);
    expect(told.map(([event, { status, reason }]) => [event, status ?? reason].filter(Boolean).join(" "))).toEqual([
      "SessionStatusChanged working",
      "TurnStart",
      "ToolStart",
      "ToolDone",
      "TurnEnd finished",
      "SessionStatusChanged idle",
    ]);
    expect(told[4]?.[1]).toMatchObject({ sessionId: agent.sessionId, numTurns: 2, usage: { input: 200, output: 40 }, contextWindow: 200_000 });
  });

  it("tell of failures, of a message that was dropped, and of another model", async () => {
    const { agent, host, model } = await agentWith({
      steps: [{ kind: "status", status: 400 }],
      openModel: async (id) => ({ ...model, id }),
    });
    const told: [string, Record<string, unknown>][] = [];
    for (const event of ["TurnEnd", "TurnError", "ModelChanged"]) host.on(event, (data) => void told.push([event, data]));
    await eventsOf(agent.run(said("Go")));
    await eventsOf(agent.run(said("")));
    await agent.setModel("other/model");
    await agent.setModel("other/model");
    await waitUntil(() => told.length === 3);
    expect(told).toMatchObject([
      ["TurnError", {}],
      ["TurnEnd", { reason: "dropped" }],
      ["ModelChanged", { model: "other/model", previous: "embedded/chaos" }],
    ]);
    expect(agent.model().id).toBe("other/model");
  });

  it("tell of a model once, which the next request goes to", async () => {
    const other = createChaos([{ kind: "text", text: "from the other" }]);
    const { agent, chaos, model } = await agentWith({
      steps: [{ kind: "calls", calls: [{ tool: "switch", input: {}, id: "c1" }] }],
      openModel: async (id) => ({ ...model, id, languageModel: other, price: null }),
      host: {
        tools: [
          {
            name: "switch",
            description: "Switches.",
            inputSchema: { type: "object" },
            scopes: "none",
            run: async () => {
              await agent.setModel("other/model");
              return "switched";
            },
          },
        ],
      },
    });
    const events = await eventsOf(agent.run(said("Go")));
    expect(ofType(events, "turn_end").map(({ model, costUsd }) => [model, costUsd])).toEqual([
      ["embedded/chaos", 0.0003],
      ["other/model", null],
    ]);
    expect([chaos.requests.length, other.requests.length]).toEqual([1, 1]);
    await expect((await agentWith()).agent.setModel("nothing")).rejects.toMatchObject({ code: "unknown_model" });
  });

  it("say that a session needs input while a person is asked", async () => {
    const asks = { ...echo, scopes: () => ({ scopes: [{ kind: "command" as const, text: "make" }] }) };
    const { agent, host } = await agentWith({
      steps: [
        { kind: "calls", calls: [{ tool: "echo", input: { text: "a" }, id: "c1" }] },
        { kind: "text", text: "ok" },
      ],
      host: { tools: [asks], answer: "allow" },
    });
    const told: unknown[] = [];
    host.on("SessionStatusChanged", ({ status }) => void told.push(status));
    const events = await eventsOf(agent.run(said("Go")));
    await waitUntil(() => told.length === 4);
    expect(told).toEqual(["working", "needs_input", "working", "idle"]);
    expect(ofType(events, "permission_asked")).toMatchObject([{ toolId: "c1", tool: "echo", scopes: ["make"], child: null }]);
    expect(ofType(events, "permission_answered")).toMatchObject([{ decision: "allow" }]);
  });
});
