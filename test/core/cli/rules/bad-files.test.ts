import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { jsonOf, type Scratch, scratch } from "../run-cli.ts";

let here: Scratch;
let user = "";
let project = "";
beforeEach(async () => {
  here = await scratch();
  user = join(here.home, "config/permissions.jsonc");
  project = join(here.folder, ".mortise/permissions.jsonc");
  await mkdir(join(here.home, "config"));
  await mkdir(join(here.folder, ".mortise"));
});
afterEach(() => here.remove());

const DENY = '{ "tool": "bash", "pattern": "touch *", "effect": "deny" }';

/** [what is wrong, the text, `line:column` of it where that can be said, what the message names] */
const broken: [what: string, text: string | Uint8Array, place: string | undefined, names: string][] = [
  ["an unknown key", `{\n  "rules": [],\n  "allow_all": true\n}`, "3:3", "allow_all"],
  ["an unknown key of a rule", `{ "rules": [\n  ${DENY},\n  { "tool": "bash", "patern": "rm *", "effect": "deny" } ] }`, "3:21", "patern"],
  ["a tool that is no string", '{ "rules": [{ "tool": 1, "effect": "deny" }] }', "1:23", "string"],
  ["a rule without a tool", '{ "rules": [{ "pattern": "rm *", "effect": "deny" }] }', "1:13", "tool"],
  ["a rule without an effect", '{ "rules": [{ "tool": "bash", "pattern": "rm *" }] }', "1:13", "effect"],
  ["an effect that is none", '{ "rules": [{ "tool": "bash", "effect": "denied" }] }', "1:41", "deny"],
  ["a pattern that is a list", '{ "rules": [{ "tool": "bash", "pattern": ["rm *"], "effect": "deny" }] }', "1:42", "string"],
  ["a pattern that is empty", '{ "rules": [{ "tool": "bash", "pattern": "", "effect": "deny" }] }', "1:42", "empty"],
  ["a pattern that is blank", '{ "rules": [{ "tool": "bash", "pattern": " \\t", "effect": "deny" }] }', "1:42", "empty"],
  ["a star inside of a tool's name", '{ "rules": [{ "tool": "mcp__*__x", "effect": "deny" }] }', "1:23", "name"],
  ["a blank in a tool's name", '{ "rules": [{ "tool": " bash", "effect": "deny" }] }', "1:23", "name"],
  ["rules that are an object", '{ "rules": { "bash": "deny" } }', "1:12", "array"],
  ["a list in place of an object", `[${DENY}]`, "1:1", "object"],
  ["a default that is none", '{ "default": "ask" }', "1:14", "prompt"],
  ["defaults that are none", '{ "defaults": { "bash": false } }', "1:25", "prompt"],
  ["a key that stands twice", `{ "rules": [${DENY}],\n  "rules": [] }`, "2:3", "twice"],
  ["a key of a rule that stands twice", '{ "rules": [{ "tool": "bash", "effect": "deny", "effect": "allow" }] }', "1:49", "twice"],
  ["a bracket that is missing", `{ "rules": [${DENY} }`, "1:72", "expected"],
  ["text behind it", `{ "rules": [${DENY}] } x`, "1:75", "symbol"],
  ["no text", "", "1:1", "expected"],
  ["comments alone", "// nothing yet\n", "2:1", "expected"],
  ["no JSON", "deny touch *", "1:1", "symbol"],
  ["a number in place of an object", "1", "1:1", "object"],
  ["brackets without end", "[".repeat(100_000), undefined, "deeply"],
  ["no UTF-8", new Uint8Array([0x7b, 0xff, 0x7d]), undefined, "UTF-8"],
  ["UTF-16", Buffer.from("\ufeff{}", "utf16le"), undefined, "UTF-8"],
];

const call = ["call", "bash", '{"command":"touch ran"}', "--yolo", "--answer", "allow"];
const explain = ["rules", "explain", "touch ran", "--yolo"];

/** No command starts, whoever is asked and whatever yolo says. */
async function stopsTheStart(file: string, place: string | undefined, names: string, words = call): Promise<void> {
  const { code, stdout, stderr } = await here.run([...words, "--json"]);
  expect(code, stderr).toBe(2);
  expect(jsonOf(stdout).error?.code).toBe("file_broken");
  expect(stderr).toContain(place === undefined ? file : `${file}:${place}`);
  expect(stderr).toContain(names);
  expect(existsSync(join(here.folder, "ran"))).toBe(false);
}

