import { spawn } from "node:child_process";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Bench, bench } from "../../support/capabilities.ts";

let b: Bench;
beforeEach(async () => {
  b = await bench();
});
afterEach(() => b.close());

const file = (plugin: string) => join(b.folder, "stores", `${plugin}.json`);

describe("store", () => {
  it("keeps JSON values by key, and undefined apart from null", async () => {
    expect(await b.call("store.get", "a")).toBeUndefined();
    expect(await b.call("store.keys")).toEqual([]);
    await b.call("store.set", "a", { list: [1, "two", null] });
    await b.call("store.set", "b", null);
    expect(await b.call("store.get", "a")).toEqual({ list: [1, "two", null] });
    expect(await b.call("store.get", "b")).toBeNull();
    expect(await b.call("store.keys")).toEqual(["a", "b"]);
    await b.call("store.delete", "a");
    await b.call("store.delete", "never");
    expect(await b.call("store.keys")).toEqual(["b"]);
  });

  it("has no special keys", async () => {
    for (const key of ["__proto__", "constructor", "toString"]) {
      expect(await b.call("store.get", key)).toBeUndefined();
      await b.call("store.set", key, key);
      expect(await b.call("store.get", key)).toBe(key);
    }
    expect(await b.call("store.keys")).toEqual(["__proto__", "constructor", "toString"]);
    for (const key of ["", "x".repeat(257), 1]) await expect(b.call("store.set", key, 1)).rejects.toMatchObject({ code: "wrong_argument" });
  });

  it("is private to the plugin, and to the user", async () => {
    await b.call("store.set", "a", 1);
    expect(await b.as({ plugin: "other" })("store.get", "a")).toBeUndefined();
    expect((await stat(file("probe"))).mode & 0o777).toBe(0o600);
    expect((await stat(join(b.folder, "stores"))).mode & 0o777).toBe(0o700);
  });

  it("has a part for each project, apart from the rest and from other projects", async () => {
    const places = (project: string) => ({ project, trusted: false, user: "/u", home: "/h" });
    const storeFolder = join(b.folder, "stores");
    const [one, two] = [await bench({ storeFolder, places: places("/p/app") }), await bench({ storeFolder, places: places("/q/app") })];
    try {
      await b.call("store.set", "a", "all");
      await one.call("projectStore.set", "a", 1);
      await two.call("projectStore.set", "a", 2);
      expect(await Promise.all([one.call("projectStore.get", "a"), two.call("projectStore.get", "a"), one.call("store.get", "a")])).toEqual([
        1,
        2,
        "all",
      ]);
      await one.call("projectStore.delete", "a");
      expect([await one.call("projectStore.keys"), await two.call("projectStore.keys")]).toEqual([[], ["a"]]);
      expect(await readdir(join(storeFolder, "projects"))).toEqual([
        expect.stringMatching(/^app-[0-9a-f]{16}$/),
        expect.stringMatching(/^app-[0-9a-f]{16}$/),
      ]);
      await expect(b.call("fs.read", join(storeFolder, "projects"))).rejects.toMatchObject({ code: "protected_path" });
    } finally {
      await one.close();
      await two.close();
    }
  });

  it("has an end", async () => {
    await b.call("store.set", "a", "x".repeat(900_000));
    await expect(b.call("store.set", "b", "x".repeat(200_000))).rejects.toMatchObject({ code: "file_failed", plugin: "probe" });
    expect(await b.call("store.keys")).toEqual(["a"]);
  });

  it("does not overwrite a file that is broken", async () => {
    await b.call("store.set", "a", 1);
    for (const broken of ["{", "[]", "null", "1"]) {
      await writeFile(file("probe"), broken);
      await expect(b.call("store.get", "a")).rejects.toMatchObject({ code: "file_broken" });
      await expect(b.call("store.set", "a", 1)).rejects.toMatchObject({ code: "file_broken" });
      expect(await readFile(file("probe"), "utf8")).toBe(broken);
    }
  });

  it("loses nothing when two processes write at once", async () => {
    const module = fileURLToPath(new URL("../../../core/capabilities/store.ts", import.meta.url));
    const script = (name: string) => `
      import { storeMethods } from ${JSON.stringify(module)};
      const methods = storeMethods(${JSON.stringify(join(b.folder, "stores"))});
      const caller = { plugin: "probe", granted: {}, call: null };
      await Promise.all(Array.from({ length: 10 }, (_, index) => methods["store.set"]([\`${name}-\${index}\`, index], caller)));`;
    const run = (name: string) =>
      new Promise((resolve) => spawn(process.execPath, ["--input-type=module", "-e", script(name)], { stdio: "inherit" }).once("exit", resolve));
    expect(await Promise.all([run("one"), run("two")])).toEqual([0, 0]);
    expect(await b.call("store.keys")).toHaveLength(20);
  });
});
