import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { outputLimits } from "../../../core/output/limits.ts";
import { testHost } from "../../../core/testing/testing.ts";

describe("outputLimits()", () => {
  it("takes what is said of the tool before what is said of all, and of the first layer before the next", () => {
    const user = { bash: { lines: 10 }, "*": { lines: 20, bytes: 2_000 } };
    const project = { bash: { lines: 30, bytes: 3_000 }, grep: { bytes: 4_000 } };
    expect(outputLimits([user, project], "bash")).toEqual({ lines: 10, bytes: 2_000 });
    expect(outputLimits([user, project], "grep")).toEqual({ lines: 20, bytes: 2_000 });
    expect(outputLimits([project], "bash")).toEqual({ lines: 30, bytes: 3_000 });
    expect(outputLimits([project], "constructor")).toEqual({ lines: 2_000, bytes: 51_200 });
  });
});

describe("the limits of the config", () => {
  it("cut one tool's text, count what is left out, and leave the whole to be read without a prompt", async () => {
    const home = await mkdtemp(join(tmpdir(), "mortise-test-"));
    const before = process.env.MORTISE_CONFIG_HOME;
    process.env.MORTISE_CONFIG_HOME = home;
    await mkdir(home, { recursive: true });
    await writeFile(join(home, "config.jsonc"), '{ "output": { "bash": { "lines": 12 } } }');
    await writeFile(join(home, "permissions.jsonc"), '{ "rules": [{ "tool": "bash", "pattern": "*", "effect": "allow" }] }');
    const host = await testHost({ settings: "files", answer: "deny", sessionId: "first", stateFolder: join(home, "state") });
    try {
      const record = await host.call("bash", { command: "printf 'a\\r'; seq 1 3000; echo 12 failures; exit 1" });
      const lines = record.text.split("\n");
      expect(lines).toHaveLength(13);
      expect(lines.slice(0, 2)).toEqual(["1", "2"]);
      expect(lines.slice(-2)).toEqual(["12 failures", "Exit code: 1"]);
      expect(record.cut).toMatchObject({ terminalChars: 2, capChars: 0, lines: 2_990 });
      const whole = await readFile(record.spill ?? "", "utf8");
      expect(Buffer.byteLength(whole)).toBe(Buffer.byteLength(lines.filter((_, i) => i !== 6).join("\n")) + (record.cut?.bytes ?? 0));

      const named = /whole text is in (\S+)\]/.exec(record.text)?.[1];
      expect(named).toBe(record.spill);
      expect((await host.call("read", { path: named, offset: 1_500, limit: 2 })).text).toContain("1500: 1500\n1501: 1501");
      expect((await host.call("bash", { command: "echo short" })).cut).toBeNull();
      expect(host.prompts).toEqual([]);

      // A session that goes on in another host may still read it; any other session is asked about it.
      const later = await testHost({ answer: "deny", sessionId: "first", stateFolder: join(home, "state") });
      expect(await later.call("read", { path: named })).toMatchObject({ ran: true, isError: false });
      await later.close();
      const other = await testHost({ answer: "deny", sessionId: "second", stateFolder: join(home, "state") });
      expect(await other.call("read", { path: named })).toMatchObject({ ran: false });
      await other.close();
    } finally {
      await host.close();
      if (before === undefined) delete process.env.MORTISE_CONFIG_HOME;
      else process.env.MORTISE_CONFIG_HOME = before;
      await rm(home, { recursive: true, force: true });
    }
  });
});
