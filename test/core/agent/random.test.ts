import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAgent } from "../../../core/agent/agent.ts";
import type { SessionEvent } from "../../../core/agent/session-event.ts";
import { type Chaos, type ChaosStep, createChaos } from "../../../core/models/embedded/chaos/chaos.ts";
import { validHistory } from "../../../core/session/valid-history.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { agentWith, doneOf, modelOf, said } from "./agent-with.ts";

const text = fc.constantFrom("ok", "one two three", "");
const call = fc.record({
  tool: fc.constantFrom("echo", "functions.echo", "nothing"),
  input: fc.constantFrom({ text: "a" }, { text: "b" }, { wrong: 1 }),
});
const step: fc.Arbitrary<ChaosStep> = fc.oneof(
  fc.record({ kind: fc.constant("text" as const), text }),
  fc.record({ kind: fc.constant("calls" as const), calls: fc.array(call, { minLength: 1, maxLength: 3 }), text }),
  fc.record({ kind: fc.constant("hang" as const), after: fc.constantFrom("nothing" as const, "head" as const, "text" as const) }),
  fc.record({ kind: fc.constant("drip" as const), text, everyMs: fc.constantFrom(10, 100_000) }),
  fc.record({ kind: fc.constant("status" as const), status: fc.constantFrom(400, 401, 429, 500, 503), times: fc.constantFrom(1, 3) }),
  fc.record({ kind: fc.constant("network" as const), code: fc.constantFrom("ECONNRESET", "ECONNREFUSED"), text }),
  fc.constantFrom<ChaosStep>(
    { kind: "overflow" },
    { kind: "budget_overflow", room: 5_000 },
    { kind: "empty" },
    { kind: "truncated", text: "Half" },
    { kind: "truncated_call", tool: "echo", input: '{"te' },
    { kind: "invalid_json", tool: "echo" },
    { kind: "duplicate_calls", call: { tool: "echo", input: { text: "a" }, id: "same" } },
    { kind: "thinking", text: "Hm.", answer: "Yes." },
    { kind: "max_tokens", text: "cut" },
    { kind: "max_tokens", text: "", call: { tool: "echo", input: '{"text": "a' } },
    { kind: "error_part", type: "overloaded_error", message: "busy", text: "Half" },
  ),
);
const plan = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 6 }),
  /** After so many events. */
  cancelAfter: fc.option(fc.nat(30), { nil: undefined }),
  sayAfter: fc.option(fc.nat(20), { nil: undefined }),
  contextTokens: fc.constantFrom(0, 180_000),
});

describe("createAgent()", () => {
  it("ends once, with a history that can be gone on from and nothing left on the clock, whatever the model does and whenever it is stopped", async () => {
    const { host } = await agentWith();
    await fc.assert(
      fc.asyncProperty(plan, async ({ steps, cancelAfter, sayAfter, contextTokens }) => {
        const clock = createFakeClock();
        let chaos: Chaos = createChaos(steps, { clock });
        const kept: string[] = [];
        const journal = {
          append: async () => void kept.push("append"),
          addResult: async () => void kept.push("addResult"),
          addUsage: async () => {},
          addPermission: async () => {},
          set: async () => {},
          replace: async () => {},
          end: async () => void kept.push("end"),
        };
        const called = {
          ...host,
          call: ({ tool, input, ...request }: Parameters<Parameters<typeof createAgent>[0]["host"]["call"]>[0]) => host.call(tool, input, request),
        };
        const model = {
          ...modelOf(chaos),
          get languageModel() {
            return chaos;
          },
        };
        const agent = createAgent({ host: called, model, clock, journal, contextTokens, random: () => 0.5 });
        const run = agent.run(said("Go"), { maxTurns: 8, timeoutMs: 3_600_000 });
        const events: SessionEvent[] = [];
        let outcome: Promise<string> | undefined;
        let over = false;
        const reading = (async () => {
          for await (const event of run.events) {
            events.push(event);
            if (events.length - 1 === cancelAfter) run.cancel();
            if (events.length - 1 === sayAfter) outcome = run.say(said("And this"));
          }
          over = true;
        })();
        for (let i = 0; i < 3_000 && !over; i++) await clock.advance(10_000);
        await reading;

        doneOf(events);
        expect(validHistory(agent.messages())).toMatchObject({ closed: 0, dropped: 0 });
        expect(
          new Set(agent.messages().flatMap((message) => (message.role === "tool" ? message.results.map(({ toolId }) => toolId) : []))).size,
        ).toBe(agent.messages().reduce((sum, message) => sum + (message.role === "tool" ? message.results.length : 0), 0));
        expect(clock.waiting()).toBe(0);
        expect(kept.filter((kind) => kind === "end")).toHaveLength(1);
        expect(kept.at(-1)).toBe("end");
        if (outcome !== undefined) expect(["delivered", "not_delivered"]).toContain(await outcome);

        chaos = createChaos([{ kind: "text", text: "All is well." }], { clock });
        const next: SessionEvent[] = [];
        for await (const event of agent.run(said("Go on")).events) next.push(event);
        expect(doneOf(next)).toMatchObject({ reason: "end_turn", text: "All is well." });
      }),
      { numRuns: 150 },
    );
  }, 120_000);
});
