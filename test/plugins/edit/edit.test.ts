import { execFileSync } from "node:child_process";
import { chmod, link, mkdir, readFile, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestHost, testHost } from "mortise/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let host: TestHost;
beforeAll(async () => {
  host = await testHost();
});
afterAll(() => host.close());

const at = (name: string) => join(host.folder, name);
const write = (name: string, content: string | Buffer) => writeFile(at(name), content);
const text = (name: string) => readFile(at(name), "utf8");
const edit = (path: string, old_string: unknown, new_string: unknown, more = {}, request = {}) =>
  host.call("edit", { path, old_string, new_string, ...more }, request);

describe("edit", () => {
  it.each(["edit", "multiedit"])("shows nothing by %s of what may not be read", async (tool) => {
    const guarded = await testHost({
      rules: [
        { tool: "read", pattern: "private/**", effect: "deny" },
        { tool: "read", pattern: "notes/**", effect: "ask" },
        { tool: "read", pattern: "open/**", effect: "allow" },
        { tool: "write", pattern: "src/**", effect: "deny" },
      ],
    });
    try {
      const call = async (path: string, text: string) => {
        await mkdir(join(guarded.folder, path, ".."), { recursive: true });
        await writeFile(join(guarded.folder, path), `${text}\nold\n`);
        const change = { old_string: "old\nnothing", new_string: "x" };
        return guarded.call(tool, tool === "edit" ? { path, ...change } : { path, edits: [change] });
      };
      for (const path of ["private/a.txt", "notes/a.txt", ".env", "config/prod.env"]) {
        const record = await call(path, "TOKEN=1");
        expect(record).toMatchObject({ isError: true, ran: false, code: "denied" });
        expect(record.text).not.toContain("TOKEN");
      }
      for (const path of ["src/a.txt", "open/a.txt"]) expect(await call(path, "x")).toMatchObject({ ran: true });
    } finally {
      await guarded.close();
    }
    const off = await testHost({ rules: [{ tool: "read", effect: "deny" }] });
    try {
      await writeFile(join(off.folder, "a.txt"), "old\n");
      expect(await off.call("edit", { path: "a.txt", old_string: "old", new_string: "new" })).toMatchObject({ isError: false });
    } finally {
      await off.close();
    }
  });

  it("replaces a text, and shows what changed", async () => {
    await write("a.ts", "one\ntwo\nthree\n");
    expect(await edit("a.ts", "two", "2")).toMatchObject({
      isError: false,
      text: "Edited a.ts at line 2 (exact match).\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three",
      data: { how: "exact", lines: [2], places: 1 },
    });
    expect(await text("a.ts")).toBe("one\n2\nthree\n");
  });

  it("says how it found what is not there as written", async () => {
    await write("b.ts", "if (a) {\n\tb();\n}\n");
    const record = await edit("b.ts", "b();", "c();");
    expect(record.text).toContain("Edited b.ts at line 2 (exact match).");
    expect((await edit("b.ts", "    c(); ", "    d();\n    e();")).text).toContain(
      "at line 2 (old_string was found once the indentation was passed over; new_string was indented alike).",
    );
    expect(await text("b.ts")).toBe("if (a) {\n\td();\n\te();\n}\n");
  });

  it("replaces all, by the names that models give the fields too", async () => {
    await write("c.ts", "a b a\na\n");
    const record = await host.call("edit", { file_path: "c.ts", old_str: "a", new_str: "x", replaceAll: "true" });
    expect(record.text).toContain("Edited c.ts at 3 places, lines 1, 1, 2 (exact match).");
    expect(await text("c.ts")).toBe("x b x\nx\n");
  });

  it("keeps line ends, a byte order mark, the end of the file and the mode", async () => {
    await write("d.txt", "\ufeffone\r\ntwo\r\nthree");
    await chmod(at("d.txt"), 0o700);
    expect((await edit("d.txt", "two\nthree", "2\n3")).text).toContain("-two\n-three\n\\ No newline at end of file\n+2\n+3\n\\ No newline");
    expect(await text("d.txt")).toBe("\ufeffone\r\n2\r\n3");
    expect((await stat(at("d.txt"))).mode & 0o777).toBe(0o700);
  });

  it("leaves a file as it was that it cannot edit, with a sentence", async () => {
    await write("e.txt", "a\nb\na\n");
    expect(await edit("e.txt", "a", "x")).toMatchObject({
      isError: true,
      text: "e.txt: old_string is there several times, at lines 1, 3. Add lines around it until there is one, or set replace_all.",
    });
    expect(await edit("e.txt", "z", "x")).toMatchObject({
      isError: true,
      text: "e.txt: old_string is not in the file. Read the file, and copy the text from it.",
    });
    expect(await edit("e.txt", "", "x")).toMatchObject({ isError: true, ran: false, code: "invalid_input" });
    expect(await text("e.txt")).toBe("a\nb\na\n");
  });

  it("refuses what is no text file", async () => {
    await mkdir(at("folder"), { recursive: true });
    execFileSync("mkfifo", [at("pipe")]);
    execFileSync("truncate", ["-s", "2G", at("huge")]);
    await write("latin1", Buffer.from([0xe4, 0x0a]));
    for (const [path, says] of [
      ["folder", "folder is a folder, not a file."],
      ["pipe", "pipe is no regular file."],
      ["/dev/zero", "/dev/zero is no regular file."],
      ["huge", "huge has 2147483648 bytes, and at most 8388608 are edited. Use a program, as `sed`."],
      ["none", "There is no file none. `write` makes a file."],
      ["folder/none/x", "There is no file folder/none/x. `write` makes a file."],
      ["hugs", "There is no file hugs. Close to it: huge. `write` makes a file."],
      ["latin1", "it is no UTF-8 text"],
    ] as const) {
      expect([path, await edit(path, "a", "b")]).toMatchObject([path, { isError: true, text: expect.stringContaining(says) }]);
    }
  });

  it("refuses a file that changed since the session read it", async () => {
    await write("f.txt", "one\n");
    await host.call("read", { path: "f.txt" });
    const { mtime } = await stat(at("f.txt"));
    await write("f2.txt", "two\n");
    execFileSync("mv", [at("f2.txt"), at("f.txt")]);
    await utimes(at("f.txt"), mtime, mtime);
    expect(await edit("f.txt", "two", "2")).toMatchObject({ isError: true, code: "stale_file", ran: false });
    expect((await edit("f.txt", "two", "2", {}, { sessionId: "another" })).isError).toBe(false);
    await host.call("read", { path: "f.txt" });
    expect((await edit("f.txt", "2", "3")).isError).toBe(false);
    expect((await edit("f.txt", "3", "4")).isError).toBe(false);
  });

  it("refuses a file that changed since the session read it by a link", async () => {
    await write("linked.txt", "one\n");
    await symlink("linked.txt", at("link.txt"));
    await host.call("read", { path: "link.txt" });
    await write("linked.txt", "two two\n");
    for (const path of ["linked.txt", "link.txt"]) {
      expect(await edit(path, "two two", "2")).toMatchObject({ isError: true, code: "stale_file", ran: false });
    }
  });

  it("takes a search or an outline of a file for no look at what it holds", async () => {
    await write("seen.ts", "export const one = 1;\n");
    await host.call("read", { path: "seen.ts" });
    await write("seen.ts", "export const two = 22;\n");
    for (const [tool, input] of [
      ["index", { path: "seen.ts" }],
      ["grep", { pattern: "two", path: "seen.ts" }],
    ] as const)
      expect((await host.call(tool, input)).isError).toBe(false);
    expect(await edit("seen.ts", "two", "three")).toMatchObject({ isError: true, code: "stale_file" });
  });

  it("makes edits of one file one after the other, whatever names it has", async () => {
    await write("g.txt", Array.from({ length: 20 }, (_, i) => `line ${i};\n`).join(""));
    await symlink("g.txt", at("g-link.txt"));
    const records = await Promise.all(Array.from({ length: 20 }, (_, i) => edit(i % 2 === 0 ? "g.txt" : "./g-link.txt", `line ${i};`, `done ${i};`)));
    expect(records.filter(({ isError }) => isError)).toEqual([]);
    expect(await text("g.txt")).toBe(Array.from({ length: 20 }, (_, i) => `done ${i};\n`).join(""));
    expect((await stat(at("g-link.txt"))).ino).toBe((await stat(at("g.txt"))).ino);
  });

  it("is asked about by the file that it writes", async () => {
    const guarded = await testHost({ answer: "deny" });
    try {
      await writeFile(join(guarded.folder, "a.txt"), "a");
      expect(await guarded.call("edit", { path: "a.txt", old_string: "a", new_string: "b" })).toMatchObject({ isError: true, code: "denied" });
      expect(guarded.prompts[0]?.scopes).toEqual([expect.objectContaining({ kind: "path", text: join(guarded.cwd, "a.txt"), access: "write" })]);
      expect(await readFile(join(guarded.folder, "a.txt"), "utf8")).toBe("a");
    } finally {
      await guarded.close();
    }
  });

  it("gives another name of a file its old text, as it replaces the file", async () => {
    await write("h.txt", "a");
    await link(at("h.txt"), at("h2.txt"));
    await edit("h.txt", "a", "b");
    expect(await text("h2.txt")).toBe("a");
  });

  it("edits the longest files it takes, of wide characters, within its memory", async () => {
    // On a busy machine a turn takes many times as long.
    const patient = await testHost({ limits: { sliceMs: 60_000 } });
    try {
      const change = (old_string: string, new_string: string, more = {}) =>
        patient.call("edit", { path: "long.txt", old_string, new_string, ...more });
      await writeFile(join(patient.folder, "long.txt"), `${"\u00fc\u00f6 \u2603 line\r\n".repeat(500_000)}END\r\n`);
      expect((await change("END", "THE END")).text).toContain("-END\n+THE END");
      expect((await change("\u2603 line", "\u2603", { replace_all: true })).text).toContain("more than 100000 times");
      expect(await change("line\nTHE END", "line")).toMatchObject({ isError: false });
    } finally {
      await patient.close();
    }
  }, 60_000);
});
