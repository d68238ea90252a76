import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type TestHost, testHost } from "mortise/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { grammars } from "../../../core/syntax/grammars.mjs";

const fixtures = fileURLToPath(new URL("fixtures", import.meta.url));
const folders = fileURLToPath(new URL("../../../plugins/index/languages", import.meta.url));
const namesIn = (folder: string) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

let host: TestHost;
beforeAll(async () => {
  host = await testHost({ cwd: fixtures });
});
afterAll(() => host.close());

/** `UPDATE=1` writes what is expected anew: look at the difference. */
describe("languages", () => {
  it.each(namesIn(fixtures))("outlines %s as expected", async (name) => {
    const [input] = readdirSync(join(fixtures, name)).filter((file) => file !== "expected.txt");
    const { text, isError } = await host.call("index", { path: `${name}/${input}` });
    if (process.env.UPDATE === "1") writeFileSync(join(fixtures, name, "expected.txt"), `${text}\n`);
    expect([isError, `${text}\n`]).toEqual([false, readFileSync(join(fixtures, name, "expected.txt"), "utf8")]);
  });

  it("have a fixture each, and are in the list", () => {
    const listed = readFileSync(join(folders, "languages.ts"), "utf8");
    expect(namesIn(folders).filter((name) => !namesIn(fixtures).includes(name))).toEqual([]);
    expect(namesIn(folders).filter((name) => !listed.includes(`"./${name}/`))).toEqual([]);
  });

  it("have queries that fit their grammars, for every ending", async () => {
    const sources = namesIn(folders).flatMap((name) =>
      readdirSync(join(folders, name))
        .filter((file) => file.endsWith(".ts"))
        .map((file) => readFileSync(join(folders, name, file), "utf8")),
    );
    const endings = sources.flatMap((source) =>
      [...source.matchAll(/extensions: \[([^\]]*)\]/g)].flatMap(([, list = ""]) => list.match(/[^",\s]+/g) ?? []),
    );
    expect(endings.length).toBeGreaterThan(100);
    const texts = await Promise.all(
      endings.map(async (ending) => {
        writeFileSync(join(host.folder, `input.${ending}`), "\n");
        return (await host.call("index", { path: join(host.folder, `input.${ending}`) })).text;
      }),
    );
    expect(texts.filter((text) => !/^\[nothing to list in [^;]*\]$/.test(text))).toEqual([]);
  });

  it("use grammars that are there", () => {
    const used = namesIn(folders).flatMap((name) =>
      readdirSync(join(folders, name))
        .filter((file) => file.endsWith(".ts"))
        .flatMap((file) => /grammar: "(\w+)"/.exec(readFileSync(join(folders, name, file), "utf8"))?.[1] ?? []),
    );
    expect(used.filter((name) => !Object.hasOwn(grammars, name))).toEqual([]);
  });
});
