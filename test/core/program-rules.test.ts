import { describe, expect, it } from "vitest";
import { createHost } from "../../core/host.ts";
import type { HostOptions } from "../../core/host-types.ts";

const rules = (rule: unknown) => [rule] as HostOptions["rules"] & object;

describe("createHost() with rules", () => {
  it("takes them for the session", async () => {
    await using host = await createHost({ rules: rules({ tool: "bash", pattern: "echo *", effect: "deny" }), yolo: true });
    const { permission } = await host.call({ tool: "bash", input: { command: "echo hi" } });
    expect(permission).toMatchObject({ decision: "deny", source: "rule" });
  });

  it.each([
    { tool: "bash", pattern: "rm *", effect: "dney" },
    { tool: "bash", patern: "rm *", effect: "deny" },
    { tool: "bash", pattern: " ", effect: "deny" },
    { pattern: "rm *", effect: "deny" },
    null,
  ])("starts with none that would be dropped: %j", async (rule) => {
    await expect(createHost({ rules: rules(rule), builtins: false })).rejects.toMatchObject({ code: "wrong_argument" });
  });
});
