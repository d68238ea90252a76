import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { jsonOf, type Scratch, scratch } from "../run-cli.ts";

let here: Scratch;
beforeEach(async () => {
  here = await scratch();
  await here.write("project/package.json", "{}\n");
  await here.write("project/packages/api/.env", "KEY=x\n");
  await here.write("home/.ssh/config", "Host x\n");
  await here.write("other/a.txt", "a\n");
});
afterEach(() => here.remove());

const read = (path: string, ...more: string[]) => here.run(["call", "read", JSON.stringify({ path }), ...more]);
const rules = (text: string) => here.write("home/config/permissions.jsonc", text);

describe("what is read without asking", () => {
  it("is what lies in the project", async () => {
    const { code, stdout } = await read("package.json");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "1: {}\n" });
  });

  it("is no secret, wherever it lies and whatever leads there, and yolo does not answer for it", async () => {
    await symlink("packages/api/.env", join(here.folder, "notes.txt"));
    for (const path of ["packages/api/.env", "notes.txt", join(here.home, ".ssh/config")]) {
      expect((await read(path)).code, path).toBe(5);
      expect((await read(path, "--yolo")).code, path).toBe(5);
      expect((await read(path, "--answer", "allow")).code, path).toBe(0);
    }
  });

  it("is nothing outside of the project, unless under yolo", async () => {
    const path = join(here.folder, "../other/a.txt");
    await symlink("../other", join(here.folder, "out"));
    for (const each of [path, "../other/a.txt", "out/a.txt"]) expect((await read(each)).code, each).toBe(5);
    expect((await read(path, "--yolo")).code).toBe(0);
  });

  it("is no file that another process kept a long answer in", async () => {
    const plugin = `import { definePlugin } from "mortise/sdk";
export default definePlugin({ name: "long", capabilities: { fs_read: true } }, (api) => {
  api.registerTool({ name: "twice", description: "Says much.", input: { type: "object", properties: {} }, scopes: "none", audiences: ["main"], run: () => "line\\n".repeat(50_000) });
});`;
    await here.write("project/long.ts", plugin);
    const { stdout } = await here.run(["call", "twice", "--plugin", "long.ts", "--json"]);
    expect((await read(String(jsonOf(stdout).spill))).code).toBe(5);
  });
});

describe("a rule about reading", () => {
  it("stands above what the host says", async () => {
    await rules(
      '{ "rules": [{ "tool": "read", "pattern": "**/.env", "effect": "allow" }, { "tool": "read", "pattern": "package.json", "effect": "ask" }] }',
    );
    expect((await read("packages/api/.env")).code).toBe(0);
    expect((await read("package.json")).code).toBe(5);
    await rules('{ "rules": [{ "tool": "read", "pattern": "*", "effect": "deny" }] }');
    expect((await read("package.json", "--yolo")).code).toBe(5);
  });

  it("of a project that is not trusted allows no secret", async () => {
    await here.write("project/.mortise/permissions.jsonc", '{ "rules": [{ "tool": "read", "effect": "allow" }] }');
    expect((await read("packages/api/.env")).code).toBe(5);
    expect((await here.run(["trust", "add", "--yes"])).code).toBe(0);
    expect((await read("packages/api/.env")).code).toBe(0);
  });

  it("is a default too, where it is for the tool", async () => {
    await rules('{ "defaults": { "read": "deny" } }');
    expect((await read("package.json")).code).toBe(5);
    await rules('{ "default": "deny" }');
    expect((await read("package.json")).code).toBe(0);
    expect((await read("../other/a.txt")).code).toBe(5);
  });

  it("is named by rules explain, with what would stand above it", async () => {
    const { stdout } = await here.run(["rules", "explain", "--tool", "read", '{"path":"packages/api/.env"}', "--json"]);
    expect(jsonOf(stdout)).toMatchObject({
      decision: "ask",
      source: "rule",
      scopes: [{ effect: "ask", rule: { layer: "builtin", pattern: "/**/.env" }, allowedBy: { tool: "read" } }],
    });
  });
});
