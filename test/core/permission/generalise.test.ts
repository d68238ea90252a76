import { afterAll, describe, expect, it } from "vitest";
import { evaluate } from "../../../core/permission/evaluate.ts";
import { allowRules, denyRules } from "../../../core/permission/generalise.ts";
import type { Rule, ScopeList } from "../../../core/permission/permission.ts";
import { createPermissions } from "../../../core/permission/permissions.ts";
import { createSyntax } from "../../../core/syntax/syntax.ts";

const syntax = createSyntax();
afterAll(() => syntax.close());
const project = "/project";
const folders = { config: "/none/config", cache: "/none/cache", state: "/none/state" };
const permissions = createPermissions({
  syntax,
  project,
  folders,
  policy: () => ({ rules: [], yolo: false, yoloUnparseable: false, defaultEffect: () => "prompt" }),
});

function scopesOf(command: string): Promise<ScopeList> {
  return permissions.scopesOf({ tool: "bash", input: {}, declared: { scopes: [{ kind: "shell", command }] }, cwd: project });
}
async function patternsFor(command: string): Promise<string[]> {
  const { scopes } = await scopesOf(command);
  return allowRules(
    "bash",
    scopes.filter((scope) => !scope.passive && !scope.own),
    project,
  ).map(({ pattern }) => pattern);
}

const rows: [command: string, ...patterns: string[]][] = [
  ["cargo test -p x", "cargo test *"],
  ["git push --force", "git push *"],
  ["git status", "git status *"],
  ["git", "git"],
  ["git --no-pager log", "git log *"],
  ["npm run build -- --x", "npm run build *"],
  ["npm test", "npm test *"],
  ["docker compose up -d", "docker compose up *"],
  ["kubectl get pods", "kubectl get *"],
  ["cd sub && make", "cd *", "make *"],
  ["pwd", "pwd *"],
  ["./x.sh a", "./x.sh *"],
  ["# list\nls", "ls *"],
  ["2>/dev/null ls -l", "ls *"],
  ["CI=1 npm test", "npm test *"],
  ["FOO=1 npm test", "FOO=1", "npm test *"],
  ['for f in *.log; do rm "$f"; done'],
  ["rm -rf build", "rm -rf build"],
  ["bash -c 'ls'", "bash -c 'ls'", "ls *"],
  ["sudo ls", "sudo ls", "ls *"],
  ["timeout 5 make", "make *"],
  ["python3 -c 'print(1)'", "python3 -c 'print(1)'"],
  ["python3 x.py", "python3 x.py"],
  ["env", "env"],
  ["curl https://x.org", "curl https://x.org"],
  ["rm *"],
  ["sudo cat *", "cat *"],
  ['grep -n "a.*b" a.txt', "grep *"],
  ['rm "a*b"'],
  ["$CMD a"],
  ["echo a > src/x.txt", "echo *", "/project/src/**"],
  ["echo a > x.txt", "echo *", "/project/**"],
  ["echo a > /etc/x", "echo *"],
];

describe("allowRules()", () => {
  it.each(rows)("stores for `%s`", async (command, ...patterns) => {
    expect(await patternsFor(command)).toEqual(patterns);
  });

  it.each(rows.filter(([, ...patterns]) => patterns.length > 0).map(([command]) => command))("stores what covers `%s` itself", async (command) => {
    const list = await scopesOf(command);
    const rules = (await patternsFor(command)).map((pattern): Rule => ({ tool: "bash", pattern, effect: "allow", layer: "session", from: "" }));
    const verdict = await evaluate({ tool: "bash", list, rules, yolo: false, yoloUnparseable: false, defaultEffect: "prompt", project });
    const covered = verdict.scopes.filter(({ effect }) => effect === "allow").length;
    expect(covered).toBeGreaterThanOrEqual(rules.length);
  });

  it("keeps files below their folder and in the project", () => {
    const patterns = (text: string) => allowRules("edit", [{ kind: "path", text, access: "write" }], project).map(({ pattern }) => pattern);
    expect(patterns("/project/src/a.rs")).toEqual(["/project/src/**"]);
    expect(patterns("/project/a.rs")).toEqual(["/project/**"]);
    expect(patterns("/other/a.rs")).toEqual(["/other/a.rs"]);
    expect(patterns("/Cargo.toml")).toEqual(["/Cargo.toml"]);
  });

  it("stores nothing for code, and nothing for what is protected", () => {
    expect(allowRules("bash", [{ kind: "code", text: "x" }], project)).toEqual([]);
    expect(allowRules("edit", [{ kind: "path", text: "/project/.mortise/x", access: "write", protected: true }], project)).toEqual([]);
  });
});

describe("denyRules()", () => {
  it.each(rows.map(([command]) => command))("stores what denies `%s` itself, or nothing", async (command) => {
    const list = await scopesOf(command);
    const denials = denyRules(
      "bash",
      list.scopes.filter(({ passive }) => !passive),
    );
    if (denials.length === 0) return;
    for (const denial of denials) {
      const rules: Rule[] = [{ ...denial, layer: "session", from: "" }];
      const verdict = await evaluate({ tool: "bash", list, rules, yolo: true, yoloUnparseable: true, defaultEffect: "allow", project });
      expect(verdict.kind, denial.pattern).toBe("deny");
    }
  });

  it("stores the text itself, and nothing that would be a pattern", () => {
    expect(denyRules("bash", [{ kind: "command", text: "cargo test" }])).toEqual([{ tool: "bash", pattern: "cargo test", effect: "deny" }]);
    expect(denyRules("bash", [{ kind: "command", text: "cat *" }])).toEqual([]);
  });
});
