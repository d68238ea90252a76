import { afterAll, describe, expect, it } from "vitest";
import { createPermissions } from "../../../core/permission/permissions.ts";
import { createSyntax } from "../../../core/syntax/syntax.ts";

const syntax = createSyntax();
const permissions = createPermissions({
  syntax,
  project: "/project",
  folders: { config: "/none/config", cache: "/none/cache", state: "/none/state" },
  policy: () => ({ rules: [], yolo: false, yoloUnparseable: false, defaultEffect: () => "prompt" }),
});
afterAll(() => syntax.close());

describe("commandAllowed()", () => {
  const rows: [argv: string[], patterns: string[], expected: boolean][] = [
    [["gh", "pr", "list"], ["gh *"], true],
    [["gh"], ["gh *"], true],
    [["gh", "pr", "list"], ["gh pr *"], true],
    [["gh", "issue"], ["gh pr *"], false],
    [["gh", "$(rm x)", "a b", "it's"], ["gh *"], true],
    [["./gh", "pr"], ["gh *"], false],
    [["/tmp/gh", "pr"], ["gh *"], false],
    [["ghx"], ["gh *"], false],
    [["sh", "-c", "gh pr"], ["sh *", "gh *"], false],
    [["env", "gh"], ["env *", "gh *"], false],
    [["env", "gh"], ["env gh"], true],
    [["sudo", "gh"], ["sudo *"], false],
    [["timeout", "5", "gh"], ["timeout *", "gh *"], false],
    [["xargs", "gh"], ["xargs *"], false],
    [["python3", "-c", "x"], ["python3 *"], false],
    [["git", "-c", "alias.x=!rm", "x"], ["git *"], false],
    [["find", ".", "-exec", "rm", "{}", ";"], ["find *"], false],
    [["sh", "-c", "a b"], ["sh -c a b"], false],
    [["anything", "at", "all"], ["*"], true],
    [[], ["*"], false],
    [["gh", "a\0b"], ["gh *"], false],
    [["gh"], [], false],
    [["gh"], ["/**", "src/**"], false],
    [["if", "x"], ["if *"], true],
    [["sort", "a"], ["sort *"], true],
    [["sort", "-o", "b", "a"], ["sort *"], false],
    [["sort", "-o", "b", "a"], ["sort -o b a"], true],
    [["rg", "--pre", "./x", "a"], ["rg *"], false],
    [["cp", "a", "b"], ["cp *"], true],
    [["cp", "a", "../b"], ["cp *"], false],
    [["cp", "a", ".git/hooks/x"], ["cp *"], false],
    [["git", "-C", "..", "log"], ["git *"], false],
    [["git", "log"], ["git * --x", "git log"], true],
    [["git status"], ["git status"], false],
    [["git status"], ["git *"], false],
    [["git\nstatus"], ["git\nstatus"], false],
    [["git", "commit -m"], ["git commit -m"], false],
    [["git", ""], ["git "], false],
    [["git", "commit", "-m", "a b"], ["git commit *"], true],
    [["house-tool", "git", "status"], ["house-tool *"], true],
  ];
  it.each(rows)("%j by %j: %s", async (argv, patterns, expected) => {
    expect(await permissions.commandAllowed(argv, patterns)).toBe(expected);
  });
});
