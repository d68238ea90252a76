import { mkdir, mkdtemp, realpath, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSmallTrees } from "../../../../core/capabilities/search/small-tree.ts";

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "small-tree-")));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(path: string, content = ""): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), content);
}

/** So old that a later change shows in the time of the folder. */
const age = (path: string) => utimes(join(folder, path), new Date("2020-01-01"), new Date("2020-01-01"));

const trees = (clock?: () => number) => createSmallTrees(["**/.env", "**/*.key", "**/.ssh/**"], clock);
const asked = { ignored: false, wanted: () => true, signal: new AbortController().signal };

describe("createSmallTrees()", () => {
  it("finds no file of a name where there is none, and says nothing where there is one", async () => {
    await write("src/a.ts");
    await write("env/key");
    expect(await trees().holdsNone({ ...asked, starts: [folder] })).toBe(true);
    await write("src/deep/a.key");
    expect(await trees().holdsNone({ ...asked, starts: [folder] })).toBe(false);
    expect(await trees().holdsNone({ ...asked, wanted: () => false, starts: [folder] })).toBe(true);
  });

  it("takes every file of a folder of such a name, also where it begins in one", async () => {
    await write("home/.ssh/deep/config");
    expect(await trees().holdsNone({ ...asked, starts: [folder] })).toBe(false);
    expect(await trees().holdsNone({ ...asked, starts: [join(folder, "home/.ssh/deep")] })).toBe(false);
  });

  it("passes over ignored folders and .git", async () => {
    await write(".gitignore", "/dist/\n");
    await write("dist/.env");
    await write(".git/x.key");
    expect(await trees().holdsNone({ ...asked, starts: [folder] })).toBe(true);
    expect(await trees().holdsNone({ ...asked, ignored: true, starts: [folder] })).toBe(false);
  });

  it("says nothing of what is large, or cannot be read", async () => {
    for (let i = 0; i < 201; i++) await mkdir(join(folder, `d${i}`));
    expect(await trees().holdsNone({ ...asked, starts: [folder] })).toBe(false);
    expect(await trees().holdsNone({ ...asked, starts: [join(folder, "missing")] })).toBe(false);
  });

  it("sees what changed since it looked last", async () => {
    await write("src/a.ts");
    await write("src/.gitignore", "sub/\n");
    await write("src/sub/.env");
    for (const path of ["src/sub", "src", "."]) await age(path);
    // All that was written is long ago.
    const kept = trees(() => Date.now() + 10_000);
    const holdsNone = () => kept.holdsNone({ ...asked, starts: [folder] });
    expect([await holdsNone(), await holdsNone()]).toEqual([true, true]);
    await write("src/.gitignore", "");
    expect(await holdsNone()).toBe(false);
    await write("src/.gitignore", "sub/\n");
    expect(await holdsNone()).toBe(true);
    await write("src/b.key");
    expect(await holdsNone()).toBe(false);
    await age("src");
    expect(await holdsNone()).toBe(false);
    await rm(join(folder, "src/b.key"));
    expect(await holdsNone()).toBe(true);
  });
});
