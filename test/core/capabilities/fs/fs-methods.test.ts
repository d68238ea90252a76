import { execFileSync } from "node:child_process";
import { chmod, lstat, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Bench, bench } from "../../../support/capabilities.ts";

let b: Bench;
let project: string;
beforeEach(async () => {
  b = await bench();
  project = b.folder;
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await b.close();
});

const at = (path: string) => join(project, path);
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => "resolved",
    (error: unknown) => (error as { code: string }).code,
  );
/** A second project beside, with links into it, for grants of `inside/**`. */
async function tree() {
  await mkdir(at("inside/deep"), { recursive: true });
  await mkdir(at("outside"));
  await writeFile(at("inside/a.txt"), "a");
  await writeFile(at("outside/secret"), "secret");
  await symlink("../outside", at("inside/out"));
  await symlink("../outside/secret", at("inside/direct"));
  await symlink("../outside/new", at("inside/dangling"));
  await symlink("deep", at("inside/near"));
  return b.as({ granted: { fs_read: ["inside/**"], fs_write: ["inside/**"] } });
}

describe("fs.read", () => {
  it("gives the whole text, a BOM and line ends with it", async () => {
    await writeFile(at("a.txt"), "\ufeffone\r\ntwö 😀");
    expect(await b.call("fs.read", "a.txt")).toBe("\ufeffone\r\ntwö 😀");
    expect(await b.call("fs.read", at("a.txt"))).toBe("\ufeffone\r\ntwö 😀");
  });

  it("says what is in the way", async () => {
    await writeFile(at("latin1"), Buffer.from([0x61, 0xe4, 0x62]));
    await mkdir(at("folder"));
    await symlink("loop", at("loop"));
    execFileSync("truncate", ["-s", "17M", at("large")]);
    for (const [path, says] of [
      ["missing", "no such file"],
      ["folder", "it is a folder"],
      ["latin1", "no UTF-8"],
      ["loop", "too many links"],
      ["large", "longer than"],
      ["latin1/x", "no folder"],
    ]) {
      await expect(b.call("fs.read", path)).rejects.toMatchObject({ code: "file_failed", seen: expect.stringContaining(says!) });
    }
    for (const path of ["", "a\0b", 7, null]) expect(await code(b.call("fs.read", path))).toBe("wrong_argument");
  });

  it("never waits for a pipe, a device or a terminal", async () => {
    execFileSync("mkfifo", [at("pipe")]);
    for (const path of ["pipe", "/dev/zero", "/dev/tty", "/dev/stdin"]) {
      expect(await code(b.call("fs.read", path))).toMatch(/^(file_failed|protected_path)$/);
      expect(await code(b.call("fs.readWindow", path))).toMatch(/^(file_failed|protected_path)$/);
    }
  });

  it("keeps the host's own environment and memory to itself", async () => {
    for (const path of [
      "/proc/self/environ",
      `/proc/${process.pid}/environ`,
      "/proc/thread-self/maps",
      `/proc/self/cwd/${"../".repeat(20)}proc/self/environ`,
    ]) {
      expect(await code(b.call("fs.read", path))).toBe("protected_path");
    }
  });

  it("is relative to the call's folder", async () => {
    await mkdir(at("sub"));
    await writeFile(at("sub/a.txt"), "sub");
    expect(await b.as({ call: { cwd: at("sub") } })("fs.read", "a.txt")).toBe("sub");
    expect(await b.as({ call: { cwd: at("sub") } })("fs.cwd")).toBe(at("sub"));
    expect(await b.call("fs.cwd")).toBe(project);
    expect(await b.call("fs.places")).toMatchObject({ project, trusted: false });
  });
});

