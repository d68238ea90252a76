import { execFileSync } from "node:child_process";
import { mkdir, readdir, rm, symlink, truncate, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FoundFiles, SearchResult, WalkedFolder } from "../../../../sdk/api.ts";
import { MortiseError } from "../../../../sdk/errors.ts";
import { type Bench, bench } from "../../../support/capabilities.ts";

let b: Bench;
let made = 0;
const at = (path: string) => join(b.folder, path);
beforeAll(async () => {
  b = await bench();
});
afterAll(() => b.close());

/** A folder of its own for a test; files are as old as they come late. */
async function folderOf(files: Record<string, string | Buffer>): Promise<string> {
  const name = `f${++made}`;
  let age = 0;
  for (const [path, content] of Object.entries(files)) {
    const file = at(`${name}/${path}`);
    await mkdir(join(file, ".."), { recursive: true });
    await writeFile(file, content);
    const time = new Date(Date.UTC(2020, 0, 1) - 60_000 * ++age);
    await utimes(file, time, time);
  }
  return name;
}

const search = (request: Record<string, unknown>, call = b.call) => call("fs.search", request) as Promise<SearchResult>;
const find = (pattern: string, options: Record<string, unknown> = {}, call = b.call) => call("fs.find", pattern, options) as Promise<FoundFiles>;
const walk = (path: string, options: Record<string, unknown> = {}, call = b.call) => call("fs.walk", path, options) as Promise<WalkedFolder>;
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => "none",
    (error: unknown) => (error instanceof MortiseError ? error.code : String(error)),
  );

