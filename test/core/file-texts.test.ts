import { mkdtemp, realpath, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFileTexts } from "../../core/file-texts.ts";

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "mortise-test-")));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const files = createFileTexts();
async function written(name: string, content: string | Buffer, secondsAgo = 60): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  const then = new Date(Date.now() - secondsAgo * 1_000);
  await utimes(path, then, then);
  return path;
}

describe("createFileTexts()", () => {
  it("reads short and long files alike", async () => {
    for (const text of ["short\n", "long ".repeat(100_000)]) {
      const path = await written("a.txt", text);
      expect(await files.read(path, 10 ** 7)).toMatchObject({ text, bytes: text.length, encoding: "utf-8", invalid: false });
    }
  });

  it("tells text with a BOM, bytes that are no UTF-8, and what is no text", async () => {
    expect(await files.read(await written("bom", "\ufeffa"), 100)).toMatchObject({ text: "a", encoding: "utf-8-bom" });
    expect(await files.read(await written("invalid", Buffer.from([97, 0xff])), 100)).toMatchObject({ text: "a\ufffd", invalid: true });
    expect(await files.read(await written("real", "\ufffd"), 100)).toMatchObject({ text: "\ufffd", invalid: false });
    expect(await files.read(await written("binary", Buffer.from([97, 0])), 100)).toMatchObject({ text: "", encoding: "binary", bytes: 2 });
  });

  it("refuses what is too long, missing, a folder, or a link put in its place", async () => {
    const path = await written("long", "x".repeat(101));
    await symlink(path, join(folder, "link"));
    for (const bad of [path, join(folder, "none"), folder, join(folder, "link")])
      await expect(files.read(bad, 100)).rejects.toMatchObject({ code: "file_failed" });
  });

  it("knows a hash as long as nothing changed, and not where that is too fresh to tell", async () => {
    const path = await written("known", "one");
    expect(files.known(path)).toBeUndefined();
    const { hash } = await files.read(path, 100);
    expect(files.known(path)).toBe(hash);
    await written("known", "two");
    expect(files.known(path)).toBeUndefined();
    await written("fresh", "one", 0);
    await files.read(join(folder, "fresh"), 100);
    expect(files.known(join(folder, "fresh"))).toBeUndefined();
  });
});
