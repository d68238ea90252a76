import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestHost, testHost } from "mortise/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { entryLine, size } from "../../../plugins/list/entry-line.ts";

let host: TestHost;
beforeAll(async () => {
  host = await testHost();
  await mkdir(join(host.folder, "p/src/deep"), { recursive: true });
  await writeFile(join(host.folder, "p/b.txt"), "x".repeat(2_048));
  await writeFile(join(host.folder, "p/.gitignore"), "*.log\n");
  await writeFile(join(host.folder, "p/a.log"), "");
  await writeFile(join(host.folder, "p/src/c\nd"), "12");
  await symlink("b.txt", join(host.folder, "p/link"));
});
afterAll(() => host.close());

const list = (input: Record<string, unknown>, request = {}) => host.call("list", input, request);

describe("list", () => {
  it("shows folders first, then files with their sizes", async () => {
    expect(await list({ path: "p" })).toMatchObject({
      isError: false,
      ran: true,
      text: "src/\n.gitignore  6 B\nb.txt  2.0 KB\nlink -> b.txt\n\n[1 ignored entry is not shown]",
    });
    expect((await list({ path: "p", depth: 2, ignored: true })).text).toBe(
      'src/\n  deep/\n  "c\\nd"  2 B\n.gitignore  6 B\na.log  0 B\nb.txt  2.0 KB\nlink -> b.txt',
    );
    expect((await list({ path: "p/src/deep" })).text).toBe("[no entries]");
  });

  it("says where there is more", async () => {
    expect((await list({ path: "p", limit: 2 })).text).toBe(
      "src/\n.gitignore  6 B\n... 2 more\n\n[2 entries are shown, those nearest to the folder; list a folder of it, or raise `limit`; 1 ignored entry is not shown]",
    );
  });

  it("says what is wrong", async () => {
    for (const input of [{ path: "" }, { path: 1 }, { depth: 0 }, { limit: 0 }])
      expect(await list(input)).toMatchObject({ isError: true, ran: false, code: "invalid_input" });
    for (const path of ["p/b.txt", "none", "p/link", "a\0", "/proc"]) expect(await list({ path })).toMatchObject({ isError: true });
  });

  it("is asked about by its folder", async () => {
    const guarded = await testHost({ answer: "deny" });
    try {
      await guarded.call("list", { path: "/etc" });
      await guarded.call("list", {});
      expect(guarded.prompts.map(({ scopes }) => scopes.map(({ text }) => text))).toEqual([["/etc"]]);
    } finally {
      await guarded.close();
    }
  });
});

describe("entryLine()", () => {
  const entry = { name: "x", path: "x", depth: 2, bytes: 0, more: 0 };
  it("indents by the depth, and says what is not opened or not shown", () => {
    expect(entryLine({ ...entry, type: "folder", unreadable: true })).toEqual(["  x/  (cannot be opened)"]);
    expect(entryLine({ ...entry, type: "folder", more: 3 })).toEqual(["  x/", "    ... 3 more"]);
    expect(entryLine({ ...entry, type: "folder", cut: true })).toEqual(["  x/", "    ... more"]);
    expect(entryLine({ ...entry, type: "other" })).toEqual(["  x  (no regular file)"]);
  });
});

describe("size()", () => {
  it("counts in units of 1024", () => {
    expect([0, 999, 1_000, 1_536, 10_240, 5 * 1024 ** 3].map(size)).toEqual(["0 B", "999 B", "1.0 KB", "1.5 KB", "10 KB", "5.0 GB"]);
  });
});
