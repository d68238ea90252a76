import { mkdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestHost, testHost } from "mortise/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startOf } from "../../../plugins/glob/start-of.ts";

let host: TestHost;
beforeAll(async () => {
  host = await testHost();
  await mkdir(join(host.folder, "src"));
  for (const [age, name] of ["src/b.ts", "a.ts", "src/c\nd.ts", "x.js", "skipped.ts"].entries()) {
    await writeFile(join(host.folder, name), "");
    const time = new Date(Date.UTC(2020, 0, 1) - 60_000 * age);
    await utimes(join(host.folder, name), time, time);
  }
  await writeFile(join(host.folder, ".gitignore"), "skipped.ts\n");
});
afterAll(() => host.close());

const glob = (input: Record<string, unknown>, request = {}) => host.call("glob", input, request);

describe("glob", () => {
  it("lists files, the newest first, one a line", async () => {
    expect(await glob({ pattern: "**/*.ts" })).toMatchObject({ isError: false, ran: true, text: 'src/b.ts\na.ts\n"src/c\\nd.ts"' });
    expect((await glob({ pattern: "*.ts", path: "src" })).text).toBe('src/b.ts\n"src/c\\nd.ts"');
    expect((await glob({ pattern: "**/*.ts", ignored: true })).text).toContain("skipped.ts");
    expect((await glob({ pattern: `${host.folder}/*.js` })).text).toBe("x.js");
  });

  it("says what is not shown, and what to try", async () => {
    expect((await glob({ pattern: "**/*.ts", limit: 2 })).text).toBe(
      "src/b.ts\na.ts\n\n[the newest 2 files; there are more: narrow the pattern down, or raise `limit`]",
    );
    expect(await glob({ pattern: "b.ts" })).toMatchObject({ isError: false, text: "[no files found; `**/b.ts` looks in all folders below too]" });
    expect((await glob({ pattern: "**/*.none" })).text).toBe("[no files found; `ignored` finds ignored files too]");
  });

  it("says what is wrong", async () => {
    for (const input of [
      {},
      { pattern: "" },
      { pattern: 1 },
      { pattern: "x", limit: 0 },
      { pattern: "x", path: "" },
      { pattern: "x".repeat(1_001) },
    ]) {
      expect(await glob(input)).toMatchObject({ isError: true, ran: false, code: "invalid_input" });
    }
    for (const input of [{ pattern: "none/*" }, { pattern: "*", path: "a.ts" }, { pattern: "{a,b}".repeat(20) }, { pattern: "a\0*" }])
      expect(await glob(input)).toMatchObject({ isError: true });
  });

  it("is asked about by the folder that the pattern begins in", async () => {
    const guarded = await testHost({ answer: "deny" });
    try {
      await guarded.call("glob", { pattern: "../../etc/*.conf", path: "/usr/lib" });
      await guarded.call("glob", { pattern: "/var/log/**" });
      await guarded.call("glob", { pattern: "**/*.ts" });
      expect(guarded.prompts.map(({ scopes }) => scopes.map(({ text }) => text))).toEqual([["/etc"], ["/var/log"]]);
    } finally {
      await guarded.close();
    }
  });
});

describe("startOf()", () => {
  it.each([
    ["**/*.ts", undefined, "."],
    ["*.ts", "src", "src"],
    ["src/*.ts", undefined, "./src"],
    ["src/a.ts", "x", "x/src"],
    ["a.ts", "x", "x"],
    ["/etc/*.conf", "x", "/etc"],
    ["/*", "x", "/"],
    ["/a", "x", "/"],
    ["~/x/*", undefined, "~/x"],
    ["../**", "x", "x/.."],
    ["{/etc,/usr}/*", "x", "x"],
  ])("is for %s in %s %s", (pattern, path, folder) => expect(startOf(pattern, path)).toBe(folder));
});
