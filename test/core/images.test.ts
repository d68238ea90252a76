import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { NativeTool } from "../../core/host-types.ts";
import { Images, imageFacts } from "../../core/images.ts";
import { type TestHost, type TestOptions, testHost } from "../../core/testing/testing.ts";
import { readTrace } from "../../core/traces.ts";

const png = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(60_000, 7)]).toString("base64");
const image = { mediaType: "image/png", base64: png };

const camera: NativeTool = {
  name: "camera",
  description: "Answers an image.",
  inputSchema: { type: "object" },
  capability: "run",
  scopes: "none",
  run: () => ({ text: "a picture", images: [image] }),
};
const isolated = {
  name: "album",
  source: `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "album" }, (api) => {
  api.registerTool({ name: "album", description: "d", input: { type: "object" }, scopes: "none", run: async (input) => {
    if (input.of === "camera") return api.tools.call("camera", {});
    return { text: "a picture", images: input.images };
  } });
});`,
};
const layer = (body: string) => ({
  name: "layer",
  source: `import { definePlugin, deny } from "mortise/sdk";
export default definePlugin({ name: "layer", steer: ["tool.*.output"] }, (api) => { api.setSlot("tool.*.output", async (prev) => { ${body} }); });`,
});

let host: TestHost | undefined;
const start = async (options: TestOptions = {}) => {
  host = await testHost({ tools: [camera], builtins: false, ...options });
  return host;
};
afterEach(async () => {
  await host?.close();
  host = undefined;
});

describe("images of a result", () => {
  it("come from a tool of the program, and out of an isolate", async () => {
    const t = await start({ plugins: [isolated] });
    expect(await t.call("camera", {})).toMatchObject({ text: "a picture", images: [image] });
    expect(await t.call("album", { images: [image] })).toMatchObject({ text: "a picture", images: [image] });
    expect((await t.call("album", { images: undefined })).images).toBeUndefined();
  });

  it("are what they say that they are, or the answer is none", async () => {
    const t = await start({ plugins: [isolated] });
    const text = Buffer.from("a secret in plain text").toString("base64");
    for (const images of [
      [{ mediaType: "image/png", base64: text }],
      [{ mediaType: "text/plain", base64: png }],
      [{ mediaType: "image/png" }],
      "x",
      [],
    ]) {
      expect(await t.call("album", { images })).toMatchObject({ isError: true, text: expect.stringContaining("answered no text") });
    }
  });

  it("are kept by layers that leave the text alone, and dropped with a text that is replaced", async () => {
    const keeping = await start({ plugins: [layer("return prev();")] });
    expect((await keeping.call("camera", {})).images).toEqual([image]);
    await keeping.close();
    for (const body of [`await prev(); return { text: "other", isError: false };`, `return deny("no");`]) {
      const t = await start({ plugins: [layer(body)] });
      const record = await t.call("camera", {});
      expect(record.images).toBeUndefined();
      await t.close();
    }
  });

  it("never pass a redactor as text, and are withheld with the text where one fails", async () => {
    const redactor = (body: string) => ({
      name: "guard",
      source: `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "guard", steer: ["tool.*.output"] }, (api) => { api.redact((text) => { ${body} }); });`,
    });
    const seeing = await start({ plugins: [redactor(`return text.length > 1000 ? "seen" : text.replace("picture", "[redacted]");`)] });
    expect(await seeing.call("camera", {})).toMatchObject({ text: "a [redacted]", images: [image] });
    await seeing.close();
    const failing = await start({ plugins: [redactor(`throw new Error("no");`)] });
    const record = await failing.call("camera", {});
    expect([record.code, record.images]).toEqual(["withheld", undefined]);
  });

  it("have no bytes in a trace", async () => {
    const stateFolder = await mkdtemp(join(tmpdir(), "mortise-test-"));
    const t = await start({ stateFolder });
    await t.call("camera", {}, { sessionId: "s1" });
    await t.close();
    host = undefined;
    const [line] = (await readTrace(join(stateFolder, "sessions"), "s1")) ?? [];
    await rm(stateFolder, { recursive: true });
    expect(line).toMatchObject({ images: [{ mediaType: "image/png", bytes: 60_008 }] });
    expect(JSON.stringify(line)).not.toContain(png.slice(100, 200));
  });
});

describe("Images", () => {
  it("takes each type by how it begins", () => {
    const of = (mediaType: string, head: string) => Images.safeParse([{ mediaType, base64: Buffer.from(head, "latin1").toString("base64") }]).success;
    expect(of("image/jpeg", "\xff\xd8\xff\xe0..")).toBe(true);
    expect(of("image/gif", "GIF89a")).toBe(true);
    expect(of("image/webp", "RIFF\x10\n\0\0WEBPVP8 ")).toBe(true);
    expect(of("image/gif", "\xff\xd8\xff\xe0..")).toBe(false);
    expect(of("toString", "GIF89a")).toBe(false);
  });

  it("takes so much and no more", () => {
    const large = { mediaType: "image/png", base64: `${png.slice(0, 12)}${"A".repeat(5 * 1024 * 1024)}` };
    expect(Images.safeParse([large]).success).toBe(true);
    expect(Images.safeParse([large, large]).success).toBe(false);
    expect(Images.safeParse(Array(21).fill(image)).success).toBe(false);
  });
});

describe("imageFacts()", () => {
  it("counts the bytes of an image", () => {
    expect(imageFacts([image, { mediaType: "image/gif", base64: "R0lGODlh" }])).toEqual([
      { mediaType: "image/png", bytes: 60_008 },
      { mediaType: "image/gif", bytes: 6 },
    ]);
  });
});
