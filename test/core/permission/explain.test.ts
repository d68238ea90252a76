import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type ExplainRequest, type Explanation, explain } from "../../../core/permission/explain.ts";
import type { Effect, Rule, RuleLayer } from "../../../core/permission/permission.ts";
import { createPermissions } from "../../../core/permission/permissions.ts";
import { createSyntax } from "../../../core/syntax/syntax.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "mortise-explain-")));
const project = join(root, "project");
mkdirSync(join(project, "sub"), { recursive: true });
const syntax = createSyntax();
const permissions = createPermissions({
  syntax,
  project,
  folders: { config: join(root, "config"), cache: join(root, "cache"), state: join(root, "state") },
  policy: () => ({ rules: [], yolo: false, yoloUnparseable: false, defaultEffect: () => "prompt" }),
});
afterAll(async () => {
  await syntax.close();
  rmSync(root, { recursive: true });
});

const scopesOfText = (command: string) =>
  permissions.scopesOf({ tool: "bash", input: { command }, declared: { scopes: [{ kind: "shell", command }] }, cwd: project });

/** `user allow git *`; `from` is its place in the list. */
function ruleOf(text: string, index: number): Rule {
  const [layer, effect, ...pattern] = text.split(" ");
  return { tool: "bash", layer: layer as RuleLayer, effect: effect as Effect, pattern: pattern.join(" "), from: `rules:${index + 1}` };
}

async function explained(command: string, rules: readonly (string | Rule)[] = [], more: Partial<ExplainRequest> = {}): Promise<Explanation> {
  return explain({
    tool: "bash",
    input: { command },
    cwd: project,
    list: await scopesOfText(command),
    rules: rules.map((rule, index) => (typeof rule === "string" ? ruleOf(rule, index) : rule)),
    yolo: false,
    yoloUnparseable: false,
    defaultEffect: "prompt",
    project,
    tools: ["bash", "read"],
    scopesOfText,
    ...more,
  });
}

const warned = ({ warnings }: Explanation) => warnings.map(({ kind, rule }) => `${kind} ${rule.from}`);

describe("explain()", () => {
  it("names for each scope the rule that decided, with its place", async () => {
    const { decision, source, scopes } = await explained("git status && rm -r x", ["user allow git *", "project deny rm *"]);
    expect({ decision, source }).toEqual({ decision: "deny", source: "rule" });
    expect(scopes.map(({ kind, text, effect, rule }) => ({ kind, text, effect, from: rule?.from }))).toEqual([
      { kind: "command", text: "git status", effect: "allow", from: "rules:1" },
      { kind: "command", text: "rm -r x", effect: "deny", from: "rules:2" },
      { kind: "path", text: join(project, "x"), effect: "free", from: undefined },
    ]);
  });

  it.each<[string, string, string[], Partial<ExplainRequest>, string]>([
    ["rules", "ls", ["user allow ls *"], {}, "allow rules"],
    ["a rule that asks", "ls", ["user ask ls *"], {}, "ask rule"],
    ["nothing", "ls", [], {}, "ask uncovered"],
    ["yolo", "ls", [], { yolo: true }, "allow yolo"],
    ["a default", "ls", [], { defaultEffect: "deny" }, "deny default"],
    ["what is known only when it runs", "echo $(ls)", ["user allow *"], {}, "ask not_understood"],
    ["a protected path", "echo x > .git/hooks/pre-commit", ["user allow *"], {}, "ask protected"],
  ])("says that %s decided", async (_by, command, rules, more, expected) => {
    const { decision, source } = await explained(command, rules, more);
    expect(`${decision} ${source}`).toBe(expected);
  });

  it("names rules that would allow the call, and they do", async () => {
    const before = await explained("git push origin main && ls");
    const wanted = before.scopes.flatMap(({ allowedBy }) => allowedBy ?? []);
    expect(wanted).toHaveLength(2);
    const rules = wanted.map((rule, index): Rule => ({ ...rule, layer: "user", from: `rules:${index}` }));
    expect((await explained("git push origin main && ls", rules)).decision).toBe("allow");
  });

  it("names none where rules would not do", async () => {
    for (const [command, rules] of [
      ["echo $(ls)", []],
      ["echo x > .git/hooks/pre-commit", ["user allow echo *"]],
      ["ls", ["user ask ls *"]],
      ["ls", ["user deny ls *"]],
    ] as const) {
      expect(
        (await explained(command, [...rules])).scopes.flatMap(({ allowedBy }) => allowedBy ?? []),
        command,
      ).toEqual([]);
    }
  });

  it("names one over a rule that asks for the host or a plugin, which a person's own rule is above of", async () => {
    const [scope] = (await explained("ls", ["builtin ask ls *"])).scopes;
    expect(scope?.allowedBy).not.toBeNull();
  });

  it("says why a call that is not understood asks", async () => {
    expect(await explained("echo 'x", ["user allow *"])).toMatchObject({ forced: true, unparseable: true, reason: expect.any(String) });
    expect(await explained("$X push", ["user allow *", "user deny git *"])).toMatchObject({ forced: true, reason: expect.any(String) });
    expect(await explained("ls", ["user allow *"])).toMatchObject({ forced: false, unparseable: false, reason: null });
  });
});

