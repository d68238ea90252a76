import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { jsonOf, type Scratch, scratch } from "../run-cli.ts";

let here: Scratch;
beforeEach(async () => {
  here = await scratch();
  await here.write(
    "home/config/permissions.jsonc",
    JSON.stringify({
      defaults: { read: "deny" },
      rules: [
        { tool: "bash", pattern: "git *", effect: "allow" },
        { tool: "bash", pattern: "git push *", effect: "deny" },
        { tool: "bash", pattern: "git commit *", effect: "ask" },
      ],
    }),
  );
});
afterEach(() => here.remove());

async function test(...cases: object[]): Promise<{ code: number | null; failures: number[] }> {
  await here.write("project/cases.jsonl", cases.map((each) => `${JSON.stringify(each)}\n`).join(""));
  const { code, stdout } = await here.run(["rules", "test", "cases.jsonl", "--json"]);
  const { failures } = jsonOf(stdout) as unknown as { failures: { line: number }[] };
  return { code, failures: failures.map((each) => each.line) };
}

describe("rules test", () => {
  it("passes where rules say what is expected, by what it names", async () => {
    const passes = [
      { command: "git status", expect: "allow" },
      { command: "git status", expect: "allow", by: "git *" },
      { command: "git status && git push", expect: "deny", by: "git push *" },
      { command: "git commit -m x", expect: "ask", by: "user" },
      { command: "whoami", expect: "ask", by: "uncovered", note: "as it should" },
      { command: "whoami", expect: "allow", by: "yolo", yolo: true },
      { command: "echo $(whoami)", expect: "ask", by: "not_understood" },
      { tool: "read", input: { path: "/etc/passwd" }, expect: "deny", by: "default" },
      { command: "echo x > .git/hooks/pre-commit", expect: "ask", by: "protected" },
    ];
    expect(await test(...passes)).toEqual({ code: 0, failures: [] });
  });

  it("fails where they do not, or something else decides", async () => {
    const fails = [
      { command: "git status", expect: "deny" },
      { command: "git status", expect: "allow", by: "git status" },
      { command: "git push", expect: "deny", by: "git *" },
      { command: "git push", expect: "ask" },
      { command: "whoami", expect: "ask", by: "project" },
    ];
    expect(await test(...fails)).toEqual({ code: 1, failures: [1, 2, 3, 4, 5] });
  });

  it("judges from the folder that a case names", async () => {
    await here.write("project/sub/a", "");
    await here.write("project/.mortise/permissions.jsonc", '{ "rules": [{ "tool": "bash", "pattern": "sub/**", "effect": "deny" }] }');
    expect(await test({ command: "echo x > b", expect: "deny", cwd: "sub" }, { command: "echo x > b", expect: "ask" })).toEqual({
      code: 0,
      failures: [],
    });
  });

  it("names file and line of each case that failed, and last the counts", async () => {
    await here.write("project/cases.jsonl", '{"command":"git status","expect":"allow"}\n\n{"command":"git status","expect":"deny"}\n');
    const { code, stdout } = await here.run(["rules", "test", "cases.jsonl"]);
    const lines = stdout.trimEnd().split("\n");
    expect(code).toBe(1);
    expect(lines[0]).toMatch(/^cases\.jsonl:3: .*git status/);
    expect(lines.at(-1)).toBe("1 passed, 1 failed");
  });

  it.each<[string, string]>([
    ["an unknown key", '{"command":"ls","expects":"allow"}'],
    ["an unknown expectation", '{"command":"ls","expect":"alow"}'],
    ["a command and a tool", '{"command":"ls","tool":"bash","input":{},"expect":"allow"}'],
    ["neither", '{"expect":"allow"}'],
    ["no object", "[]"],
    ["no JSON", "ls allow"],
  ])("refuses a case with %s, naming the place", async (_name, text) => {
    await here.write("project/cases.jsonl", `{"command":"ls","expect":"ask"}\n${text}\n`);
    const { code, stderr } = await here.run(["rules", "test", "cases.jsonl"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/cases\.jsonl:2:\d+/);
  });

  it("refuses a case for a tool that is not there, and input that does not fit", async () => {
    for (const text of ['{"tool":"reed","input":{},"expect":"allow"}', '{"tool":"read","input":{},"expect":"allow"}']) {
      await here.write("project/cases.jsonl", `\n${text}`);
      const { code, stderr } = await here.run(["rules", "test", "cases.jsonl"]);
      expect(code).toBe(2);
      expect(stderr).toContain("cases.jsonl:2");
    }
  });
});
