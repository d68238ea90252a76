import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { commandsOf } from "../../core/run-command.ts";
import { type TestHost, type TestOptions, testHost } from "../../core/testing/testing.ts";
import { isAlive, waitUntil } from "../support/wait-until.ts";

const hosts: TestHost[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
});

async function start(options: TestOptions): Promise<TestHost> {
  const host = await testHost({ builtins: false, ...options });
  hosts.push(host);
  return host;
}

/** A plugin with one command, whose `run` is this. */
function commandPlugin(name: string, command: string, run: string, definition = "") {
  return {
    name: `${name}.ts`,
    source: `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "${name}", ${definition} }, (api) => {
  api.registerCommand({ name: "${command}", description: "Of ${name}.", run: ${run} });
});`,
  };
}

const echo = {
  name: "echo",
  description: "Says it again.",
  inputSchema: { type: "object", properties: { text: { type: "string" } } },
  scopes: "none" as const,
  run: (input: Record<string, unknown>, call: { sessionId: string }) => `${String(input.text)} in ${call.sessionId}`,
};

describe("commandsOf()", () => {
  it("names each by its own name, and by its plugin where several have that name", async () => {
    const t = await start({
      plugins: [
        commandPlugin("one", "say", `() => "one"`),
        commandPlugin("two", "say", `() => "two"`),
        commandPlugin("three", "only", `(args) => "three " + args`),
      ],
    });
    expect(t.commands()).toEqual([
      { name: "one:say", own: "say", plugin: "one", description: "Of one." },
      { name: "two:say", own: "say", plugin: "two", description: "Of two." },
      { name: "only", own: "only", plugin: "three", description: "Of three." },
    ]);
    expect(await t.command("two:say", "")).toBe("two");
    expect(await t.command("three:only", " a  b")).toBe("three  a  b");
    await expect(t.command("say", "")).rejects.toMatchObject({ code: "unknown_command" });
    await expect(t.command("onyl", "")).rejects.toThrow(/did you mean "only"\?/);
  });

  it("passes over a plugin that did not load", () => {
    expect(commandsOf([])).toEqual([]);
  });

  it.each(["two words", "", "a/b", "-x", "a:b", "x".repeat(65)])("refuses the name %j when the plugin loads", async (name) => {
    await expect(start({ plugins: [commandPlugin("bad", name, `() => ""`)] })).rejects.toMatchObject({ code: "plugin_invalid" });
  });
});

describe("runCommand()", () => {
  it("says what a command failed with", async () => {
    const t = await start({
      plugins: [commandPlugin("throws", "boom", `() => { throw new Error("nothing to do"); }`), commandPlugin("wrong", "seven", `() => 7`)],
    });
    await expect(t.command("boom", "")).rejects.toThrow(/nothing to do/);
    await expect(t.command("seven", "")).rejects.toMatchObject({ code: "wrong_answer" });
  });

  it("ends one that was cancelled, with the tools and programs that it began", { timeout: 60_000 }, async () => {
    const t = await start({
      builtins: true,
      plugins: [
        commandPlugin(
          "runs",
          "sleep",
          `async () => { await api.run.exec({ argv: ["sh", "-c", "echo $$ > pid; exec sleep 100"] }); }`,
          `capabilities: { run: true }`,
        ),
      ],
    });
    const stop = new AbortController();
    const running = t.command("sleep", "", { signal: stop.signal }).catch((error: unknown) => error);
    const pidFile = join(t.folder, "pid");
    const pidOf = async () => Number(await readFile(pidFile, "utf8").catch(() => ""));
    await waitUntil(async () => (await pidOf()) > 0);
    stop.abort();
    expect(await running).toMatchObject({ code: "cancelled" });
    const pid = await pidOf();
    await waitUntil(async () => !(await isAlive(pid)));
  });

  it("lets a command call tools of its session, and ask the person under its name", async () => {
    const asked: unknown[] = [];
    const t = await start({
      tools: [echo],
      plugins: [
        commandPlugin(
          "calls",
          "do",
          `async (args) => {
            const answer = await api.person.ask({ question: "Really?", options: [{ label: "Yes" }] });
            const { text } = await api.tools.call("echo", { text: args + answer.chosen[0] });
            return text;
          }`,
          `capabilities: { fs_read: true, fs_write: true, net: true, run: true, env: true }`,
        ),
      ],
      person: {
        ask: async ({ plugin, tool, question }) => {
          asked.push({ plugin, tool, question });
          return { chosen: ["Yes"] };
        },
      },
    });
    expect(await t.command("do", "now ", { sessionId: "s1" })).toBe("now Yes in s1");
    expect(asked).toEqual([{ plugin: "calls", tool: "/do", question: "Really?" }]);
  });
});
