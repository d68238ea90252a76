import { mkdtemp, readdir, readFile, realpath, rm, stat, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { removeOldSpills, spill, spillsOf } from "../../../core/output/spill.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "mortise-test-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("spill()", () => {
  it("writes the whole text to a file of its own, and makes the folder", async () => {
    const into = join(folder, "state/spills");
    const text = `${"line \u{1f600}\n".repeat(10_000)}end`;
    const [first, second] = await Promise.all([spill(into, "s", text), spill(into, "s", "")]);
    expect(await readFile(first, "utf8")).toBe(text);
    expect(await readFile(second, "utf8")).toBe("");
    expect(first).not.toBe(second);
    expect(dirname(first)).toBe(join(await realpath(into), "s"));
  });

  it.skipIf(process.platform === "win32")("lets nobody else read it", async () => {
    const path = await spill(join(folder, "spills"), "s", "x");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);
  });

  it("fails where it cannot write", async () => {
    const path = await spill(folder, "s", "x");
    await expect(spill(path, "s", "y")).rejects.toMatchObject({ code: expect.stringMatching(/^(EEXIST|ENOTDIR)$/) });
  });
});

describe("spillsOf()", () => {
  it("finds those of one session alone, whatever it is called", async () => {
    const mine = await spill(folder, "mine", "x");
    const odd = await spill(folder, "../../etc", "x");
    expect(await spillsOf(folder, "mine")).toEqual([mine]);
    expect(dirname(dirname(odd))).toBe(await realpath(folder));
    for (const other of ["other", "../../etc", "_", ".", ""]) expect(await spillsOf(folder, other), other).toEqual([]);
  });
});

describe("removeOldSpills()", () => {
  it("removes those of sessions that are long over", async () => {
    const old = await spill(folder, "old", "x");
    await spill(folder, "new", "x");
    const then = Date.now() / 1_000 - 31 * 86_400;
    await utimes(dirname(old), then, then);
    await removeOldSpills(folder);
    expect(await readdir(folder)).toEqual(["new"]);
    await removeOldSpills(join(folder, "none"));
  });
});
