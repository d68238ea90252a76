import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { jsonOf, type Scratch, scratch } from "../run-cli.ts";

let here: Scratch;
beforeEach(async () => {
  here = await scratch();
  await here.write(
    "home/config/permissions.jsonc",
    `{
  // what is done all day
  "rules": [
    { "tool": "bash", "pattern": "git *", "effect": "allow" },
    { "tool": "bash", "pattern": "git push *", "effect": "deny" },
  ],
}
`,
  );
});
afterEach(() => here.remove());

describe("rules explain", () => {
  it("exits with 0 where rules allow the call, and with 5 where they do not", async () => {
    expect((await here.run(["rules", "explain", "git status"])).code).toBe(0);
    expect((await here.run(["rules", "explain", "git push"])).code).toBe(5);
    expect((await here.run(["rules", "explain", "whoami"])).code).toBe(5);
    expect((await here.run(["rules", "explain", "whoami", "--yolo"])).code).toBe(0);
  });

  it("prints the rule of each scope with file and line", async () => {
    const { stdout, stderr } = await here.run(["rules", "explain", "git status; git push"]);
    expect(stdout).toMatch(/^denied/);
    expect(stdout).toMatch(/git status .*allow bash "git \*", user .*permissions\.jsonc:4/);
    expect(stdout).toMatch(/git push .*deny bash "git push \*", user .*permissions\.jsonc:5/);
    expect(stderr).toBe("");
  });

  it("prints one object in JSON mode", async () => {
    const { code, stdout } = await here.run(["rules", "explain", "git status; whoami", "--json"]);
    expect(code).toBe(5);
    expect(jsonOf(stdout)).toMatchObject({
      tool: "bash",
      input: { command: "git status; whoami" },
      cwd: here.folder,
      decision: "ask",
      source: "uncovered",
      forced: false,
      reason: null,
      scopes: [
        { kind: "command", text: "git status", effect: "allow", rule: { pattern: "git *", layer: "user" }, allowedBy: null },
        { kind: "command", text: "whoami", effect: "uncovered", rule: null, allowedBy: { tool: "bash", effect: "allow" } },
      ],
      warnings: [],
    });
  });

  it("explains a call of another tool, and rules of plugins", async () => {
    await here.write(
      "project/strict.ts",
      'import { definePlugin } from "mortise/sdk";\nexport default definePlugin({ name: "strict" }, (api) => { api.registerPermissionRule({ tool: "read", pattern: "src/**", effect: "deny" }); });\n',
    );
    const { code, stdout } = await here.run(["rules", "explain", "--tool", "read", '{"path":"src/a.ts"}', "--plugin", "strict.ts", "--json"]);
    expect(code).toBe(5);
    expect(jsonOf(stdout)).toMatchObject({
      decision: "deny",
      scopes: [{ kind: "path", access: "read", rule: { layer: "plugin", from: "strict" } }],
    });
  });

  it("lets commands run that only read, where permissions.jsonc says so", async () => {
    await here.write("project/a.txt", "one\n");
    expect((await here.run(["rules", "explain", "cat a.txt | wc -l"])).code).toBe(5);
    await here.write(
      "home/config/permissions.jsonc",
      '{ "allow_read_only": true, "rules": [{ "tool": "bash", "pattern": "ls *", "effect": "deny" }] }',
    );
    const { code, stdout } = await here.run(["rules", "explain", "cat a.txt | wc -l", "--json"]);
    expect(code).toBe(0);
    expect(jsonOf(stdout)).toMatchObject({ decision: "allow", scopes: [{ effect: "free" }, { effect: "free" }], warnings: [] });
    expect((await here.run(["rules", "explain", "cat a.txt > b.txt"])).code).toBe(5);
    expect((await here.run(["rules", "explain", "ls"])).code).toBe(5);
    expect((await here.run(["call", "bash", '{"command":"cat a.txt"}'])).stdout).toBe("one\n");
    await here.write("home/config/permissions.jsonc", '{ "allow_read_only": "yes" }');
    expect((await here.run(["rules", "explain", "ls"])).code).toBe(2);
  });

  it("looks from the folder of --cwd", async () => {
    await here.write("project/sub/file", "");
    const { stdout } = await here.run(["rules", "explain", "echo x > a.txt", "--cwd", "sub", "--json"]);
    expect(jsonOf(stdout)).toMatchObject({ cwd: `${here.folder}/sub`, scopes: [{}, { text: `${here.folder}/sub/a.txt`, access: "write" }] });
  });

  it.each(["  ", "echo 'x", "echo \u0007", "x".repeat(100_000)])("answers what cannot be judged with 5: %#", async (command) => {
    const { code, stdout } = await here.run(["rules", "explain", command, "--json"]);
    expect(code).toBe(5);
    expect(jsonOf(stdout)).toMatchObject({ decision: "ask", forced: true, reason: expect.any(String) });
  });

  it.each<[string, string[]]>([
    ["no command", []],
    ["a tool that is not there", ["ls", "--tool", "reed"]],
    ["input that is no JSON", ["package.json", "--tool", "read"]],
    ["input that does not fit", ["{}", "--tool", "read"]],
    ["an empty command", [""]],
    ["an unknown option", ["ls", "--frm"]],
  ])("refuses %s", async (_name, words) => {
    const { code, stdout } = await here.run(["rules", "explain", ...words, "--json"]);
    expect(code).toBe(2);
    expect(jsonOf(stdout).error).toBeDefined();
  });
});
