import type { Capability } from "../../sdk/contract.ts";
import type { Asks } from "../../sdk/wire.ts";

/** What a person says yes to, in their words. `{}` stands for the scopes of a scoped ask. */
const capabilityTexts: Readonly<Record<Capability, { all: string; some: string }>> = {
  fs_read: { all: "can read every file that you can read", some: "can read files at {}" },
  fs_write: { all: "can write and remove every file that you can", some: "can write and remove files at {}" },
  net: { all: "can send what it knows to any public host", some: "can send what it knows to {}" },
  run: { all: "can run any program as you", some: "can run {}" },
  env: { all: "can read your environment variables, without secrets", some: "can read the variables {}, also where they are secrets" },
};

/** What steering each slot means. A tool's own slot is told by its stage. */
const steerTexts: Readonly<Record<string, string>> = {
  "tool.*.input": "can see, change, block or answer every tool call",
  "tool.*.output": "can read and change all output of tools",
  "tool.bash.input": "can see, change, block or answer any command",
  "tool.bash.output": "can read and change the output of every command",
  "permission.prompt": "can answer permission prompts in your place, and ask a model about them, which your session pays for",
  "agent.user_message": "can read and change everything you write to the agent",
  "agent.stop": "can make the agent go on",
  "agent.compact.before": "can steer how a session is summarised",
  "agent.compact.prepare": "can read older tool results and choose which are kept",
  "completion.sources": "can offer completions while you type",
};

/** One line for each thing that is asked for. */
export function consentLines(asks: Asks, steer: readonly string[]): string[] {
  const capabilities = (Object.keys(capabilityTexts) as Capability[]).flatMap((name) => {
    const asked = asks[name];
    if (asked === undefined || (asked !== true && asked.length === 0)) return [];
    return [asked === true ? capabilityTexts[name].all : capabilityTexts[name].some.replace("{}", () => asked.join(", "))];
  });
  return [...capabilities, ...steer.map(steerText)];
}

function steerText(slot: string): string {
  const known = Object.hasOwn(steerTexts, slot) ? steerTexts[slot] : undefined;
  if (known !== undefined) return known;
  const [, tool, stage] = /^tool\.(.+)\.(input|output)$/.exec(slot) ?? [];
  if (tool === undefined) return `can steer ${slot}`;
  return stage === "input" ? `can see, change, block or answer every call of ${tool}` : `can read and change the output of ${tool}`;
}
