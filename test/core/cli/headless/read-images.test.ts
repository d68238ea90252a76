import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readImages } from "../../../../core/cli/headless/read-images.ts";
import { codeOf } from "./code-of.ts";

const png = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(92)]);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mortise-images-"));
  await writeFile(join(folder, "a.dat"), png);
  await writeFile(join(folder, "text.png"), "no image");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("readImages()", () => {
  it("knows images by how they begin", async () => {
    expect(await readImages([join(folder, "a.dat")])).toEqual([{ mediaType: "image/png", base64: png.toString("base64") }]);
    expect(await readImages([])).toEqual([]);
  });

  it.each(["text.png", "not-there.png", "."])("refuses %s, however many others are good", async (name) => {
    expect(await codeOf(readImages([join(folder, "a.dat"), join(folder, name)]))).toBe("usage");
  });
});
