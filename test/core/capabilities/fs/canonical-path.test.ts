import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canonicalPath } from "../../../../core/capabilities/fs/canonical-path.ts";
import { createRealPaths } from "../../../../core/permission/real-paths.ts";

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "mortise-test-")));
  await mkdir(join(folder, "a/b"), { recursive: true });
  await writeFile(join(folder, "a/file"), "");
  await symlink("a", join(folder, "link"));
  await symlink("missing/far", join(folder, "dangling"));
  await symlink("dangling", join(folder, "a/twice"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("canonicalPath()", () => {
  it.each([
    "a/b",
    "link/b",
    "link/new",
    "link/new/deep/er",
    "link/../a/file",
    "a/new/../b",
    "a/./new/.",
    "dangling",
    "dangling/x/y",
    "a/twice/x",
    "a/file/x/y",
    "a/b/",
    "a//new//",
    "..",
    ".",
    "new/../../x",
  ])("leads %s where the permission of a call leads it", async (path) => {
    expect(await canonicalPath(path, folder)).toBe(createRealPaths()(path, folder));
  });

  it("takes no time that others wait for where a path has two thousand parts", async () => {
    const deep = "d/".repeat(1_500);
    await mkdir(join(folder, deep), { recursive: true });
    let longest = 0;
    let last = performance.now();
    const watch = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 1);
    expect(await canonicalPath(`${deep}${"n/".repeat(400)}x`, folder)).toBe(`${folder}/${deep}${"n/".repeat(400)}x`);
    await new Promise((resolve) => setTimeout(resolve, 5));
    clearInterval(watch);
    expect(longest).toBeLessThan(2_000);
  }, 60_000);
});
