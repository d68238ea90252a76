import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ChaosStep } from "../../../core/models/embedded/chaos/chaos.ts";
import { createSessions } from "../../../core/session/sessions.ts";
import { agentWith, doneOf, eventsOf, said } from "./agent-with.ts";

const call = (text: string, id: string) => ({ tool: "echo", input: { text }, id });
const steps: ChaosStep[] = [
  { kind: "calls", text: "Let me see.", calls: [call("a", "c1"), call("b", "c2")] },
  { kind: "thinking", text: "Hm.", answer: "It is done." },
];

describe("Journal", () => {
  it("may be the log of a session, which another agent goes on from", async () => {
    const state = await mkdtemp(join(tmpdir(), "mortise-agent-"));
    try {
      const sessions = createSessions(state);
      const session = await sessions.create({ model: "embedded/chaos", backend: "ai-sdk", cwd: state });
      const first = await agentWith({ steps, journal: session, sessionId: session.id });
      await eventsOf(first.agent.run(said("Go")));
      expect(session.saved()).toBe(true);
      await session.close();

      const again = await sessions.open(session.id);
      expect(again.state.messages).toEqual(first.agent.messages());
      expect(again.state.ended).toMatchObject({ reason: "end_turn" });
      expect(again.state.usage.get("embedded/chaos")).toMatchObject({ usage: { input: 200, output: 40 } });
      const second = await agentWith({
        steps: [{ kind: "text", text: "More." }],
        journal: again,
        history: again.state.messages,
        contextTokens: again.state.context?.tokens ?? 0,
      });
      expect(second.agent.context().tokens).toBe(first.agent.context().tokens);
      expect(doneOf(await eventsOf(second.agent.run(said("Go on"))))).toMatchObject({ text: "More." });
      expect(second.chaos.requests[0]?.prompt.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool", "assistant", "user"]);
      expect(again.state.messages).toEqual(second.agent.messages());
      await again.close();
    } finally {
      await rm(state, { recursive: true, force: true });
    }
  });

  it("has the same messages after a compaction as the agent", async () => {
    const state = await mkdtemp(join(tmpdir(), "mortise-agent-"));
    try {
      const sessions = createSessions(state);
      const session = await sessions.create({ model: "embedded/chaos", backend: "ai-sdk", cwd: state });
      const { agent } = await agentWith({
        steps: [
          { kind: "calls", calls: [call("x".repeat(8_000), "c1")] },
          { kind: "text", text: "one" },
          { kind: "text", text: "All about x." },
          { kind: "text", text: "two" },
        ],
        model: { contextWindow: 8_000, maxOutput: 1_000 },
        journal: session,
        sessionId: session.id,
      });
      await eventsOf(agent.run(said("Go")));
      await eventsOf(agent.compact(""));
      await eventsOf(agent.run(said("Go on")));
      await session.close();
      const read = await sessions.read(session.id);
      expect(read.state.messages).toEqual(agent.messages());
      expect(read.state.messages[1]).toMatchObject({ parts: [{ text: "All about x." }] });
    } finally {
      await rm(state, { recursive: true, force: true });
    }
  });
});
