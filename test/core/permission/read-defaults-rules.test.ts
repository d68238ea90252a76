import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { allowRules } from "../../../core/permission/generalise.ts";
import type { Rule, Scope } from "../../../core/permission/permission.ts";
import { createPermissions } from "../../../core/permission/permissions.ts";
import { readDefaults } from "../../../core/permission/read-defaults.ts";
import { createSyntax } from "../../../core/syntax/syntax.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "mortise-reads-")));
const project = join(root, "project");
for (const folder of ["project/src", "project/certs", "outside", "state/spills"]) mkdirSync(join(root, folder), { recursive: true });
for (const file of ["project/src/a.ts", "project/src/.env", "project/certs/x.pem", "outside/b.txt"]) writeFileSync(join(root, file), "x");
symlinkSync(join(project, "src/.env"), join(project, "plain.txt"));
symlinkSync(join(root, "outside"), join(project, "out"));
symlinkSync(join(root, "gone"), join(project, "gone.txt"));

const spill = join(root, "state/spills/1.txt");
const syntax = createSyntax();
let own: Rule[] = [];
let yolo = false;
const permissions = createPermissions({
  syntax,
  project,
  folders: { config: join(root, "config"), cache: join(root, "cache"), state: join(root, "state") },
  policy: () => ({
    rules: [...own, ...readDefaults({ project, named: [spill], hasDefault: () => false })],
    yolo,
    yoloUnparseable: false,
    defaultEffect: () => "prompt",
  }),
  named: (path) => path === spill,
});
afterAll(async () => {
  await syntax.close();
  rmSync(root, { recursive: true });
});

/** `project allow src/**` */
async function decide(path: string, rules: readonly string[] = [], tool = "read"): Promise<string> {
  own = rules.map((text): Rule => {
    const [layer, effect, ...pattern] = text.split(" ");
    return { tool, layer: layer as Rule["layer"], effect: effect as Rule["effect"], pattern: pattern.join(" "), from: "" };
  });
  const list = await permissions.scopesOf({ tool, input: { path }, declared: { scopes: [{ kind: "path", path, access: "read" }] }, cwd: project });
  return (await permissions.evaluate({ tool, sessionId: "s", list })).kind;
}

describe("rules for reading", () => {
  it.each([
    ["src/a.ts", "allow"],
    ["src", "allow"],
    [".", "allow"],
    ["not/there.txt", "allow"],
    [spill, "allow"],
    ["src/.env", "ask"],
    ["src/.env.local", "ask"],
    ["certs/x.pem", "ask"],
    ["plain.txt", "ask"],
    ["src/../src/./.env", "ask"],
    [".npmrc", "ask"],
    ["out/b.txt", "ask"],
    ["gone.txt", "ask"],
    ["../outside/b.txt", "ask"],
    ["/etc/passwd", "ask"],
    ["~/.ssh/config", "ask"],
    [join(homedir(), ".aws/credentials"), "ask"],
    [join(root, "state/grants.json"), "ask"],
    [join(root, "state/spills/2.txt"), "ask"],
  ])("%s: %s", async (path, expected) => {
    for (const tool of ["read", "glob", "grep", "index"]) expect(await decide(path, [], tool), tool).toBe(expected);
  });

  it("stand below those of a person, in every layer", async () => {
    for (const layer of ["session", "project", "user"]) {
      expect(await decide("src/.env", [`${layer} allow **/.env`])).toBe("allow");
      expect(await decide("src/.env", [`${layer} allow src/**`])).toBe("allow");
      expect(await decide("src/a.ts", [`${layer} ask src/**`])).toBe("ask");
      expect(await decide("src/a.ts", [`${layer} deny src/**`])).toBe("deny");
      expect(await decide("/etc/passwd", [`${layer} allow /etc/passwd`])).toBe("allow");
    }
    expect(await decide("src/.env", ["plugin allow **/.env"])).toBe("ask");
    expect(await decide("src/a.ts", ["plugin ask src/**"])).toBe("allow");
    expect(await decide("src/a.ts", ["plugin deny src/**"])).toBe("deny");
  });

  it("leave what is outside to yolo, and no secret", async () => {
    yolo = true;
    expect(await decide("/etc/passwd")).toBe("allow");
    expect(await decide("src/.env")).toBe("ask");
    expect(await decide("~/.ssh/config")).toBe("ask");
    yolo = false;
  });

  it("let an answer for always be about the one secret, and no other file of its folder", () => {
    const secret = join(project, "src/.env");
    const rulesFor = (scope: Partial<Scope>) =>
      allowRules("read", [{ kind: "path", text: secret, access: "read", ...scope }], project).map(({ pattern }) => pattern);
    expect(rulesFor({})).toEqual([secret]);
    expect(rulesFor({ shell: true })).toEqual([]);
    expect(rulesFor({ text: join(project, "src/a.ts") })).toEqual([`${join(project, "src")}/**`]);
  });

  it("are about no other tool, and about no writing", async () => {
    expect(await decide("src/a.ts", [], "write")).toBe("ask");
  });
});

describe("a glob in a rule", () => {
  it.each([
    ["**/.env", "src/.env", "deny"],
    ["**/*.pem", "certs/x.pem", "deny"],
    ["certs/*.pem", "certs/x.pem", "deny"],
    ["src/**/*.ts", "src/a.ts", "deny"],
    ["**/.env", "plain.txt", "deny"],
    ["*.ts", "src/a.ts", "allow"],
    ["**/*.pem", "src/a.ts", "allow"],
    ["~/**/*.pem", "src/a.ts", "allow"],
  ])("%s on %s: %s", async (pattern, path, expected) => expect(await decide(path, [`user deny ${pattern}`])).toBe(expected));

  it("sees the files among a command's words, where it denies or asks", async () => {
    const bash = async (command: string, effect: Rule["effect"], pattern: string) => {
      own = [
        { tool: "bash", pattern, effect, layer: "user", from: "" },
        { tool: "bash", pattern: effect === "allow" ? "echo *" : "*", effect: "allow", layer: "user", from: "" },
      ];
      const list = await permissions.scopesOf({ tool: "bash", input: {}, declared: { scopes: [{ kind: "shell", command }] }, cwd: project });
      return (await permissions.evaluate({ tool: "bash", sessionId: "s", list })).kind;
    };
    expect(await bash("wc src/.env", "deny", "**/.env")).toBe("deny");
    expect(await bash("wc certs/x.pem", "deny", "**/*.pem")).toBe("deny");
    expect(await bash("wc src/a.ts", "deny", "**/*.pem")).toBe("allow");
    expect(await bash("wc certs/*", "deny", "**/*.pem")).not.toBe("allow");
    expect(await bash('wc "certs/$X"', "deny", "**/*.pem")).not.toBe("allow");
    expect(await bash("echo x > src/b.ts", "allow", "src/**/*.ts")).toBe("allow");
    expect(await bash("echo x > src/b.js", "allow", "src/**/*.ts")).toBe("ask");
  });
});
