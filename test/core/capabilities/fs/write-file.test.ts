import { execFile, execFileSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { chmod, chown, link, lstat, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, unlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { versionOf } from "../../../../core/capabilities/fs/version.ts";
import { writeText } from "../../../../core/capabilities/fs/write-file.ts";
import { type Bench, bench } from "../../../support/capabilities.ts";

let b: Bench;
beforeEach(async () => {
  b = await bench();
});
afterEach(() => b.close());

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;
const at = (path: string) => join(b.folder, path);
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error as { code: string; seen: string },
  );

/** Writes in a process of its own, under `wrapper` or as another user; answers what was thrown. */
async function writeApart(path: string, text: string, { wrapper = [], uid }: { wrapper?: string[]; uid?: number } = {}) {
  const module = new URL("../../../../core/capabilities/fs/write-file.ts", import.meta.url).href;
  const script = `import { writeText } from ${JSON.stringify(module)};
await writeText(process.argv[1], ${text}).then(() => console.log("{}"), (error) => console.log(JSON.stringify({ code: error.code, seen: error.seen })));`;
  const [program, ...args] = [...wrapper, process.execPath, "--input-type=module", "-e", script, path];
  const { stdout } = await promisify(execFile)(program!, args, uid === undefined ? {} : { uid, gid: uid });
  return JSON.parse(stdout) as { code?: string; seen?: string };
}

describe("writeText()", () => {
  it("keeps the mode and the owner of a file, and leaves nothing else behind", async () => {
    await writeFile(at("run.sh"), "old");
    await chmod(at("run.sh"), 0o750);
    if (isRoot) await chown(at("run.sh"), NOBODY, NOBODY);
    await writeText(at("run.sh"), "new");
    const { mode, uid } = await stat(at("run.sh"));
    expect([mode & 0o777, uid]).toEqual([0o750, isRoot ? NOBODY : process.getuid?.()]);
    expect(await readFile(at("run.sh"), "utf8")).toBe("new");
    expect(await readdir(b.folder)).toEqual(["run.sh"]);
  });

  it("leaves another name of the same file as it was", async () => {
    await writeFile(at("a"), "old");
    await link(at("a"), at("b"));
    await writeText(at("a"), "new");
    expect(await readFile(at("b"), "utf8")).toBe("old");
  });

  it("keeps the old text where the new one does not fit on the disk", async (context) => {
    if (process.platform !== "linux") context.skip("there is no prlimit here");
    await writeFile(at("a"), "old");
    const failed = await writeApart(at("a"), `"x".repeat(1_000_000)`, { wrapper: ["prlimit", "--fsize=65536"] });
    expect(failed).toEqual({ code: "file_failed", seen: `${at("a")}: it would be longer than the system allows; the file is as it was` });
    expect(await readFile(at("a"), "utf8")).toBe("old");
    expect(await readdir(b.folder)).toEqual(["a"]);
  });

  it("says so where the disk is full", async (context) => {
    await mkdir(at("small"));
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", at("small")], { stdio: "ignore" });
    } catch {
      context.skip("no file system can be mounted here");
    }
    try {
      await writeFile(at("small/a"), "old");
      expect(await failure(writeText(at("small/a"), "x".repeat(1_000_000)))).toMatchObject({
        code: "file_failed",
        seen: `${at("small/a")}: no space is left; the file is as it was`,
      });
      expect(await readFile(at("small/a"), "utf8")).toBe("old");
      expect(await readdir(at("small"))).toEqual(["a"]);
    } finally {
      execFileSync("umount", [at("small")]);
    }
  });

  it("lets one of the processes that replace a version do so", async () => {
    const module = (path: string) => JSON.stringify(new URL(`../../../../core/capabilities/fs/${path}`, import.meta.url).href);
    const script = `import { lstat, readFile } from "node:fs/promises";
import { versionOf } from ${module("version.ts")};
import { writeText } from ${module("write-file.ts")};
const [path, locks, name] = process.argv.slice(1);
let written = 0;
for (let turn = 0; turn < 150; turn++) {
  const ifVersion = versionOf(await lstat(path, { bigint: true }));
  const text = await readFile(path, "utf8");
  await writeText(path, text + name + "\\n", { ifVersion, locks }).then(() => written++, (error) => { if (error.code !== "stale_file") throw error; });
}
console.log(written);`;
    await writeFile(at("a"), "");
    const args = (name: string) => ["--input-type=module", "-e", script, at("a"), at("locks"), name];
    const names = ["p", "q", "r"];
    const written = await Promise.all(names.map((name) => promisify(execFile)(process.execPath, args(name))));
    const lines = (await readFile(at("a"), "utf8")).split("\n");
    expect(names.map((name) => lines.filter((line) => line === name).length)).toEqual(written.map(({ stdout }) => Number(stdout)));
    expect(await readdir(at("locks"))).toEqual([]);
  }, 60_000);

  it("writes where no lock can be had", async () => {
    await writeFile(at("a"), "old");
    await writeFile(at("locks"), "no folder");
    const ifVersion = versionOf(await lstat(at("a"), { bigint: true }));
    await writeText(at("a"), "new", { ifVersion, locks: at("locks") });
    expect(await readFile(at("a"), "utf8")).toBe("new");
  });

  it("says what it may not do", async (context) => {
    if (!isRoot) context.skip("only root can become another user");
    const mayRead = await writeApart(at("none/a"), `"x"`, { uid: NOBODY }).catch(() => undefined);
    if (mayRead === undefined) context.skip("the other user cannot read this program");
    await writeFile(at("a"), "old");
    await mkdir(at("own"));
    await writeFile(at("own/theirs"), "old");
    await chmod(at("own/theirs"), 0o666);
    await chmod(b.folder, 0o755);
    expect(await writeApart(at("a"), `"new"`, { uid: NOBODY })).toMatchObject({ code: "file_failed", seen: `${at("a")}: no permission` });
    expect(await writeApart(at("own/theirs"), `"new"`, { uid: NOBODY })).toMatchObject({
      code: "file_failed",
      seen: expect.stringContaining("no permission to make a file in its folder"),
    });
    expect(await readFile(at("own/theirs"), "utf8")).toBe("old");
    await chmod(at("own"), 0o700);
    expect(await writeApart(at("own/new"), `"new"`, { uid: NOBODY })).toMatchObject({
      code: "file_failed",
      seen: expect.stringContaining("own: no permission"),
    });
  });

  it("refuses sockets as it does pipes", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(at("socket"), resolve));
    expect(await failure(writeText(at("socket"), "x"))).toMatchObject({ code: "file_failed", seen: expect.stringContaining("no regular file") });
    await new Promise((resolve) => server.close(resolve));
  });

  it("takes a name with a line end for a name", async () => {
    await writeText(at("a\nb"), "x");
    expect(await readdir(b.folder)).toEqual(["a\nb"]);
  });
});