describe("fs.read in scopes", () => {
  it("follows links before it compares", async () => {
    const call = await tree();
    for (const path of ["inside/a.txt", "inside/near/../a.txt", "inside/out/../inside/a.txt", "inside/deep/../a.txt"])
      expect(await call("fs.read", path)).toBe("a");
    for (const path of [
      "outside/secret",
      "inside/../outside/secret",
      "inside/out/secret",
      "inside/direct",
      "inside/near/../../outside/secret",
      "inside/dangling",
      "insidefoo",
    ]) {
      expect([path, await code(call("fs.read", path))]).toEqual([path, "not_granted"]);
    }
    expect(await code(call("fs.stat", "inside/out"))).toBe("not_granted");
    expect(await code(call("fs.list", "inside/out"))).toBe("not_granted");
    expect(await code(call("fs.realpath", "inside/out/secret"))).toBe("not_granted");
    expect(await code(call("fs.readWindow", "inside/direct"))).toBe("not_granted");
  });

  it("names the path, the capability and the plugin", async () => {
    const call = await tree();
    await expect(call("fs.read", "inside/out/secret")).rejects.toMatchObject({
      code: "not_granted",
      plugin: "probe",
      seen: `fs_read of ${at("outside/secret")}, asked for by probe`,
    });
  });

  it("does not follow what was put in the place of a checked path", async () => {
    const call = await tree();
    await symlink("a.txt", at("inside/flip"));
    const flipping = { on: true };
    const flip = (async () => {
      const { rename } = await import("node:fs/promises");
      for (let turn = 0; flipping.on; turn++) {
        await symlink(turn % 2 === 0 ? "../outside/secret" : "a.txt", at("inside/next"));
        await rename(at("inside/next"), at("inside/flip"));
      }
    })();
    const seen = new Set<unknown>();
    for (let round = 0; round < 300; round++) seen.add(await call("fs.read", "inside/flip").catch(() => "refused"));
    flipping.on = false;
    await flip;
    expect(seen).not.toContain("secret");
  });

  it("takes files, folders and globs as scopes, of the project", async () => {
    await mkdir(at("src/deep"), { recursive: true });
    await writeFile(at("src/a.ts"), "");
    await writeFile(at("src/deep/b.ts"), "");
    await writeFile(at("src/deep/.c.md"), "");
    const may = async (scopes: string[], path: string) => (await code(b.as({ granted: { fs_read: scopes } })("fs.read", path))) === "resolved";
    expect(await may(["src/a.ts"], "src/a.ts")).toBe(true);
    expect(await may(["src/a.ts"], "src/deep/b.ts")).toBe(false);
    expect(await may(["src/*.ts"], "src/a.ts")).toBe(true);
    expect(await may(["src/*.ts"], "src/deep/b.ts")).toBe(false);
    expect(await may(["**/*.ts"], "src/deep/b.ts")).toBe(true);
    expect(await may(["**/*.{md,txt}"], "src/deep/.c.md")).toBe(true);
    expect(await may([at("src/**")], "src/deep/b.ts")).toBe(true);
    expect(await may(["src/deep/../*.ts"], "src/a.ts")).toBe(true);
    expect(await may(["/**"], "src/a.ts")).toBe(true);
    for (const scopes of [[], [""], ["src"], ["!nothing"], ["src/*/../../**"], ["sr*"], ["~/**"]])
      expect([scopes, await may(scopes, "src/a.ts")]).toEqual([scopes, false]);
  });
});

describe("fs.stat, fs.list, fs.realpath", () => {
  it("tell what is there", async () => {
    await tree();
    expect(await b.call("fs.stat", "inside/direct")).toMatchObject({ type: "file", bytes: 6 });
    expect(await b.call("fs.stat", "inside")).toMatchObject({ type: "folder" });
    expect(await b.call("fs.stat", "/dev/null")).toMatchObject({ type: "other" });
    expect(await b.call("fs.stat", "inside/dangling")).toBeUndefined();
    expect(await b.call("fs.stat", "missing/deep")).toBeUndefined();
    expect(await b.call("fs.list", "inside")).toEqual([
      { name: "a.txt", type: "file" },
      { name: "dangling", type: "other" },
      { name: "deep", type: "folder" },
      { name: "direct", type: "other" },
      { name: "near", type: "other" },
      { name: "out", type: "other" },
    ]);
    expect(await b.call("fs.realpath", "inside/out/../inside/near")).toBe(at("inside/deep"));
    expect(await code(b.call("fs.realpath", "missing"))).toBe("file_failed");
    expect(await code(b.call("fs.list", "inside/a.txt"))).toBe("file_failed");
  });
});

