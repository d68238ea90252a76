import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { spill } from "../../../core/output/spill.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "mortise-test-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("spill()", () => {
  it("writes the whole text to a file of its own, and makes the folder", async () => {
    const into = join(folder, "state/spills");
    const text = `${"line \u{1f600}\n".repeat(10_000)}end`;
    const [first, second] = await Promise.all([spill(into, text), spill(into, "")]);
    expect(await readFile(first, "utf8")).toBe(text);
    expect(await readFile(second, "utf8")).toBe("");
    expect(first).not.toBe(second);
    expect(dirname(first)).toBe(into);
  });

  it.skipIf(process.platform === "win32")("lets nobody else read it", async () => {
    const path = await spill(join(folder, "spills"), "x");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);
  });

  it("fails where it cannot write", async () => {
    const path = await spill(folder, "x");
    await expect(spill(path, "y")).rejects.toMatchObject({ code: expect.stringMatching(/^(EEXIST|ENOTDIR)$/) });
  });
});
