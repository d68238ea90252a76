import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Rule } from "../../../core/permission/permission.ts";
import { createPermissions } from "../../../core/permission/permissions.ts";
import { withReadOnly } from "../../../core/permission/read-only.ts";
import { createSyntax } from "../../../core/syntax/syntax.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "mortise-read-only-")));
const project = join(root, "project");
for (const folder of ["project/src", "project/.ssh", "outside"]) mkdirSync(join(root, folder), { recursive: true });
for (const file of ["project/a.txt", "project/.env", "project/src/b.ts", "outside/c.txt"]) writeFileSync(join(root, file), "x\n");
symlinkSync(join(root, "outside"), join(project, "out"));
symlinkSync(join(project, ".env"), join(project, "link.txt"));

const syntax = createSyntax();
let rules: Rule[] = [];
let on = true;
const permissions = withReadOnly(
  createPermissions({
    syntax,
    project,
    folders: { config: join(root, "config"), cache: join(root, "cache"), state: join(root, "state") },
    policy: () => ({ rules, yolo: false, yoloUnparseable: false, defaultEffect: () => "prompt" }),
  }),
  { on: () => on, project },
);
afterAll(async () => {
  await syntax.close();
  rmSync(root, { recursive: true });
});

/** `deny ls *` */
async function decide(command: string, given: readonly string[] = [], declared?: unknown): Promise<string> {
  rules = given.map((text): Rule => {
    const [effect, ...pattern] = text.split(" ");
    return { tool: "bash", effect: effect as Rule["effect"], pattern: pattern.join(" "), layer: "user", from: "" };
  });
  const list = await permissions.scopesOf({
    tool: "bash",
    input: { command },
    declared: declared ?? { scopes: [{ kind: "shell", command }] },
    cwd: project,
  });
  return (await permissions.evaluate({ tool: "bash", sessionId: "s", list })).kind;
}

describe("withReadOnly()", () => {
  it.each([
    "ls -la src",
    "/bin/ls",
    "cat a.txt src/b.ts | head -n 5 | sort -u",
    "head -5 a.txt",
    "grep -n x a.txt",
    "grep -e x -i src/b.ts",
    "rg -n todo src",
    "rg todo a.txt src",
    "rg --files",
    "grep -rn --include='*.ts' x src",
    "grep --recursive x src",
    "git grep -n x src",
    "git grep x -- src",
    "find . -name '*.ts' -not -path './x/*' -print",
    "wc -l < a.txt",
    "ls missing 2>/dev/null",
    "git status --short",
    "git log --oneline -5 | head",
    "git --no-pager diff --stat HEAD~1",
    "git show HEAD:src/b.ts",
    "git branch --show-current",
    "cd src && ls",
    "echo hi && pwd && date +%F",
    "test -f a.txt && echo yes",
    "LC_ALL=C sort a.txt",
    "diff a.txt src/b.ts",
    "diff a.txt /dev/null",
    "cd src && cat b.ts",
  ])("needs no permission for %s", async (command) => expect(await decide(command)).toBe("allow"));

  it.each([
    // writes
    "ls > out.txt",
    "cat a.txt >> src/b.ts",
    "sort -o a.txt a.txt",
    "sort --output=a.txt a.txt",
    "uniq a.txt b.txt",
    "find . -delete",
    "find . -fprint a.txt",
    "git diff --output=a.txt",
    "git branch new",
    "git branch -D main",
    "git tag v1",
    "git stash",
    "date 010100002030",
    "tree -o a.txt",
    "tee a.txt",
    "touch a.txt",
    "rm a.txt",
    // runs
    "find . -exec rm {} +",
    "find . -ok rm {} ;",
    "rg --pre ./x todo",
    "sort --compress-program=./x a.txt",
    "git -c core.fsmonitor=./x status",
    "git -C ../outside status",
    "git diff --ext-diff",
    "git grep -O./x todo",
    "git log --show-signature",
    "./ls",
    "src/../ls",
    "xargs ls",
    "env ls -x | npm test",
    // what is not resolved
    "cat $X",
    "cat *.txt",
    "ls $(pwd)",
    "echo `pwd`",
    'cat "$HOME/x"',
    // environments
    "PATH=./x ls",
    "GIT_EXTERNAL_DIFF=./x git diff",
    "export PATH=./x; ls",
    "alias ls=rm; ls",
    "hash -p ./x ls; ls",
    "ls() { rm a.txt; }; ls",
    "set -x; ls",
    "eval ls",
    "bash -c ls",
    "time ls; x=1 npm test",
    // secrets, and what is outside
    "cat .env",
    "cat ./src/../.env",
    "cat link.txt",
    "cat < .env",
    "grep KEY .env",
    "ls .ssh",
    "git show HEAD:.env",
    "cat ../outside/c.txt",
    "cat out/c.txt",
    "cat /etc/passwd",
    "cat ~/x",
    "ls ..",
    "grep -r KEY .",
    "diff -r src .",
    "rg KEY",
    "rg KEY .",
    "rg -l KEY",
    "rg -L KEY src",
    "grep -r KEY",
    "cd src && rg KEY ..",
    "git grep KEY",
    "git grep KEY .",
    "git grep KEY HEAD",
    "git grep KEY HEAD -- src",
    "rg --hidden KEY",
    "rg -g .env KEY",
    "rg -uu KEY",
    "grep -R KEY",
    "git grep --no-index KEY",
    "git diff ../outside/c.txt a.txt",
    "find . -fprint out.txt",
    "sed -i s/a/b/ a.txt",
    "env",
    "printf -v PATH x; ls",
    "cd src; cd ..; cd ..; ls",
    "git log -L1,5:.env",
    "cd .. && ls",
    "cd src && cat ../../outside/c.txt",
    "cd src && git status",
    "cd && ls",
    "cat a.txt; npm test",
    // not understood
    "ls 'x",
    "ls \u0007",
  ])("needs one for %s", async (command) => expect(await decide(command)).toBe("ask"));

  it("leaves rules that deny or ask above it", async () => {
    expect(await decide("ls", ["deny ls *"])).toBe("deny");
    expect(await decide("ls", ["ask ls *"])).toBe("ask");
    expect(await decide("cat a.txt", ["deny a.txt"])).toBe("deny");
    expect(await decide("ls", ["deny *"])).toBe("deny");
  });

  it("stands beside rules that allow", async () => {
    expect(await decide("npm test && ls", ["allow npm test"])).toBe("allow");
    expect(await decide("export A=1; ls", ["allow export *"])).toBe("ask");
    expect(await decide("ls > src/x", ["allow src/**"])).toBe("ask");
  });

  it("is for text of a shell alone", async () => {
    expect(await decide("ls", [], { scopes: [{ kind: "command", text: "ls" }] })).toBe("ask");
  });

  it("is off where it is not on", async () => {
    on = false;
    expect(await decide("ls")).toBe("ask");
    on = true;
  });
});
