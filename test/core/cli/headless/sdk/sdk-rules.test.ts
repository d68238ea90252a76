import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { sdkRules } from "../../../../../core/cli/headless/sdk/sdk-rules.ts";

const tools = ["bash", "read", "edit", "multiedit", "webfetch"];

describe("sdkRules()", () => {
  it("offers what is named, without what is forbidden", async () => {
    const { offers } = await sdkRules({ sdkTools: ["Read", "Bash", "Edit"], sdkDeny: ["Bash"] }, tmpdir());
    expect(tools.filter(offers)).toEqual(["read", "edit", "multiedit"]);
    expect(tools.filter((await sdkRules({ sdkTools: ["default"], sdkDeny: ["Edit"] }, tmpdir())).offers)).toEqual(["bash", "read", "webfetch"]);
    expect(tools.filter((await sdkRules({ sdkTools: [] }, tmpdir())).offers)).toEqual([]);
  });

  it("makes rules of what is allowed or forbidden in part, and asks about what would allow too much", async () => {
    const { rules, warnings } = await sdkRules({ sdkAllow: ["Bash(git log:*)", "Bash", "mcp__a__b"], sdkDeny: ["Bash(rm *)"] }, tmpdir());
    expect(rules).toEqual([
      { tool: "bash", pattern: "rm *", effect: "deny" },
      { tool: "bash", pattern: "git log *", effect: "allow" },
    ]);
    expect(warnings).toHaveLength(2);
  });

  it("refuses what is forbidden and cannot be said", async () => {
    await expect(sdkRules({ sdkDeny: ["Bash(a; b)"] }, tmpdir())).rejects.toMatchObject({ code: "usage" });
    await expect(sdkRules({ sdkDeny: ["Odd(x)"] }, tmpdir())).rejects.toMatchObject({ code: "usage" });
  });
});
