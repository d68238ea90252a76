import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeFolder } from "../../../core/config/make-folder.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "mortise-test-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("makeFolder()", () => {
  it("makes private folders, whoever else makes them meanwhile, and leaves one that is there", async () => {
    const path = join(folder, "a/b/c");
    await Promise.all(Array.from({ length: 10 }, () => makeFolder(path)));
    for (const made of ["a", "a/b", "a/b/c"]) expect((await stat(join(folder, made))).mode & 0o777).toBe(0o700);
    await makeFolder(path);
  });

  it("rejects below a file", async () => {
    await writeFile(join(folder, "file"), "");
    await expect(makeFolder(join(folder, "file/a/b"))).rejects.toMatchObject({ code: "ENOTDIR" });
  });

  it.runIf(process.platform === "linux")("rejects where nothing can be made, instead of trying without end", async () => {
    await expect(makeFolder("/proc/mortise/a/b")).rejects.toThrow();
  });
});
