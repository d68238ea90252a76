import { execFile, execFileSync } from "node:child_process";
import { chmod, mkdir, readdir, readFile, rename, rm, symlink, truncate, unlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type TestHost, testHost } from "mortise/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let host: TestHost;
beforeAll(async () => {
  host = await testHost();
});
afterAll(() => host.close());

const at = (name: string) => join(host.folder, name);
const NOBODY = 65_534;
/** A call of each tool on one path. */
const calls = (path: string): [string, Record<string, unknown>][] => [
  ["read", { path }],
  ["write", { path, content: "new" }],
  ["edit", { path, old_string: "old", new_string: "new" }],
  ["multiedit", { path, edits: [{ old_string: "old", new_string: "new" }] }],
];

describe("read, write, edit and multiedit", () => {
  it("end at once on what is no file, and name it", async () => {
    await mkdir(at("folder"));
    execFileSync("mkfifo", [at("pipe")]);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(at("socket"), resolve));
    for (const path of ["folder", "pipe", "socket", "/dev/zero", "/dev/null", "/dev/tty"]) {
      for (const [tool, input] of calls(path)) {
        expect([tool, await host.call(tool, input)]).toEqual([tool, expect.objectContaining({ isError: true, text: expect.stringContaining(path) })]);
      }
    }
    await new Promise((resolve) => server.close(resolve));
    expect((await readdir(host.folder)).sort()).toEqual([".state", "folder", "pipe"]);
  });

  it("refuse links in a circle and links to nothing, but for write, which makes what is linked to", async () => {
    await symlink("circle-2", at("circle-1"));
    await symlink("circle-1", at("circle-2"));
    await symlink("target", at("dangling"));
    for (const [tool, input] of calls("circle-1")) expect([tool, (await host.call(tool, input)).isError]).toEqual([tool, true]);
    for (const [tool, input] of calls("dangling")) if (tool !== "write") expect([tool, (await host.call(tool, input)).isError]).toEqual([tool, true]);
    await host.call("write", { path: "dangling", content: "made" });
    expect(await readFile(at("target"), "utf8")).toBe("made");
  });

  it("survive what is far too long", async () => {
    await writeFile(at("small"), "old");
    const long = "x".repeat(20 * 1024 * 1024);
    for (const [tool, input] of [
      ...calls("y".repeat(1_000_000)),
      ...calls("a/".repeat(2_000)),
      ...calls("n".repeat(4_000)),
      ["write", { path: "small", content: long }],
      ["edit", { path: "small", old_string: long, new_string: "x" }],
      ["edit", { path: "small", old_string: "old", new_string: long }],
      ["multiedit", { path: "small", edits: [{ old_string: "old", new_string: long }] }],
      ["multiedit", { path: "small", edits: Array(100_000).fill({ old_string: "old", new_string: "new" }) }],
    ] as [string, Record<string, unknown>][]) {
      const record = await host.call(tool, input);
      expect(record).toMatchObject({ isError: true });
      expect(record.text.length).toBeLessThan(10_000);
    }
    expect(await readFile(at("small"), "utf8")).toBe("old");
    expect((await host.call("read", { path: "small" })).text).toBe("1: old");
    expect(host.plugins().filter(({ disabled }) => disabled !== null)).toEqual([]);
  }, 60_000);

  it("leave a file whole that another program changes, replaces and deletes meanwhile", async () => {
    const texts = ["a old one\n".repeat(20_000), "b old one\n".repeat(20_000)];
    await writeFile(at("busy"), texts[0]!);
    const other = { on: true };
    const changing = (async () => {
      for (let turn = 0; other.on; turn++) {
        await writeFile(at("next"), texts[turn % 2]!);
        await rename(at("next"), at("busy"));
        if (turn % 5 === 0) await unlink(at("busy")).catch(() => {});
      }
    })();
    for (let round = 0; round < 25; round++) {
      const sessionId = `s${round}`;
      await host.call("read", { path: "busy", limit: 1 }, { sessionId });
      await host.call("edit", { path: "busy", old_string: "old one", new_string: "new", replace_all: true }, { sessionId });
      const now = await readFile(at("busy"), "utf8").catch(() => texts[0]!);
      expect([...texts, ...texts.map((text) => text.replaceAll("old one", "new"))]).toContain(now);
    }
    other.on = false;
    await changing;
    expect((await readdir(host.folder)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  }, 60_000);

  it("say that the disk is full, and leave the old text", async (context) => {
    await mkdir(at("small-disk"));
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", at("small-disk")], { stdio: "ignore" });
    } catch {
      context.skip("no file system can be mounted here");
    }
    try {
      await writeFile(at("small-disk/a"), "old");
      const long = "x".repeat(500_000);
      for (const [tool, input] of [
        ["write", { path: "small-disk/a", content: long }],
        ["edit", { path: "small-disk/a", old_string: "old", new_string: long }],
        ["multiedit", { path: "small-disk/a", edits: [{ old_string: "old", new_string: long }] }],
      ] as const) {
        expect(await host.call(tool, input)).toMatchObject({
          isError: true,
          text: expect.stringContaining("no space is left; the file is as it was"),
        });
        expect(await readFile(at("small-disk/a"), "utf8")).toBe("old");
      }
      expect(await readdir(at("small-disk"))).toEqual(["a"]);
    } finally {
      execFileSync("umount", [at("small-disk")]);
    }
  });

  it("say what they may not do, to a user who may not", async (context) => {
    if (process.getuid?.() !== 0) context.skip("only root can become another user");
    const home = at("home");
    const project = at("guarded");
    for (const folder of [home, project]) await mkdir(folder);
    await chmod(home, 0o777);
    await chmod(host.folder, 0o755);
    await writeFile(join(project, "theirs"), "old");
    await writeFile(join(project, "secret"), "old", { mode: 0o600 });
    const cli = fileURLToPath(new URL("../../core/cli/mortise.mjs", import.meta.url));
    const call = async (tool: string, input: object) => {
      const env = {
        PATH: process.env.PATH,
        HOME: home,
        MORTISE_CONFIG_HOME: join(home, "c"),
        MORTISE_CACHE_HOME: join(home, "k"),
        MORTISE_STATE_HOME: join(home, "s"),
      };
      const args = [cli, "call", tool, JSON.stringify(input), "--yolo", "--json", "--cwd", project];
      const { stdout } = await promisify(execFile)(process.execPath, args, { uid: NOBODY, gid: NOBODY, env }).catch(
        (error: { stdout: string }) => error,
      );
      return stdout.startsWith("{") ? (JSON.parse(stdout) as { isError: boolean; text: string }) : undefined;
    };
    const first = await call("read", { path: "theirs" });
    if (first === undefined) context.skip("the other user cannot run this program");
    expect(first).toMatchObject({ isError: false, text: "1: old" });
    for (const [tool, input] of [...calls("secret"), ...calls("theirs").slice(1), ["write", { path: "new", content: "x" }]] as const) {
      expect([tool, await call(tool, input)]).toMatchObject([tool, { isError: true, text: expect.stringContaining("no permission") }]);
    }
    expect(await readFile(join(project, "theirs"), "utf8")).toBe("old");
    for (const folder of ["closed", "named"]) {
      await mkdir(join(project, folder));
      await writeFile(join(project, folder, "in"), "old");
    }
    await chmod(join(project, "closed"), 0o700);
    await chmod(join(project, "named"), 0o744);
    expect(await call("list", { path: ".", depth: 2 })).toMatchObject({
      text: "closed/  (cannot be opened)\nnamed/\n  in  (cannot be looked at)\nsecret  3 B\ntheirs  3 B",
    });
    expect(await call("glob", { pattern: "**/in" })).toMatchObject({ text: "named/in\n\n[1 folder could not be opened]" });
    for (const path of ["closed", "named"]) {
      for (const [tool, input] of [
        ["glob", { pattern: "*", path }],
        ["grep", { pattern: "old", path }],
      ] as const) {
        expect([tool, await call(tool, input)]).toMatchObject([tool, { isError: true, text: expect.stringContaining(`${path}: no permission`) }]);
      }
    }
    await rm(home, { recursive: true });
  }, 120_000);
});

