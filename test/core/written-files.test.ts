import { mkdir, mkdtemp, realpath, rename, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createWrittenFiles, type WrittenFiles } from "../../core/written-files.ts";

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "mortise-test-")));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const stale = { code: "stale_file" };
let stamp = 1_000_000;
/** Changes a file, with a time of change that no other change has. */
async function change(path: string, text: string): Promise<void> {
  await writeFile(path, text);
  await utimes(path, stamp, ++stamp);
}

function exclusive<T>(files: WrittenFiles, sessionId: string, path: string, write: () => Promise<T>): Promise<T> {
  return files.exclusive({ sessionId, path, cwd: folder, write });
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, resolve };
}

describe("createWrittenFiles()", () => {
  it("lets a session write a file that it never read", async () => {
    const files = createWrittenFiles();
    const path = join(folder, "a");
    await change(path, "1");
    await expect(exclusive(files, "s", path, async () => "wrote")).resolves.toBe("wrote");
  });

  it("lets a session write a file as it read it", async () => {
    const files = createWrittenFiles();
    const path = join(folder, "a");
    await change(path, "1");
    await files.read("s", path);
    await expect(exclusive(files, "s", path, async () => "wrote")).resolves.toBe("wrote");
  });

  it("refuses a file that changed since, and does not run the writer, until it is read again", async () => {
    const files = createWrittenFiles();
    const path = join(folder, "a");
    await change(path, "1");
    await files.read("s", path);
    await change(path, "2");
    let ran = false;
    const write = async () => {
      ran = true;
    };
    await expect(exclusive(files, "s", path, write)).rejects.toMatchObject({ ...stale, seen: path });
    expect(ran).toBe(false);
    await files.read("s", path);
    await exclusive(files, "s", path, write);
    expect(ran).toBe(true);
  });

  it("sees a change of the size whose time was set back", async () => {
    const files = createWrittenFiles();
    const path = join(folder, "a");
    await change(path, "1");
    const { atime, mtime } = await stat(path);
    await files.read("s", path);
    await writeFile(path, "12");
    await utimes(path, atime, mtime);
    await expect(exclusive(files, "s", path, async () => {})).rejects.toMatchObject(stale);
  });

  it("sees another file in its place, of the same size and time", async () => {
    const files = createWrittenFiles();
    const path = join(folder, "a");
    await change(path, "1");
    const { atime, mtime } = await stat(path);
    await files.read("s", path);
    await writeFile(join(folder, "b"), "2");
    await utimes(join(folder, "b"), atime, mtime);
    await rename(join(folder, "b"), path);
    await expect(exclusive(files, "s", path, async () => {})).rejects.toMatchObject(stale);
  });

  it("knows the session's own writes", async () => {
    const files = createWrittenFiles();
    const path = join(folder, "a");
    await change(path, "1");
    await files.read("s", path);
    await exclusive(files, "s", path, () => change(path, "22"));
    await exclusive(files, "s", path, () => change(path, "333"));
    await change(path, "4444");
    await expect(exclusive(files, "s", path, async () => {})).rejects.toMatchObject(stale);
  });

  it("watches over a file that the session made", async () => {
    const files = createWrittenFiles();
    const path = join(folder, "made");
    await exclusive(files, "s", path, () => change(path, "1"));
    await change(path, "22");
    await expect(exclusive(files, "s", path, async () => {})).rejects.toMatchObject(stale);
  });

  it("lets a file be made again that is gone", async () => {
    const files = createWrittenFiles();
    const path = join(folder, "a");
    await change(path, "1");
    await files.read("s", path);
    await rm(path);
    await exclusive(files, "s", path, () => change(path, "2"));
    await expect(exclusive(files, "s", path, async () => "again")).resolves.toBe("again");
  });

  it("keeps sessions apart, and forgets one that ended", async () => {
    const files = createWrittenFiles();
    const path = join(folder, "a");
    await change(path, "1");
    await files.read("s", path);
    await change(path, "2");
    await expect(exclusive(files, "other", path, async () => "wrote")).resolves.toBe("wrote");
    await expect(exclusive(files, "s", path, async () => {})).rejects.toMatchObject(stale);
    files.endSession("s");
    await expect(exclusive(files, "s", path, async () => "wrote")).resolves.toBe("wrote");
  });

  it.each<[string, () => Promise<[string, string]>]>([
    [
      "a link to the file",
      async () => {
        await change(join(folder, "real"), "1");
        await symlink("real", join(folder, "link"));
        return [join(folder, "link"), join(folder, "real")];
      },
    ],
    [
      "a link to a file that is not there yet",
      async () => {
        await symlink("real", join(folder, "link"));
        return [join(folder, "link"), join(folder, "real")];
      },
    ],
    [
      "a linked folder with folders below that are not there yet",
      async () => {
        await mkdir(join(folder, "real"));
        await symlink("real", join(folder, "link"));
        return [join(folder, "link/a/b"), join(folder, "real/a/b")];
      },
    ],
  ])("runs the writers of one file one after another, through %s", async (_, made) => {
    const files = createWrittenFiles();
    const [first, second] = await made();
    const log: string[] = [];
    const begun = deferred();
    const gate = deferred();
    const one = exclusive(files, "s", first, async () => {
      log.push("one begins");
      begun.resolve();
      await gate.promise;
      log.push("one ends");
    });
    await begun.promise;
    const two = exclusive(files, "t", second, async () => void log.push("two"));
    const elsewhere = exclusive(files, "t", join(folder, "elsewhere"), async () => void log.push("elsewhere"));
    await elsewhere;
    gate.resolve();
    await Promise.all([one, two]);
    expect(log).toEqual(["one begins", "elsewhere", "one ends", "two"]);
  });

  it("sees through a link that a file read by its link changed", async () => {
    const files = createWrittenFiles();
    await change(join(folder, "real"), "1");
    await symlink("real", join(folder, "link"));
    await files.read("s", await realpath(join(folder, "link")));
    await change(join(folder, "real"), "2");
    await expect(exclusive(files, "s", join(folder, "real"), async () => {})).rejects.toMatchObject(stale);
  });

  it("goes on after a writer that failed", async () => {
    const files = createWrittenFiles();
    const path = join(folder, "a");
    const failing = exclusive(files, "s", path, async () => {
      throw new TypeError("no");
    });
    const next = exclusive(files, "s", path, async () => "wrote");
    await expect(failing).rejects.toThrow(TypeError);
    await expect(next).resolves.toBe("wrote");
  });

  it("never has two writers of a file at once, of many", async () => {
    const files = createWrittenFiles();
    const path = join(folder, "a");
    let inside = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        exclusive(files, `s${i}`, path, async () => {
          most = Math.max(most, ++inside);
          await writeFile(path, `${i}`);
          inside--;
        }),
      ),
    );
    expect(most).toBe(1);
  });

  it("takes a loop of links as it is written", async () => {
    const files = createWrittenFiles();
    await symlink("b", join(folder, "a"));
    await symlink("a", join(folder, "b"));
    await expect(exclusive(files, "s", join(folder, "a"), async () => "ran")).resolves.toBe("ran");
  });

  it("watches over a file that the session wrote without having read it", async () => {
    const files = createWrittenFiles();
    const path = join(folder, "a");
    await change(path, "1");
    await exclusive(files, "s", path, () => change(path, "22"));
    await exclusive(files, "s", path, () => change(path, "333"));
    await change(path, "4444");
    await expect(exclusive(files, "s", path, async () => {})).rejects.toMatchObject(stale);
  });

  it("does not know a file that a writer left as it was", async () => {
    const files = createWrittenFiles();
    const path = join(folder, "a");
    await change(path, "1");
    await exclusive(files, "s", path, async () => {});
    await change(path, "22");
    await expect(exclusive(files, "s", path, async () => "wrote")).resolves.toBe("wrote");
  });

  it("follows a link before it goes up, as the API of plugins does", async () => {
    const files = createWrittenFiles();
    await mkdir(join(folder, "deep/er"), { recursive: true });
    await symlink("deep/er", join(folder, "link"));
    await change(join(folder, "deep/a"), "1");
    await files.read("s", join(folder, "deep/a"));
    await change(join(folder, "deep/a"), "22");
    await expect(exclusive(files, "s", "link/../a", async () => {})).rejects.toMatchObject(stale);
  });

  it("ends the wait of a writer whose signal fires, and lets the next one wait for the first all the same", async () => {
    const files = createWrittenFiles();
    const path = join(folder, "a");
    const log: string[] = [];
    const gate = deferred();
    const begun = deferred();
    const first = exclusive(files, "s", path, async () => {
      begun.resolve();
      await gate.promise;
      log.push("first");
    });
    await begun.promise;
    const controller = new AbortController();
    const given = files.exclusive({ sessionId: "s", path, cwd: folder, signal: controller.signal, write: async () => log.push("second") });
    const third = exclusive(files, "s", path, async () => void log.push("third"));
    controller.abort(new TypeError("enough"));
    await expect(given).rejects.toThrow(TypeError);
    expect(log).toEqual([]);
    gate.resolve();
    await Promise.all([first, third]);
    expect(log).toEqual(["first", "third"]);
  });
});
