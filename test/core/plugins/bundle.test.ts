import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { type Bundle, bundlePlugin } from "../../../core/plugins/bundle.ts";
import { freshHome } from "../config/home.ts";

/** Bundles `plugin/<first file>` after writing all files. */
async function bundle(files: Record<string, string>, entry = Object.keys(files)[0] ?? "") {
  const { write, root } = await freshHome();
  for (const [name, text] of Object.entries(files)) write(`project/${name}`, text);
  return bundlePlugin({ path: join(root, entry) });
}

const evaluate = ({ code }: Bundle): unknown => runInNewContext(code);
const plugin = 'import { definePlugin } from "mortise/sdk";\nexport default definePlugin({ name: "a" }, () => {});\n';

describe("bundlePlugin()", () => {
  it("makes one script whose value is the default export", async () => {
    expect(evaluate(await bundle({ "a.ts": plugin }))).toMatchObject({ definition: { name: "a" }, setup: expect.any(Function) });
  });

  it.each(["plugin.ts", "index.ts", "index.mjs", "plugin.js"])("takes a folder by its %s", async (name) => {
    expect(evaluate(await bundle({ [`folder/${name}`]: "export default 7" }, "folder"))).toBe(7);
  });

  it("takes a folder by the main of its package.json, and counts that file as an input", async () => {
    const made = await bundle({ "folder/src/deep.ts": "export default 7", "folder/package.json": '{ "main": "./src/deep.ts" }' }, "folder");
    expect(evaluate(made)).toBe(7);
    expect(made.inputs.map(({ name }) => name)).toEqual(["../package.json", "deep.ts"]);
  });

  it("follows relative imports, JSON and dependencies, and knows every input", async () => {
    const made = await bundle({
      "a.ts": 'import { b } from "./lib/b.ts";\nimport list from "./list.json";\nimport c from "dep";\nexport default [b, ...list, c as number];',
      "lib/b.ts": "export const b: number = 1;",
      "list.json": "[2]",
      "node_modules/dep/package.json": '{ "name": "dep", "main": "main.js" }',
      "node_modules/dep/main.js": "module.exports = 3;",
    });
    expect(JSON.stringify(evaluate(made))).toBe("[1,2,3]");
    expect(made.inputs.map(({ name }) => name)).toEqual([
      "a.ts",
      "lib/b.ts",
      "list.json",
      "node_modules/dep/main.js",
      "node_modules/dep/package.json",
    ]);
  });

  it("takes a query of tree-sitter for text", async () => {
    const made = await bundle({ "a.ts": 'import query from "./names.scm";\nexport default query;', "names.scm": "(identifier) @name\n" });
    expect(evaluate(made)).toBe("(identifier) @name\n");
    expect(made.inputs.map(({ name }) => name)).toEqual(["a.ts", "names.scm"]);
  });

  it.each<[string, string]>([
    ["beside its folder", "../secret.json"],
    ["behind a link", "./link.json"],
    ["that is hidden", "./.hidden/secret.json"],
    ["without an extension", "../secret"],
  ])("bundles no file %s that is no code, which only a grant may read", async (_, path) => {
    const { write, root } = await freshHome();
    write("project/p/a.ts", `import found from "${path}";\nexport default found;`);
    for (const name of ["secret.json", "secret", "p/.hidden/secret.json"]) write(`project/${name}`, '{"secret":1}');
    symlinkSync("../secret.json", join(root, "p/link.json"));
    await expect(bundlePlugin({ path: join(root, "p/a.ts") })).rejects.toMatchObject({ code: "plugin_not_compiled" });
  });

  it("shares code with other folders, and takes data by the folder that names the entry", async () => {
    const made = await bundle(
      {
        "folder/src/deep.ts": 'import { b } from "../../shared/b.ts";\nimport data from "../data.json";\nexport default [b, data];',
        "folder/package.json": '{ "main": "./src/deep.ts" }',
        "folder/data.json": "2",
        "shared/b.ts": "export const b = 1;",
      },
      "folder",
    );
    expect(JSON.stringify(evaluate(made))).toBe("[1,2]");
  });

  it("gives zod/mini and the SDK from this project where the folder has no packages", async () => {
    const source =
      'import * as z from "zod/mini";\nimport { deny } from "mortise/sdk";\nexport default [z.safeParse(z.string(), 1).success, deny("x").reason];';
    const made = await bundle({ "a.ts": source });
    expect(JSON.stringify(evaluate(made))).toBe('[false,"x"]');
    expect(made.code.length).toBeLessThan(100_000);
    expect(made.inputs.map(({ name }) => name)).toEqual(["a.ts"]);
  });

  it("keeps a folder's own zod, and its own zod/mini out", async () => {
    const zod = {
      "node_modules/zod/package.json": '{ "name": "zod", "exports": { ".": "./i.js", "./mini": "./m.js" } }',
      "node_modules/zod/i.js": 'export const z = "own";',
      "node_modules/zod/m.js": 'export const string = "own";',
    };
    expect(evaluate(await bundle({ "a.ts": 'import { z } from "zod"; export default z;', ...zod }))).toBe("own");
    expect(evaluate(await bundle({ "a.ts": 'import * as z from "zod/mini"; export default typeof z.string;', ...zod }))).toBe("function");
  });

  it("runs modules as strict code, as modules are", async () => {
    expect(evaluate(await bundle({ "a.ts": "export default (function (this: unknown) { return this === undefined; })();" }))).toBe(true);
  });

  it("tells nothing of where it was made, and is the same wherever that was", async () => {
    const files = {
      "a.ts": `import "./b.ts";\nimport * as z from "zod/mini";\n${plugin.replace("() => {}", "() => void z.string()")}`,
      "b.ts": "console.log(1);",
    };
    const [one, other] = [await bundle(files), await bundle(files)];
    expect(one.entry).not.toBe(other.entry);
    expect(one).toMatchObject({ code: other.code, sourceHash: other.sourceHash });
    for (const path of [dirname(one.entry), process.cwd()]) expect(one.code).not.toContain(path);
  });

  it("pays no heed to a tsconfig.json near by", async () => {
    const made = await bundle({
      "a.ts": 'export { default } from "./b.ts";',
      "b.ts": "export default 1",
      "c.ts": "export default 2",
      "tsconfig.json": '{ "compilerOptions": { "paths": { "./b.ts": ["./c.ts"] } } }',
    });
    expect(evaluate(made)).toBe(1);
  });

  it("bundles inline source", async () => {
    expect(evaluate(await bundlePlugin({ name: "inline", source: plugin }))).toMatchObject({ definition: { name: "a" } });
    await expect(bundlePlugin({ name: "inline", source: "export default (" })).rejects.toMatchObject({
      code: "plugin_not_compiled",
      seen: expect.stringMatching(/^inline:1:17: /),
    });
  });

  it.each([
    ["a syntax error", "const a = 1;\nexport default (;", /a\.ts:2:17: /],
    ["an import of nothing", 'import "./none.ts";\nexport default 1;', /a\.ts:1:8: .*none/],
    ["a module of Node", 'import { readFile } from "node:fs/promises";\nexport default readFile;', /a\.ts:1:26: .*api\.fs/],
    ["a module of Node without its prefix", 'import { spawn } from "child_process";\nexport default spawn;', /a\.ts:1:23: .*api\.run/],
    ["await at the top", "await 1;\nexport default 1;", /a\.ts:1:1: /],
  ])("refuses %s with its place", async (_name, source, seen) => {
    await expect(bundle({ "a.ts": source })).rejects.toMatchObject({ code: "plugin_not_compiled", seen: expect.stringMatching(seen) });
  });

  it("says the first few errors, not the first alone", async () => {
    await expect(bundle({ "a.ts": 'import "./x.ts";\nimport "./y.ts";\nimport "node:fs";\nexport default 1;' })).rejects.toMatchObject({
      seen: expect.stringMatching(/a\.ts:1:8: .*a\.ts:2:8: .*a\.ts:3:8: /s),
    });
  });

  it("refuses a dependency that needs Node, naming where", async () => {
    const files = {
      "a.ts": 'import "dep"; export default 1;',
      "node_modules/dep/package.json": '{ "name": "dep" }',
      "node_modules/dep/index.js": 'require("net");',
    };
    await expect(bundle(files)).rejects.toMatchObject({
      code: "plugin_not_compiled",
      seen: expect.stringContaining("node_modules/dep/index.js:1:9: "),
    });
  });

  it("takes a dependency that is called like a module of Node", async () => {
    const files = {
      "a.ts": 'import events from "events"; export default events;',
      "node_modules/events/package.json": '{ "name": "events" }',
      "node_modules/events/index.js": "module.exports = 5;",
    };
    expect(evaluate(await bundle(files))).toBe(5);
  });

  it.each([
    ["no default export", { "a.ts": "export const a = 1;" }, "a.ts", "plugin_undefined"],
    ["an empty file", { "a.ts": " \n" }, "a.ts", "plugin_undefined"],
    ["a folder without an entry", { "folder/other.ts": "export default 1" }, "folder", "plugin_undefined"],
    [
      "a main that leads out of the folder",
      { "a.ts": "export default 1", "folder/package.json": '{ "main": "../a.ts" }' },
      "folder",
      "plugin_undefined",
    ],
    ["no file", {}, "none.ts", "plugin_not_found"],
    ["a package.json that does not parse", { "folder/package.json": "{" }, "folder", "plugin_unreadable"],
  ])("refuses %s", async (_name, files, entry, code) => {
    await expect(bundle(files, entry)).rejects.toMatchObject({ code });
  });

  it("refuses what is no regular file, and does not wait for it", async () => {
    const { root } = await freshHome();
    const at = (name: string) => join(root, name);
    symlinkSync("/dev/zero", at("endless.ts"));
    symlinkSync(at("loop.ts"), at("loop.ts"));
    execFileSync("mkfifo", [at("pipe.ts")]);
    mkdirSync(at("folder.ts/plugin.ts"), { recursive: true });
    for (const name of ["endless.ts", "loop.ts", "pipe.ts", "folder.ts"])
      await expect(bundlePlugin({ path: at(name) }), name).rejects.toMatchObject({ code: "plugin_unreadable" });
  });
});
