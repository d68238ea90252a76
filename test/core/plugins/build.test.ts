import { execFile } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import type { Options } from "../../../core/config/settings.ts";
import { buildPlugin } from "../../../core/plugins/build.ts";
import { freshHome } from "../config/home.ts";
import { freshIsolates } from "./isolates.ts";

const source = (command: string) => `import { definePlugin } from "mortise/sdk";
import { description } from "./words.ts";
export default definePlugin({ name: "a", options: { extra: false, limit: 3 } }, (api) => {
  api.registerCommand({ name: "${command}", description, run: () => undefined });
  if (api.options.extra) api.registerCommand({ name: "extra", description: String(api.options.limit), run: () => undefined });
});`;

async function setUp() {
  const home = await freshHome();
  const path = home.write("project/a.ts", source("one"));
  home.write("project/words.ts", 'export const description = "Words.";');
  const isolates = freshIsolates();
  let options: Options = {};
  /** What was built, and how many messages to a runner that took. */
  const build = async (set: Options = options) => {
    options = set;
    const before = isolates.sent();
    const built = await buildPlugin({ path }, { isolates, optionsFor: (name) => (name === "a" ? options : {}), cacheFolder: home.folders.cache });
    return { ...built, commands: built.manifest.commands.map(({ name, description }) => `${name}: ${description}`), asked: isolates.sent() > before };
  };
  const record = () => {
    const folder = join(home.folders.cache, "plugins");
    return join(folder, readdirSync(folder).find((name) => name.endsWith(".json")) ?? "");
  };
  return { ...home, path, build, record };
}

const program = fileURLToPath(new URL("build-program.ts", import.meta.url));
const inProcess = async (path: string, cache: string) => JSON.parse((await promisify(execFile)(process.execPath, [program, path, cache])).stdout);

describe("buildPlugin()", () => {
  it("describes once, and then takes the same from the cache", async () => {
    const { build, record } = await setUp();
    const first = await build();
    expect(first).toMatchObject({ commands: ["one: Words."], asked: true, options: { extra: false, limit: 3 } });
    expect(await build()).toEqual({ ...first, asked: false });
    expect(statSync(record()).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(record())).mode & 0o777).toBe(0o700);
  });

  it("needs no bundler and no isolate where nothing has changed", async () => {
    const { path, folders } = await setUp();
    const first = await inProcess(path, folders.cache);
    expect(first).toMatchObject({ name: "a", esbuild: true });
    expect(await inProcess(path, folders.cache)).toEqual({ ...first, esbuild: false, sent: 0 });
  });

  it("builds anew when the entry or what it imports changes", async () => {
    const { build, write } = await setUp();
    const first = await build();
    write("project/words.ts", 'export const description = "Other.";');
    const second = await build();
    expect(second).toMatchObject({ commands: ["one: Other."], asked: true });
    write("project/a.ts", source("two"));
    const third = await build();
    expect(third).toMatchObject({ commands: ["two: Other."], asked: true });
    expect(new Set([first, second, third].flatMap(({ hash, sourceHash }) => [hash, sourceHash])).size).toBe(6);
  });

  it("describes anew when the config sets other options, and the source is the same", async () => {
    const { build } = await setUp();
    const first = await build({});
    const second = await build({ extra: true, limit: 5 });
    expect(second).toMatchObject({
      commands: ["one: Words.", "extra: 5"],
      asked: true,
      options: { extra: true, limit: 5 },
      sourceHash: first.sourceHash,
    });
    expect(second.hash).not.toBe(first.hash);
    expect((await build({ extra: true, limit: 5 })).asked).toBe(false);
    expect((await build({})).commands).toEqual(["one: Words."]);
  });

  it("refuses options that the definition does not have, each time", async () => {
    const { build } = await setUp();
    for (let i = 0; i < 2; i++)
      await expect(build({ limt: 1 })).rejects.toMatchObject({ code: "plugin_invalid", seen: expect.stringContaining("limit") });
  });

  it.each([
    ["cut off", (text: string) => text.slice(0, -20)],
    ["empty", () => ""],
    ["changed in its code", (text: string) => text.replace("registerCommand", "registerCommanb")],
    ["not one at all", () => "[]"],
  ])("builds anew where the record is %s", async (_name, damage) => {
    const { build, record } = await setUp();
    const first = await build();
    writeFileSync(record(), damage(readFileSync(record(), "utf8")));
    expect(await build()).toEqual(first);
    expect((await build()).asked).toBe(false);
  });

  it("works where the cache cannot be written", async () => {
    const { build, write } = await setUp();
    write("cache", "a file where the folder would be");
    expect((await build()).commands).toEqual(["one: Words."]);
  });

  it("is safe for several hosts at once", async () => {
    const { path, folders, record } = await setUp();
    const built = await Promise.all(Array.from({ length: 4 }, () => inProcess(path, folders.cache)));
    expect(new Set(built.map(({ hash }) => hash)).size).toBe(1);
    expect(readdirSync(dirname(record()))).toHaveLength(1);
    expect(await inProcess(path, folders.cache)).toMatchObject({ esbuild: false, sent: 0 });
  });

  it.each([
    [
      "throws",
      'import { definePlugin } from "mortise/sdk"; export default definePlugin({ name: "a" }, () => { throw new Error("no"); });',
      "plugin_threw",
    ],
    ["exports no plugin", "export default 1;", "plugin_undefined"],
    [
      "has a name that is none",
      'import { definePlugin } from "mortise/sdk"; export default definePlugin({ name: "A b" }, () => {});',
      "plugin_invalid",
    ],
  ])("does not keep a plugin that %s", async (_name, text, code) => {
    const { build, write, folders } = await setUp();
    write("project/a.ts", text);
    await expect(build()).rejects.toMatchObject({ code });
    expect(() => readdirSync(join(folders.cache, "plugins"))).toThrow();
  });
});
