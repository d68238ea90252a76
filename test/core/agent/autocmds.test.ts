import { describe, expect, it } from "vitest";
import type { Message } from "../../../core/agent/message.ts";
import type { NativeTool } from "../../../core/host-types.ts";
import { type AutocmdName, autocmds } from "../../../sdk/contract.ts";
import { agentWith, echo, eventsOf, said } from "./agent-with.ts";

type Data = Record<string, unknown>;
type Heard = { event: AutocmdName; data: Data };

const names = Object.keys(autocmds) as AutocmdName[];

/** A plugin that hears everything, and logs it. One that steers may see content. */
const listener = (name: string, steer: readonly string[]) => ({
  name,
  source: `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "${name}", steer: ${JSON.stringify(steer)} }, (api) => {
  api.createAutocmd(${JSON.stringify(names)}, ({ event, data }) => api.log.info(JSON.stringify({ event, data })));
});`,
});
const trusted = listener("trusted", ["agent.user_message", "agent.compact.prepare", "tool.*.input"]);
const stranger = listener("stranger", []);

const inline = (name: string, setup: string) => ({
  name,
  source: `import { definePlugin } from "mortise/sdk"; export default definePlugin({ name: "${name}", steer: ["tool.*.input"] }, (api) => { ${setup} });`,
});

/** Has a subagent work. */
const finder = inline(
  "finder",
  `api.registerTool({ name: "find", description: "Finds.", input: { type: "object" }, scopes: "none", run: async () => {
    const session = await api.agent.session();
    return (await session.prompt("Find it")).text;
  } });`,
);
const asks: NativeTool = { ...echo, scopes: () => ({ scopes: [{ kind: "command", text: "make" }] }) };
const history: Message[] = [
  { role: "user", text: "Question" },
  { role: "assistant", parts: [{ type: "text", text: "Answer".padEnd(60_000, "x") }], model: "embedded/chaos" },
];

/** What happens once while a program drives an agent: everything that there is an event for. */
async function everything(): Promise<Record<"trusted" | "stranger" | "program", Heard[]>> {
  const heard: Heard[] = [];
  const { agent, host, model } = await agentWith({
    steps: [
      { kind: "calls", calls: [{ tool: "echo", input: { text: "a" }, id: "c1" }] },
      { kind: "calls", calls: [{ tool: "find", input: {}, id: "c2" }] },
      { kind: "text", text: "Found." },
      { kind: "text", text: "ok" },
      { kind: "status", status: 400, message: "no" },
      { kind: "text", text: "It is all about echoes." },
    ],
    sessionId: "s1",
    openModel: async (id) => ({ ...model, id }),
    host: { sessionId: "s1", tools: [asks], answer: "allow", plugins: [finder, trusted, stranger] },
  });
  for (const event of names) host.on(event, (data) => void heard.push({ event, data }));
  await eventsOf(agent.run(said("Go")));
  await eventsOf(agent.run(said("Go on")));
  await agent.setModel("other/model");
  await host.load(inline("brief", `api.setSlot("tool.echo.input", () => { throw new Error("broken"); });`));
  await host.unload("brief");
  await host.load(inline("wild", `api.setSlot("tool.echo.input", () => { for (;;); });`));
  await host.call("echo", { text: "b" });
  await agent.close();
  host.agent.leave("reset");

  const second = await agentWith({
    history,
    contextTokens: 16_000,
    model: { contextWindow: 20_000, maxOutput: 2_000 },
    steps: [
      { kind: "text", text: "It is all about echoes." },
      { kind: "text", text: "ok" },
    ],
    sessionId: "s2",
    host: { plugins: [trusted, stranger] },
  });
  for (const event of names) second.host.on(event, (data) => void heard.push({ event, data }));
  await eventsOf(second.agent.run(said("Sum up")));
  await second.agent.close();

  await host.close();
  await second.host.close();
  const logged = (name: string): Heard[] =>
    [...host.logs, ...second.host.logs].filter(({ plugin, level }) => plugin === name && level === "info").map(({ text }) => JSON.parse(text));
  return { trusted: logged("trusted"), stranger: logged("stranger"), program: heard };
}

