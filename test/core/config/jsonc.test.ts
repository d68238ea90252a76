import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ConfigFile } from "../../../core/config/config-file.ts";
import { parseJsonc, readSource } from "../../../core/config/jsonc.ts";
import { PermissionsFile } from "../../../core/config/permissions-file.ts";
import { freshHome } from "./home.ts";

const seen = (text: string, schema: typeof ConfigFile | typeof PermissionsFile = PermissionsFile): string => {
  try {
    parseJsonc({ path: "f", text }, schema);
  } catch (error) {
    expect(error).toMatchObject({ code: "file_broken" });
    return String((error as { seen?: string }).seen);
  }
  return "no error";
};

describe("parseJsonc()", () => {
  it("takes comments and trailing commas, and knows the line of each part", () => {
    const file = parseJsonc({ path: "f", text: '{\n  // mine\n  "rules": [\n    { "tool": "bash", "effect": "deny" },\n  ],\n}' }, PermissionsFile);
    expect(file.value.rules).toEqual([{ tool: "bash", effect: "deny" }]);
    expect(file.lineOf(["rules", 0])).toBe("f:4");
  });

  it("says file, line, column and what was expected", () => {
    expect(seen('{\n  "rules": [{ "tool": "bash", "effect": "dney" }]\n}')).toMatch(/^f:2:41: .*"deny".*"dney"/);
    expect(seen('{\n  "rules": [\n')).toMatch(/^f:3:1: /);
    expect(seen('{ "rules": [{ "effect": "deny" }] }')).toMatch(/^f:1:13: "tool" is missing/);
  });

  it("names the key that an unknown one is close to, at its place", () => {
    expect(seen('{\n  "rulse": []\n}')).toMatch(/^f:2:3: .*"rules"/);
    expect(seen('{ "grants": { "a": { "fsread": true } } }', ConfigFile)).toMatch(/^f:1:22: .*"fs_read"/);
    expect(seen('{ "block": { "a": ["tool.*.ouput"] } }', ConfigFile)).toMatch(/^f:1:20: .*"tool\.\*\.output"/);
  });

  it("refuses a key that stands twice, since the second one would drop the first's rules", () => {
    expect(seen('{ "rules": [{ "tool": "bash", "effect": "deny" }], "rules": [] }')).toMatch(/^f:1:52: .*"rules".*twice/);
  });

  it.each([
    ["nothing", ""],
    ["a comment alone", "// none"],
    ["an array", "[]"],
    ["half a file", '{ "rules": [{ "tool": "bash", "eff'],
    ["two values", "{} {}"],
    ["a key that would set the prototype", '{ "__proto__": { "rules": [] } }'],
    ["more nesting than a stack holds", "[".repeat(200_000)],
  ])("refuses %s", (_name, text) => {
    expect(seen(text)).not.toBe("no error");
  });
});

describe("readSource()", () => {
  it("answers undefined only where nothing is there", async () => {
    const { root } = await freshHome();
    expect(await readSource(join(root, "none.jsonc"))).toBeUndefined();
  });

  it("refuses what is there and is no text file", async () => {
    const { root } = await freshHome();
    const at = (name: string) => join(root, name);
    mkdirSync(at("folder"));
    symlinkSync(at("gone"), at("dangling"));
    symlinkSync("/dev/zero", at("endless"));
    execFileSync("mkfifo", [at("pipe")]);
    writeFileSync(at("latin1"), Buffer.from([0x7b, 0xe9, 0x7d]));
    writeFileSync(at("large"), " ".repeat(5 * 1024 * 1024));
    for (const name of ["folder", "dangling", "endless", "pipe", "latin1", "large"]) {
      await expect(readSource(at(name)), name).rejects.toMatchObject({ code: "file_broken" });
    }
  });
});
