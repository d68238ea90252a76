import { setTimeout as after } from "node:timers/promises";
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import type { Agent } from "../../../../core/agent/agent.ts";
import type { Run } from "../../../../core/agent/backend.ts";
import type { NativeTool } from "../../../../core/host-types.ts";
import { type ChaosStep, createChaos } from "../../../../core/models/embedded/chaos/chaos.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { agentWith, type Driven, doneOf, echo, eventsOf, modelOf, ofType, said, type With } from "../agent-with.ts";

const call = { kind: "calls", calls: [{ tool: "echo", input: { text: "a" }, id: "c1" }] } as const;
const end = { kind: "text", text: "ok" } as const;
const asks: NativeTool = { ...echo, scopes: ({ text }) => ({ scopes: [{ kind: "command", text: `make ${text}` }] }) };

const plugin = (name: string, body: string, steer = ["permission.prompt"]) => ({
  name,
  source: `import { definePlugin, deny } from "mortise/sdk";
export default definePlugin({ name: "${name}", steer: ${JSON.stringify(steer)} }, (api) => { ${body} });`,
});
/** Asks a model, and logs what came of it. */
const judge = (options = "{}", more = "", prompt = `JSON.stringify(request.scopes)`) =>
  plugin(
    "judge",
    `api.setSlot("permission.prompt", async (prev, request) => {
      const session = await api.agent.session(${options});
      const answer = await session.prompt(${prompt});
      api.log.info(JSON.stringify({ session, answer }));
      ${more}
      return answer.text === "ALLOW" ? { decision: "allow" } : prev();
    });`,
  );

type Logged = { session: Record<string, unknown>; answer: Record<string, unknown> };

/** A run whose call needs a permission that a model is asked about: the weak one, where it is not the session's own. */
async function asked(
  weak: readonly ChaosStep[],
  options: With & { plugins?: ReturnType<typeof plugin>[]; limits?: Parameters<Agent["run"]>[1] } = {},
) {
  const { plugins = [judge()], limits = {}, host = {}, steps = [call, end], ...rest } = options;
  let consulted = createChaos(weak);
  const driven = await agentWith({
    steps,
    openModel: async (id) => {
      consulted = createChaos(weak, { clock: driven.clock });
      return modelOf(consulted, { id });
    },
    tiers: { of: (spec) => (spec === "embedded/weak" ? "weak" : "strong"), model: (tier, parent) => (tier === "weak" ? "embedded/weak" : parent) },
    host: { tools: [asks], plugins, answer: "deny", ...host },
    ...rest,
  });
  const events = await eventsOnce(driven, () => consulted.requests.length > 0, driven.agent.run(said("Go"), limits));
  const logged = driven.host.logs.filter((entry) => entry.plugin === "judge" && entry.level === "info").map(({ text }): Logged => JSON.parse(text));
  return { ...driven, events, requests: consulted.requests, logged, done: ofType(events, "tool_done")[0] };
}

/** All events of a run, while time passes once the model was asked: isolates have a time of their own. */
async function eventsOnce({ clock }: Driven, isAsked: () => boolean, run: Run) {
  let over = false;
  const events = eventsOf(run).finally(() => {
    over = true;
  });
  for (let i = 0; i < 4_000 && !over; i++) {
    await after(5);
    if (isAsked() && !over) await clock.advance(100);
  }
  if (!over) throw new Error("The run did not end");
  return events;
}

