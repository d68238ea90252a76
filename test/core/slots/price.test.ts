import { describe, expect, it } from "vitest";
import { entitled, hostPrice, toolPrice } from "../../../core/slots/price.ts";
import { capabilityNames } from "../../../sdk/contract.ts";

const run = { capability: "run" } as const;
const none = { capability: null };
const all = { fs_read: true, fs_write: true, net: true, run: true, env: true } as const;

describe("toolPrice()", () => {
  it("is what the tool declares, and all five where it declares none", () => {
    expect(toolPrice(run)).toEqual(["run"]);
    expect(toolPrice(none)).toEqual(["fs_read", "fs_write", "net", "run", "env"]);
    expect(toolPrice(null)).toEqual(capabilityNames);
  });
});

describe("hostPrice()", () => {
  it.each([
    ["tool.bash.input", run, ["run"]],
    ["tool.bash.output", run, ["run"]],
    ["tool.*.input", run, ["run"]],
    ["permission.prompt", run, ["run"]],
    ["tool.batch.input", none, capabilityNames],
    ["tool.*.output", null, capabilityNames],
    ["permission.prompt", null, capabilityNames],
    ["agent.user_message", null, capabilityNames],
    ["agent.stop", run, capabilityNames],
    ["agent.compact.before", null, capabilityNames],
    ["agent.compact.prepare", null, capabilityNames],
    ["completion.sources", null, []],
    ["shout.render", null, capabilityNames],
    ["toString", null, capabilityNames],
  ])("of %s on %j is %j", (slot, tool, price) => {
    expect(hostPrice(slot, tool)).toEqual(price);
  });
});

describe("entitled()", () => {
  it.each<[string, Parameters<typeof entitled>[0]["granted"], readonly (typeof capabilityNames)[number][], boolean]>([
    ["a full grant", { run: true }, ["run"], true],
    ["a full grant among others", all, ["run"], true],
    ["all five", all, capabilityNames, true],
    ["another grant", { net: true }, ["run"], false],
    ["a scoped grant", { run: ["git *"] }, ["run"], false],
    ["a scoped grant of everything", { run: ["*"] }, ["run"], false],
    ["four of five", { fs_read: true, fs_write: true, net: true, run: true }, capabilityNames, false],
    ["four of five and a scope", { ...all, env: ["TOKEN"] }, capabilityNames, false],
    ["nothing", {}, ["run"], false],
    ["nothing, for what is free", {}, [], true],
  ])("weighs %s", (_, granted, price, expected) => {
    expect(entitled({ granted, steer: [] }, "tool.bash.input", price)).toBe(expected);
  });

  it.each<[string[], string, boolean]>([
    [["tool.bash.output"], "tool.bash.output", true],
    [["tool.bash.output"], "tool.read.output", false],
    [["tool.bash.output"], "tool.bash.input", false],
    [["tool.bash.output"], "tool.*.output", false],
    [["tool.*.output"], "tool.*.output", true],
    [["tool.*.output"], "tool.bash.output", true],
    [["tool.*.output"], "tool.bash.input", false],
    [["tool.*.input"], "permission.prompt", false],
    [["permission.prompt"], "permission.prompt", true],
    [["agent.stop"], "agent.stop", true],
    [["agent.stop"], "agent.user_message", false],
    [[], "tool.bash.output", false],
  ])("with the steer %j on %s: %j", (steer, slot, expected) => {
    expect(entitled({ granted: {}, steer }, slot, ["run"])).toBe(expected);
  });
});
