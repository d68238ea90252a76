import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Scope, ScopeList } from "../../../core/permission/permission.ts";
import { createPermissions } from "../../../core/permission/permissions.ts";
import { createSyntax } from "../../../core/syntax/syntax.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "mortise-scopes-")));
const project = join(root, "project");
const folders = { config: join(root, "config"), cache: join(root, "cache"), state: join(root, "state") };
const spill = join(folders.state, "spills/named.txt");
const syntax = createSyntax();
const permissions = createPermissions({
  syntax,
  project,
  folders,
  policy: () => ({ rules: [], yolo: false, yoloUnparseable: false, defaultEffect: () => "prompt" }),
  named: (path) => path === spill,
});

beforeAll(() => {
  for (const folder of ["project/sub", "project/.git/hooks", "project/.mortise", "outside", "config", "state/spills"])
    mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(spill, "x");
  symlinkSync("../outside/new", join(project, "dangling"));
  symlinkSync(".git/hooks", join(project, "innocent"));
  symlinkSync("../state", join(project, "state"));
  symlinkSync("loop", join(project, "loop"));
});
afterAll(async () => {
  await syntax.close();
  rmSync(root, { recursive: true });
});

function scopesOf(declared: unknown, input: Record<string, unknown> = {}): Promise<ScopeList> {
  return permissions.scopesOf({ tool: "t", input, declared, cwd: project });
}
function shell(command: string, cwd?: string): Promise<ScopeList> {
  return scopesOf({ scopes: [{ kind: "shell", command, ...(cwd === undefined ? {} : { cwd }) }] }, { command });
}
/** `~` before what needs no permission, `!` before what is protected; paths from the folder that all lie in. */
function lines({ scopes }: ScopeList): string[] {
  const line = ({ kind, text, access, passive, protected: guarded }: Scope) =>
    `${passive ? "~" : ""}${guarded ? "!" : ""}${kind === "path" ? `${access} ` : kind === "command" ? "" : `${kind} `}${text.replace(root, "R")}`;
  return scopes.map(line);
}