const s1 = { sessionId: "s1" };
const text = expect.any(String);
const number = expect.any(Number);
const usage = (times: number) => ({ input: 100 * times, output: 20 * times, cacheRead: 0, cacheWrite: 0 });
const call = { ...s1, toolId: text, tool: "echo" };
const find = { ...call, tool: "find" };
const done = { ...call, isError: false, bytes: 1, ran: true, durationMs: number };

/** What each event says in that run, in the order in which it came. A field of content is there for those who could layer its slot. */
const table = {
  TurnStart: [
    { ...s1, text: "Go" },
    { ...s1, text: "Go on" },
    { sessionId: "s2", text: "Sum up" },
  ],
  TurnEnd: [
    { ...s1, reason: "finished", usage: usage(4), cost: number, contextSize: number, contextWindow: 200_000, numTurns: 3 },
    { sessionId: "s2", reason: "finished", usage: usage(2), cost: number, contextSize: number, contextWindow: 20_000, numTurns: 1 },
  ],
  TurnError: [{ ...s1, message: expect.stringContaining("no") }],
  ToolStart: [call, find, call],
  ToolDone: [
    { ...done, input: { text: "a" } },
    { ...done, ...find, bytes: 6, input: {} },
    { ...done, input: { text: "b" } },
  ],
  PermissionDecided: [
    { ...call, decision: "allow", source: "person" },
    { ...find, decision: "allow", source: "no_scopes" },
    { ...call, decision: "allow", source: "person" },
  ],
  PluginLoaded: [{ plugin: "brief" }, { plugin: "wild" }],
  PluginFailed: [{ plugin: "wild", code: "slice_overrun" }],
  PluginUnloaded: [{ plugin: "brief" }],
  AutoCompacting: [{ sessionId: "s2", contextSize: number, contextWindow: 20_000 }],
  CompactionDone: [
    { sessionId: "s2", contextSizeBefore: number, contextSizeAfter: number, contextWindow: 20_000, summary: "It is all about echoes." },
  ],
  SessionReset: [s1],
  SessionEnd: [
    { ...s1, reason: "reset", deadlineMs: 2_000 },
    { sessionId: text, reason: "shutdown", deadlineMs: 2_000 },
  ],
  SessionStatusChanged: [
    ...["working", "needs_input", "working", "idle", "working", "idle"].map((status) => ({ ...s1, status })),
    ...["working", "idle"].map((status) => ({ sessionId: "s2", status })),
  ],
  SessionTitleChanged: [{ ...s1, title: "Go" }],
  TaskStatusChanged: ["working", "done"].map((status) => ({ ...s1, id: text, name: "finder", status })),
  ModelChanged: [{ ...s1, model: "other/model", previous: "embedded/chaos" }],
} satisfies Record<AutocmdName, readonly Data[]>;

describe("the events of the contract", () => {
  it("come to plugins and programs with what the contract says of them, and with content only to those who could layer its slot", async () => {
    const heard = await everything();
    const told = (who: readonly Heard[], name: AutocmdName) => who.filter(({ event }) => event === name).map(({ data }) => data);
    // Each plugin hears of itself, and of those that load after it.
    const loads = (who: readonly Heard[]) => told(who, "PluginLoaded").filter(({ plugin }) => plugin === "trusted" || plugin === "stranger");
    expect(loads(heard.stranger)).toEqual([{ plugin: "stranger" }, { plugin: "stranger" }]);
    heard.trusted = heard.trusted.filter(({ data }) => data.plugin !== "trusted" && data.plugin !== "stranger");
    heard.stranger = heard.stranger.filter(({ data }) => data.plugin !== "stranger");
    for (const name of names) {
      const { data, content } = autocmds[name];
      const withoutContent = table[name].map((each: Data) => Object.fromEntries(Object.entries(each).filter(([field]) => !(field in content))));
      expect(told(heard.program, name), `${name} for a program`).toEqual(table[name]);
      expect(told(heard.trusted, name), `${name} for a plugin that steers`).toEqual(table[name]);
      expect(told(heard.stranger, name), `${name} for any plugin`).toEqual(withoutContent);
      for (const each of told(heard.program, name)) {
        expect(data.safeParse(each).success, `${name}: ${JSON.stringify(each)}`).toBe(true);
        expect(Object.keys(data.shape), name).toEqual(expect.arrayContaining(Object.keys(each)));
      }
    }
  });
});
