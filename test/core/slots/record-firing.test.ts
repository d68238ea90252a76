import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { testHost } from "../../../core/testing/testing.ts";
import { readTrace } from "../../../core/traces.ts";

const ctx = { sessionId: "s1", taskId: "t1", model: "m", contextSize: 0, contextWindow: 1_000 };
const message = { text: "Use sk-123", images: 0, source: "headless" };

const plugin = (name: string, setup: string) => ({
  name,
  source: `import { definePlugin, deny } from "mortise/sdk";
export default definePlugin({ name: "${name}", steer: ["agent.user_message", "tool.*.output"] }, (api) => { ${setup} });`,
});
const redactor = plugin("redactor", `api.redact((text) => text.replaceAll(/sk-\\d+/g, "[key]"));`);

let stateFolder: string;
beforeEach(async () => {
  stateFolder = await mkdtemp(join(tmpdir(), "mortise-test-"));
});
afterEach(() => rm(stateFolder, { recursive: true, force: true }));

/** What is kept of one message, once the host is closed. */
async function traced(plugins: readonly { name: string; source: string }[], value: object = message) {
  const host = await testHost({ builtins: false, plugins, stateFolder });
  const signal = new AbortController().signal;
  await host.agent.fire("agent.user_message", value, ctx, signal);
  await host.close();
  return (await readTrace(join(stateFolder, "sessions"), "s1")) ?? [];
}

describe("recordFiring()", () => {
  it("keeps who did what to a slot of the agent, with what it was before and after, redacted", async () => {
    const lines = await traced([
      redactor,
      plugin("inner", `api.setSlot("agent.user_message", (prev, value) => prev({ ...value, text: value.text + " now" }));`),
      plugin("outer", `api.setSlot("agent.user_message", (prev) => prev());`),
    ]);
    expect(lines).toMatchObject([
      {
        slot: "agent.user_message",
        sessionId: "s1",
        taskId: "t1",
        durationMs: expect.any(Number),
        trace: [
          { plugin: "outer", kind: "layer", outcome: "passed", ms: expect.any(Number) },
          {
            plugin: "inner",
            outcome: "changed",
            before: { value: { ...message, text: "Use [key]" }, raw: { bytes: expect.any(Number), sha256: expect.any(String) } },
            after: { value: { text: "Use [key] now" } },
          },
        ],
      },
    ]);
    expect(await readFile(join(stateFolder, "sessions/s1/trace.jsonl"), "utf8")).not.toContain("sk-123");
  });

  it("keeps why a message was dropped, and what a layer failed with", async () => {
    const [dropped] = await traced([redactor, plugin("guard", `api.setSlot("agent.user_message", () => deny("Not sk-9."));`)]);
    expect(dropped?.trace).toMatchObject([{ plugin: "guard", outcome: "denied", reason: "Not [key]." }]);
    const [, failed] = await traced([redactor, plugin("broken", `api.setSlot("agent.user_message", () => { throw new Error("sk-1"); });`)]);
    expect(failed?.trace).toMatchObject([{ plugin: "broken", outcome: "skipped", failure: { code: "plugin_threw" } }]);
    expect(JSON.stringify(failed)).not.toContain("sk-1");
  });

  it("keeps nothing where nobody is layered, and no text where a redactor fails", async () => {
    expect(await traced([redactor])).toEqual([]);
    const breaks = plugin("breaks", `api.redact(() => { throw new Error("?"); });`);
    const [line] = await traced([breaks, plugin("inner", `api.setSlot("agent.user_message", (prev, value) => prev({ ...value, text: "new" }));`)]);
    expect(line?.trace).toMatchObject([{ plugin: "inner", outcome: "changed" }]);
    expect(JSON.stringify(line)).not.toMatch(/sk-123|"new"/);
  });

  it("keeps what layers of a plugin's own slot did where no call fired it", async () => {
    const owner = plugin(
      "owner",
      `api.declareSlot("owner.name", (value) => value + "!", { capability: [] }); api.setSlot("owner.name", (prev, value) => prev(value + "?"));`,
    );
    const host = await testHost({ builtins: false, plugins: [owner], stateFolder, sessionId: "s1" });
    expect(await host.fire("owner.name", "a")).toBe("a?!");
    await host.close();
    expect(await readTrace(join(stateFolder, "sessions"), "s1")).toMatchObject([
      { slot: "owner.name", trace: [{ plugin: "owner", outcome: "changed", before: { value: "a" } }] },
    ]);
  });

  it("keeps what layers did to the sources of completions, once", async () => {
    const source = plugin(
      "labels",
      `api.setSlot("completion.sources", (prev, sources) => prev([...sources, { trigger: "#", name: "labels", complete: () => [{ text: "#bug" }] }]));`,
    );
    const host = await testHost({ builtins: false, plugins: [source], stateFolder, sessionId: "s1" });
    for (const query of ["b", "bu", "bug"]) expect((await host.complete({ trigger: "#", query })).rows).toMatchObject([{ text: "#bug" }]);
    await host.close();
    expect(await readTrace(join(stateFolder, "sessions"), "s1")).toMatchObject([
      { slot: "completion.sources", trace: [{ plugin: "labels", outcome: "changed", ms: expect.any(Number) }] },
    ]);
  });
});