describe("fs.write with ifVersion", () => {
  const versionOf = async (path: string) => ((await b.call("fs.stat", path)) as { version: string } | undefined)?.version ?? null;

  it("writes over the version it names, and over nothing with null", async () => {
    await b.call("fs.write", "a", "one", { ifVersion: null });
    await b.call("fs.write", "a", "two", { ifVersion: await versionOf("a") });
    expect(await readFile(at("a"), "utf8")).toBe("two");
    expect(await readdir(b.folder)).toEqual(["a"]);
  });

  it("refuses what changed, was replaced, was deleted or came meanwhile", async () => {
    await writeFile(at("a"), "one");
    const version = await versionOf("a");
    await writeFile(at("b"), "two");
    await execFileSync("touch", ["-r", at("a"), at("b")]);
    await execFileSync("mv", [at("b"), at("a")]);
    expect(await failure(b.call("fs.write", "a", "mine", { ifVersion: version }))).toMatchObject({ code: "stale_file" });
    expect(await failure(b.call("fs.write", "a", "mine", { ifVersion: null }))).toMatchObject({ code: "stale_file" });
    expect(await readFile(at("a"), "utf8")).toBe("two");
    await unlink(at("a"));
    expect(await failure(b.call("fs.write", "a", "mine", { ifVersion: version }))).toMatchObject({ code: "stale_file" });
    expect(await readdir(b.folder)).toEqual([]);
  });

  it("refuses what changed or came while the text was written", async () => {
    const meanwhile = async (path: string, write: Promise<unknown>) => {
      const over = failure(write);
      while (!readdirSync(b.folder).some((name) => name.endsWith(".tmp"))) await new Promise(setImmediate);
      writeFileSync(at(path), "theirs");
      return over;
    };
    const text = "x".repeat(8_000_000);
    await writeFile(at("a"), "one");
    expect(await meanwhile("a", b.call("fs.write", "a", text, { ifVersion: await versionOf("a") }))).toMatchObject({ code: "stale_file" });
    expect(await meanwhile("b", b.call("fs.write", "b", text, { ifVersion: null }))).toMatchObject({ code: "stale_file" });
    for (const path of ["a", "b"]) expect(await readFile(at(path), "utf8")).toBe("theirs");
    expect((await readdir(b.folder)).sort()).toEqual(["a", "b"]);
  });

  it("lets one of many writers make a file", async () => {
    const writes = await Promise.all(Array.from({ length: 20 }, (_, i) => failure(b.call("fs.write", "a", `${i}`, { ifVersion: null }))));
    expect(writes.filter((each) => each === undefined)).toHaveLength(1);
    expect(await readdir(b.folder)).toEqual(["a"]);
  });
});

