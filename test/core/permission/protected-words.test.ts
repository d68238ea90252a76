import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createPermissions } from "../../../core/permission/permissions.ts";
import { createSyntax } from "../../../core/syntax/syntax.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "mortise-taken-")));
const project = join(root, "work/project");
for (const folder of ["work/project/.mortise", "work/project/src", "work/other", "home/config"]) mkdirSync(join(root, folder), { recursive: true });
const syntax = createSyntax();
const permissions = createPermissions({
  syntax,
  project,
  folders: { config: join(root, "home/config"), cache: join(root, "home/cache"), state: join(root, "home/state") },
  policy: () => ({
    rules: [{ tool: "bash", pattern: "*", effect: "allow", layer: "user", from: "" }],
    yolo: true,
    yoloUnparseable: true,
    defaultEffect: () => "allow",
  }),
});
afterAll(async () => {
  await syntax.close();
  rmSync(root, { recursive: true });
});

async function decide(command: string): Promise<string> {
  const list = await permissions.scopesOf({ tool: "bash", input: {}, declared: { scopes: [{ kind: "shell", command }] }, cwd: project });
  return (await permissions.evaluate({ tool: "bash", sessionId: "s", list })).kind;
}

describe("namesProtected()", () => {
  it.each([
    "rm -rf .",
    "rm -rf ../project",
    "rm -rf ..",
    "rm -rf .*",
    "rm -rf ./.m*",
    "rm -rf .mortise",
    "sudo rm -rf ..",
    "cd .. && rm -rf project",
    "mv ../project ../elsewhere",
    "mv .m* src",
    `rm -rf ${join(root, "home")}`,
    "find . -delete",
    "find .. -mindepth 1 -delete",
    "find -delete",
    "git clean -fdx",
    "git -C . clean -xfd",
    "git clean -fd .mortise",
    "git stash -u",
    "git stash push --include-untracked",
    "cd src && git stash --all",
    "git config core.hooksPath x",
    "git config --local alias.x '!id'",
    "git config --unset core.hooksPath",
  ])("is so of what takes a folder away that something protected is in, whatever rules and yolo say: %s", async (command) => {
    expect(await decide(command)).toBe("ask");
  });

  it.each([
    "rm -rf src",
    "rm -rf *",
    "rm -rf ../other",
    "mv src ..",
    "mv src lib",
    "rm .x*",
    "find . -name '*.o' -delete",
    "find src -delete",
    "cp -r src ..",
    "git clean -n",
    "git clean -fd src",
    "cd src && git clean -fd",
    "git stash",
    "git stash pop",
    "git config user.name x",
    "git config --get core.hooksPath",
  ])("is not so of %s", async (command) => {
    expect(await decide(command)).toBe("allow");
  });
});
