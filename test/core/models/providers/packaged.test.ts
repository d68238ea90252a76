import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openPackaged } from "../../../../core/models/providers/packaged.ts";

/** A program without packages, a settings folder, and how a package of Google is asked. */
async function settingsFolder() {
  const config = await mkdtemp(join(tmpdir(), "mortise-models-"));
  onTestFinished(() => rm(config, { recursive: true, force: true }));
  const install = async (source: string) => {
    const folder = join(config, "node_modules/@ai-sdk/google");
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "package.json"), '{ "name": "@ai-sdk/google", "type": "module", "exports": "./index.js" }');
    await writeFile(join(folder, "index.js"), source);
  };
  /** Whatever is installed elsewhere. */
  const inConfig = (place: string, name: string) =>
    dirname(place) === config && existsSync(join(config, "node_modules", name)) ? createRequire(place).resolve(name) : undefined;
  return { asked: () => openPackaged("google", "gemini", { apiKey: "a-key-of-nobody" }, config, inConfig), install };
}

const google = (version: string) =>
  `export const createGoogle = () => (modelId) => ({ specificationVersion: "${version}", provider: "google", modelId, supportedUrls: {} });`;

describe("openPackaged()", () => {
  it.each([google("v3"), "export const other = 1;"])("refuses a package that is of another version: %s", async (source) => {
    const { asked, install } = await settingsFolder();
    await install(source);
    await expect(asked()).rejects.toMatchObject({ code: "package_missing", seen: expect.stringContaining("@ai-sdk/google@4") });
  });

  it("says which package to install, and finds it in the user's settings folder", async () => {
    const { asked, install } = await settingsFolder();
    await expect(asked()).rejects.toMatchObject({ code: "package_missing", seen: expect.stringContaining("npm install") });

    await install(google("v4"));
    expect(await asked()).toMatchObject({ provider: "google", modelId: "gemini" });
  });
});
