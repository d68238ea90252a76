import { describe, expect, it } from "vitest";
import { REASON_CHARS, reasonOf } from "../../../core/stages/reason.ts";

describe("reasonOf()", () => {
  it("is what the plugin said", () => {
    expect(reasonOf("guard", "Not here.")).toBe("Not here.");
  });

  it("names the plugin where it said nothing", () => {
    for (const said of ["", " \n"]) expect(reasonOf("guard", said)).toContain("guard");
  });

  it("keeps the beginning and end of what is too long to be read", () => {
    const reason = reasonOf("guard", `begin${"x".repeat(1_000_000)}end`);
    expect(reason.length).toBeLessThan(REASON_CHARS + 100);
    expect(reason).toMatch(/^begin.*\n.*\n.*end$/s);
  });
});