describe("fs.search", () => {
  it("shows control characters as pictures where that is asked for", async () => {
    const path = await folderOf({ "a.txt": "foo \u001b[1m\u0007\u007f\tx\n", "b.txt": "foo \u009bä\n", "c.txt": "foo plain\n" });
    const raw = await search({ pattern: "foo", path });
    expect([raw.pictured, raw.text.includes("\u001b[1m")]).toEqual([false, true]);
    const shown = await search({ pattern: "foo", path, pictures: true });
    expect(shown).toMatchObject({
      pictured: true,
      text: `${path}/a.txt:\n1: foo \u241b[1m\u2407\u2421\tx\n\n${path}/b.txt:\n1: foo \\x9bä\n\n${path}/c.txt:\n1: foo plain`,
    });
    expect(await search({ pattern: "plain", path, pictures: true, hold: true })).toMatchObject({
      pictured: false,
      text: `${path}/c.txt:\n1: foo plain`,
    });
  });

  it("shows lines of the newest files first, and counts all", async () => {
    const path = await folderOf({ "new.txt": "one foo\ntwo\nfoo three\n", "sub/old.txt": "foo", "none.txt": "bar" });
    const all = await search({ pattern: "foo", path });
    expect(all.text).toBe(`${path}/new.txt:\n1: one foo\n3: foo three\n\n${path}/sub/old.txt:\n1: foo`);
    expect(all).toMatchObject({
      totalFiles: 2,
      totalMatches: 3,
      shownMatches: 3,
      ended: "done",
      leftOut: 0,
      unreadable: 0,
      binary: 0,
      invalid: false,
    });
    expect(all.files).toEqual([
      { path: `${path}/new.txt`, matches: 2 },
      { path: `${path}/sub/old.txt`, matches: 1 },
    ]);
    expect(await search({ pattern: "foo", path, limit: 1 })).toMatchObject({
      text: `${path}/new.txt:\n1: one foo`,
      totalMatches: 3,
      shownMatches: 1,
    });
    expect((await search({ pattern: "foo", path, limit: 2 })).text).toBe(`${path}/new.txt:\n1: one foo\n3: foo three`);
  });

  it("shows lines around, files alone, or numbers", async () => {
    const path = await folderOf({ a: "1\nfoo\n3\n4\n5\nfoo\n7", b: "foo" });
    expect((await search({ pattern: "foo", path: `${path}/a`, before: 1, after: 1 })).text).toBe(
      `${path}/a:\n1  1\n2: foo\n3  3\n--\n5  5\n6: foo\n7  7`,
    );
    expect(await search({ pattern: "foo", path, output: "files" })).toMatchObject({ text: `${path}/a\n${path}/b`, totalFiles: 2 });
    expect(await search({ pattern: "foo", path, output: "counts" })).toMatchObject({ text: `${path}/a: 2\n${path}/b: 1`, totalMatches: 3 });
    expect((await search({ pattern: "foo", path, output: "files", limit: 1 })).text).toBe(`${path}/a`);
  });

  it("leaves out ignored files and .git, and shows names with a dot in front", async () => {
    const path = await folderOf({
      ".gitignore": "*.log\nbuild/\n",
      ".hidden": "foo",
      "a.log": "foo",
      "build/x": "foo",
      ".git/config": "foo",
      "sub/.git": "foo",
    });
    const names = async (more = {}) =>
      (await search({ pattern: "foo", path, output: "files", ...more })).files.map((file) => file.path.slice(path.length + 1)).sort();
    expect(await names()).toEqual([".hidden"]);
    expect(await names({ ignored: true })).toEqual([".hidden", "a.log", "build/x"]);
    expect(await names({ path: `${path}/build` })).toEqual(["build/x"]);
    expect(await names({ path: `${path}/a.log` })).toEqual(["a.log"]);
  });

  it("searches the files that are included, without bringing back ignored ones", async () => {
    const path = await folderOf({ ".gitignore": "x.ts\n", "a.ts": "foo", "b.js": "foo", "x.ts": "foo", "src/c.ts": "foo", "src/deep/d.tsx": "foo" });
    const names = async (include: string | string[]) =>
      (await search({ pattern: "foo", path, include, output: "files" })).files.map((file) => file.path.slice(path.length + 1));
    expect(await names("*.ts")).toEqual(["a.ts", "src/c.ts"]);
    expect(await names("*.{ts,tsx}")).toEqual(["a.ts", "src/c.ts", "src/deep/d.tsx"]);
    expect(await names("src/**/*.tsx")).toEqual(["src/deep/d.tsx"]);
    expect(await names("./src/*")).toEqual(["src/c.ts"]);
    expect(await names("!*.ts")).toEqual(["b.js", "src/deep/d.tsx"]);
    expect(await names(["*.ts", "!src/**"])).toEqual(["a.ts"]);
    expect(await names("[z-a]")).toEqual([]);
    expect(await names("*.none")).toEqual([]);
    expect(await names("{a.ts")).toEqual([]);
    expect((await readdir(tmpdir())).filter((name) => /^mortise-[0-9a-f]{24}$/.test(name))).toEqual([]);
  });

  it("matches over lines where the pattern says so, and takes text as it is", async () => {
    const path = await folderOf({ a: "foo\nbar\r\na.b\n(x" });
    const lines = async (request: Record<string, unknown>) => (await search({ path, ...request })).text.split("\n").slice(1);
    expect(await lines({ pattern: "foo\\nbar" })).toEqual(["1: foo", "2: bar"]);
    expect(await lines({ pattern: "(?s)oo.ba" })).toEqual(["1: foo", "2: bar"]);
    expect(await lines({ pattern: "foo.bar" })).toEqual([]);
    expect(await lines({ pattern: "foo.bar", multiline: true })).toEqual([]);
    expect(await lines({ pattern: "foo\nbar", literal: true })).toEqual(["1: foo", "2: bar"]);
    expect(await lines({ pattern: "(x", literal: true })).toEqual(["4: (x"]);
    expect(await lines({ pattern: "bar$" })).toEqual(["2: bar"]);
    expect(await lines({ pattern: "FOO" })).toEqual([]);
    expect(await lines({ pattern: "FOO", letterCase: "insensitive" })).toEqual(["1: foo"]);
    expect(await lines({ pattern: "FOO", letterCase: "smart" })).toEqual([]);
  });

  it("never takes a pattern or a path for an option", async () => {
    const path = await folderOf({ "-v": "--version\n-e x", "--files": "foo" });
    expect((await search({ pattern: "--version", path })).text).toBe(`${path}/-v:\n1: --version`);
    expect((await search({ pattern: "-e", path: `${path}/-v` })).text).toBe(`${path}/-v:\n2: -e x`);
    expect((await search({ pattern: "foo", path, include: "--files" })).totalFiles).toBe(1);
  });

  it("says what is wrong with a pattern", async () => {
    await expect(search({ pattern: "foo(" })).rejects.toThrow(/foo\(: unclosed group/);
    for (const pattern of ["foo(", "[", "*", "(?=x)", "\\1", "a{99999999}"]) expect(await code(search({ pattern }))).toBe("bad_pattern");
  });

  it("cuts long lines at a character border, and shows what is no UTF-8", async () => {
    const path = await folderOf({
      long: `${"😀".repeat(300)}foo`,
      zalgo: `foo${"e\u0301\u0302\u0303\u0304".repeat(2_000)}`,
      latin: Buffer.from("gr\u00fcn foo", "latin1"),
    });
    const { text, invalid } = await search({ pattern: "foo", path, maxLineChars: 100 });
    expect(invalid).toBe(true);
    expect(text).toContain("gr\ufffdn foo");
    expect(text.isWellFormed()).toBe(true);
    for (const line of text.split("\n")) expect(line.length).toBeLessThan(300);
  });

  it("keeps names on one line, whatever they hold", async () => {
    const path = await folderOf({ "a\n1: fake": "foo" });
    await writeFile(Buffer.concat([Buffer.from(`${at(path)}/bad`), Buffer.from([0xff])]), "foo");
    const { text, files } = await search({ pattern: "foo", path });
    expect(text.split("\n").filter((line) => /^\d+: /.test(line))).toEqual(["1: foo", "1: foo"]);
    expect(text).toContain(`"${path}/a\\n1: fake":`);
    expect(text).toContain(`${path}/bad\ufffd:`);
    expect(files.map((file) => file.path)).toContain(`${path}/a\n1: fake`);
  });

  it("passes over what holds no text", async () => {
    const path = await folderOf({ binary: Buffer.from("\0foo\n"), later: `foo\n${"x".repeat(300_000)}\nfoo\0\n`, empty: "" });
    expect(await search({ pattern: "foo", path })).toMatchObject({ text: `${path}/later:\n1: foo`, totalFiles: 1, binary: 1 });
    expect(await search({ pattern: "foo", path: `${path}/binary` })).toMatchObject({ totalMatches: 0 });
    expect(await search({ pattern: "foo", path: `${path}/empty` })).toMatchObject({ totalFiles: 0, text: "" });
  });

  it("never waits for what is no regular file, and follows no links in a folder", async () => {
    const path = await folderOf({ "a.txt": "foo", "sub/b": "bar" });
    execFileSync("mkfifo", [at(`${path}/pipe`)]);
    const server = createServer().listen(at(`${path}/socket`));
    await symlink("a.txt", at(`${path}/link`));
    await symlink("..", at(`${path}/sub/up`));
    await symlink("round", at(`${path}/round`));
    await symlink("nowhere", at(`${path}/dangling`));
    expect((await search({ pattern: "foo", path })).text).toBe(`${path}/a.txt:\n1: foo`);
    expect((await search({ pattern: "foo", path: `${path}/link` })).text).toBe(`${path}/a.txt:\n1: foo`);
    for (const name of ["pipe", "socket", "round", "dangling", "none", "a.txt/x"])
      expect(await code(search({ pattern: "x", path: `${path}/${name}` }))).toBe("file_failed");
    for (const name of ["/dev/null", "/dev/tty", "/proc/self/status", "/sys"])
      expect(await code(search({ pattern: "x", path: name }))).toMatch(/file_failed|protected_path/);
    server.close();
  });

  it("bounds what it reads of large files", async () => {
    const path = await folderOf({ "a.txt": "foo", sparse: "foo\n", text: "foo\n" });
    await truncate(at(`${path}/sparse`), 2 * 1024 ** 3);
    expect((await search({ pattern: "foo", path })).files.map((file) => file.path)).toEqual([`${path}/a.txt`, `${path}/text`]);
    expect(await code(search({ pattern: "foo", path: `${path}/sparse` }))).toBe("file_failed");
  });

  it("leaves out files that hold secrets, says how many, whether they match or not, and searches one that is named", async () => {
    const path = await folderOf({ ".env": "TOKEN=foo", "sub/.env.local": "nothing", "key.pem": "foo", "a.txt": "foo", ".ssh/config": "foo" });
    for (const output of ["lines", "files", "counts"]) {
      const { text, leftOut, totalFiles } = await search({ pattern: "foo", path, output });
      expect(text).not.toMatch(/TOKEN|env|pem|ssh/);
      expect([leftOut, totalFiles]).toEqual([4, 1]);
    }
    expect((await search({ pattern: "zzz", path })).leftOut).toBe(4);
    expect((await search({ pattern: "foo", path: `${path}/.env` })).text).toBe(`${path}/.env:\n1: TOKEN=foo`);
    await writeFile(at(`${path}/.gitignore`), ".env*\n");
    expect((await search({ pattern: "foo", path, ignored: true })).text).not.toContain("TOKEN");
  });

  it("leaves out what rules say", async () => {
    const asked: unknown[] = [];
    const guarded = await bench({
      leftOut: (request) => {
        asked.push(request);
        return (file) => (file.endsWith("private.txt") ? "denied" : undefined);
      },
    });
    try {
      await writeFile(join(guarded.folder, "private.txt"), "foo");
      await writeFile(join(guarded.folder, "open.txt"), "foo");
      expect((await search({ pattern: "foo" }, guarded.call)).files.map((file) => file.path)).toEqual(["open.txt"]);
      expect((await find("*", {}, guarded.call)).files).toEqual(["open.txt"]);
      expect((await walk(".", {}, guarded.call)).entries.map((entry) => entry.name)).toEqual(["open.txt"]);
      const call = guarded.as({ call: { running: { tool: "grep" }, sessionId: "s" } });
      await search({ pattern: "foo" }, call);
      expect(asked.at(-1)).toEqual({ tool: "grep", sessionId: "s", folder: guarded.folder });
    } finally {
      await guarded.close();
    }
  });

  it("stays within the grant, and looks only where something of it is", async () => {
    const path = await folderOf({ "src/a.ts": "foo", "src/b.js": "foo", "other/c.ts": "foo", "docs/d.ts": "foo", "one.txt": "foo" });
    const as = (...fs_read: string[]) => b.as({ granted: { fs_read } });
    const names = async (...scopes: string[]) =>
      (await search({ pattern: "foo", path, output: "files" }, as(...scopes))).files.map((file) => file.path.slice(path.length + 1)).sort();
    expect(await names(`${path}/src/**`)).toEqual(["src/a.ts", "src/b.js"]);
    expect(await names(`${path}/src/**/*.ts`, `${path}/docs/**`, `${path}/one.txt`)).toEqual(["docs/d.ts", "one.txt", "src/a.ts"]);
    expect(await names(`${path}/none/**`, `${path}/one.txt`)).toEqual(["one.txt"]);
    expect(await code(search({ pattern: "foo", path: `${path}/other` }, as(`${path}/src/**`)))).toBe("not_granted");
    expect(await code(search({ pattern: "foo", path: `${path}/other/c.ts` }, as(`${path}/src/**`)))).toBe("not_granted");
    expect(await code(search({ pattern: "foo", path: "/etc" }, as(`${path}/src/**`)))).toBe("not_granted");
    expect(await code(search({ pattern: "foo" }, b.as({ granted: {} })))).toBe("not_granted");
    execFileSync("mkfifo", [at(`${path}/pipe`)]);
    expect(await names(`${path}/pipe`, `${path}/one.txt`)).toEqual(["one.txt"]);
    expect(await code(search({ pattern: "x", path: "stores" }))).toBe("protected_path");
  });

  it("gives what it found when it is cancelled, and leaves no process", async () => {
    const path = await folderOf({ "a.txt": "foo", "sub/b.txt": "" });
    const controller = new AbortController();
    const call = b.as({ call: { signal: controller.signal } });
    // A rules file that is waited for holds the search up for a while.
    execFileSync("mkfifo", [at(`${path}/sub/.ignore`)]);
    const started = search({ pattern: "foo", path }, call);
    await sleep(300);
    controller.abort(new MortiseError("deadline_passed"));
    expect(await started).toMatchObject({ ended: "timeout" });
    expect(await code(search({ pattern: "foo", path }, call))).toBe("deadline_passed");
    expect(children()).toEqual([]);
  });

  it("ends with the host", async () => {
    const other = await bench();
    await mkdir(join(other.folder, "sub"));
    execFileSync("mkfifo", [join(other.folder, "sub/.ignore")]);
    const started = search({ pattern: "foo" }, other.call);
    await sleep(300);
    await other.close();
    await started;
    expect(children()).toEqual([]);
  });

  it("takes no request that makes no sense", async () => {
    const wrong = [
      {},
      { pattern: "" },
      { pattern: 1 },
      { pattern: "x", limit: 0 },
      { pattern: "x", before: -1 },
      { pattern: "a\0" },
      { pattern: "x", output: "x" },
      { pattern: "x", path: "" },
      { pattern: "x", path: "a\0" },
      { pattern: "x", include: "" },
      { pattern: "x".repeat(100_001) },
    ];
    for (const request of wrong) expect(await code(search(request))).toBe("wrong_argument");
  });

  it("finds nothing in a folder that is gone meanwhile", async () => {
    const path = await folderOf({ "a.txt": "foo" });
    await rm(at(path), { recursive: true });
    expect(await code(search({ pattern: "foo", path }))).toBe("file_failed");
  });
});

describe("ignore files that are no regular files", () => {
  const odd = async (path: string, make: (file: string) => Promise<unknown> | void) => {
    const folder = await folderOf({ "a.txt": "needle", "sub/b.txt": "needle", "sub/deep/.gitignore": "c.txt", "sub/deep/c.txt": "needle" });
    await make(at(`${folder}/${path}`));
    return folder;
  };
  const fifo = (file: string) => void execFileSync("mkfifo", [file]);

  it.each([".gitignore", "sub/.ignore", "sub/deep/.rgignore"])("does not wait for the FIFO %s, and says that it read no rules", async (path) => {
    const folder = await odd(path, fifo);
    const found = await search({ pattern: "needle", path: folder, output: "files" });
    expect(found).toMatchObject({ ended: "done", totalFiles: 3, oddRules: `${folder}/${path}` });
    expect(await find("**/*.txt", { path: folder })).toMatchObject({ ended: "done", oddRules: `${folder}/${path}` });
  });

  it("sees one above the folder that is searched, and those of a repository", async () => {
    const folder = await odd(".gitignore", fifo);
    expect(await search({ pattern: "needle", path: `${folder}/sub` })).toMatchObject({ totalFiles: 2, oddRules: `${folder}/.gitignore` });
    const other = await odd("x", async (file) => {
      await mkdir(join(file, "../sub/.git/info"), { recursive: true });
      fifo(join(file, "../sub/.git/info/exclude"));
    });
    expect(await search({ pattern: "needle", path: other })).toMatchObject({ ended: "done", oddRules: `${other}/sub/.git/info/exclude` });
  });

  it("does not read what never ends", async () => {
    const folder = await odd("sub/.gitignore", (file) => symlink("/dev/zero", file));
    expect(await search({ pattern: "needle", path: folder })).toMatchObject({ ended: "done", oddRules: `${folder}/sub/.gitignore` });
  });

  it("passes over one in a folder that is ignored", async () => {
    const folder = await folderOf({ ".gitignore": "sub/", "a.txt": "needle", "sub/b.txt": "needle" });
    fifo(at(`${folder}/sub/.gitignore`));
    const found = await search({ pattern: "needle", path: folder });
    expect(found).toMatchObject({ totalFiles: 1, ended: "done" });
    expect(found.oddRules).toBeUndefined();
  });
});

describe("fs.find", () => {
  it("finds files, the newest first", async () => {
    const path = await folderOf({ "b.ts": "", "src/a.ts": "", "src/deep/c.ts": "", "d.js": "", ".dot.ts": "" });
    const names = async (pattern: string, options = {}) =>
      (await find(pattern, { path, ...options })).files.map((file) => file.slice(path.length + 1));
    expect(await names("**/*.ts")).toEqual(["b.ts", "src/a.ts", "src/deep/c.ts", ".dot.ts"]);
    expect(await names("*.ts")).toEqual(["b.ts", ".dot.ts"]);
    expect(await names("src/*")).toEqual(["src/a.ts"]);
    expect(await names("{src,x}/**")).toEqual(["src/a.ts", "src/deep/c.ts"]);
    expect(await names("b.ts")).toEqual(["b.ts"]);
    expect(await names(`${at(path)}/d.*`)).toEqual(["d.js"]);
    expect(await find("**", { path, limit: 2 })).toMatchObject({ more: true, ended: "done" });
    expect((await find("**", { path, limit: 5 })).more).toBe(false);
    expect(await names(`${"*a".repeat(60)}*b`)).toEqual([]);
  });

  it("leaves out ignored files, unless said or named", async () => {
    const path = await folderOf({ ".gitignore": "lib/\n", "a.js": "", "lib/b.js": "", ".git/c.js": "" });
    expect((await find("**/*.js", { path })).files).toEqual([`${path}/a.js`]);
    expect((await find("**/*.js", { path, ignored: true })).files).toEqual([`${path}/a.js`, `${path}/lib/b.js`]);
    expect((await find("lib/*.js", { path })).files).toEqual([`${path}/lib/b.js`]);
  });

  it("stays within the grant", async () => {
    const path = await folderOf({ "src/a.ts": "", "other/c.ts": "" });
    const call = b.as({ granted: { fs_read: [`${path}/src/**`] } });
    expect((await find("**", {}, call)).files).toEqual([`${path}/src/a.ts`]);
    expect(await code(find("../**", { path: "/etc" }, b.as({ granted: { fs_read: ["/etc/hosts"] } })))).toBe("none");
    expect(await code(find("**", { path: "/usr" }, call))).toBe("not_granted");
  });

  it("says where a folder is none", async () => {
    const path = await folderOf({ file: "" });
    expect(await code(find("none/*.ts", { path }))).toBe("file_failed");
    expect(await code(find("*.ts", { path: `${path}/file` }))).toBe("file_failed");
    expect(await code(find("", { path }))).toBe("wrong_argument");
    expect(await code(find("{a,b}".repeat(20), { path }))).toBe("wrong_argument");
  });
});

describe("fs.glob", () => {
  it("refuses before it walks, and walks only where something is granted", async () => {
    const path = await folderOf({ "src/a.ts": "", "other/b.ts": "" });
    const call = b.as({ granted: { fs_read: [`${path}/src/**`] } });
    expect(await code(call("fs.glob", "../**", { cwd: "/etc" }).then((files) => expect(files).toEqual([at(`${path}/src/a.ts`)])))).toBe("none");
    expect(await code(call("fs.glob", "**", { cwd: "/etc" }))).toBe("not_granted");
    expect(await call("fs.glob", "**/*.ts")).toEqual([at(`${path}/src/a.ts`)]);
  });
});

describe("fs.walk", () => {
  it("gives a tree, folders first, and what things are", async () => {
    const path = await folderOf({ "z/b/c.txt": "12345", "a.txt": "1", ".dot": "", ".git/x": "" });
    await mkdir(at(`${path}/empty`));
    await symlink("a.txt", at(`${path}/link`));
    execFileSync("mkfifo", [at(`${path}/pipe`)]);
    const { entries, total } = await walk(path, { depth: 3 });
    expect(entries.map(({ path: entry, type, depth, bytes }) => `${depth} ${entry} ${type} ${bytes}`)).toEqual([
      "1 empty folder 0",
      "1 z folder 0",
      "2 z/b folder 0",
      "3 z/b/c.txt file 5",
      "1 .dot file 0",
      "1 a.txt file 1",
      "1 link link 0",
      "1 pipe other 0",
    ]);
    expect(entries.find(({ name }) => name === "link")?.target).toBe("a.txt");
    expect(total).toBe(8);
    expect((await walk(path)).entries.map(({ name }) => name)).toEqual(["empty", "z", ".dot", "a.txt", "link", "pipe"]);
  });

  it("gives what is near first where there is too much, and says where there is more", async () => {
    const path = await folderOf(
      Object.fromEntries(
        [...Array(6)].flatMap((_, i) => [
          [`big/${i}`, ""],
          [`near${i}`, ""],
        ]),
      ),
    );
    const { entries, more, total } = await walk(path, { depth: 2, limit: 9 });
    expect(entries.map(({ path: entry, more: left }) => `${entry} ${left}`)).toEqual([
      "big 4",
      "big/0 0",
      "big/1 0",
      ...[...Array(6)].map((_, i) => `near${i} 0`),
    ]);
    expect([more, total]).toEqual([0, 9]);
    expect(await walk(path, { limit: 2 })).toMatchObject({ more: 5, total: 2 });
  });

  it("counts ignored entries and does not show them unless said", async () => {
    const path = await folderOf({ ".gitignore": "*.log\nout/\n", "a.log": "", "out/x": "", "sub/b.log": "", "sub/c": "" });
    const names = async (options = {}) => (await walk(path, { depth: 2, ...options })).entries.map((entry) => entry.path);
    expect(await names()).toEqual(["sub", "sub/c", ".gitignore"]);
    expect((await walk(path, { depth: 2 })).ignored).toBe(3);
    expect(await names({ ignored: true })).toEqual(["out", "out/x", "sub", "sub/b.log", "sub/c", ".gitignore", "a.log"]);
    expect((await walk(`${path}/sub`)).entries.map(({ name }) => name)).toEqual(["c"]);
  });

  it("stays within the grant, and refuses what is no folder", async () => {
    const path = await folderOf({ "src/a.ts": "", "other/c.ts": "" });
    const call = b.as({ granted: { fs_read: [`${path}/src/**`] } });
    expect((await walk(path, { depth: 2 }, call)).entries.map((entry) => entry.path)).toEqual(["src", "src/a.ts"]);
    expect(await code(walk(`${path}/other`, {}, call))).toBe("not_granted");
    for (const name of [`${path}/src/a.ts`, `${path}/none`]) expect(await code(walk(name))).toBe("file_failed");
  });
});

/** Searches that this process started and that still run. */
function children(): string[] {
  const list = execFileSync("ps", ["-o", "comm=", "--ppid", String(process.pid)], { encoding: "utf8" });
  return list.split("\n").filter((name) => name.trim() === "rg");
}
