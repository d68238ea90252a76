import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Agent, type ImportResult, importRules } from "../../../core/imported-rules/import-rules.ts";

const base = await realpath(await mkdtemp(join(tmpdir(), "mortise-import-")));
afterAll(() => rm(base, { recursive: true, force: true }));

let root = "";
let home = "";
let made = 0;
beforeEach(async () => {
  const own = join(base, String(made++));
  root = join(own, "project");
  home = join(own, "home");
  await mkdir(join(root, "src"), { recursive: true });
  await mkdir(home);
  vi.stubEnv("HOME", home);
  for (const name of ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME"]) vi.stubEnv(name, undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

async function put(path: string, content: string | object): Promise<string> {
  const file = path.startsWith("~/") ? join(home, path.slice(2)) : join(root, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, typeof content === "string" ? content : JSON.stringify(content, null, 2));
  return file;
}

/** `allow bash git *` */
const rulesOf = ({ rules }: ImportResult) => rules.map(({ rule: { effect, tool, pattern } }) => `${effect} ${tool} ${pattern}`);
const withoutOf = ({ without }: ImportResult) => without.map(({ was }) => was);

async function claude(permissions: object): Promise<ImportResult> {
  await put(".claude/settings.json", { permissions });
  return importRules("claude", { root });
}

describe("importRules() of claude", () => {
  it.each([
    ["Bash(npm run build)", ["npm run build"]],
    ["Bash(npm run test:*)", ["npm run test *"]],
    ["Bash(git *)", ["git *"]],
    ["Bash(git push*)", ["git push*"]],
    ["Bash(git * main)", []],
    ["Bash(git commit -m 'a b')", ["git commit -m 'a b'"]],
    ["Bash(ls && pwd)", []],
    ["Bash(ls > out)", []],
    ["Bash(NODE_ENV=x npm test)", []],
    ["Bash(* --version)", []],
    ["Bash(npm run build-*-x)", []],
    ["Bash(npm r*n build)", []],
    ['Bash(echo "*")', []],
    ["Bash", []],
    ["Bash(*)", []],
    ["WebFetch(domain:example.com)", []],
    ["mcp__github__create_issue", []],
    ["Write(src/**)", []],
  ])("allows by %s what it allowed, at most", async (was, patterns) => {
    const result = await claude({ allow: [was] });
    expect(rulesOf(result)).toEqual(patterns.map((pattern) => `allow bash ${pattern}`));
    expect(withoutOf(result)).toEqual(patterns.length === 0 ? [was] : []);
  });

  it("keeps a star between words where it denies or asks", async () => {
    expect(rulesOf(await claude({ deny: ["Bash(git * main)"], ask: ["Bash(npm * x:*)"] }))).toEqual(["deny bash git * main", "ask bash npm * x *"]);
  });

  it("takes paths as .gitignore does, for each tool that reads or writes files", async () => {
    await put("src/a.ts", "");
    const result = await claude({
      deny: ["Read(./src/a.ts)", "Read(.env)", "Edit(//etc/**)", "Edit(/src)", "Read(secrets/[ab])"],
      allow: ["Edit(~/notes/**)"],
    });
    expect(rulesOf(result)).toEqual([
      ...["read", "glob", "list", "grep", "index", "bash"].map((tool) => `deny ${tool} src/a.ts`),
      ...["read", "glob", "list", "grep", "index", "bash"].map((tool) => `deny ${tool} **/.env/**`),
      ...["write", "edit", "multiedit", "bash"].map((tool) => `deny ${tool} /etc/**`),
      ...["write", "edit", "multiedit", "bash"].map((tool) => `deny ${tool} src/**`),
      ...["write", "edit", "multiedit"].map((tool) => `allow ${tool} ~/notes/**`),
    ]);
    expect(withoutOf(result)).toEqual(["Read(secrets/[ab])"]);
  });

  it("leaves out what would allow more than before, since something that denies or asks has no equal", async () => {
    const result = await claude({
      allow: ["Bash(curl *)", "Bash(git *)", "Bash(cat *)"],
      deny: ["Bash(curl * | sh)"],
      ask: ["Bash(git push origin-*-x)"],
    });
    expect(rulesOf(result)).toEqual(["allow bash cat *"]);
    expect(withoutOf(result).sort()).toEqual(["Bash(curl * | sh)", "Bash(curl *)", "Bash(git *)", "Bash(git push origin-*-x)"]);
  });

  it("leaves out every command where files that are denied have no equal", async () => {
    expect(rulesOf(await claude({ allow: ["Bash(cat *)"], deny: ["Read(secret[s].txt)"] }))).toEqual([]);
  });

  it("leaves out what a project allows and the user's own rules ask about, since a project's stand above them here", async () => {
    await put("~/.claude/settings.json", { permissions: { ask: ["Bash(git push *)"] } });
    const result = await claude({ allow: ["Bash(git *)", "Bash(ls *)"] });
    expect(rulesOf(result)).toEqual(["ask bash git push *", "allow bash ls *"]);
  });

  it.each<[matcher: string | undefined, kept: string[]]>([
    ["Bash", ["allow write src/**", "allow edit src/**", "allow multiedit src/**"]],
    ["Edit|Write", ["allow bash ls *"]],
    ["WebFetch", ["allow write src/**", "allow edit src/**", "allow multiedit src/**", "allow bash ls *"]],
    ["", []],
    [undefined, []],
    ["*", []],
    ["mcp__.*|B.sh", []],
  ])("leaves out what a program decides before each call: a hook on %s", async (matcher, kept) => {
    const hook = { ...(matcher === undefined ? {} : { matcher }), hooks: [{ type: "command", command: "guard" }] };
    await put(".claude/settings.json", { permissions: { allow: ["Edit(/src/**)", "Bash(ls *)"] }, hooks: { PreToolUse: [hook], Stop: [hook] } });
    const result = await importRules("claude", { root });
    expect(rulesOf(result).sort()).toEqual(kept.sort());
    expect(withoutOf(result)).toContain(`PreToolUse ${matcher ?? ""}`.trim());
  });

  it.each(["Read(/**)", "Read(**)", "Read(./**)", "Read(/)", "Read()", "Read(./)"])("takes %s for no more than the project", async (entry) => {
    const patterns = (await claude({ allow: [entry] })).rules.map(({ rule: { pattern } }) => pattern);
    expect(patterns.filter((pattern) => pattern !== "./**")).toEqual([]);
  });

  it("ends soon, however many there are", async () => {
    const many = (text: string) => Array.from({ length: 10_000 }, (_, i) => `Bash(${text}${i} [ab] | c)`);
    const result = await claude({ allow: Array.from({ length: 10_000 }, (_, i) => `Bash(a${i} *)`), deny: many("b"), ask: many("c") });
    expect([result.rules.length, result.without.length]).toEqual([10_000, 20_000]);
  });

  it("names places, layers and what is no rule", async () => {
    await put("~/.claude/settings.json", { permissions: { defaultMode: "dontAsk", additionalDirectories: ["../other"] } });
    await put(".claude/settings.local.json", { permissions: { allow: ["Bash(ls *)"] } });
    const result = await importRules("claude", { root });
    expect(result.found).toEqual([
      { path: join(home, ".claude/settings.json"), layer: "user" },
      { path: join(root, ".claude/settings.local.json"), layer: "project" },
    ]);
    expect(result.rules).toMatchObject([{ from: `${join(root, ".claude/settings.local.json")}:4`, was: "Bash(ls *)", layer: "project" }]);
    expect(withoutOf(result)).toEqual(["defaultMode dontAsk", "additionalDirectories ../other"]);
  });
});

describe("importRules() of codex", () => {
  it("writes the alternatives of a prefix out", async () => {
    await put(
      "~/.codex/rules/default.rules",
      `prefix_rule(pattern = ["git", ["push", "fetch"]], decision = "prompt")
prefix_rule(pattern = ["rm"], decision = "forbidden", justification = "no")
prefix_rule(pattern = ["ls"])
`,
    );
    expect(rulesOf(await importRules("codex", { root }))).toEqual([
      "ask bash git push *",
      "ask bash git fetch *",
      "deny bash rm *",
      "allow bash ls *",
    ]);
  });

  it("leaves out what cannot be written, and what it may be about", async () => {
    await put(
      ".codex/rules/a.rules",
      'prefix_rule(pattern = ["git", "a b"], decision = "forbidden")\nprefix_rule(pattern = ["git"])\nprefix_rule(pattern = ["ls"])\n',
    );
    expect(rulesOf(await importRules("codex", { root }))).toEqual(["allow bash ls *"]);
  });

  it("allows nothing beside statements that it does not read", async () => {
    await put(".codex/rules/a.rules", 'for x in ["rm"]:\n    prefix_rule(pattern = [x], decision = "forbidden")\nprefix_rule(pattern = ["ls"])\n');
    expect(rulesOf(await importRules("codex", { root }))).toEqual([]);
    await put(".codex/rules/a.rules", 'prefix_rule(pattern = ["ls"])\nprefix_rule(pattern = [], decision = "forbidden")\n');
    expect(rulesOf(await importRules("codex", { root }))).toEqual([]);
  });

  it("says that its sandbox has no equal", async () => {
    await put(
      "~/.codex/config.toml",
      'model = "x"\napproval_policy = "never"\nsandbox_mode = "danger-full-access"\n[mcp_servers.a]\ncommand = "a"\n',
    );
    const { rules, without } = await importRules("codex", { root });
    expect(rules).toEqual([]);
    expect(without.map(({ from, was }) => `${from.split(":")[1]} ${was}`)).toEqual([
      "2 approval_policy never",
      "3 sandbox_mode danger-full-access",
      "4 mcp_servers",
    ]);
  });
});

describe("importRules() of gemini", () => {
  it("reads lists of tools", async () => {
    await put(".gemini/settings.json", {
      tools: {
        allowed: ["run_shell_command(git status)", "read_file", "run_shell_command"],
        exclude: ["run_shell_command(rm)", "write_file", "web_fetch"],
      },
    });
    const result = await importRules("gemini", { root });
    expect(rulesOf(result)).toEqual(["deny bash rm*", "deny write *", "allow bash git status *", "allow read *"]);
    expect(withoutOf(result).sort()).toEqual(["run_shell_command", "web_fetch"]);
  });

  it("denies what a list of the only tools leaves out", async () => {
    await put("~/.gemini/settings.json", { tools: { core: ["read_file", "glob", "run_shell_command(ls)"] } });
    expect(rulesOf(await importRules("gemini", { root }))).toEqual(["deny write *", "deny edit *", "deny multiedit *", "deny grep *"]);
  });

  it("reads policies", async () => {
    await put(
      "~/.gemini/policies/a.toml",
      `[[rule]]
toolName = "run_shell_command"
commandPrefix = ["git log", "npm test"]
decision = "allow"
priority = 100

[[rule]]
commandPrefix = "rm"
decision = "deny"
denyMessage = "no"

[[rule]]
toolName = ["write_file", "replace"]
decision = "ask_user"

[[rule]]
toolName = "*"
modes = ["yolo"]
decision = "allow"

[[rule]]
mcpName = "github"
decision = "deny"
`,
    );
    const result = await importRules("gemini", { root });
    expect(rulesOf(result)).toEqual([
      "allow bash git log *",
      "allow bash npm test *",
      "deny bash rm*",
      "ask write *",
      "ask edit *",
      "ask multiedit *",
    ]);
    expect(result.rules[0]?.from).toBe(`${join(home, ".gemini/policies/a.toml")}:1`);
    expect(result.without).toHaveLength(2);
  });

  it("leaves out what is allowed where a rule that denies has no equal", async () => {
    const rule = (more: string) => `[[rule]]\ntoolName = "run_shell_command"\n${more}\n`;
    await put(
      "~/.gemini/policies/a.toml",
      rule('commandPrefix = "git"\ndecision = "allow"') + rule('commandRegex = "git (push|reset)"\ndecision = "deny"'),
    );
    expect(rulesOf(await importRules("gemini", { root }))).toEqual([]);
    await put("~/.gemini/policies/a.toml", rule('commandPrefix = "git"\ndecision = "allow"') + rule('decision = "dney"'));
    expect(rulesOf(await importRules("gemini", { root }))).toEqual([]);
  });
});

describe("importRules() of policies of gemini that are odd", () => {
  const ALLOW = '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "ls"\ndecision = "allow"\n';
  const policies = async (other: string) => {
    await put("~/.gemini/policies/a.toml", ALLOW);
    await put("~/.gemini/policies/b.toml", other);
    return importRules("gemini", { root });
  };

  it.each(['[rule]\ntoolName = "run_shell_command"\ndecision = "deny"\n', 'rule = "deny"\n', "rule = [1, 2]\n"])(
    "allows nothing beside what is no list of rules: %j",
    async (other) => {
      const result = await policies(other);
      expect(rulesOf(result)).toEqual([]);
      expect(result.without.length).toBeGreaterThan(1);
    },
  );

  it("takes a star in the name of a tool for all that fit", async () => {
    expect(rulesOf(await policies('[[rule]]\ntoolName = "run_*"\ndecision = "deny"\n'))).toEqual(["allow bash ls *", "deny bash *"]);
    expect(rulesOf(await policies('[[rule]]\ntoolName = "run_*"\nargsPattern = "x"\ndecision = "deny"\n'))).toEqual([]);
  });
});

describe("importRules() of opencode", () => {
  const opencode = async (config: object) => {
    await put("opencode.json", config);
    return importRules("opencode", { root });
  };

  it("reads commands and paths", async () => {
    const result = await opencode({
      permission: {
        bash: { "*": "ask", "git *": "allow", "git push *": "deny", "npm run build?": "allow" },
        edit: { "docs/*.mdx": "allow", "src/*": "deny", "*.lock": "deny" },
        read: { "$HOME/notes/*": "allow", "*.env": "deny" },
      },
    });
    expect(rulesOf(result)).toEqual([
      "allow bash git *",
      "deny bash git push *",
      ...["write", "edit", "multiedit"].map((tool) => `allow ${tool} docs/**/*.mdx`),
      ...["write", "edit", "multiedit"].map((tool) => `deny ${tool} src/**`),
      ...["write", "edit", "multiedit"].map((tool) => `deny ${tool} **/*.lock/**`),
      "allow read ~/notes/**",
      "deny read **/*.env/**",
    ]);
    expect(withoutOf(result)).toEqual(["bash: ask", "bash(npm run build?): allow"]);
  });

  it("takes all of the project for no more than that", async () => {
    const patterns = rulesOf(await opencode({ permission: { edit: { "./**": "allow" }, read: { "./*": "allow" } } }));
    expect(patterns.filter((rule) => !rule.endsWith(" ./**"))).toEqual([]);
  });

  it("drops what a later pattern for everything takes back", async () => {
    expect(rulesOf(await opencode({ permission: { bash: { "git *": "allow", "rm *": "deny", "*": "ask", "ls *": "allow" } } }))).toEqual([
      "allow bash ls *",
    ]);
  });

  it("denies a tool, unless patterns after it allow", async () => {
    expect(rulesOf(await opencode({ permission: { edit: "deny", bash: { "*": "deny", "rm *": "deny" } } }))).toEqual([
      "deny write *",
      "deny edit *",
      "deny multiedit *",
      "deny bash *",
      "deny bash rm *",
    ]);
    expect(rulesOf(await opencode({ permission: { bash: { "*": "deny", "ls *": "allow" } } }))).toEqual(["allow bash ls *"]);
    expect(rulesOf(await opencode({ tools: { bash: false, write: true } }))).toEqual(["deny bash *"]);
  });

  it.each<[object]>([
    [{ permission: "allow" }],
    [{ permission: { "*": "allow" } }],
    [{ permission: { bash: "allow" } }],
    [{ permission: { webfetch: "allow", external_directory: { "~/x/**": "allow" } } }],
    [{ agent: { build: { permission: { bash: "allow" } } } }],
    [{ permission: { bash: { "{env:TOOL} *": "allow" } } }],
  ])("has no equal for %j", async (config) => {
    const result = await opencode(config);
    expect(rulesOf(result)).toEqual([]);
    expect(result.without.length).toBeGreaterThan(0);
  });

  it("reads the ordered rules of its second version", async () => {
    const rule = (action: string, resource: string, effect: string) => ({ action, resource, effect });
    const result = await opencode({
      permissions: [
        rule("shell", "rm *", "deny"),
        rule("*", "*", "ask"),
        rule("shell", "git *", "allow"),
        rule("shell", "git push *", "deny"),
        rule("edit", "docs/*.mdx", "allow"),
        rule("read", "*", "allow"),
        rule("read", "*.env", "deny"),
        rule("subagent", "*", "deny"),
        rule("webfetch", "*", "deny"),
      ],
    });
    expect(rulesOf(result)).toEqual([
      "allow bash git *",
      "deny bash git push *",
      ...["write", "edit", "multiedit"].map((tool) => `allow ${tool} docs/**/*.mdx`),
      "deny read **/*.env/**",
      "deny task *",
      "ask glob *",
      "ask list *",
      "ask grep *",
    ]);
    expect(result.rules.find(({ rule: { pattern } }) => pattern === "git push *")?.from).toMatch(/opencode\.json:(?:[2-9]|\d\d)$/);
    expect(withoutOf(result)).toContain("webfetch: deny");
  });

  it("asks what was asked about where reading needs no permission here", async () => {
    expect(rulesOf(await opencode({ permission: { grep: "ask" } }))).toEqual(["ask grep *"]);
    const { rules, without } = await opencode({ permission: { read: { "*": "ask", "docs/*": "allow" } } });
    expect([rules.map(({ rule }) => rule.effect), without.map(({ why }) => why.includes('"read": "prompt"'))]).toEqual([["allow"], [true]]);
  });
});

describe("importRules()", () => {
  it("finds nothing where there is nothing", async () => {
    for (const agent of ["claude", "codex", "gemini", "opencode"] as const) {
      expect(await importRules(agent, { root })).toEqual({ rules: [], without: [], found: [] });
    }
  });

  it("reads the folders that variables name", async () => {
    vi.stubEnv("CLAUDE_CONFIG_DIR", join(home, "elsewhere"));
    await put("~/elsewhere/settings.json", { permissions: { allow: ["Bash(ls *)"] } });
    expect((await importRules("claude", { root })).found).toMatchObject([{ layer: "user" }]);
  });

  it.each<[Agent, string, string]>([
    ["claude", ".claude/settings.json", '{ "permissions": { "deny": "Bash(rm *)" } }'],
    ["claude", ".claude/settings.json", '{ "permissions": '],
    ["claude", ".claude/settings.json", '{ "permissions": {}, "permissions": {} }'],
    ["codex", ".codex/rules/a.rules", "prefix_rule("],
    ["codex", ".codex/config.toml", "a = "],
    ["gemini", ".gemini/settings.json", '{ "tools": { "exclude": [1] } }'],
    ["gemini", ".gemini/policies/a.toml", "[[rule]"],
    ["gemini", ".gemini/policies/a.toml", `a = ${"[".repeat(100_000)}`],
    ["opencode", "opencode.json", '{ "permission": { "bash": { "rm *": "dney" } } }'],
  ])("refuses a file of %s that is broken: %s %#", async (agent, path, content) => {
    const file = await put(path, content);
    await expect(importRules(agent, { root })).rejects.toMatchObject({ code: "file_broken", seen: expect.stringMatching(/:\d+:\d+/) });
    await expect(importRules(agent, { root, file })).rejects.toMatchObject({ code: "file_broken" });
  });

  it("refuses a file that is named and not there, or is none", async () => {
    await expect(importRules("claude", { root, file: join(root, "no.json") })).rejects.toMatchObject({ code: "usage" });
    await expect(importRules("claude", { root, file: root })).rejects.toMatchObject({ code: "file_broken" });
    expect(homedir()).toBe(home);
  });
});
