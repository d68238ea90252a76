import { afterEach } from "vitest";
import { type Agent, type AgentOptions, createAgent } from "../../../core/agent/agent.ts";
import type { AgentHost } from "../../../core/agent/agent-state.ts";
import type { Run, UserInput } from "../../../core/agent/backend.ts";
import type { Journal } from "../../../core/agent/journal.ts";
import type { SessionEvent } from "../../../core/agent/session-event.ts";
import type { NativeTool } from "../../../core/host-types.ts";
import { type Chaos, type ChaosStep, createChaos } from "../../../core/models/embedded/chaos/chaos.ts";
import type { Model } from "../../../core/models/model.ts";
import { type TestHost, type TestOptions, testHost } from "../../../core/testing/testing.ts";
import { createFakeClock, type FakeClock } from "../../support/fake-clock.ts";

export type Driven = {
  agent: Agent;
  host: TestHost;
  clock: FakeClock;
  model: Model;
  chaos: Chaos;
  /** What was journaled, in order. */
  journal: readonly [kind: string, value: unknown][];
};

export type With = Omit<Partial<AgentOptions>, "model" | "host"> & {
  steps?: readonly ChaosStep[];
  model?: Partial<Model>;
  host?: TestOptions;
};

const open: TestHost[] = [];
afterEach(async () => {
  for (const host of open.splice(0)) await host.close();
});

/** An agent over a model that does what a test says, on a clock that the test turns, with real calls of real tools. */
export async function agentWith({ steps = [], model: facts = {}, host: options = {}, ...rest }: With = {}): Promise<Driven> {
  const host = await testHost({ builtins: false, tools: [echo], ...options });
  open.push(host);
  const clock = createFakeClock();
  const chaos = createChaos(steps, { clock });
  const model = modelOf(chaos, facts);
  const { journal, kept } = recordingJournal();
  const called: AgentHost = { ...host, call: ({ tool, input, ...request }) => host.call(tool, input, request) };
  const agent = createAgent({ host: called, model, clock, journal, random: () => 0, ...rest });
  return { agent, host, clock, model, chaos, journal: kept };
}

export function modelOf(chaos: Chaos, facts: Partial<Model> = {}): Model {
  return {
    id: "embedded/chaos",
    provider: "embedded",
    name: "chaos",
    languageModel: chaos,
    contextWindow: 200_000,
    maxOutput: 8_192,
    price: { input: 1, output: 10, cacheRead: 0, cacheWrite: 0 },
    images: false,
    ...facts,
  };
}

export const echo: NativeTool = {
  name: "echo",
  description: "Answers its text.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  capability: "run",
  scopes: "none",
  run: ({ text }) => String(text),
};

export function said(text: string): UserInput {
  return { text, source: "headless" };
}

/** All events of a run. */
export async function eventsOf(run: Run): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  for await (const event of run.events) events.push(event);
  return events;
}

/** All events of a run, while time passes. */
export async function eventsWhile(clock: FakeClock, run: Run, stepMs = 1_000, steps = 2_000): Promise<SessionEvent[]> {
  let over = false;
  const events = eventsOf(run).finally(() => {
    over = true;
  });
  for (let i = 0; i < steps && !over; i++) await clock.advance(stepMs);
  if (!over) throw new Error(`The run did not end within ${steps} steps`);
  return events;
}

export function ofType<T extends SessionEvent["type"]>(events: readonly SessionEvent[], type: T): Extract<SessionEvent, { type: T }>[] {
  return events.filter((event): event is Extract<SessionEvent, { type: T }> => event.type === type);
}

export function doneOf(events: readonly SessionEvent[]): Extract<SessionEvent, { type: "done" }> {
  const [done, ...more] = ofType(events, "done");
  if (done === undefined || more.length > 0 || events.at(-1) !== done)
    throw new Error(`One done at the end, not ${events.map(({ type }) => type).join(" ")}`);
  return done;
}

function recordingJournal(): { journal: Journal; kept: [string, unknown][] } {
  const kept: [string, unknown][] = [];
  const note = (kind: string) => async (value: unknown) => void kept.push([kind, value]);
  return {
    kept,
    journal: {
      append: note("append"),
      addResult: note("addResult"),
      addUsage: async (model, usage, costUsd) => void kept.push(["addUsage", { model, usage, costUsd }]),
      addPermission: note("addPermission"),
      set: note("set"),
      replace: note("replace"),
      end: async (reason, error) => void kept.push(["end", { reason, error }]),
    },
  };
}