describe("scopesOf()", () => {
  it("takes nothing from a tool that says none", async () => {
    expect(await scopesOf("none")).toEqual({ scopes: [], forcePrompt: false, unparseable: false });
  });

  it.each([
    undefined,
    null,
    {},
    { scopes: [] },
    { scopes: "none" },
    { scopes: [{ kind: "path", path: "a" }] },
    { scopes: [{ kind: "shell", command: "  " }] },
    "all",
  ])("asks about the whole input where a tool says %j", async (declared) => {
    const list = await scopesOf(declared, { a: 1 });
    expect(list).toMatchObject({ scopes: [{ kind: "other", text: '{"a":1}' }], forcePrompt: true });
  });

  it("takes the words of one command, and text of several for all of them", async () => {
    const command = async (text: string) => lines(await scopesOf({ scopes: [{ kind: "command", text }] }));
    expect(await command("git push origin")).toEqual(["git push origin"]);
    expect(await command("git status; rm -rf x")).toEqual(["git status", "rm -rf x", "write R/project/x"]);
    expect(await command("git log\nwhoami")).toEqual(["git log", "whoami"]);
    expect((await scopesOf({ scopes: [{ kind: "command", text: "git $(whoami)" }] })).forcePrompt).toBe(true);
  });

  it("keeps the tool's own wish to be asked about", async () => {
    expect(await scopesOf({ scopes: [{ kind: "other", text: "x" }], forcePrompt: true })).toMatchObject({ forcePrompt: true });
  });

  it("asks about a call of more scopes than are looked at", async () => {
    const declared = { scopes: Array.from({ length: 100_000 }, (_, i) => ({ kind: "path", path: `f${i}`, access: "write" })) };
    const list = await scopesOf(declared, { all: true });
    expect(list.forcePrompt).toBe(true);
    expect(list.scopes).toHaveLength(1_001);
    expect(list.scopes.at(-1)).toMatchObject({ kind: "other", text: '{"all":true}' });
  });

  it("makes declared paths canonical, links before `..`", async () => {
    const paths = ["a.txt", "sub/../a.txt", "dangling", "innocent/../x", "~/x"].map((path) => ({ kind: "path", path, access: "read" }));
    const { scopes } = await scopesOf({ scopes: paths });
    expect(scopes.map(({ text }) => text)).toEqual(
      ["project/a.txt", "outside/new", "project/.git/x"].map((path) => join(root, path)).concat(join(homedir(), "x")),
    );
  });

  it("asks about a path that cannot be resolved", async () => {
    expect(await scopesOf({ scopes: [{ kind: "path", path: "loop/x", access: "read" }] })).toMatchObject({ forcePrompt: true });
  });

  const rows: [command: string, ...scopes: string[]][] = [
    ["git log | head", "git log", "head"],
    ["echo a > out.txt", "echo a", "write R/project/out.txt"],
    ["echo a > sub/../../x 2>/dev/null", "echo a", "write R/x"],
    ["echo a >> dangling", "echo a", "write R/outside/new"],
    ["cat < sub/in", "cat", "~read R/project/sub/in"],
    ["CI=1 npm test", "npm test"],
    ["GIT_PAGER=cat PORT=3000 git log", "git log", "~cat"],
    ["GIT_PAGER=./x git log", "GIT_PAGER=./x", "git log", "~./x"],
    ["export NODE_OPTIONS=-r./x FOO=1", "NODE_OPTIONS=-r./x", "export NODE_OPTIONS=-r./x FOO=1"],
    ["PATH=./x FOO=1 npm test", "PATH=./x", "FOO=1", "npm test"],
    ["while IFS= read -r l; do wc $l; done", "read -r l", "wc $l"],
    ["A=1 B=2", "A=1", "B=2"],
    ["file=a; wc $file", "~file=a", "wc $file"],
    ["timeout 5 ls", "~timeout 5 ls", "ls"],
    ["python3 -c 'x()'", "python3 -c 'x()'", "code x()"],
    ["[ -f a ]", "[ -f a ]"],
    ["# nothing", "# nothing"],
    ["cd sub && ls", "cd sub", "ls"],
    ["cd ../outside && git status", "cd ../outside", "write R/outside", "git status"],
    ["git -C ../outside status", "git -C ../outside status", "write R/outside"],
    ["cd && ls", "cd", `write ${homedir()}`, "ls"],
    ["tee .mortise/permissions.jsonc", "!tee .mortise/permissions.jsonc", "!write R/project/.mortise/permissions.jsonc"],
    ["cp x .git/hooks/pre-commit", "!cp x .git/hooks/pre-commit", "!write R/project/.git/hooks/pre-commit"],
    ["cp x innocent/pre-commit", "!cp x innocent/pre-commit", "!write R/project/.git/hooks/pre-commit"],
    ["mv .git old", "!mv .git old", "!write R/project/.git", "write R/project/old"],
    ["dd of=.claude/settings.json", "!dd of=.claude/settings.json", "!write R/project/.claude/settings.json"],
    ["cd sub && echo a > x", "cd sub", "echo a", "write R/project/sub/x"],
    ["cd sub; echo a > x", "cd sub", "echo a", "write R/project/sub/x"],
    ["cd new; echo a > x", "cd new", "echo a", "write R/project/new/x", "write R/project/x"],
    ["rm -r sub; cd sub; echo a > x", "rm -r sub", "write R/project/sub", "cd sub", "echo a", "write R/project/sub/x", "write R/project/x"],
    ["cd sub || exit 1; echo a > x", "cd sub", "~exit 1", "echo a", "write R/project/sub/x"],
    ["cd sub && cd ..", "cd sub", "cd .."],
    ["cat ~/.ssh/id_rsa", "cat ~/.ssh/id_rsa", `read ${homedir()}/.ssh/id_rsa`],
    ["cat .claude/settings.json", "cat .claude/settings.json"],
    ["echo x > .git/config", "echo x", "!write R/project/.git/config"],
    ["echo x > .GIT/Config", "echo x", "!write R/project/.GIT/Config"],
    ["echo x > innocent/post-commit", "echo x", "!write R/project/.git/hooks/post-commit"],
    ["echo x > state/grants.json", "echo x", "!write R/state/grants.json"],
  ];
  it.each(rows)("reads `%s`", async (command, ...expected) => {
    const list = await shell(command);
    expect(lines(list)).toEqual(expected);
    expect(list).toMatchObject({ forcePrompt: false, unparseable: false });
  });

  it.each(["echo a > $f", "cd $d && ls", "echo a > *", "sh -c ls"])("forces a prompt for `%s`", async (command) => {
    expect(await shell(command)).toMatchObject({ forcePrompt: true, unparseable: false });
  });

  it("asks about text that is not understood as a whole, and keeps what was found for rules that deny", async () => {
    const list = await shell("cat <<'X'; tee .mortise/x\nhi\nX");
    expect(list).toMatchObject({ forcePrompt: true, unparseable: true });
    const [whole, ...found] = lines(list);
    expect(whole).toBe("!cat <<'X'; tee .mortise/x\nhi\nX");
    expect(found).toContain("~!tee .mortise/x");
    expect(found.filter((line) => !line.startsWith("~"))).toEqual([]);
  });

  it("asks about a folder outside of the project that a command runs in", async () => {
    expect(lines(await shell("ls", "../outside"))).toEqual(["write R/outside", "ls"]);
    expect(lines(await shell("ls", "sub"))).toEqual(["ls"]);
  });

  it("is unparseable where the parser is gone", async () => {
    const closed = createSyntax();
    await closed.close();
    const without = createPermissions({
      syntax: closed,
      project,
      folders,
      policy: () => ({ rules: [], yolo: true, yoloUnparseable: false, defaultEffect: () => "allow" }),
    });
    const list = await without.scopesOf({ tool: "bash", input: {}, declared: { scopes: [{ kind: "shell", command: "ls" }] }, cwd: project });
    expect((await without.evaluate({ tool: "bash", sessionId: "s", list })).kind).toBe("ask");
  });

  const guarded: [path: string, access: "read" | "write", expected: boolean][] = [
    [".mortise/plugins/a.ts", "write", true],
    [".mortise/plugins/a.ts", "read", false],
    ["sub/.mortise/x", "write", true],
    [".git/hooks/x", "write", true],
    [".git/hooks/x", "read", false],
    [".git", "write", true],
    [".git/info/exclude", "write", false],
    [".github/x.yml", "write", false],
    [".claude/settings.json", "write", true],
    [".mcp.json", "write", true],
    ["state/sessions/a.jsonl", "read", true],
    ["../config/config.jsonc", "read", true],
    ["../config/config.jsonc", "write", true],
    ["../cache/bundle.js", "write", true],
    ["../cache/bundle.js", "read", false],
    ["../state/spills/other.txt", "read", true],
    ["../state/spills/named.txt", "read", false],
    ["../state/spills/named.txt", "write", true],
    ["a.txt", "write", false],
    ["loop/x", "read", true],
  ];
  it.each(guarded)("%s to %s is protected: %s", async (path, access, expected) => {
    const { scopes } = await scopesOf({ scopes: [{ kind: "path", path, access }] });
    expect(scopes[0]?.protected ?? false).toBe(expected);
  });

  it("lets a project that lies in a protected folder be worked in", async () => {
    const within = join(root, ".claude/worktrees/a");
    mkdirSync(within, { recursive: true });
    const there = createPermissions({
      syntax,
      project: within,
      folders,
      policy: () => ({ rules: [], yolo: false, yoloUnparseable: false, defaultEffect: () => "prompt" }),
    });
    const guardedThere = async (path: string) =>
      (await there.scopesOf({ tool: "t", input: {}, declared: { scopes: [{ kind: "path", path, access: "write" }] }, cwd: within })).scopes[0]
        ?.protected ?? false;
    expect([await guardedThere("a.txt"), await guardedThere(".claude/x"), await guardedThere("../b/x")]).toEqual([false, true, true]);
  });
});
