import { afterEach } from "vitest";
import { type Agent, type AgentOptions, createAgent } from "../../../core/agent/agent.ts";
import type { AgentHost } from "../../../core/agent/agent-state.ts";
import { createChaos } from "../../../core/models/embedded/chaos/chaos.ts";
import { type TestHost, type TestOptions, testHost } from "../../../core/testing/testing.ts";
import { modelOf } from "../../core/agent/agent-with.ts";
import { createScripts, type Scripted, type Scripts } from "../../core/agent/tasks/scripts.ts";

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

export type DrivenPack = { agent: Agent; host: TestHost; model: Scripted };

/** The pack's own tools, driven by an agent whose model and subagents say what their scripts say. */
export async function driven(scripts: Scripts, options: Partial<AgentOptions> = {}, host: TestOptions = {}): Promise<DrivenPack> {
  const test = await testHost(host);
  const model = createScripts(scripts, options.clock);
  const called: AgentHost = { ...test, call: ({ tool, input, ...request }) => test.call(tool, input, request) };
  const agent = createAgent({ host: called, random: () => 0, ...options, model: { ...modelOf(createChaos([])), languageModel: model } });
  open.push(async () => {
    await agent.close();
    await test.close();
  });
  return { agent, host: test, model };
}
