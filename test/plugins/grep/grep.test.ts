import { execFileSync } from "node:child_process";
import { mkdir, rm, symlink, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type TestHost, testHost } from "mortise/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let host: TestHost;
beforeAll(async () => {
  host = await testHost();
  await write("src/new.ts", "const foo = 1;\nbar();\nfoo();\n", 1);
  await write("old.txt", "foo\n", 2);
  await write(".env", "SECRET_foo=hunter2\n", 3);
  await write("sub/server.key", "foo\n", 4);
});
afterAll(() => host.close());

async function write(name: string, content: string, age = 0): Promise<void> {
  const file = join(host.folder, name);
  await mkdir(join(file, ".."), { recursive: true });
  await writeFile(file, content);
  const time = new Date(Date.UTC(2020, 0, 1) - 60_000 * age);
  await utimes(file, time, time);
}

const grep = (input: Record<string, unknown>, request = {}) => host.call("grep", input, request);

describe("grep", () => {
  it("shows matching lines with their files, the newest first, and what it left out", async () => {
    expect(await grep({ pattern: "foo" })).toMatchObject({
      isError: false,
      ran: true,
      text: "src/new.ts:\n1: const foo = 1;\n3: foo();\n\nold.txt:\n1: foo\n\n[3 matching lines in 2 files; 2 files were not searched, since reading such files needs permission (secrets, or a rule): name one as `path` to ask for it]",
      data: { totalMatches: 3, totalFiles: 2, leftOut: 2, ended: "done" },
    });
    expect((await grep({ pattern: "foo", path: "src", context: 1 })).text).toBe(
      "src/new.ts:\n1: const foo = 1;\n2  bar();\n3: foo();\n\n[2 matching lines in 1 file]",
    );
    expect((await grep({ pattern: "foo", glob: "*.txt" })).text).toMatch(/^old.txt:\n1: foo\n/);
    expect((await grep({ pattern: "foo", output: "files" })).text).toMatch(/^src\/new.ts\nold.txt\n\n\[2 files;/);
    expect((await grep({ pattern: "foo", output_mode: "count" })).text).toMatch(/^src\/new.ts: 2\nold.txt: 1\n\n\[3 matching lines in 2 files;/);
    expect((await grep({ pattern: "foo", limit: 1 })).text).toMatch(
      /^src\/new.ts:\n1: const foo = 1;\n\n\[3 matching lines in 2 files, of which the newest are shown: 1 in 1 file; narrow the search down, or raise `limit`;/,
    );
    expect((await grep({ pattern: "nowhere", path: "src" })).text).toBe("[nothing matches; `ignored` searches ignored files too]");
  });

  it("answers a pattern that is none with the reason", async () => {
    expect(await grep({ pattern: "foo(" })).toMatchObject({ isError: true, text: expect.stringContaining("foo(: unclosed group") });
    expect((await grep({ pattern: "foo(", literal: true, path: "src" })).text).toBe("src/new.ts:\n3: foo();\n\n[1 matching line in 1 file]");
  });

  it("shows control characters as pictures, so that no part of a line is lost", async () => {
    await writeFile(join(host.folder, "odd.log"), "1%\rfoo 2%\r\nx\u001b[2Kfoo\u009b1A\n");
    expect((await grep({ pattern: "foo", path: "odd.log" })).text).toBe(
      "odd.log:\n1: 1%\u240dfoo 2%\n2: x\u241b[2Kfoo\\x9b1A\n\n[2 matching lines in 1 file; control characters are shown as pictures, as \u241b for escape]",
    );
    await rm(join(host.folder, "odd.log"));
  });

  it("says of a file that is named and is no text that it was not searched", async () => {
    await writeFile(join(host.folder, "a.bin"), "foo\0bar\nfoo\n");
    expect((await grep({ pattern: "foo", path: "a.bin" })).text).toBe("[a.bin is no text, so it was not searched]");
    await rm(join(host.folder, "a.bin"));
  });

  it("says what a path is that cannot be searched", async () => {
    execFileSync("mkfifo", [join(host.folder, "pipe")]);
    await symlink("nowhere", join(host.folder, "dangling"));
    await write("large", "foo\n");
    await truncate(join(host.folder, "large"), 2 * 1024 ** 3);
    for (const path of ["pipe", "dangling", "none", "large", "/dev/zero", "old.txt/x"]) {
      expect(await grep({ pattern: "foo", path })).toMatchObject({ isError: true, text: expect.stringContaining(path) });
    }
    for (const name of ["pipe", "dangling", "large"]) await rm(join(host.folder, name));
  });

  it("takes no input that makes no sense", async () => {
    const wrong = [
      {},
      { pattern: "" },
      { pattern: {} },
      { pattern: "x", limit: 0 },
      { pattern: "x", path: "" },
      { pattern: "x", output: "lines" },
      { pattern: "x", context: -1 },
      { pattern: "x".repeat(100_001) },
    ];
    for (const input of wrong) expect(await grep(input)).toMatchObject({ isError: true, ran: false, code: "invalid_input" });
    for (const input of [{ pattern: "a\0b" }, { pattern: "x", path: "a\0b" }, { pattern: "x", path: "x".repeat(9_000) }])
      expect(await grep(input)).toMatchObject({ isError: true });
  });

  it("gives a model no more than is shown, and code all of it", async () => {
    await write("many/a.txt", `${"foo bar ".repeat(10)}\n`.repeat(5_000));
    const compact = await grep({ pattern: "foo", path: "many", limit: 100_000 });
    expect(compact.spill).toBeNull();
    expect(compact.text).toMatch(/\[5000 matching lines in 1 file, of which the newest are shown: \d+ in 1 file; /);
    expect((await grep({ pattern: "foo", path: "many", limit: 100_000 }, { outputMode: "full" })).text.split("\n")).toHaveLength(5_003);
    await rm(join(host.folder, "many"), { recursive: true });
  });

  it("keeps what it found when it is cancelled", async () => {
    await write("slow/a.txt", "foo\n");
    await write("slow/sub/b.txt", "foo\n");
    // Waited for until it is told from a search that finds nothing for long.
    execFileSync("mkfifo", [join(host.folder, "slow/sub/.ignore")]);
    const controller = new AbortController();
    const call = grep({ pattern: "foo", path: "slow" }, { signal: controller.signal });
    await sleep(300);
    controller.abort();
    expect(await call).toMatchObject({ isError: true, code: "cancelled", text: expect.stringContaining("cancelled before all was searched") });
    const late = await grep({ pattern: "foo", path: "slow" }, { timeoutMs: 300 });
    expect(late).toMatchObject({ isError: true, code: "deadline_passed", text: expect.stringContaining("the time was up") });
    await rm(join(host.folder, "slow"), { recursive: true });
  });

  it("asks for a secret that is named, searches it then, and leaves out what rules deny", async () => {
    const answers: string[] = [];
    const guarded = await testHost({
      answer: ({ scopes }) => {
        answers.push(...scopes.map(({ text }) => text));
        return { decision: "allow" };
      },
      rules: [{ tool: "read", pattern: "private/**", effect: "deny" }],
    });
    try {
      await writeFile(join(guarded.folder, ".env"), "TOKEN=1\n");
      await mkdir(join(guarded.folder, "private"));
      await writeFile(join(guarded.folder, "private/a.txt"), "TOKEN=2\n");
      const all = await guarded.call("grep", { pattern: "TOKEN" });
      expect(all.text).toMatch(/^\[nothing matches/);
      expect(all.text).not.toContain("TOKEN");
      expect(answers).toEqual([]);
      expect((await guarded.call("grep", { pattern: "TOKEN", path: ".env" })).text).toMatch(/^\.env:\n1: TOKEN=1\n/);
      expect(answers).toEqual([expect.stringMatching(/\/\.env$/)]);
      expect((await guarded.call("glob", { pattern: "**" })).text.split("\n")).toContain(".env");
      await guarded.call("grep", { pattern: "TOKEN", path: "/etc" });
      expect(answers.at(-1)).toBe("/etc");
    } finally {
      await guarded.close();
    }
  });
});
