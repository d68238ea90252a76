import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withLock } from "../../../core/config/lock.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "mortise-test-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("withLock()", () => {
  it("lets one through at a time", async () => {
    const path = join(folder, "deep/er/file");
    let inside = 0;
    const results = await Promise.all(
      Array.from({ length: 5 }, (_, i) =>
        withLock(path, async () => {
          const alone = inside++ === 0;
          await new Promise((resolve) => setImmediate(resolve));
          inside--;
          return alone ? i : -1;
        }),
      ),
    );
    expect(results).toEqual([0, 1, 2, 3, 4]);
  });

  it("says what the system refuses, and where", async () => {
    await writeFile(join(folder, "file"), "");
    const path = join(folder, "file/below");
    await expect(withLock(path, async () => {})).rejects.toMatchObject({ code: "file_failed", seen: expect.stringContaining(path) });
    const missing = join(folder, "missing");
    await expect(withLock(join(folder, "other"), () => readFile(missing))).rejects.toMatchObject({ code: "file_failed" });
  });

  it("leaves what the work itself throws as it is, and the lock free", async () => {
    const own = new RangeError("its own");
    await expect(withLock(join(folder, "a"), () => Promise.reject(own))).rejects.toBe(own);
    expect(await withLock(join(folder, "a"), async () => "free")).toBe("free");
  });
});