describe("tools that name a path", () => {
  it("do nothing where it leads elsewhere by the time that a person approved it", async () => {
    const asking = await testHost({
      rules: ["read", "list", "grep", "write", "edit", "multiedit"].map((tool) => ({ tool, pattern: "inside/**", effect: "ask" as const })),
      answer: async ({ scopes }) => {
        expect(scopes[0]?.text).toContain("/inside");
        await rename(join(asking.folder, "inside"), join(asking.folder, "aside"));
        await symlink("outside", join(asking.folder, "inside"));
        return { decision: "allow" };
      },
    });
    try {
      for (const folder of ["inside", "outside"]) {
        await mkdir(join(asking.folder, folder));
        await writeFile(join(asking.folder, folder, "a"), `old ${folder}\n`);
      }
      for (const [tool, input] of [...calls("inside/a"), ["list", { path: "inside" }], ["grep", { pattern: "old", path: "inside/a" }]] as const) {
        const record = await asking.call(tool, input);
        expect([tool, record]).toMatchObject([tool, { isError: true, text: expect.stringContaining("leads elsewhere by now") }]);
        expect(record.text).not.toContain("old outside");
        await unlink(join(asking.folder, "inside"));
        await rename(join(asking.folder, "aside"), join(asking.folder, "inside"));
      }
      for (const folder of ["inside", "outside"]) {
        expect(await readFile(join(asking.folder, folder, "a"), "utf8")).toBe(`old ${folder}\n`);
        expect(await readdir(join(asking.folder, folder))).toEqual(["a"]);
      }
    } finally {
      await asking.close();
    }
  });
});

