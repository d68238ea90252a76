import { afterEach, describe, expect, it } from "vitest";
import type { PromptAnswer } from "../../../core/permission/permission.ts";
import { type TestHost, type TestOptions, testHost } from "../../../core/testing/testing.ts";

const open: TestHost[] = [];
afterEach(async () => {
  for (const host of open.splice(0)) await host.close();
});

/** A call of `echo one`, to which a person answers something. */
async function called(answer: PromptAnswer, options: TestOptions = {}) {
  const host = await testHost({ ...options, answer: () => answer });
  open.push(host);
  const record = await host.call("bash", { command: "echo one" });
  return { record, host, asked: host.prompts.map(({ input }) => input) };
}

const guard = (answer: string) => ({
  name: "guard",
  source: `import { ask, definePlugin, deny } from "mortise/sdk";
export default definePlugin({ name: "guard", steer: ["tool.bash.input"] }, (api) => {
  api.judge("tool.bash.input", ({ command }) => (command.includes("two") ? ${answer} : undefined));
});
export const used = [ask, deny];`,
});

describe("an input that a person gives instead", () => {
  it("runs, and both are in the record", async () => {
    const { record, asked } = await called({ decision: "allow", input: { command: "echo two" } });
    expect(asked).toEqual([{ command: "echo one" }]);
    expect(record).toMatchObject({ ran: true, text: "two", wrote: { command: "echo one" }, input: { command: "echo two" } });
    expect(record.permission).toMatchObject({ decision: "allow", source: "person" });
  });

  it("is denied by a rule that denies it", async () => {
    const rules = [{ tool: "bash", pattern: "echo two", effect: "deny" as const }];
    const { record } = await called({ decision: "allow", input: { command: "echo two" } }, { rules });
    expect(record).toMatchObject({ ran: false, isError: true, code: "denied", permission: { decision: "deny", source: "rule" } });
    expect(record.input).toEqual({ command: "echo two" });
  });

  it.each(['deny("Not two.")', 'ask("Two is live.")'])("is stopped by a judge that answers %s", async (answer) => {
    const { record, asked } = await called({ decision: "allow", input: { command: "echo two" } }, { plugins: [guard(answer)] });
    expect(record).toMatchObject({ ran: false, isError: true, stopped: { plugin: "guard", by: "judge" } });
    expect(asked).toHaveLength(1);
  });

  it("has to fit the schema", async () => {
    const { record } = await called({ decision: "allow", input: { cmd: "echo two" } });
    expect(record).toMatchObject({ ran: false, isError: true, code: "invalid_input" });
  });

  it("makes no rule of the answer", async () => {
    const { host } = await called({ decision: "allow", remember: "session", input: { command: "echo two" } });
    await host.call("bash", { command: "echo one" });
    expect(host.prompts).toHaveLength(2);
  });

  it("that is no object is nobody's answer", async () => {
    const { record } = await called({ decision: "allow", input: "echo two" } as never);
    expect(record).toMatchObject({ ran: false, permission: { decision: "deny", source: "nobody" } });
  });
});
