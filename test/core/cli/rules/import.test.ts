import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { jsonOf, type Scratch, scratch } from "../run-cli.ts";

let here: Scratch;
beforeEach(async () => {
  here = await scratch();
});
afterEach(() => here.remove());

const settings = (permissions: object) => JSON.stringify({ permissions }, null, 2);
const both = async () => {
  await here.write("home/.claude/settings.json", settings({ deny: ["Bash(rm *)"], allow: ["Bash(ls *)"] }));
  await here.write(
    "project/.claude/settings.json",
    settings({ allow: ["Bash(npm test:*)", "WebFetch(domain:example.com)"], ask: ["Bash(git push *)"] }),
  );
};
const rulesIn = async (path: string): Promise<unknown> => (JSON.parse(await readFile(path, "utf8")) as { rules: unknown }).rules;

describe("rules import", () => {
  it("prints the rules of each file, and what has no equal with its line, and writes nothing", async () => {
    await both();
    const { code, stdout } = await here.run(["rules", "import", "claude"]);
    expect(code).toBe(0);
    expect(stdout).toContain(join(here.home, ".claude/settings.json"));
    expect(stdout).toContain('{ "tool": "bash", "pattern": "rm *", "effect": "deny" }');
    expect(stdout).toContain('{ "tool": "bash", "pattern": "npm test *", "effect": "allow" }');
    expect(stdout).toMatch(/5: WebFetch\(domain:example\.com\)/);
    await expect(readFile(join(here.home, "config/permissions.jsonc"))).rejects.toThrow();
  });

  it("prints one object in JSON mode", async () => {
    await both();
    const { code, stdout } = await here.run(["rules", "import", "claude", "--json"]);
    expect(code).toBe(0);
    expect(jsonOf(stdout)).toMatchObject({
      agent: "claude",
      found: [{ layer: "user" }, { layer: "project" }],
      rules: [
        { rule: { tool: "bash", pattern: "rm *", effect: "deny" }, layer: "user" },
        { rule: { tool: "bash", pattern: "ls *", effect: "allow" } },
        { rule: { tool: "bash", pattern: "git push *", effect: "ask" }, layer: "project" },
        {
          rule: { tool: "bash", pattern: "npm test *", effect: "allow" },
          from: `${join(here.folder, ".claude/settings.json")}:4`,
          was: "Bash(npm test:*)",
        },
      ],
      without: [{ was: "WebFetch(domain:example.com)", why: expect.any(String) }],
      written: [],
    });
  });

  it("adds the rules of the user's files to the user's own, once, and they count", async () => {
    await both();
    for (let time = 0; time < 2; time++) expect((await here.run(["rules", "import", "claude", "--write", "user"])).code).toBe(0);
    expect(await rulesIn(join(here.home, "config/permissions.jsonc"))).toEqual([
      { tool: "bash", pattern: "rm *", effect: "deny" },
      { tool: "bash", pattern: "ls *", effect: "allow" },
    ]);
    expect((await here.run(["rules", "explain", "ls -a"])).code).toBe(0);
    expect((await here.run(["rules", "explain", "npm test"])).code).toBe(5);
  });

  it("adds those of the project's files to the project's, which stays trusted", async () => {
    await both();
    expect((await here.run(["rules", "import", "claude", "--write", "project"])).code).toBe(0);
    expect(await rulesIn(join(here.folder, ".mortise/permissions.jsonc"))).toEqual([
      { tool: "bash", pattern: "git push *", effect: "ask" },
      { tool: "bash", pattern: "npm test *", effect: "allow" },
    ]);
    expect((await here.run(["rules", "explain", "npm test"])).code).toBe(0);
  });

  it("allows for nobody's other projects what a project's file allows", async () => {
    const file = await here.write("project/team.json", settings({ allow: ["Bash(npm test:*)"], deny: ["Bash(rm *)"] }));
    const { code, stderr } = await here.run(["rules", "import", "claude", file, "--write", "user"]);
    expect(code, stderr).toBe(0);
    expect(await rulesIn(join(here.home, "config/permissions.jsonc"))).toEqual([{ tool: "bash", pattern: "rm *", effect: "deny" }]);
  });

  it("adds nothing that allows to a project that is not trusted", async () => {
    await here.write("project/.mortise/permissions.jsonc", '{ "rules": [] }');
    await here.write("project/.claude/settings.json", settings({ allow: ["Bash(ls *)"], deny: ["Bash(rm *)"] }));
    const { code, stderr } = await here.run(["rules", "import", "claude", "--write", "project"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/not trusted/);
    expect(await rulesIn(join(here.folder, ".mortise/permissions.jsonc"))).toEqual([{ tool: "bash", pattern: "rm *", effect: "deny" }]);
  });

  it("exits with 1 where there is nothing to read, and with 2 for what is broken or not there", async () => {
    expect((await here.run(["rules", "import", "codex"])).code).toBe(1);
    expect((await here.run(["rules", "import", "codex", "nowhere.rules"])).code).toBe(2);
    expect((await here.run(["rules", "import", "cursor"])).code).toBe(2);
    await here.write("project/.gemini/policies/a.toml", "[[rule]\n");
    const { code, stderr } = await here.run(["rules", "import", "gemini"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/a\.toml:1:\d+/);
  });
});
