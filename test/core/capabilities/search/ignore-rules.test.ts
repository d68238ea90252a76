import { execFileSync, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isIgnored, readRule, rulesAbove, rulesOf } from "../../../../core/capabilities/search/ignore-rules.ts";

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "mortise-test-")));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function write(files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

describe("isIgnored()", () => {
  it("ignores what git ignores", async () => {
    execFileSync("git", ["init", "-q", folder]);
    await write({
      ".gitignore": "*.log\n!keep.log\n/top\nbuild/\na/**/z\nsub/deep.txt\n\\#x\nspace\\ \ntrail   \n# comment\nall/**\n[ab].c\n!\n",
      ".git/info/exclude": "excluded\n",
      "sub/.gitignore": "!x.log\n/only\n",
    });
    const paths = [
      ["x.log", false],
      ["keep.log", false],
      ["sub/x.log", false],
      ["sub/y.log", false],
      ["sub/only", false],
      ["sub/more/only", false],
      ["top", false],
      ["sub/top", false],
      ["build", true],
      ["build", false],
      ["sub/build", true],
      ["a/z", false],
      ["a/b/c/z", false],
      ["sub/deep.txt", false],
      ["other/sub/deep.txt", false],
      ["#x", false],
      ["space ", false],
      ["trail", false],
      ["all", true],
      ["all/x", false],
      ["a.c", false],
      ["c.c", false],
      ["excluded", false],
      ["sub/excluded", false],
      ["plain.ts", false],
    ] as const;
    for (const [path, isFolder] of paths) {
      const rules = [...(await rulesAbove(join(folder, dirname(path)))), await rulesOf(join(folder, dirname(path)))];
      const asked = spawnSync("git", ["-C", folder, "check-ignore", "-q", "--no-index", isFolder ? `${path}/` : path]);
      expect({ path, isFolder, ignored: isIgnored(join(folder, path), isFolder, rules) }).toEqual({ path, isFolder, ignored: asked.status === 0 });
    }
  });

  it("begins anew in a repository", async () => {
    await write({ ".gitignore": "*.txt\n", "inner/.git/HEAD": "ref: x\n" });
    expect(await rulesAbove(join(folder, "inner"))).toEqual([]);
  });

  it("reads no rules from what is no regular file", async () => {
    const odd = join(folder, "odd");
    await mkdir(odd);
    execFileSync("mkfifo", [join(odd, ".gitignore")]);
    const rules = [await rulesOf(odd)];
    expect(isIgnored(join(odd, "x"), false, rules)).toBe(false);
  });
});

describe("readRule()", () => {
  it("takes no rule from an empty line, a comment, or what makes no pattern", () => {
    for (const line of ["", "   ", "# x", "/", "!", "{a,b}".repeat(20)]) expect(readRule(line)).toBeUndefined();
  });
});
