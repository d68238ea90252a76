import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestHost, testHost } from "mortise/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let host: TestHost;
beforeAll(async () => {
  // On a busy machine a turn takes many times as long.
  host = await testHost({ limits: { sliceMs: 60_000 } });
});
afterAll(() => host.close());

const at = (name: string) => join(host.folder, name);
const text = (name: string) => readFile(at(name), "utf8");
const write = (path: string, content: unknown, request = {}) => host.call("write", { path, content }, request);

describe("write", () => {
  it("makes a file, and the folders above it", async () => {
    expect(await write("a/b/c.txt", "one\ntwo\n")).toMatchObject({
      isError: false,
      text: "Made a/b/c.txt: 2 lines, 8 bytes.",
      data: { bytes: 8, isNew: true },
    });
    expect(await text("a/b/c.txt")).toBe("one\ntwo\n");
    expect((await write(at("d.txt"), "\u00fc")).text).toBe(`Made ${at("d.txt")}: 1 line, 2 bytes.`);
    expect((await write("empty", "")).text).toBe("Made empty: 0 lines, 0 bytes.");
    expect((await host.call("write", { file_path: "./e.txt", contents: "x" })).text).toBe("Made ./e.txt: 1 line, 1 byte.");
  });

  it("replaces a file, with its mode", async () => {
    await writeFile(at("f.sh"), "old text", { mode: 0o755 });
    expect((await write("f.sh", "new")).text).toBe("Replaced f.sh: 1 line, 3 bytes, 8 bytes before.");
    expect((await stat(at("f.sh"))).mode & 0o777).toBe(0o755);
  });

  it("refuses a file that changed since the session read or wrote it, and makes one again that is gone", async () => {
    await write("g.txt", "one");
    await writeFile(at("g.txt"), "from elsewhere");
    expect(await write("g.txt", "two")).toMatchObject({ isError: true, code: "stale_file", ran: false });
    expect(await text("g.txt")).toBe("from elsewhere");
    await unlink(at("g.txt"));
    expect((await write("g.txt", "again")).isError).toBe(false);
  });

  it("lets one of two sessions make a file at once, and never half of both", async () => {
    const texts = Array.from({ length: 10 }, (_, i) => `${i}`.repeat(100_000));
    await Promise.all(texts.map((content, i) => write("h.txt", content, { sessionId: `s${i}` })));
    expect(texts).toContain(await text("h.txt"));
  });

  it("refuses what is no file, and never waits for it", async () => {
    await mkdir(at("folder"));
    execFileSync("mkfifo", [at("pipe")]);
    await symlink("loop", at("loop"));
    await writeFile(at("file"), "kept");
    for (const [path, says] of [
      ["folder", "folder is a folder, not a file."],
      ["new/", "new/ is a folder, not a file."],
      [".", "it is protected"],
      ["/", "/ is a folder, not a file."],
      ["pipe", "pipe is no regular file, so nothing was written."],
      ["/dev/full", "/dev/full is no regular file, so nothing was written."],
      ["file/x", "a part of the path is no folder"],
      ["loop", "a path that cannot be resolved"],
      ["n".repeat(300), "the name is too long"],
      ["a\0b", "a path that cannot be resolved"],
    ] as const) {
      expect([path, await write(path, "x")]).toMatchObject([path, { isError: true, text: expect.stringContaining(says) }]);
    }
    expect(await text("file")).toBe("kept");
  });

  it("follows a link to where it leads in the project, and not to nothing outside", async () => {
    const outside = await realpath(await mkdtemp(join(tmpdir(), "mortise-test-")));
    await symlink("made-by-link", at("link"));
    await symlink(join(outside, "x"), at("out"));
    await symlink(join(outside, "folder"), at("out-folder"));
    expect((await write("link", "x")).isError).toBe(false);
    expect(await text("made-by-link")).toBe("x");
    for (const path of ["out", "out-folder/x"]) {
      expect(await write(path, "x")).toMatchObject({ isError: true, text: expect.stringContaining("is a link out of the project to") });
    }
    expect(await readdir(outside)).toEqual([]);
    await rm(outside, { recursive: true });
  });

  it("asks for where a link leads, not for the link", async () => {
    const guarded = await testHost({ answer: "deny" });
    const outside = await realpath(await mkdtemp(join(tmpdir(), "mortise-test-")));
    try {
      await symlink(outside, join(guarded.folder, "out"));
      await guarded.call("write", { path: "out/new", content: "x" });
      expect(guarded.prompts[0]?.scopes).toEqual([expect.objectContaining({ kind: "path", text: join(outside, "new"), access: "write" })]);
    } finally {
      await guarded.close();
      await rm(outside, { recursive: true });
    }
  });

  it("names files with line ends in their names", async () => {
    expect((await write("i\nj", "x")).text).toBe('Made "i\\nj": 1 line, 1 byte.');
    expect(await text("i\nj")).toBe("x");
  });

  it("refuses more than is written at once, and halves of characters", async () => {
    expect(await write("k", "x".repeat(17 * 1024 * 1024))).toMatchObject({
      isError: true,
      text: expect.stringContaining("17825792 characters, and at most"),
    });
    expect(await write("k", "x".repeat(25 * 1024 * 1024))).toMatchObject({ isError: true, code: "invalid_input" });
    expect(await write("k", "\ud83d")).toMatchObject({ isError: true, text: expect.stringContaining("lone surrogate") });
    expect(await write("k", "\u2603".repeat(6 * 1024 * 1024))).toMatchObject({
      isError: true,
      text: expect.stringContaining("18874368 bytes, and at most"),
    });
    expect((await write("k", "\u2603".repeat(5 * 1024 * 1024))).isError).toBe(false);
    expect((await write("k2", "\n".repeat(16 * 1024 * 1024))).text).toContain("16777216 lines, 16777216 bytes");
    expect((await stat(at("k"))).size).toBe(15 * 1024 * 1024);
  });

  it("never writes where Mortise keeps what it believes, whoever allows it", async () => {
    const allowing = await testHost({ answer: "allow" });
    try {
      expect(await allowing.call("write", { path: ".mortise/config.jsonc", content: "{}" })).toMatchObject({
        isError: true,
        text: expect.stringContaining("protected"),
      });
    } finally {
      await allowing.close();
    }
  });
});