describe("the warnings of explain()", () => {
  it("name a rule that denies the command alone, not with more words", async () => {
    expect(warned(await explained("git push origin", ["user deny git push"]))).toEqual(["exact_deny rules:1"]);
    expect(warned(await explained("git push", ["user deny git push"]))).toEqual([]);
    expect(warned(await explained("git pushx", ["user deny git push"]))).toEqual([]);
    expect(warned(await explained("git push origin", ["user deny git push *"]))).toEqual([]);
  });

  it.each([
    ["/usr/bin/git push origin", "user deny git push", '"git push *"'],
    ["git -C src push origin", "user deny git push", '"git push *"'],
    ["echo hi > secret/a", "user deny secret", '"secret/**"'],
  ])("name one that denies less than `%s`", async (command, given, says) => {
    const { warnings } = await explained(command, [given]);
    expect(warnings.filter(({ kind }) => kind === "exact_deny").map(({ text }) => text)).toEqual([expect.stringContaining(says)]);
  });

  it("name a rule that allows where a stronger one matches too", async () => {
    expect(warned(await explained("git push", ["user allow git *", "project deny git push *"]))).toEqual(["shadowed_allow rules:1"]);
    expect(warned(await explained("git push", ["user allow git *", "user ask git push *"]))).toEqual(["shadowed_allow rules:1"]);
    expect(warned(await explained("git status", ["user allow git *", "user deny git push *"]))).toEqual([]);
  });

  it("name a rule that allows what is protected", async () => {
    const { warnings } = await explained("echo x > .git/hooks/pre-commit", ["user allow .git/**"]);
    expect(warnings.map(({ kind }) => kind)).toContain("shadowed_allow");
  });

  it.each([
    ["user allow cd sub && ls", true],
    ["user allow ls | wc -l", true],
    ["user allow NODE_OPTIONS=--x npm test", true],
    ["user allow bash -c *", true],
    ["user allow eval *", true],
    ["user allow echo $(date)", true],
    ["user deny rm -rf x; ls", true],
    ["user allow git *", false],
    ["user allow git push", false],
    ["user allow npm run build:*", false],
    ["user allow git commit -m 'a b'", false],
    ["user allow ./x.sh *", false],
    ["user allow src/**", false],
    ["user allow *", false],
    ["user deny rm -rf *", false],
    ["user ask git push *", false],
  ])("name a rule that can never match: %s (%s)", async (rule, never) => {
    expect(warned(await explained("true", [rule]))).toEqual(never ? ["never_matches rules:1"] : []);
  });

  it("name a rule for a tool whose name is nearly another's", async () => {
    const rule = (tool: string): Rule => ({ tool, pattern: "rm *", effect: "deny", layer: "user", from: "rules:1" });
    expect(warned(await explained("ls", [rule("bsh")]))).toEqual(["unknown_tool rules:1"]);
    expect(warned(await explained("ls", [rule("webfetch")]))).toEqual([]);
    expect(warned(await explained("ls", [rule("*")]))).toEqual([]);
  });
});
