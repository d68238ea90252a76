import { describe, expect, it } from "vitest";
import type { ChaosStep } from "../../../../core/models/embedded/chaos/chaos.ts";
import { agentWith, doneOf, eventsOf, eventsWhile, said, type With } from "../agent-with.ts";

const call: ChaosStep = { kind: "calls", calls: [{ tool: "echo", input: { text: "a" } }] };
const dropper = {
  name: "dropper",
  source: `import { definePlugin, deny } from "mortise/sdk";
export default definePlugin({ name: "dropper", steer: ["agent.user_message"] }, (api) => { api.setSlot("agent.user_message", () => deny("No.")); });`,
};

describe("the status of a session", () => {
  it.each<[string, With, object]>([
    ["end_turn", { steps: [{ kind: "text", text: "ok" }] }, {}],
    ["error", { steps: [{ kind: "status", status: 400 }] }, {}],
    ["timeout", { steps: [{ kind: "hang", after: "text" }] }, { timeoutMs: 60_000 }],
    ["max_turns", { steps: [call] }, { maxTurns: 1 }],
    ["max_total_tokens", { steps: [call] }, { maxTotalTokens: 10 }],
    ["max_tokens", { steps: [{ kind: "max_tokens", text: "more" }] }, {}],
    ["doom_loop", { steps: [call] }, {}],
    ["dropped", { host: { plugins: [dropper] } }, {}],
  ])("is idle at the end, whatever end that is: %s", async (reason, options, limits) => {
    const { agent, host, clock } = await agentWith(options);
    const statuses: unknown[] = [];
    host.on("SessionStatusChanged", ({ status }) => void statuses.push(status));
    const run = agent.run(said("Go"), limits);
    // A plugin takes the time that it takes, whatever the clock says.
    const events = await (reason === "dropped" ? eventsOf(run) : eventsWhile(clock, run));
    expect(doneOf(events).reason).toBe(reason);
    await expect.poll(() => statuses.at(-1)).toBe("idle");
    expect(statuses[0]).toBe("working");
  });

  it("is idle after a cancel, and after a cancel while a person is asked", async () => {
    const tool = {
      name: "echo",
      description: "Asks.",
      inputSchema: { type: "object" },
      scopes: () => ({ scopes: [{ kind: "command" as const, text: "make" }] }),
      run: () => "",
    };
    const { agent, host } = await agentWith({ steps: [call], host: { tools: [tool], answer: () => new Promise(() => {}) } });
    const statuses: unknown[] = [];
    host.on("SessionStatusChanged", ({ status }) => void statuses.push(status));
    const run = agent.run(said("Go"));
    for await (const event of run.events) if (event.type === "permission_asked") run.cancel();
    await expect.poll(() => statuses.at(-1)).toBe("idle");
    expect(statuses).toEqual(["working", "needs_input", "working", "idle"]);
  });
});
