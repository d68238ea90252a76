import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Run } from "../../../core/agent/backend.ts";
import { createSessions } from "../../../core/session/sessions.ts";
import { readTrace } from "../../../core/traces.ts";
import { agentWith, echo, eventsOf, ofType, said } from "./agent-with.ts";

const rewriter = {
  name: "rewriter",
  source: `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "rewriter", steer: ["agent.user_message", "tool.*.input"] }, (api) => {
  api.setSlot("agent.user_message", (prev, message) => prev({ ...message, text: message.text.replace(/key-\\d+/, "[key]") }));
  api.setSlot("tool.echo.input", (prev, input) => prev({ ...input, text: input.text + " rewritten" }));
});`,
};

let state: string;
beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), "mortise-agent-"));
});
afterEach(() => rm(state, { recursive: true, force: true }));

/** Everything in files below a folder. */
async function textsIn(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return (await Promise.all(files.map((file) => readFile(file, "utf8")))).join("\n");
}

describe("what a layer rewrote", () => {
  it("is marked; the history keeps the new text of a message and what the model wrote of a call, in the log and for who goes on", async () => {
    const sessions = createSessions(state);
    const session = await sessions.create({ model: "embedded/chaos", backend: "ai-sdk", cwd: state });
    let run: Run | undefined;
    const hears = {
      ...echo,
      run: ({ text }: Record<string, unknown>) => {
        void run?.say(said("And key-2, with words"));
        return String(text);
      },
    };
    const first = await agentWith({
      steps: [
        { kind: "calls", calls: [{ tool: "echo", input: { text: "one" }, id: "c1" }] },
        { kind: "text", text: "Done." },
      ],
      journal: session,
      sessionId: session.id,
      host: { tools: [hears], plugins: [rewriter], sessionId: session.id, stateFolder: join(state, "host") },
    });
    run = first.agent.run(said("Use key-1"));
    const events = await eventsOf(run);
    expect(ofType(events, "user_message")).toMatchObject([
      { text: "Use [key]", rewrittenBy: "rewriter" },
      { text: "And [key], with words", rewrittenBy: "rewriter" },
    ]);
    expect(ofType(events, "tool_start")).toMatchObject([{ input: { text: "one rewritten" } }]);
    expect(ofType(events, "tool_done")).toMatchObject([
      { input: { text: "one rewritten" }, text: "one rewritten", marks: { rewrittenBy: ["rewriter"], allowedBy: null, stoppedBy: null } },
    ]);
    expect(ofType(events, "turn_end")[0]).toMatchObject({ calls: [{ toolId: "c1", input: { text: "one" } }] });
    expect(ofType(events, "title")).toEqual([{ type: "title", title: "Use [key]" }]);
    await first.agent.close();
    await session.close();

    const stored = await sessions.read(session.id);
    expect(stored.state.title).toBe("Use [key]");
    expect(stored.state.messages).toMatchObject([
      { role: "user", text: "Use [key]", rewrittenBy: "rewriter" },
      { role: "assistant", parts: [{ type: "call", toolId: "c1", input: { text: "one" } }] },
      { role: "tool", results: [{ toolId: "c1", text: "one rewritten" }] },
      { role: "user", text: "And [key], with words", note: "meanwhile", rewrittenBy: "rewriter" },
      { role: "assistant", parts: [{ type: "text", text: "Done." }] },
    ]);
    await first.host.close();
    expect(await textsIn(join(state, "sessions"))).not.toMatch(/key-[12]/);
    const trace = (await readTrace(join(state, "host/sessions"), session.id)) ?? [];
    expect(trace).toMatchObject([
      { slot: "agent.user_message", trace: [{ plugin: "rewriter", outcome: "changed" }] },
      { tool: "echo", input: { text: "one rewritten" }, wrote: { text: "one" }, trace: [{ slot: "tool.echo.input", plugin: "rewriter" }] },
      { slot: "agent.user_message", trace: [{ plugin: "rewriter", outcome: "changed" }] },
    ]);

    const again = await sessions.open(session.id);
    const second = await agentWith({ steps: [{ kind: "text", text: "More." }], journal: again, history: again.state.messages });
    await eventsOf(second.agent.run(said("Go on")));
    const prompt = JSON.stringify(second.chaos.requests[0]?.prompt);
    expect(prompt).toContain("Use [key]");
    expect(prompt).toContain(`"input":{"text":"one"}`);
    expect(prompt).not.toMatch(/key-[12]/);
    await again.close();
  });

  it("is what a message says by then, where several layers rewrote it and one dropped another", async () => {
    const layers = ["a", "b"].map((name) => ({
      name,
      source: `import { definePlugin, deny } from "mortise/sdk";
export default definePlugin({ name: "${name}", steer: ["agent.user_message"] }, (api) => {
  api.setSlot("agent.user_message", (prev, message) => (message.text.includes("no") ? deny("Not this, says ${name}.") : prev({ ...message, text: message.text + " ${name}" })));
});`,
    }));
    const { agent } = await agentWith({ steps: [{ kind: "text", text: "ok" }], host: { plugins: layers } });
    const [heard] = ofType(await eventsOf(agent.run(said("yes"))), "user_message");
    expect(heard).toMatchObject({ text: "yes b a", rewrittenBy: "b, a" });
    expect(ofType(await eventsOf(agent.run(said("no"))), "message_dropped")).toMatchObject([{ plugin: "b", reason: "Not this, says b." }]);
    expect(agent.messages()).toHaveLength(2);
  });
});
