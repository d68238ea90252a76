import { afterEach } from "vitest";
import * as z from "zod";
import { type Agent, type AgentOptions, createAgent } from "../../../../core/agent/agent.ts";
import type { AgentHost } from "../../../../core/agent/agent-state.ts";
import type { Run } from "../../../../core/agent/backend.ts";
import type { SessionEvent } from "../../../../core/agent/session-event.ts";
import type { NativeTool } from "../../../../core/host-types.ts";
import { createChaos } from "../../../../core/models/embedded/chaos/chaos.ts";
import { type TestHost, type TestOptions, testHost } from "../../../../core/testing/testing.ts";
import type { AgentAnswer } from "../../../../sdk/api.ts";
import { createFakeClock, type FakeClock } from "../../../support/fake-clock.ts";
import { echo, modelOf, ofType } from "../agent-with.ts";
import { createScripts, type Scripted, type Scripts } from "./scripts.ts";

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** A plugin whose tool opens the conversation that its input says, and answers what became of it. */
export const subs = (capabilities = "fs_read: true, fs_write: true, net: true, run: true, env: true", after = "") => ({
  name: "subs",
  source: `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "subs", capabilities: { ${capabilities} } }, (api) => {
  api.registerTool({
    name: "sub", description: "Opens a conversation.", kind: "other", timeoutMs: 3_600_000, needsAgent: true, scopes: "none",
    input: { type: "object", additionalProperties: true },
    run: async ({ request, prompts }) => {
      const session = await api.agent.session(request);
      const answers = [];
      for (const prompt of prompts) {
        const answer = session.prompt(prompt);
        ${after}
        answers.push(await answer);
      }
      await session.close();
      const { model, tier, clamped } = session;
      return { text: JSON.stringify({ model, tier, clamped, answers }) };
    },
  });
});`,
});

/** Waits until it is told to go on, or until its call is over. */
export function slowTool(): NativeTool & { begun: Promise<void>; goOn(): void } {
  const begun = Promise.withResolvers<void>();
  const going = Promise.withResolvers<void>();
  return {
    ...echo,
    name: "slow",
    begun: begun.promise,
    goOn: () => going.resolve(),
    run: async (_, { signal }) => {
      begun.resolve();
      await Promise.race([going.promise, new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }))]);
      return signal.aborted ? "cut" : "slept";
    },
  };
}

export type Driven = { agent: Agent; host: TestHost; clock: FakeClock; model: Scripted };

/** An agent and its subagents over a model of scripts, on a clock that a test turns. */
export async function driven(scripts: Scripts, options: Partial<AgentOptions> = {}, host: TestOptions = {}): Promise<Driven> {
  const test = await testHost({ builtins: false, tools: [echo], plugins: [subs()], ...host });
  const clock = createFakeClock();
  const model = createScripts(scripts, clock);
  const called: AgentHost = { ...test, call: ({ tool, input, ...request }) => test.call(tool, input, request) };
  const agent = createAgent({
    host: called,
    clock,
    random: () => 0,
    ...options,
    model: options.model ?? { ...modelOf(createChaos([])), languageModel: model },
  });
  open.push(async () => {
    await agent.close();
    await test.close();
  });
  return { agent, host: test, clock, model };
}

const Told = z.object({ model: z.string(), tier: z.string(), clamped: z.boolean(), answers: z.array(z.custom<AgentAnswer>()) });

/** What the tool of the plugin answered, by the id of its call. */
export function toldBy(events: readonly SessionEvent[], toolId = "s1") {
  const done = ofType(events, "tool_done").find((each) => each.toolId === toolId);
  if (done?.isError !== false) throw new Error(done?.text ?? "There was no such call");
  return Told.parse(JSON.parse(done.text));
}

/** Events of subagents, without what wraps them. */
export function childEvents(events: readonly SessionEvent[]): SessionEvent[] {
  return ofType(events, "child").map(({ event }) => event);
}

/** All events of a run, with something to be done at some of them. */
export async function eventsWith(run: Run, at: (event: SessionEvent) => void): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  for await (const event of run.events) {
    events.push(event);
    at(event);
  }
  return events;
}