describe("fs.write through links", () => {
  let outside: string;
  beforeEach(async () => {
    outside = await realpath(await mkdtemp(join(tmpdir(), "mortise-test-")));
  });
  afterEach(() => rm(outside, { recursive: true }));

  it("follows one to its target in the project, there or not", async () => {
    await writeFile(at("real"), "old");
    await symlink("real", at("near"));
    await symlink("made", at("dangling"));
    await b.call("fs.write", "near", "new");
    await b.call("fs.write", "dangling", "new");
    expect([await readFile(at("real"), "utf8"), await readFile(at("made"), "utf8")]).toEqual(["new", "new"]);
    expect((await stat(at("near"))).ino).toBe((await stat(at("real"))).ino);
  });

  it("does not follow one out of the project to where nothing is", async () => {
    await symlink(join(outside, "new"), at("out"));
    await symlink("out", at("far"));
    await symlink(join(outside, "folder"), at("folder"));
    for (const path of ["out", "far"]) {
      expect(await failure(b.call("fs.write", path, "x"))).toMatchObject({
        code: "file_failed",
        seen: `${path}: ${at(path)} is a link out of the project to ${join(outside, "new")}, where nothing is`,
      });
      expect(await failure(b.call("fs.append", path, "x"))).toMatchObject({ code: "file_failed" });
    }
    expect(await failure(b.call("fs.mkdir", "folder/a"))).toMatchObject({ code: "file_failed" });
    expect(await readdir(outside)).toEqual([]);
  });

  it("follows one out of the project to what is there, for the grant to judge", async () => {
    await writeFile(join(outside, "a"), "old");
    await symlink(outside, at("out"));
    await b.call("fs.write", "out/a", "new");
    await b.call("fs.write", "out/b", "new");
    expect((await readdir(outside)).sort()).toEqual(["a", "b"]);
  });
});

describe("fs.readBytes", () => {
  it("gives bytes as base64, and a part of them", async () => {
    await writeFile(at("a"), Buffer.from([0, 1, 2, 250, 251]));
    const bytes = async (part?: object) => [...Buffer.from((await b.call("fs.readBytes", "a", part)) as string, "base64")];
    expect(await bytes()).toEqual([0, 1, 2, 250, 251]);
    expect(await bytes({ offset: 1, length: 2 })).toEqual([1, 2]);
    expect(await bytes({ offset: 9 })).toEqual([]);
    expect(await failure(b.call("fs.readBytes", "a", { length: 17 * 1024 * 1024 }))).toMatchObject({ code: "wrong_argument" });
    expect(await failure(b.as({ granted: {} })("fs.readBytes", "a"))).toMatchObject({ code: "not_granted" });
  });
});