describe("a permissions file of the user that is broken", () => {
  it.each(broken)("stops the start: %s", async (_what, text, place, names) => {
    await writeFile(user, text);
    await stopsTheStart(user, place, names);
  });

  it("leaves nothing to explain", async () => {
    await writeFile(user, `{ "rules": [${DENY} }`);
    await stopsTheStart(user, "1:72", "", explain);
  });

  it("stops the start where it is a folder, a link to nothing, a pipe, or too large", async () => {
    await mkdir(user);
    await stopsTheStart(user, undefined, "regular file");
    await rm(user, { recursive: true });
    await symlink(join(here.home, "gone"), user);
    await stopsTheStart(user, undefined, "link");
    await rm(user);
    execFileSync("mkfifo", [user]);
    await stopsTheStart(user, undefined, "regular file");
    await rm(user);
    await writeFile(user, `{}${" ".repeat(5 * 1024 * 1024)}`);
    await stopsTheStart(user, undefined, "4 MB");
  });

  it.skipIf(process.getuid?.() === 0)("stops the start where it may not be read", async () => {
    await writeFile(user, `{ "rules": [${DENY}] }`);
    await chmod(user, 0o000);
    await stopsTheStart(user, undefined, "EACCES");
  });

  it.each(["permissions.json", "permission.jsonc", "permissions.toml"])("stops the start where it has another name: %s", async (name) => {
    await writeFile(join(here.home, "config", name), `{ "rules": [${DENY}] }`);
    await stopsTheStart(join(here.home, "config", name), undefined, "permissions.jsonc");
  });
});

describe("a permissions file of a project that is broken", () => {
  /** Trusts the folder with a file that parses, then breaks it and trusts that, as an editor's save after a pull would. */
  async function trustWith(text: string | Uint8Array): Promise<void> {
    await writeFile(project, text);
    expect((await here.run(["trust", "add", "--yes"])).code).toBe(0);
  }

  it.each(broken.filter((_row, index) => index % 5 === 0))("stops the start where the project is trusted: %s", async (_what, text, place, names) => {
    await trustWith(text);
    await stopsTheStart(project, place, names);
  });

  it.each(broken.filter(([, text]) => typeof text === "string" && text.startsWith("{") && text.includes(DENY)))(
    "denies all the same what it still says where it is not trusted: %s",
    async (_what, text) => {
      await writeFile(project, text);
      const { code, stdout, stderr } = await here.run(["rules", "explain", "touch ran", "--yolo", "--json"]);
      expect({ code, decision: jsonOf(stdout).decision }, stderr).toEqual({ code: 5, decision: "deny" });
    },
  );

  it("is a warning with its place where it is not trusted", async () => {
    await writeFile(project, `{ "rules": [${DENY}, { "tool": "bash", "efect": "deny" }] }`);
    const { stdout } = await here.run(["doctor", "--json"]);
    expect(stdout).toContain(`${project}:1:`);
    expect(stdout).toContain("efect");
  });

  it("allows nothing where it is not trusted", async () => {
    await writeFile(project, '{ "default": "allow", "rules": [{ "tool": "*", "effect": "allow" }] }');
    expect((await here.run(["rules", "explain", "touch ran"])).code).toBe(5);
  });
});

describe("a permissions file that only looks odd", () => {
  it.each([
    ["a mark of its encoding", `\ufeff{ "rules": [${DENY}] }`],
    ["Windows line ends", `{\r\n  // no\r\n  "rules": [\r\n    ${DENY},\r\n  ],\r\n}\r\n`],
    ["comments and commas at ends", `/* a */ { "rules": [ // b\n ${DENY}, ], }`],
    ["a schema", `{ "$schema": "./permissions.schema.json", "rules": [${DENY}] }`],
  ])("counts: %s", async (_what, text) => {
    await writeFile(user, text);
    expect(jsonOf((await here.run(["rules", "explain", "touch ran", "--yolo", "--json"])).stdout).decision).toBe("deny");
  });
});

describe("a rule that is about no tool", () => {
  it("is told of at every call, since it would be dropped without a word", async () => {
    await writeFile(user, '{ "rules": [{ "tool": "Bash", "pattern": "touch *", "effect": "deny" }] }');
    const { stderr } = await here.run(["call", "bash", '{"command":"touch ran"}', "--yolo"]);
    expect(stderr).toContain(`${user}:1`);
    expect(stderr).toContain('did you mean "bash"');
  });
});
