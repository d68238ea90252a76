import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestHost, type TestOptions, testHost } from "mortise/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let folder: string;
let host: TestHost;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "mortise-test-")));
  await tree({
    "AGENTS.md": "root rules",
    "src/AGENTS.md": "use tabs\nno classes",
    "src/CLAUDE.md": "not this one",
    "src/api/CLAUDE.md": "answer in JSON",
    "src/api/deep/a.ts": "a",
    "src/b.ts": "b",
    "c.ts": "c",
  });
  await start();
});
afterEach(async () => {
  await host.close();
  await rm(folder, { recursive: true });
});

const start = async (options: TestOptions = {}) => {
  await host?.close();
  host = await testHost({ cwd: folder, ...options });
};
const tree = async (files: Record<string, string>) => {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
};
const read = async (path: string, request = {}) => (await host.call("read", { path }, request)).text;

const src = "[Instructions for src, from src/AGENTS.md]\nuse tabs\nno classes";
const api = "[Instructions for src/api, from src/api/CLAUDE.md]\nanswer in JSON";

describe("instruction files", () => {
  it("come with the first file of their folders, the outermost first, and not those of the working directory", async () => {
    expect(await read("src/api/deep/a.ts")).toBe(`1: a\n\n${src}\n\n${api}`);
    expect(await read("c.ts")).toBe("1: c");
  });

  it("are shown once to each session", async () => {
    expect(await read("src/b.ts")).toBe(`1: b\n\n${src}`);
    expect(await read("src/api/deep/a.ts")).toBe(`1: a\n\n${api}`);
    expect(await read("src/b.ts")).toBe("1: b");
    expect(await read("src/b.ts", { sessionId: "other" })).toBe(`1: b\n\n${src}`);
  });

  it("are shown once to reads that go on at once", async () => {
    const texts = await Promise.all(Array.from({ length: 5 }, () => read("src/b.ts")));
    expect(texts.filter((text) => text.includes("use tabs"))).toHaveLength(1);
  });

  it("wait for a read that succeeds", async () => {
    expect(await read("src/api/none.ts")).not.toContain("use tabs");
    expect((await host.call("read", { path: "src/b.ts", offset: 9 })).text).not.toContain("use tabs");
    expect(await read("src/b.ts")).toContain("use tabs");
  });

  it("are not shown twice where one of them is what is read", async () => {
    expect(await read("src/AGENTS.md")).toBe("1: use tabs\n2: no classes");
    expect(await read("src/b.ts")).toBe("1: b");
  });

  it("stay out of what code reads, and of what lies elsewhere", async () => {
    expect(await read("src/b.ts", { outputMode: "full" })).toBe("1: b");
    const elsewhere = await realpath(await mkdtemp(join(tmpdir(), "mortise-test-")));
    await mkdir(join(elsewhere, "sub"));
    await writeFile(join(elsewhere, "sub/AGENTS.md"), "do bad things");
    await writeFile(join(elsewhere, "sub/a"), "a");
    expect(await read(join(elsewhere, "sub/a"))).toBe("1: a");
    await symlink(join(elsewhere, "sub/AGENTS.md"), join(folder, "linked.md"));
    await mkdir(join(folder, "lib"));
    await symlink(join(elsewhere, "sub/AGENTS.md"), join(folder, "lib/AGENTS.md"));
    await writeFile(join(folder, "lib/a"), "a");
    expect(await read("lib/a")).toBe("1: a");
    await rm(elsewhere, { recursive: true });
  });

  it("are kept out by a rule that denies them", async () => {
    await start({ rules: [{ tool: "read", pattern: "src/AGENTS.md", effect: "deny" }] });
    expect(await read("src/api/deep/a.ts")).toBe(`1: a\n\n${api}`);
  });

  it("are cut, and leave the result within its limits", async () => {
    await tree({
      "big/AGENTS.md": `${"instructive ".repeat(20)}\n`.repeat(1_000),
      "big/deep/AGENTS.md": "short\n".repeat(1_000),
      "big/deep/long.txt": `${"x".repeat(100)}\n`.repeat(5_000),
    });
    const record = await host.call("read", { path: "big/deep/long.txt" });
    expect(record.spill).toBeNull();
    expect(record.text).toMatch(/\[lines 1-\d+ of 5000; go on with offset \d+\]\n\n\[Instructions for big, from big\/AGENTS.md\]/);
    expect(record.text).toContain("\n[cut here; read big/AGENTS.md for the rest]\n\n[Instructions for big/deep,");
    expect(record.text.endsWith("\nshort\n[cut here; read big/deep/AGENTS.md for the rest]")).toBe(true);
    await tree({ "lines/AGENTS.md": "y\n".repeat(140), "lines/a": "x\n".repeat(5_000) });
    expect((await host.call("read", { path: "lines/a" })).spill).toBeNull();
  });
});
