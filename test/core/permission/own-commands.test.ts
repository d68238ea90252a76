import { describe, expect, it } from "vitest";
import { decidesForPerson } from "../../../core/permission/own-commands.ts";
import { testHost } from "../../../core/testing/testing.ts";

const words = (line: string) => line.split(" ").map((text) => ({ text, static: !text.includes("$") }));

describe("decidesForPerson()", () => {
  it.each([
    "mortise grant guard",
    "mortise grant revoke guard",
    "mortise trust add",
    "mortise plugins disable guard",
    "mortise rules import claude --write user",
    "mortise call bash {} --yolo",
    "mortise call bash {} --answer allow",
    "/usr/local/bin/mortise trust add",
    "npx mortise grant guard",
    "npx --yes mortise grant guard",
    "npm run --silent mortise -- trust add",
    "node core/cli/mortise.mjs grant guard",
    "mortise slots --plugin mine.ts",
    "mortise $WHAT",
    "mortise slots $MORE",
    "mortise frobnicate",
  ])("says yes of %s", (line) => {
    expect(decidesForPerson(words(line))).toBe(true);
  });

  it.each([
    "mortise",
    "mortise --help",
    "mortise --version",
    "mortise slots",
    "mortise doctor --json",
    "mortise trace abc",
    "mortise logs",
    "mortise rules explain x",
    "mortise grant list",
    "echo mortise grant x",
    "git commit -m mortise",
    "ls mortise",
  ])("says no of %s", (line) => {
    expect(decidesForPerson(words(line))).toBe(false);
  });

  it("makes a call ask, also under yolo and an allow rule, and inside of other commands", async () => {
    const t = await testHost({ yolo: true, rules: [{ tool: "bash", pattern: "*", effect: "allow" }] });
    for (const command of [
      "mortise trust add",
      "true && npx mortise grant guard",
      "(cd . && mortise plugins disable guard)",
      "env mortise trust add",
      "timeout 5 mortise trust add",
    ]) {
      expect(await t.call("bash", { command }), command).toMatchObject({ ran: false, permission: { decision: "deny", source: "nobody" } });
    }
    await t.close();
  });
});
