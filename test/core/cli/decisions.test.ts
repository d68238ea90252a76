import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PROBE, type Scratch, scratch } from "./run-cli.ts";

const GUARD =
  'import { definePlugin, deny } from "mortise/sdk"; export default definePlugin({ name: "guard", steer: ["tool.bash.input"] }, (api) => { api.judge("tool.bash.input", () => deny("guarded")); });';
const RULES = '{ "rules": [{ "tool": "bash", "pattern": "echo *", "effect": "allow" }, { "tool": "bash", "pattern": "ls *", "effect": "deny" }] }';

let here: Scratch;
beforeEach(async () => {
  here = await scratch();
});
afterEach(() => here.remove());

const bash = (command: string, ...more: string[]) => here.run(["call", "bash", JSON.stringify({ command }), ...more]);
const json = async (...words: string[]) => JSON.parse((await here.run([...words, "--json"])).stdout);

describe("grant", () => {
  beforeEach(() => here.write("home/config/plugins/guard.ts", GUARD));

  it("gives a plugin what it asks for, saying what that means, and takes it back", async () => {
    const before = await bash("echo hi", "--yolo");
    expect(before.code).toBe(0);
    expect(before.stderr).toContain("mortise grant guard");
    const grant = await here.run(["grant", "guard"]);
    expect(grant).toMatchObject({ code: 0, stdout: "" });
    expect(grant.stderr).toContain("can see, change, block or answer any command");
    expect((await bash("echo hi", "--yolo")).code).toBe(1);
    expect(await json("grant", "list")).toMatchObject([{ name: "guard", grantedSteer: ["tool.bash.input"], waits: false }]);
    expect((await here.run(["grant", "revoke", "guard"])).code).toBe(0);
    expect(await json("grant")).toMatchObject([{ name: "guard", grantedSteer: [], waits: true }]);
  });

  it("suggests names for one that is misspelt", async () => {
    for (const words of [
      ["grant", "gurad"],
      ["grant", "revoke", "gurad"],
      ["plugins", "disable", "gurad"],
    ]) {
      const { code, stderr } = await here.run(words);
      expect({ code, named: stderr.includes('"guard"') }).toEqual({ code: 2, named: true });
    }
  });

  it("takes back what was given to a plugin that is gone", async () => {
    await here.run(["grant", "guard"]);
    await rm(join(here.home, "config/plugins/guard.ts"));
    expect((await here.run(["grant", "revoke", "guard"])).code).toBe(0);
  });
});

describe("plugins", () => {
  it("lists what loads, switches one off and on again, and keeps comments", async () => {
    await here.write("home/config/plugins/guard.ts", GUARD);
    await here.write("home/config/config.jsonc", "{\n  // mine\n}\n");
    await here.run(["grant", "guard"]);
    expect((await here.run(["plugins"])).stdout).toMatch(/guard +user +loaded +steer tool\.bash\.input/);
    expect((await here.run(["plugins", "disable", "guard"])).code).toBe(0);
    expect((await bash("echo hi", "--yolo")).code).toBe(0);
    expect((await here.run(["plugins"])).stdout).toMatch(/guard +user +switched off/);
    const again = await here.run(["plugins", "disable", "guard"]);
    expect(again).toMatchObject({ code: 0 });
    expect((await here.run(["plugins", "enable", "guard"])).code).toBe(0);
    expect((await bash("echo hi", "--yolo")).code).toBe(1);
    expect(await readFile(join(here.home, "config/config.jsonc"), "utf8")).toContain("// mine");
  });
});

describe("trust", () => {
  beforeEach(() => here.write("project/.mortise/permissions.jsonc", RULES));

  it("makes a project's allow rules count, which its deny rules do anyway", async () => {
    const untrusted = await bash("echo hi");
    expect(untrusted.code).toBe(5);
    expect(untrusted.stderr).toContain("mortise trust add");
    expect((await bash("ls /", "--yolo")).code).toBe(5);
    expect(await json("trust")).toMatchObject({ root: here.folder, state: "untrusted", files: ["permissions.jsonc"] });
    expect((await here.run(["trust", "add"])).code).toBe(0);
    const trusted = await bash("echo hi");
    expect(trusted.code).toBe(0);
    expect(trusted.stderr).not.toContain("mortise:");
    expect((await json("trust", "list")).map(({ root }: { root: string }) => root)).toEqual([here.folder]);
  });

  it("is asked for again when a file changes, showing what changed", async () => {
    await here.run(["trust", "add"]);
    await here.write("project/.mortise/permissions.jsonc", RULES.replace("echo", "curl"));
    const { stdout } = await here.run(["trust"]);
    expect(stdout).toMatch(/changed/);
    expect(stdout).toMatch(/^ *\+.*curl/m);
    expect((await bash("echo hi")).code).toBe(5);
  });

  it("is not given to a folder without files of ours", async () => {
    await rm(join(here.folder, ".mortise"), { recursive: true });
    const { code, stderr } = await here.run(["trust", "add"]);
    expect({ code, advised: stderr.includes("mortise trust add") }).toEqual({ code: 1, advised: false });
    expect(await json("trust", "list")).toEqual([]);
  });

  it("is taken back, also of a folder that is gone", async () => {
    await here.run(["trust", "add", here.folder]);
    expect((await here.run(["trust", "remove"])).code).toBe(0);
    expect((await bash("echo hi")).code).toBe(5);
    await here.run(["trust", "add"]);
    await rm(join(here.folder, ".mortise"), { recursive: true });
    expect((await here.run(["trust", "remove", here.folder])).code).toBe(0);
    expect(await json("trust", "list")).toEqual([]);
  });
});

describe("slots and tools", () => {
  it("show layers outermost first, and those that do not run", async () => {
    const layer = (name: string, steer: string) =>
      `import { definePlugin } from "mortise/sdk"; export default definePlugin({ name: "${name}"${steer} }, (api) => { api.setSlot("tool.bash.input", (prev) => prev()); });`;
    await here.write("project/one.ts", layer("one", ', steer: ["tool.bash.input"]'));
    await here.write("project/two.ts", layer("two", ""));
    const { code, stdout } = await here.run(["slots", "bash", "--plugin", "one.ts", "--plugin", "two.ts"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/tool\.bash\.input.*\n +1 +two .*does not run.*\n +2 +one /);
  });

  it("list tools, and one with its schema", async () => {
    await here.write("project/probe.ts", PROBE);
    const { stdout } = await here.run(["tools", "--plugin", "probe.ts"]);
    expect(stdout).toMatch(/^bash +bash +\S/m);
    expect(stdout).toMatch(/^say +probe +Says a text\./m);
    expect((await here.run(["tools", "say", "--plugin", "probe.ts"])).stdout).toContain('"text"');
    expect(await json("tools", "bash")).toMatchObject({ name: "bash", capability: "run", inputSchema: { type: "object" } });
  });
});
