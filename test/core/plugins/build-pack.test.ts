import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildPlugin } from "../../../core/plugins/build.ts";
import { buildPack } from "../../../core/plugins/build-pack.ts";
import { freshHome } from "../config/home.ts";
import { freshIsolates } from "./isolates.ts";

const source = (word: string) => `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "one", options: { extra: "" } }, (api) => {
  for (const name of ["${word}", String(api.options.extra)]) if (name !== "") api.registerCommand({ name, description: "X.", run: () => undefined });
});`;

async function setUp() {
  const { write, folders, root } = await freshHome();
  write("project/pack/pack.json", '{ "name": "mine", "plugins": ["one/plugin.ts"] }');
  write("project/pack/one/plugin.ts", source("a"));
  const built = join(root, "built");
  const make = () => buildPack(join(root, "pack"), built);
  await make();
  const { plugins } = JSON.parse(readFileSync(join(built, "pack.json"), "utf8"));
  return { write, make, prebuilt: join(built, plugins[0]), cacheFolder: folders.cache };
}

describe("buildPack()", () => {
  it("makes what loads without a bundler and an isolate", async () => {
    const { prebuilt, cacheFolder } = await setUp();
    const isolates = freshIsolates();
    const built = await buildPlugin({ prebuilt }, { isolates, optionsFor: () => ({}), cacheFolder });
    expect(built).toMatchObject({ path: prebuilt, manifest: { name: "one", commands: [{ name: "a" }] }, options: { extra: "" } });
    expect(isolates.sent()).toBe(0);
  });

  it("makes what a config can still set options of, described once for them", async () => {
    const { prebuilt, cacheFolder } = await setUp();
    for (const asks of [true, false]) {
      const isolates = freshIsolates();
      const built = await buildPlugin({ prebuilt }, { isolates, optionsFor: () => ({ extra: "b" }), cacheFolder });
      expect(built.manifest.commands.map(({ name }) => name)).toEqual(["a", "b"]);
      expect(isolates.sent() > 0).toBe(asks);
    }
  });

  it("leaves what has not changed, and makes anew what has", async () => {
    const { write, make, prebuilt } = await setUp();
    const first = statSync(prebuilt).mtimeMs;
    await make();
    expect(statSync(prebuilt).mtimeMs).toBe(first);
    write("project/pack/one/plugin.ts", source("c"));
    await make();
    expect(readFileSync(prebuilt, "utf8")).toContain('"name":"c"');
  });

  it("makes nothing that loads by half", async () => {
    const { prebuilt, cacheFolder } = await setUp();
    writeFileSync(prebuilt, readFileSync(prebuilt, "utf8").slice(0, -5));
    await expect(buildPlugin({ prebuilt }, { isolates: freshIsolates(), optionsFor: () => ({}), cacheFolder })).rejects.toMatchObject({
      code: "plugin_unreadable",
    });
  });

  it("fails where a plugin of the pack does", async () => {
    const { write, make } = await setUp();
    write("project/pack/one/plugin.ts", "export default (");
    await expect(make()).rejects.toMatchObject({ code: "plugin_not_compiled" });
  });
});