describe("api.agent.session in a layer of permission.prompt", () => {
  it("asks the weak model with words alone; the session pays, and the call is marked with the plugin's name", async () => {
    const { events, requests, logged, done, host, journal, chaos } = await asked([
      { kind: "text", text: "ALLOW", usage: { input: 1_000, output: 10 } },
    ]);
    expect(requests).toHaveLength(1);
    expect(requests[0]?.tools).toBeUndefined();
    expect(JSON.stringify(requests[0]?.prompt)).toContain("make a");
    expect(JSON.stringify(requests[0]?.prompt)).not.toContain("Go");
    expect(logged).toMatchObject([
      {
        session: { model: "embedded/weak", tier: "weak", clamped: false },
        answer: { ended: "done", text: "ALLOW", turns: 1, tokens: 1_010, calls: [] },
      },
    ]);
    expect(done).toMatchObject({ isError: false, text: "a", marks: { allowedBy: "judge", permission: { source: "layer:judge" } } });
    expect(host.prompts).toEqual([]);
    expect(doneOf(events)).toMatchObject({ usage: { input: 1_200, output: 50 }, turns: 2 });
    expect(doneOf(events).costUsd).toBeCloseTo(2 * 0.0003 + 0.0011, 9);
    expect(journal.filter(([kind, value]) => kind === "addUsage" && JSON.stringify(value).includes("embedded/weak"))).toHaveLength(1);
    // Nothing of it is part of the conversation, or shown as if the model had said it.
    expect(JSON.stringify(chaos.requests.at(-1)?.prompt)).not.toContain("ALLOW");
    expect(ofType(events, "text_delta").map(({ text }) => text)).toEqual(["ok"]);
    expect(ofType(events, "child")).toEqual([]);
  });

  it.each<[string, readonly ChaosStep[], Record<string, unknown>]>([
    ["another word", [{ kind: "text", text: "I would ALLOW" }], { ended: "done" }],
    ["nothing", [{ kind: "empty" }], { ended: "done", text: "" }],
    [
      "a call of a tool it does not have",
      [{ kind: "calls", calls: [{ tool: "echo", input: { text: "x" } }], text: "ALLOW" }],
      { ended: "no_output", text: "" },
    ],
    ["an answer that is cut", [{ kind: "max_tokens", text: "ALLOW" }], { ended: "length", text: "" }],
    ["a stream that breaks", [{ kind: "truncated", text: "ALLOW" }], { text: "" }],
    ["a refusal", [{ kind: "status", status: 400 }], { ended: "error", text: "", error: { code: "model_failed" } }],
    ["a refused key", [{ kind: "status", status: 401 }], { ended: "error", text: "", error: { code: "model_key_refused" } }],
    ["a server that is down", [{ kind: "status", status: 500, times: 100 }], { text: "" }],
    ["silence", [{ kind: "hang", after: "nothing" }], { ended: "timeout", text: "" }],
    ["silence after the word", [{ kind: "hang", after: "text", text: "ALLOW" }], { ended: "timeout", text: "" }],
  ])("takes %s for no approval: a person is asked", async (_, steps, answer) => {
    const { host, logged, done, events } = await asked(steps);
    expect(logged).toMatchObject([{ answer }]);
    expect(host.prompts).toMatchObject([{ tool: "echo" }]);
    expect(done).toMatchObject({ isError: true, marks: { allowedBy: null, permission: { source: "person" } } });
    expect(doneOf(events).reason).toBe("end_turn");
    expect(ofType(events, "retry")).toEqual([]);
  });

  it("is denied where it fails and nobody is there", async () => {
    const { done } = await asked([{ kind: "hang", after: "nothing" }], { host: { yolo: false, answer: undefined } as With["host"] & object });
    expect(done).toMatchObject({ isError: true, marks: { allowedBy: null, permission: { decision: "deny", source: "nobody" } } });
  });

  it("takes a call for no approval, also where the server says that the answer stopped", async () => {
    const chaos = createChaos([{ kind: "calls", calls: [{ tool: "echo", input: { text: "x" } }], text: "ALLOW" }]);
    const stopped = {
      ...chaos,
      doStream: async (options: Parameters<typeof chaos.doStream>[0]) => {
        const { stream } = await chaos.doStream(options);
        return {
          stream: stream.pipeThrough(
            new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
              transform: (part, controller) =>
                controller.enqueue(part.type === "finish" ? { ...part, finishReason: { unified: "stop", raw: undefined } } : part),
            }),
          ),
        };
      },
    };
    const { agent, host } = await agentWith({
      steps: [call, end],
      tiers: { of: (spec) => (spec === "embedded/weak" ? "weak" : "strong"), model: () => "embedded/weak" },
      openModel: async (id) => ({ ...modelOf(chaos, { id }), languageModel: stopped }),
      host: { tools: [asks], plugins: [judge()], answer: "deny" },
    });
    await eventsOf(agent.run(said("Go")));
    expect(chaos.requests).toHaveLength(1);
    expect(host.prompts).toHaveLength(1);
    expect(host.logs.find(({ plugin }) => plugin === "judge")?.text).toContain(`"text":"","ended":"no_output"`);
  });

  it("shows the model what redactors leave of a text", async () => {
    const redacts = plugin("redacts", `api.redact((text) => text.replaceAll("make a", "[gone]"));`, ["tool.*.output"]);
    const { requests } = await asked([end], { plugins: [judge(`{ instructions: "Is make a fine?" }`), redacts] });
    expect(JSON.stringify(requests[0]?.prompt)).toMatch(/Is \[gone\] fine\?.*\[gone\]/);
  });

  it("takes the tier that is asked for, and never one above the session's own", async () => {
    const { requests, chaos, logged } = await asked([end], { plugins: [judge(`{ tier: "medium" }`)], steps: [call, end, end] });
    expect(requests).toEqual([]);
    expect(chaos.requests).toHaveLength(3);
    expect(logged).toMatchObject([{ session: { model: "embedded/chaos", tier: "strong" } }]);
  });

  it("stops the run where it takes it past a limit", async () => {
    const { events, done } = await asked([{ kind: "text", text: "ALLOW", usage: { input: 1_000, output: 10 } }], { limits: { maxTotalTokens: 500 } });
    expect(doneOf(events)).toMatchObject({ reason: "max_total_tokens", turns: 1 });
    expect(done).toMatchObject({ isError: true, marks: { allowedBy: null } });
  });

  it("has limits of its own, over all that is asked in it, and remembers what was said", async () => {
    const again = `const more = await session.prompt("And now?"); api.log.info(JSON.stringify({ session, answer: more }));`;
    const { requests, logged } = await asked(
      [
        { kind: "text", text: "One." },
        { kind: "text", text: "Two." },
      ],
      { plugins: [judge("{}", again)] },
    );
    expect(logged.map(({ answer }) => answer.text)).toEqual(["One.", "Two."]);
    expect(requests[1]?.prompt.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    const limited = await asked([{ kind: "text", text: "One." }], { plugins: [judge("{ limits: { maxTurns: 1 } }", again)] });
    expect(limited.logged).toMatchObject([{ answer: { ended: "done" } }, { answer: { ended: "max_turns", text: "" } }]);
    expect(limited.requests).toHaveLength(1);
    const late = await asked([{ kind: "drip", text: "ALLOW", everyMs: 3_000 }], { plugins: [judge("{ limits: { timeoutMs: 2_000 } }")] });
    expect(late.logged).toMatchObject([{ answer: { ended: "timeout", text: "" } }]);
  });

  it("ends with a run that is cancelled, and asks nothing more", async () => {
    const { agent, chaos, host, clock } = await agentWith({
      steps: [call, { kind: "hang", after: "head" }],
      host: { tools: [asks], plugins: [judge()], answer: "allow" },
    });
    const run = agent.run(said("Go"));
    const events = eventsOf(run);
    await waitUntil(() => chaos.requests.length === 2);
    run.cancel();
    expect(doneOf(await events)).toMatchObject({ reason: "cancelled" });
    expect([chaos.requests.length, host.prompts.length, clock.waiting()]).toEqual([2, 0, 0]);
  });

  it.each([
    ["with tools", `{ audience: "general" }`],
    ["for an answer that fits", `{ outputSchema: { type: "object" } }`],
    ["for what is no request", `{ tier: "best" }`],
  ])("is refused %s", async (_, options) => {
    const tries = plugin(
      "tries",
      `api.setSlot("permission.prompt", async (prev) => {
        try { await api.agent.session(${options}); } catch (error) { api.log.warn(error.code); }
        return prev();
      });`,
    );
    const { host, requests } = await asked([{ kind: "text", text: "ALLOW" }], { plugins: [tries] });
    expect(host.prompts).toHaveLength(1);
    expect(requests).toEqual([]);
    expect(host.logs.find(({ level }) => level === "warn")?.text).toBe(options.includes("tier") ? "wrong_argument" : "not_here");
  });

  it("is open four times at most", async () => {
    const many = plugin(
      "many",
      `api.setSlot("permission.prompt", async (prev) => {
        const opened = await Promise.allSettled(Array.from({ length: 6 }, () => api.agent.session()));
        api.log.warn(opened.map(({ reason }) => reason?.code ?? "open").join(" "));
        return prev();
      });`,
    );
    const { host } = await asked([end], { plugins: [many] });
    expect(
      host.logs
        .find(({ level }) => level === "warn")
        ?.text.split(" ")
        .filter((each) => each === "open"),
    ).toHaveLength(4);
  });

  it("is refused in other layers, in judges, and once the prompt is answered", async () => {
    const tries = (where: string) =>
      `try { await api.agent.session(); api.log.warn("opened ${where}"); } catch (error) { api.log.warn("${where} " + error.code); }`;
    const elsewhere = plugin(
      "elsewhere",
      `api.setSlot("tool.echo.input", async (prev) => { ${tries("input")} return prev(); });
       api.setSlot("tool.echo.output", async (prev) => { ${tries("output")} return prev(); });
       api.setSlot("agent.user_message", async (prev) => { ${tries("message")} return prev(); });
       api.judge("tool.echo.input", async () => { ${tries("judge")} });
       api.createAutocmd("ToolDone", async () => { ${tries("autocmd")} });
       let kept;
       api.setSlot("permission.prompt", async () => { kept = await api.agent.session(); return { decision: "allow" }; });
       api.createAutocmd("TurnEnd", async () => { try { await kept.prompt("?"); api.log.warn("answered late"); } catch (error) { api.log.warn("late " + error.code); } });`,
      ["permission.prompt", "tool.*.input", "tool.*.output", "agent.user_message"],
    );
    const { host, requests } = await asked([end], { plugins: [elsewhere] });
    const said = () => host.logs.filter(({ plugin, level }) => plugin === "elsewhere" && level === "warn").map(({ text }) => text);
    await waitUntil(() => said().length === 6);
    expect(said().sort()).toEqual(["autocmd not_here", "input not_here", "judge not_here", "late not_here", "message not_here", "output not_here"]);
    expect(requests).toEqual([]);
  });

  it("is refused where no agent drives the session", async () => {
    const { host } = await agentWith({ host: { tools: [asks], plugins: [judge()], answer: "deny" } });
    const record = await host.call("echo", { text: "a" }, { sessionId: "another" });
    expect(record).toMatchObject({ ran: false, permission: { source: "person" } });
    expect(record.trace).toMatchObject([{ slot: "permission.prompt", outcome: "skipped", failure: { code: "not_here" } }]);
  });
});

describe("marks of calls that a layer allowed", () => {
  it.each([
    ["batch", { tool_calls: [{ tool: "echo", parameters: { text: "in" } }] }],
    ["code_execution", { code: `console.log(await tools.echo({ text: "in" }))` }],
  ])("name the plugin, also within %s, where a model was asked", async (tool, input) => {
    const { events, done, requests } = await asked([{ kind: "text", text: "ALLOW" }], {
      steps: [{ kind: "calls", calls: [{ tool, input, id: "c1" }] }, end],
      host: { builtins: true, tools: [{ ...asks, audiences: ["main", "code"] }] },
    });
    expect(done?.text).toContain("in");
    expect(done?.marks.nested).toMatchObject([{ tool: "echo", isError: false, marks: { allowedBy: "judge", permission: { decision: "allow" } } }]);
    expect(requests.length).toBeGreaterThan(0);
    expect(doneOf(events).reason).toBe("end_turn");
  });
});