describe("fs.glob", () => {
  it("gives absolute paths in order, without what is left out or not granted", async () => {
    await tree();
    await mkdir(at("node_modules/x"), { recursive: true });
    await writeFile(at("node_modules/x/y.txt"), "");
    await writeFile(at("inside/deep/.b.txt"), "");
    expect(await b.call("fs.glob", "**/*.txt")).toEqual([at("inside/a.txt"), at("inside/deep/.b.txt")]);
    expect(await b.call("fs.glob", "**/*.txt", { limit: 1 })).toEqual([at("inside/a.txt")]);
    expect(await b.call("fs.glob", "node_modules/**/*.txt")).toEqual([at("node_modules/x/y.txt")]);
    expect(await b.call("fs.glob", "*.txt", { cwd: "inside" })).toEqual([at("inside/a.txt")]);
    expect(await b.call("fs.glob", `${project}/inside/*`)).toEqual([at("inside/a.txt")]);
    expect(await b.call("fs.glob", "inside/a.txt")).toEqual([at("inside/a.txt")]);
    expect(await b.call("fs.glob", "{inside,outside}/**")).toEqual([at("inside/a.txt"), at("inside/deep/.b.txt"), at("outside/secret")]);
    expect(await b.as({ granted: { fs_read: ["inside/*.txt"] } })("fs.glob", "**")).toEqual([at("inside/a.txt")]);
  });

  it("is not held up by any pattern", async () => {
    await writeFile(at("a".repeat(200)), "");
    expect(await b.call("fs.glob", `${"*a".repeat(60)}*b`)).toEqual([]);
    expect(await b.call("fs.glob", `${"**/".repeat(60)}b`)).toEqual([]);
    expect(await code(b.call("fs.glob", "{a,b}".repeat(20)))).toBe("wrong_argument");
  });
});

describe("fs.write", () => {
  it("makes files, and keeps the mode of those that are there", async () => {
    await b.call("fs.write", "new.txt", "häßlich");
    expect(await readFile(at("new.txt"), "utf8")).toBe("häßlich");
    expect((await stat(at("new.txt"))).mode & 0o777).toBe(0o644 & ~process.umask());
    await writeFile(at("tool"), "old");
    await chmod(at("tool"), 0o750);
    await b.call("fs.write", "tool", "new");
    expect(await readFile(at("tool"), "utf8")).toBe("new");
    expect((await stat(at("tool"))).mode & 0o777).toBe(0o750);
    expect(await readdir(project)).toEqual(["new.txt", "tool"]);
  });

  it("shows no reader half a text", async () => {
    const texts = ["a".repeat(1_000_000), "b".repeat(1_000_000)];
    await b.call("fs.write", "a.txt", texts[0]);
    const writing = (async () => {
      for (let round = 0; round < 20; round++) await b.call("fs.write", "a.txt", texts[round % 2]);
      return true;
    })();
    let done = false;
    void writing.then(() => {
      done = true;
    });
    while (!done) expect(texts).toContain(await readFile(at("a.txt"), "utf8"));
  });

  it("writes through a link to where it leads, within the grant", async () => {
    const call = await tree();
    await symlink("a.txt", at("inside/alias"));
    await call("fs.write", "inside/alias", "changed");
    expect(await readFile(at("inside/a.txt"), "utf8")).toBe("changed");
    expect(await readlink(at("inside/alias"))).toBe("a.txt");
    for (const path of ["inside/dangling", "inside/direct", "inside/out/new", "inside/../x", "outside/new"]) {
      expect([path, await code(call("fs.write", path, "x"))]).toEqual([path, "not_granted"]);
      expect([path, await code(call("fs.append", path, "x"))]).toEqual([path, "not_granted"]);
    }
    expect(await readdir(at("outside"))).toEqual(["secret"]);
  });

  it("does not read or write through a folder that was swapped for a link after the check", async () => {
    await mkdir(at("inside/sub"), { recursive: true });
    await mkdir(at("outside"));
    await writeFile(at("outside/secret"), "secret");
    const call = b.as({ granted: { fs_read: ["inside/**"], fs_write: ["inside/**"] } });
    const { rename } = await import("node:fs/promises");
    await symlink("../outside", at("inside/link"));
    const flipping = { on: true };
    const flip = (async () => {
      while (flipping.on) {
        await rename(at("inside/sub"), at("inside/aside"));
        await rename(at("inside/link"), at("inside/sub"));
        await rename(at("inside/sub"), at("inside/link"));
        await rename(at("inside/aside"), at("inside/sub"));
      }
    })();
    const seen = new Set<unknown>();
    for (let round = 0; round < 300; round++) {
      await call("fs.write", "inside/sub/file", "x").catch(() => {});
      seen.add(await call("fs.read", "inside/sub/secret").catch(() => "refused"));
    }
    flipping.on = false;
    await flip;
    expect(await readdir(at("outside"))).toEqual(["secret"]);
    expect(seen).not.toContain("secret");
  });

  it("refuses what is no file", async () => {
    execFileSync("mkfifo", [at("pipe")]);
    await mkdir(at("folder"));
    for (const path of ["pipe", "folder", "/dev/null", "missing/a.txt", "/"]) {
      expect([path, await code(b.call("fs.write", path, "x"))]).toEqual([path, "file_failed"]);
      expect([path, await code(b.call("fs.append", path, "x"))]).toEqual([path, "file_failed"]);
    }
    expect(await code(b.call("fs.write", "a", "x".repeat(17 * 1024 * 1024)))).toBe("wrong_argument");
    expect(await code(b.call("fs.write", "a"))).toBe("wrong_argument");
  });

  it("appends", async () => {
    await b.call("fs.append", "log", "one\n");
    await b.call("fs.append", "log", "two\n");
    expect(await readFile(at("log"), "utf8")).toBe("one\ntwo\n");
  });
});