describe("list, glob and grep", () => {
  const FOLDERS = [
    ["list", (path: string) => ({ path })],
    ["glob", (path: string) => ({ pattern: "*", path })],
    ["grep", (path: string) => ({ pattern: "x", path })],
  ] as const;

  it("say what a path is that they cannot look through, and what was probably meant", async () => {
    await mkdir(at("odd"));
    execFileSync("mkfifo", [at("odd/pipe")]);
    await symlink("nowhere", at("odd/link"));
    await writeFile(at("odd/notes.txt"), "");
    for (const [tool, input] of FOLDERS) {
      const text = async (path: string) => {
        const { isError, text } = await host.call(tool, input(path));
        expect([tool, path, isError]).toEqual([tool, path, true]);
        return text;
      };
      const what = tool === "grep" ? "file or folder" : "folder";
      expect(await text("odd/note.txt")).toBe(`There is no ${what} odd/note.txt. Close to it: odd/notes.txt.`);
      expect(await text("odd/link")).toBe("odd/link is a link to nothing.");
      expect(await text("odd/pipe")).toBe("odd/pipe is neither a file nor a folder.");
      expect(await text("/dev/zero")).toBe("/dev/zero is neither a file nor a folder.");
      if (tool !== "grep")
        expect(await text("odd/notes.txt")).toBe("odd/notes.txt is a file, not a folder. Name the folder that it is in, or `read` it.");
      expect(await text("y".repeat(1_000_000))).toContain("more than 4096 characters");
    }
    expect((await host.call("glob", { pattern: "odds/*.txt" })).text).toBe("There is no folder ./odds. Close to it: ./odd.");
  });

  it("find a file of two gigabytes by its name, and say by which size one is not searched", async () => {
    await mkdir(at("huge"));
    await writeFile(at("huge/a.log"), "needle");
    await truncate(at("huge/a.log"), 2 ** 31);
    expect((await host.call("glob", { pattern: "huge/*" })).text).toBe("huge/a.log");
    expect((await host.call("list", { path: "huge" })).text).toBe("a.log  2.0 GB");
    expect((await host.call("grep", { pattern: "needle", path: "huge/a.log" })).text).toContain("larger than 268435456 bytes");
    expect((await host.call("grep", { pattern: "needle", path: "huge" })).text).toContain("nothing matches");
    await rm(at("huge"), { recursive: true });
  });

  it("show names that could mislead escaped, and say of those that are no UTF-8 that nothing leads to them", async () => {
    await mkdir(at("names"));
    for (const name of ["c1\u009b31m", "line\u2028end", "gpj\u202e.sh"]) await writeFile(join(at("names"), name), "x\n");
    await writeFile(Buffer.concat([Buffer.from(`${at("names")}/bad`), Buffer.from([0xff])]), "x\n");
    const shown = ['"c1\\u009b31m"', '"gpj\\u202e.sh"', '"line\\u2028end"', "bad\ufffd"];
    const lost = "[\ufffd in a name stands for bytes that are no UTF-8: no tool reaches such a file, but a command can rename it]";
    const listed = (await host.call("list", { path: "names" })).text.split("\n");
    expect(listed.sort()).toEqual(["", ...shown.map((name) => `${name}  ${name.startsWith("bad") ? "(cannot be looked at)" : "2 B"}`), lost].sort());
    const found = (await host.call("glob", { pattern: "names/*" })).text.split("\n");
    expect(found.sort()).toEqual(["", '"names/c1\\u009b31m"', '"names/gpj\\u202e.sh"', '"names/line\\u2028end"', "names/bad\ufffd", lost].sort());
    for (const [tool, input] of calls("names/bad\ufffd")) {
      if (tool === "write") continue;
      expect((await host.call(tool, input)).text).toContain("whose name has bytes in it that are no UTF-8. Rename it with a command.");
    }
  });
});
