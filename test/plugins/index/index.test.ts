import { execFileSync } from "node:child_process";
import { mkdir, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestHost, testHost } from "mortise/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let host: TestHost;
beforeAll(async () => {
  host = await testHost();
});
afterAll(() => host.close());

const write = (name: string, content: string | Buffer) => writeFile(join(host.folder, name), content);
const index = (path: string, input = {}, request = {}) => host.call("index", { path, ...input }, request);
async function outlineOf(name: string, content: string | Buffer): Promise<string> {
  await write(name, content);
  const { text, isError } = await index(name);
  expect(isError).toBe(false);
  return text;
}

describe("index", () => {
  it("lists what a barrel passes on", async () => {
    const text = await outlineOf("barrel.ts", 'export * as util from "./util";\nexport { a as b, type C } from "./c";\nexport * from "./d";\n');
    expect(text).toBe('exports: [1-3]\n  * as util from "./util" [1]\n  { a as b, type C } from "./c" [2]\n  * from "./d" [3]');
    expect(await outlineOf("default.ts", "export default function () {}\n")).toBe("fns:\n  export default () [1]");
    expect(await outlineOf("class.ts", "export default class {}\n")).toBe("classes:\n  export default [1]");
  });

  it("gives a decorated class its range, whether it is exported or not", async () => {
    const text = await outlineOf(
      "shop.ts",
      '@One()\n@Two({ a: 1 })\nexport class Shop {\n  @Input() name!: string;\n  @On("click", ["$event"])\n  onClick(e: unknown): void {}\n}\n\n@Three()\nclass Plain {}\n',
    );
    expect(text).toContain("  export Shop [1-7]\n");
    expect(text).toContain("    name!: string [4]\n");
    expect(text).toContain("    onClick(e: unknown): void [5-6]\n");
    expect(text).toContain("  Plain [9-10]");
  });

  it("keeps overloads, decorators, fields and async of Python apart", async () => {
    const text = await outlineOf(
      "point.py",
      [
        "from dataclasses import dataclass",
        "from .x import (A,",
        "    B)",
        "",
        "@dataclass(frozen=True)",
        "class Point(Base):",
        "    x: int",
        "    y: int = 0",
        "",
        "    @overload",
        "    def at(self, i: int) -> int: ...",
        "    @overload",
        "    def at(self, i: str) -> str: ...",
        "    def at(self, i):",
        "        async def inner(): ...",
        "        return i",
        "",
        "async def main() -> None: ...",
        "V2_MAX = 3",
        "",
      ].join("\n"),
    );
    expect(text).toBe(
      [
        "imports: [1-3]",
        "  .x.{A, B}",
        "  dataclasses.dataclass",
        "",
        "consts:",
        "  V2_MAX = 3 [19]",
        "",
        "fns:",
        "  async main() -> None [18]",
        "",
        "classes:",
        "  @dataclass(frozen=True)",
        "  Point(Base) [5-16]",
        "    x: int [7]",
        "    y: int = 0 [8]",
        "    @overload",
        "    at(self, i: int) -> int [10-11]",
        "    @overload",
        "    at(self, i: str) -> str [12-13]",
        "    at(self, i) [14-16]",
        "      async inner() [15]",
      ].join("\n"),
    );
  });

  it("shows a Rust test module among the tests alone, and comments within ranges", async () => {
    const text = await outlineOf("a.rs", "/// Adds.\n#[inline]\npub fn add() {}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {}\n}\n");
    expect(text).toBe("fns:\n  #[inline]\n  pub add() [1-3]\n\ntests: [5]\n  adds");
  });

  it("reads Go without a line end at the end", async () => {
    const text = await outlineOf("a.go", "package shop\n\ntype (\n\tAlias = Item\n\tRunner interface{ Run() error }\n)");
    expect(text).toBe("mod: [1]\n  shop\n\ntypes:\n  Alias = Item [4]\n  interface Runner [5]\n    Run() error [5]");
  });

  it("counts fields behind the eighth", async () => {
    const fields = Array.from({ length: 12 }, (_, at) => `  f${at}: u8,`).join("\n");
    const text = await outlineOf("fields.rs", `struct A {\n${fields}\n}\n`);
    expect(text.split("\n").slice(-2)).toEqual(["    f7: u8", "    [4 more truncated]"]);
  });

  it("lists what parses of a broken file, and says that it is broken", async () => {
    const text = await outlineOf(
      "half.ts",
      "export function before() {}\nexport class Half {\n  ok() {}\n  bad( {\n  later() {}\n}\nexport function after() {}\n",
    );
    for (const name of ["before()", "Half", "ok()", "after()"]) expect(text).toContain(name);
    expect(text).toContain("[the file has syntax errors; what is listed is what could be parsed]");
  });

  it("says nothing of macros in C that hide nothing, and of a declaration that is broken what it is", async () => {
    const macros = await outlineOf(
      "macros.c",
      "int each(list *l) {\n  FOR_EACH(l, item) { use(item); }\n  return f(1) SUFFIX;\n}\nint after(void);\n",
    );
    expect(macros).toBe("fns:\n  int each(list *l) [1-4]\n  int after(void) [5]");
    const broken = await outlineOf(
      "broken.c",
      "int f( {\n  return g(1,\n}\nstruct s { int a;\nint after(void) { return 1 + + ; } ) ) } } int q[[[ = h(1, 2;\n",
    );
    expect(broken).toContain("the file has syntax errors");
  });

  it("reads BOM, CRLF and characters of four bytes", async () => {
    const text = await outlineOf("bom.py", Buffer.from("\ufeffdef \u00e1():\r\n\tpass\r\n\r\n# \u{1f600}\r\ndef b(): pass\r\n"));
    expect(text).toBe("fns:\n  \u00e1() [1-2]\n  b() [4-5]");
  });

  it("parses C++ headers, and reads past macros", async () => {
    const text = await outlineOf("a.h", "MY_NAMESPACE_BEGIN\nMY_ATTR(x)\nint f(void);\nclass A { void g(); };\nMY_NAMESPACE_END\n");
    expect(text).toContain("  int f(void) [");
    expect(text).toContain("  A [4]\n    void g() [4]");
    expect(await outlineOf("b.h", "class MY_API B : public A {\n public:\n  B(int x);\n};\n")).toBe(
      "classes:\n  MY_API B : public A [1-4]\n    B(int x) [3]",
    );
  });

  it("outlines languages without a grammar by their indentation, and says so", async () => {
    const text = await outlineOf("a.weird", "begin Foo\n  x\n  y\nend\nplain\nfunction bar\n");
    expect(text).toBe("begin Foo [1-4]\nfunction bar [6]\n\n[outlined by indentation: no grammar is known for .weird]");
    expect(await outlineOf("noending", "#!/usr/bin/env -S python3 -u\ndef a(): pass\n")).toContain("fns:\n  a() [");
  });

  it("says that a file is empty, or declares nothing", async () => {
    expect(await outlineOf("empty.ts", "")).toBe("[nothing to list in empty.ts]");
    expect(await outlineOf("calls.ts", "f();\n")).toBe("[nothing to list in calls.ts]");
  });

  it("says why there is no outline, and what to do", async () => {
    await mkdir(join(host.folder, "folder.ts"));
    await symlink("nowhere.ts", join(host.folder, "dangling.ts"));
    await write("binary.ts", Buffer.from([65, 0, 66]));
    await write("large.py", "a = 1\n".repeat(400_000));
    execFileSync("mkfifo", [join(host.folder, "fifo.ts")]);
    const said = async (path: string) => {
      const { text, isError } = await index(path);
      expect(isError).toBe(true);
      return text;
    };
    await write("Real.ts", "");
    expect(await said("real.ts")).toBe("There is no file real.ts. Close to it: Real.ts.");
    expect(await said("dangling.ts")).toContain("dangling.ts");
    expect(await said("folder.ts")).toBe("folder.ts is a folder, not a file. Give a file in it.");
    expect(await said("fifo.ts")).toBe("fifo.ts is no regular file.");
    expect(await said("binary.ts")).toBe("binary.ts is a binary file of 3 bytes.");
    expect(await said("large.py")).toBe("large.py has 2400000 bytes, and at most 2097152 are outlined. Use read with offset and limit.");
  });

  it("gives long outlines in pages", async () => {
    await write("many.ts", Array.from({ length: 3_000 }, (_, at) => `export function f${at}() {}`).join("\n"));
    const first = (await index("many.ts")).text.split("\n");
    const note = /^\[lines 1-(\d+) of 3001 of the outline; go on with offset (\d+)\]$/.exec(first.at(-1) ?? "");
    expect(Number(note?.[2])).toBe(Number(note?.[1]) + 1);
    const next = (await index("many.ts", { offset: Number(note?.[2]) })).text;
    expect(next).toContain(`  export f${Number(note?.[1]) - 1}() [`);
    expect((await index("many.ts", { offset: 3_002 })).text).toBe("The outline of many.ts has 3001 lines, so line 3002 is past its end.");
    expect((await index("many.ts", {}, { outputMode: "full" })).text.split("\n")).toHaveLength(3_001);
  });

  it("ends with what is nested 50 000 deep, and goes on", async () => {
    for (const [name, text] of [
      ["deep.js", `f(${"[".repeat(50_000)}${"]".repeat(50_000)});\nfunction g() {}\n`],
      ["deep.py", `x = ${"(".repeat(50_000)}${")".repeat(50_000)}\ndef g(): pass\n`],
      ["deep.json", `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}\n`],
      ["blocks.js", `${"function f() {".repeat(5_000)}${"}".repeat(5_000)}\n`],
      ["deep.scss", "a{".repeat(50_000)],
      ["deep.proto", "message A {".repeat(50_000)],
      ["deep.graphql", "type A {".repeat(50_000)],
      ["tags.vue", '<script "'.repeat(50_000)],
      ["tags.html", "<script type=".repeat(50_000)],
    ] as const) {
      await write(name, text);
      expect(await index(name)).toMatchObject({ isError: false });
    }
    expect(await outlineOf("after.js", "function g() {}\n")).toBe("fns:\n  g() [1]");
  }, 60_000);

  it("outlines a minified file in lines of bounded length", async () => {
    const text = await outlineOf(
      "min.js",
      `${Array.from({ length: 500 }, (_, at) => `function f${at}(${"a,".repeat(400)}b){return ${at}}`).join(";")}\n`,
    );
    expect(text.split("\n").every((line) => line.length < 300)).toBe(true);
    expect(text).toContain("  f7(a,");
  });

  it("notices that a file changed, also where its size and time stayed", async () => {
    const path = join(host.folder, "changing.ts");
    const old = new Date(Date.now() - 60_000);
    await write("changing.ts", "function one() {}\n");
    await utimes(path, old, old);
    expect((await index("changing.ts")).text).toBe("fns:\n  one() [1]");
    expect((await index("changing.ts")).text).toBe("fns:\n  one() [1]");
    await write("changing.ts", "function two() {}\n");
    await utimes(path, old, old);
    expect((await index("changing.ts")).text).toBe("fns:\n  two() [1]");
    await rm(path);
    expect(await index("changing.ts")).toMatchObject({ isError: true, text: "There is no file changing.ts." });
  });

  it("does not confuse files of the same name in two folders", async () => {
    for (const folder of ["a", "b"]) {
      await mkdir(join(host.folder, folder));
      await writeFile(join(host.folder, folder, "same.ts"), `function in_${folder}() {}\n`);
    }
    for (const folder of ["a", "b", "a"]) {
      const { text } = await index("same.ts", {}, { cwd: join(host.folder, folder) });
      expect(text).toBe(`fns:\n  in_${folder}() [1]`);
    }
  });
});