describe("fs.mkdir, fs.remove", () => {
  it("make and remove", async () => {
    await b.call("fs.mkdir", "a/b/c");
    await b.call("fs.mkdir", "a/b/c");
    await b.call("fs.write", "a/b/c/file", "x");
    expect(await code(b.call("fs.mkdir", "a/b/c/file/d"))).toBe("file_failed");
    expect(await code(b.call("fs.remove", "a"))).toBe("file_failed");
    await b.call("fs.remove", "a/b/c/file");
    await b.call("fs.remove", "a/b/c");
    await b.call("fs.remove", "a", { recursive: true });
    expect(await readdir(project)).toEqual([]);
    expect(await code(b.call("fs.remove", "a"))).toBe("file_failed");
  });

  it("removes a link and not what it leads to", async () => {
    const call = await tree();
    await call("fs.remove", "inside/out", { recursive: true });
    await call("fs.remove", "inside/dangling");
    expect(await readdir(at("inside"))).toEqual(["a.txt", "deep", "direct", "near"]);
    await call("fs.remove", "inside", { recursive: true });
    expect(await readFile(at("outside/secret"), "utf8")).toBe("secret");
    expect(await code(call("fs.remove", "outside/secret"))).toBe("not_granted");
    expect(await code(call("fs.mkdir", "other"))).toBe("not_granted");
  });
});

describe("protected paths", () => {
  it("are never written by a plugin, whatever its grant", async () => {
    const settings = join(project, "user");
    for (const [name, folder] of [
      ["MORTISE_CONFIG_HOME", "config"],
      ["MORTISE_CACHE_HOME", "cache"],
      ["MORTISE_STATE_HOME", "state"],
    ])
      vi.stubEnv(name!, join(settings, folder!));
    await mkdir(join(settings, "config"), { recursive: true });
    await mkdir(at("sub/.mortise"), { recursive: true });
    await writeFile(at("sub/.mortise/config.jsonc"), "{}");
    await symlink("sub/.mortise", at("innocent"));
    const paths = [
      ".mortise/permissions.jsonc",
      ".Mortise/x",
      "sub/.mortise/config.jsonc",
      "innocent/config.jsonc",
      "user/config/grants.json",
      "user/cache/x",
      "user/state/sessions/x",
      "stores/probe.json",
      "x/../.mortise/a",
    ];
    for (const path of paths) {
      for (const [method, ...more] of [["fs.write", "x"], ["fs.append", "x"], ["fs.mkdir"], ["fs.remove"]]) {
        expect([path, method, await code(b.call(method!, path, ...more))]).toEqual([path, method, "protected_path"]);
      }
    }
    for (const path of ["sub", ".", "user"]) expect(await code(b.call("fs.remove", path, { recursive: true }))).toBe("protected_path");
    expect(await readFile(at("sub/.mortise/config.jsonc"), "utf8")).toBe("{}");
    // The link itself is nobody's.
    await b.call("fs.remove", "innocent");
    expect(await code(lstat(at("innocent")))).toBe("ENOENT");
  });

  it("include what the host names", async () => {
    await mkdir(at("kept"));
    const own = await bench({ cwd: project, protectedFolders: [at("kept")] });
    expect(await code(own.call("fs.write", "kept/x", ""))).toBe("protected_path");
    expect(await code(own.call("fs.write", "keptnot", ""))).toBe("resolved");
    await own.close();
  });

  it("include the stores of other plugins, which are not read either", async () => {
    await b.as({ plugin: "other" })("store.set", "key", "private");
    expect(await code(b.call("fs.read", "stores/other.json"))).toBe("protected_path");
    expect(await b.call("fs.glob", "stores/**")).toEqual([]);
  });
});

describe("~", () => {
  it("is the user's home", async () => {
    expect(await b.call("fs.realpath", "~/.")).toBe(homedir());
  });
});
