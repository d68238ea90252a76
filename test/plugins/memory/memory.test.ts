import { mkdir, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestHost, type TestOptions, testHost } from "mortise/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let folder: string;
const hosts: TestHost[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "mortise-test-"));
});
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
  await rm(folder, { recursive: true, force: true });
});

/** A host in a project of its own, all with one state folder. */
async function open(project = "one", options: TestOptions = {}): Promise<TestHost> {
  const cwd = join(folder, project);
  await mkdir(join(cwd, ".git"), { recursive: true });
  const host = await testHost({ cwd, stateFolder: join(folder, "state"), ...options });
  hosts.push(host);
  return host;
}
const memory = (host: TestHost, command: string, input: Record<string, unknown> = {}) => host.call("memory", { command, ...input });
const described = async (host: TestHost) => (await host.definitions()).find(({ name }) => name === "memory")?.description ?? "";

describe("memory", () => {
  it("keeps notes between sessions, for a project alone", async () => {
    const first = await open();
    expect((await memory(first, "list")).text).toBe("There are no notes about this project.");
    expect(await memory(first, "write", { path: "build", content: "Use make.\n", tags: ["ci", "linux", "ci"] })).toMatchObject({
      isError: false,
      text: "Wrote build, 10 bytes.",
      permission: { source: "no_scopes" },
    });
    await memory(first, "write", { path: "api/errors.md", content: "grün" });
    const second = await open();
    expect((await memory(second, "read", { path: "build" })).text).toMatch(/^Use make\.\n\n\n\[written \d{4}-\d\d-\d\d; tags: ci, linux\]$/);
    expect((await memory(second, "list")).text).toMatch(
      /^api\/errors\.md {2}5 bytes {2}\d{4}-\d\d-\d\d\nbuild {2}10 bytes {2}\d{4}-\d\d-\d\d {2}ci, linux$/,
    );
    expect((await memory(second, "list", { tags: ["linux", "mac"] })).text).toMatch(/^build {2}/);
    expect((await memory(second, "list", { tags: ["mac"] })).text).toBe("No note has the tag mac.");
    expect((await memory(await open("two"), "list")).text).toBe("There are no notes about this project.");
    expect((await memory(second, "write", { path: "build", content: "Use ninja." })).text).toBe("Replaced build, 10 bytes.");
    expect((await memory(first, "read", { path: "build" })).text).toContain("Use ninja.");
    expect((await memory(first, "delete", { path: "build" })).text).toBe("Deleted build.");
    expect(await memory(second, "read", { path: "build" })).toMatchObject({ isError: true });
  });

  it("names the notes there are with every request", async () => {
    const host = await open();
    expect(await described(host)).toMatch(/There are no notes about this project yet\.$/);
    await memory(host, "write", { path: "b", content: "x" });
    await memory(host, "write", { path: "a", content: "y" });
    expect(await described(host)).toMatch(/Notes about this project: a, b\.$/);
    await Promise.all(Array.from({ length: 60 }, (_, index) => memory(host, "write", { path: `n${index}`, content: "z" })));
    expect(await described(host)).toMatch(/, and 12 more\.$/);
  });

  it("keeps its store to the user, and out of the project", async () => {
    const host = await open();
    await memory(host, "write", { path: "build", content: "Use make." });
    const stores = join(folder, "state/store/projects");
    const [project = ""] = await readdir(stores);
    expect(project).toMatch(/^one-[0-9a-f]{16}$/);
    const path = join(stores, project, "memory.json");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject({ build: { content: "Use make." } });
    expect(await readdir(join(folder, "one"))).toEqual([".git"]);
    expect(await host.call("read", { path })).toMatchObject({ isError: true });
  });

  it("loses nothing where two sessions write at once", { timeout: 60_000 }, async () => {
    const [first, second] = [await open(), await open()];
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => memory(index % 2 === 0 ? first : second, "write", { path: `n${index}`, content: `${index}` })),
    );
    expect((await memory(first, "list")).text.split("\n")).toHaveLength(20);
  });

  it.each(["..", "../x", "a/../b", "/etc/passwd", "~/x", ".hidden", "a/.b", "a//b", "a/", "a\\b", "a b", "a\u0000b", "\u202ea", "", "x".repeat(129)])(
    "takes no note at %j",
    async (path) => {
      const host = await open();
      for (const command of ["read", "write", "delete"]) expect(await memory(host, command, { path, content: "x" })).toMatchObject({ isError: true });
      expect((await memory(host, "list")).text).toBe("There are no notes about this project.");
    },
  );

  it("takes names that are dangerous as keys for names", async () => {
    const host = await open();
    for (const path of ["__proto__", "constructor", "toString"]) {
      expect(await memory(host, "read", { path })).toMatchObject({ isError: true, text: expect.stringContaining("There is no note") });
      await memory(host, "write", { path, content: "mine" });
      expect((await memory(host, "read", { path })).text).toContain("mine");
    }
  });

  it("is bounded", { timeout: 120_000 }, async () => {
    const host = await open();
    expect(await memory(host, "write", { path: "big", content: "x".repeat(20_480) })).toMatchObject({ isError: false });
    expect(await memory(host, "write", { path: "big", content: "ä".repeat(10_241) })).toMatchObject({
      isError: true,
      text: expect.stringContaining("20482 bytes, and 20480 fit"),
    });
    expect(await memory(host, "write", { path: "big", content: "x".repeat(20_481) })).toMatchObject({ ran: false, code: "invalid_input" });
    let last: Awaited<ReturnType<typeof memory>> | undefined;
    for (let index = 0; index < 60 && last?.isError !== true; index++)
      last = await memory(host, "write", { path: `big${index}`, content: "x".repeat(20_480) });
    expect(last).toMatchObject({ isError: true, text: expect.stringContaining("stores more than") });
  });

  it("takes 200 notes", { timeout: 120_000 }, async () => {
    const host = await open();
    for (let index = 0; index < 200; index++) await memory(host, "write", { path: `n${index}`, content: "x" });
    expect(await memory(host, "write", { path: "one-more", content: "x" })).toMatchObject({
      isError: true,
      text: expect.stringContaining("There are 200 notes"),
    });
    expect(await memory(host, "write", { path: "n0", content: "y" })).toMatchObject({ isError: false });
  });

  it.each([
    [{}, "command: expected"],
    [{ command: "forget" }, "command: expected one of"],
    [{ command: "read" }, "memory read needs the path of a note"],
    [{ command: "write", path: "a" }, "memory write needs the content"],
    [{ command: "write", path: "a", content: " \n" }, "memory write needs the content"],
    [{ command: "write", path: "a", content: 7 }, "content: expected string"],
    [{ command: "write", path: "a", content: "x", tags: ["a b"] }, '"a b" is no tag'],
    [{ command: "write", path: "a", content: "x", tags: Array(9).fill("t") }, "tags"],
    [{ command: "delete", path: "gone" }, "There is no note gone. There are none yet."],
  ])("says of %j what is wrong", async (input, says) => {
    const host = await open();
    expect(await host.call("memory", input)).toMatchObject({ isError: true, text: expect.stringContaining(says) });
  });

  it("names notes that were probably meant", async () => {
    const host = await open();
    await memory(host, "write", { path: "api/errors.md", content: "x" });
    for (const path of ["errors", "Errors.txt", "api"]) {
      expect((await memory(host, "read", { path })).text).toBe(`There is no note ${path}. Close to it: api/errors.md.`);
    }
    expect((await memory(host, "read", { path: "other" })).text).toBe("There is no note other. memory list names those there are.");
  });
});
