import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isDisabled, optionsFor } from "../../../core/config/for-plugin.ts";
import { defaultEffect, loadSettings } from "../../../core/config/settings.ts";
import { addTrust } from "../../../core/config/trust.ts";
import { freshHome } from "./home.ts";

async function setUp(files: Record<string, string>, trusted = false) {
  const home = await freshHome();
  for (const [path, text] of Object.entries(files)) home.write(path, text);
  if (trusted) await addTrust(home.project, home.folders);
  return { ...home, load: () => loadSettings({ cwd: home.root, folders: home.folders }) };
}

const projectRules = "project/.mortise/permissions.jsonc";
const projectConfig = "project/.mortise/config.jsonc";

describe("loadSettings()", () => {
  it("works where there are no files at all", async () => {
    const settings = await (await setUp({})).load();
    expect(settings).toMatchObject({ rules: [], plugins: [], warnings: [], trust: { state: "nothing" }, yoloUnparseable: false });
    expect(defaultEffect(settings, "bash")).toBe("prompt");
  });

  it("knows the file and line of each rule, the project's first", async () => {
    const { load, folders, root } = await setUp(
      {
        "config/permissions.jsonc": '{\n  "rules": [\n    { "tool": "bash", "pattern": "git *", "effect": "allow" }\n  ]\n}',
        [projectRules]: '{ "rules": [{ "tool": "read", "effect": "ask" }] }',
      },
      true,
    );
    expect((await load()).rules).toEqual([
      { tool: "read", effect: "ask", layer: "project", from: `${join(root, ".mortise/permissions.jsonc")}:1` },
      { tool: "bash", pattern: "git *", effect: "allow", layer: "user", from: `${join(folders.config, "permissions.jsonc")}:3` },
    ]);
  });

  it.each([
    ["the user's permissions", "config/permissions.jsonc", false],
    ["the user's config", "config/config.jsonc", false],
    ["a trusted project's permissions", projectRules, true],
    ["a trusted project's config", projectConfig, true],
  ])("stops where %s do not parse", async (_name, path, trusted) => {
    const { load } = await setUp({ [path]: '{ "rules": [ }' }, trusted);
    await expect(load()).rejects.toMatchObject({ code: "file_broken", seen: expect.stringMatching(/\.jsonc:1:14: /) });
  });

  it("stops where a file that was meant to count has a name that nothing reads", async () => {
    const { load } = await setUp({ "config/permissions.json": '{ "rules": [{ "tool": "bash", "effect": "deny" }] }' });
    await expect(load()).rejects.toMatchObject({ code: "file_broken" });
  });

  it("takes only deny rules of a project that is not trusted", async () => {
    const { load } = await setUp({
      [projectRules]:
        '{ "default": "allow", "rules": [{ "tool": "bash", "effect": "allow" }, { "tool": "bash", "pattern": "rm *", "effect": "deny" }] }',
      [projectConfig]: '{ "plugins": ["plugins/x.ts"], "options": { "bash": { "tail": 1 } }, "block": { "a": ["tool.*.output"] } }',
    });
    const settings = await load();
    expect(settings.rules).toMatchObject([{ pattern: "rm *", effect: "deny", layer: "project" }]);
    expect(settings).toMatchObject({ plugins: [], block: {}, options: { project: {} }, trust: { state: "untrusted" } });
    expect(settings.warnings).not.toEqual([]);
  });

  it("keeps every deny rule of such a project that parses, and warns of the rest", async () => {
    const { load } = await setUp({
      [projectRules]: `{
        "rulez": [],
        "rules": [
          { "tool": "bash", "pattern": "rm *", "effect": "deny" },
          { "tool": "bash", "effect": "deny" "pattern": "ls" },
          { "tool": "bash", "efect": "deny" },
          { "tool": "read", "pattern": "secrets/**", "effect": "deny" }`,
    });
    const { rules, warnings } = await load();
    expect(rules.map(({ tool, pattern }) => [tool, pattern])).toEqual([
      ["bash", "rm *"],
      ["read", "secrets/**"],
    ]);
    expect(warnings.join("\n")).toContain(`permissions.jsonc:5:`);
  });

  it("takes a trusted project's allow rules, and not its allow by default", async () => {
    const { load } = await setUp(
      { [projectRules]: '{ "default": "allow", "defaults": { "bash": "allow", "read": "deny" }, "rules": [{ "tool": "bash", "effect": "allow" }] }' },
      true,
    );
    const settings = await load();
    expect(settings.rules).toMatchObject([{ tool: "bash", effect: "allow" }]);
    expect(["edit", "bash", "read"].map((tool) => defaultEffect(settings, tool))).toEqual(["prompt", "prompt", "deny"]);
    expect(settings.warnings).toHaveLength(2);
  });

  it("takes the stricter of the user's and the project's default", async () => {
    const { load } = await setUp(
      { "config/permissions.jsonc": '{ "default": "deny", "defaults": { "read": "allow" } }', [projectRules]: '{ "default": "prompt" }' },
      true,
    );
    const settings = await load();
    expect(["bash", "read"].map((tool) => defaultEffect(settings, tool))).toEqual(["deny", "prompt"]);
  });

  it.each([
    [undefined, undefined, false],
    [undefined, true, true],
    [true, undefined, true],
    [false, true, false],
    [true, false, true],
  ])("lets commands that only read run as the user (%s), else the project (%s) says", async (user, own, expected) => {
    const text = (value: boolean | undefined) => (value === undefined ? "{}" : `{ "allow_read_only": ${value} }`);
    const { load } = await setUp({ "config/permissions.jsonc": text(user), [projectRules]: text(own) }, true);
    expect((await load()).allowReadOnly).toBe(expected);
    const untrusted = await setUp({ [projectRules]: text(true) });
    expect((await untrusted.load()).allowReadOnly).toBe(false);
  });

  it("lets no project grant, pass secrets or change limits", async () => {
    const text =
      '{ "grants": { "a": true }, "passSecrets": ["KEY"], "allowedPrivateHosts": ["localhost"], "limits": { "sliceMs": 1 }, "yolo_unparseable": true }';
    const { load } = await setUp({ [projectConfig]: text }, true);
    const settings = await load();
    expect(settings).toMatchObject({ grants: {}, passSecrets: [], allowedPrivateHosts: [], limits: {}, yoloUnparseable: false });
    expect(settings.warnings).toHaveLength(5);
  });

  it("lets a project reach its own plugins and the built-in ones, never the user's", async () => {
    const { load } = await setUp({ [projectConfig]: '{ "disabled": ["guard"], "options": { "guard": { "mode": "off" } } }' }, true);
    const settings = await load();
    expect((["user", "command_line", "embedded", "builtin", "project"] as const).map((origin) => isDisabled(settings, "guard", origin))).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
    expect(optionsFor(settings, "guard", "user")).toEqual({});
    expect(optionsFor(settings, "guard", "project")).toEqual({ mode: "off" });
  });

  it("finds the plugins that configs name, from the folder of the file, and none that trust does not cover", async () => {
    const { load, folders, root } = await setUp(
      {
        "config/config.jsonc": '{ "plugins": ["../mine.ts", "/abs/x.ts"] }',
        [projectConfig]: '{ "plugins": ["plugins/a.ts", "../elsewhere.ts", "plugins/../../b.ts"] }',
      },
      true,
    );
    const settings = await load();
    expect(settings.plugins.map(({ path, origin }) => [origin, path])).toEqual([
      ["user", join(folders.config, "../mine.ts")],
      ["user", "/abs/x.ts"],
      ["project", join(root, ".mortise/plugins/a.ts")],
    ]);
    expect(settings.warnings).toHaveLength(2);
  });

  it("joins the blocks of both, and stops for a slot that cannot be", async () => {
    const { load, write } = await setUp(
      {
        "config/config.jsonc": '{ "block": { "a": ["tool.*.output"] } }',
        [projectConfig]: '{ "block": { "a": ["tool.bash.input"], "b": ["b.render"] } }',
      },
      true,
    );
    expect((await load()).block).toEqual({ a: ["tool.*.output", "tool.bash.input"], b: ["b.render"] });
    write("config/config.jsonc", '{ "block": { "a": ["agent.stpo"] } }');
    await expect(load()).rejects.toMatchObject({ code: "file_broken", seen: expect.stringContaining("agent.stop") });
  });

  it("does not read through a link of an untrusted project that leads out of it", async () => {
    const { load, write, root } = await setUp({ "project/.mortise/plugins/a.ts": "" });
    symlinkSync(write("secret", "key: hunter2"), join(root, ".mortise/permissions.jsonc"));
    const { warnings, rules } = await load();
    expect(rules).toEqual([]);
    expect(warnings.join("\n")).toContain("leads out");
    expect(warnings.join("\n")).not.toContain("hunter2");
  });
});
