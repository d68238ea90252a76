import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Bench, bench } from "../../../support/capabilities.ts";

let b: Bench;
let project: string;
beforeEach(async () => {
  b = await bench();
  project = b.folder;
});
afterEach(() => b.close());

const at = (path: string) => join(project, path);
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => "resolved",
    (error: unknown) => (error as { code: string }).code,
  );

describe("permittedPath()", () => {
  it.each(["fs.read", "fs.readWindow", "fs.readBytes"])("leads %s to what the call was permitted, wherever the path leads by now", async (method) => {
    await mkdir(at("inside"));
    await mkdir(at("outside"));
    await writeFile(at("inside/a.txt"), "approved");
    await writeFile(at("outside/a.txt"), "secret");
    await symlink("inside/a.txt", at("link"));
    const permitted = new Map([
      ["link", at("inside/a.txt")],
      ["inside/a.txt", at("inside/a.txt")],
    ]);
    const running = { tool: "read", permitted };
    const call = { toolId: "1", sessionId: "s", signal: new AbortController().signal, cwd: project, live: () => {}, running };
    const caller = b.as({ granted: { fs_read: true }, call });
    const text = async (path: string) => {
      const found = await caller(method, path);
      return typeof found === "string" ? (method === "fs.readBytes" ? atob(found) : found) : (found as { lines: string[] }).lines.join("");
    };
    await rm(at("link"));
    await symlink("outside/a.txt", at("link"));
    expect(await text("link")).toBe("approved");
    await rename(at("inside"), at("before"));
    await symlink("outside", at("inside"));
    expect(await code(text("link"))).toBe("file_failed");
    expect(await code(text("inside/a.txt"))).toBe("file_failed");
    expect(await code(caller("fs.stat", "inside/a.txt"))).toBe("file_failed");
    permitted.delete("link");
    expect(await text("link")).toBe("secret");
  });
});
