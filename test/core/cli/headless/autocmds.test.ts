import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createAgent } from "../../../../core/agent/agent.ts";
import { createHost } from "../../../../core/host.ts";
import { openModel } from "../../../../core/models/open-model.ts";
import { autocmds } from "../../../../sdk/contract.ts";
import { type Scratch, scratch } from "../run-cli.ts";

type Heard = { event: string; data: Record<string, unknown> };

const prompt = "How many files are here?";
const names = Object.keys(autocmds).filter((name) => !name.startsWith("Plugin"));
const listener = `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "listener", steer: ["agent.user_message", "agent.compact.prepare", "tool.*.input"] }, (api) => {
  api.createAutocmd(${JSON.stringify(names)}, ({ event, data }) => api.log.info(JSON.stringify({ event, data })));
});`;

let here: Scratch;
let file: string;
beforeEach(async () => {
  here = await scratch();
  file = await here.write("project/listener.ts", listener);
});
afterEach(() => here.remove());

/** What a run says through an agent's driver, whose plugin logs it. */
const drivers: Record<string, () => Promise<Heard[]>> = {
  async "mortise run"() {
    expect((await here.run(["run", prompt, "--plugin", "listener.ts"])).code).toBe(0);
    return logged();
  },
  async "mortise run --input stream-json"() {
    const stdin = `${JSON.stringify({ type: "user", message: { role: "user", content: prompt } })}\n`;
    const { code, stderr } = await here.run(["run", "--input", "stream-json", "--output", "stream-json", "--plugin", "listener.ts"], { stdin });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return logged();
  },
  async "a program"() {
    const heard: Heard[] = [];
    const host = await createHost({
      cwd: here.folder,
      plugins: [file],
      stateFolder: join(here.home, "program"),
      onLog: ({ plugin, text }) => {
        if (plugin === "listener") heard.push(JSON.parse(text));
      },
    });
    const agent = createAgent({ host, model: await openModel("embedded/scripted", { models: {} }) });
    for await (const _ of agent.run({ text: prompt, source: "headless" }).events);
    await agent.close();
    host.agent.leave("completed");
    await host.close();
    return heard;
  },
};

async function logged(): Promise<Heard[]> {
  const { stdout } = await here.run(["logs", "--plugin", "listener", "--json"]);
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(JSON.parse(line).text));
}

const session = { sessionId: expect.any(String) };
const call = { ...session, toolId: expect.any(String), tool: "glob" };
const input = { pattern: "**/*", path: ".", limit: 10_000 };
const zero = { cacheRead: 0, cacheWrite: 0 };
const told = [
  { event: "SessionStatusChanged", data: { ...session, status: "working" } },
  { event: "SessionTitleChanged", data: { ...session, title: prompt } },
  { event: "TurnStart", data: { ...session, text: prompt } },
  { event: "PermissionDecided", data: { ...call, decision: "allow", source: "rules" } },
  { event: "ToolStart", data: call },
  { event: "ToolDone", data: { ...call, isError: false, ran: true, bytes: expect.any(Number), durationMs: expect.any(Number), input } },
  {
    event: "TurnEnd",
    data: {
      ...session,
      reason: "finished",
      usage: { input: 200, output: 40, ...zero },
      cost: 0,
      contextSize: expect.any(Number),
      contextWindow: expect.any(Number),
      numTurns: 2,
    },
  },
  { event: "SessionStatusChanged", data: { ...session, status: "idle" } },
  { event: "SessionEnd", data: { ...session, reason: "completed", deadlineMs: 2_000 } },
];

describe.each(Object.entries(drivers))("%s", (_, drive) => {
  it("tells plugins the same as every other driver", async () => {
    const heard = await drive();
    expect(heard).toEqual(told);
    expect(new Set(heard.map(({ data }) => data.sessionId)).size).toBe(1);
  });
});
