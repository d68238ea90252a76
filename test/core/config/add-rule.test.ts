import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { addRule, addRules } from "../../../core/config/add-rule.ts";
import { loadSettings } from "../../../core/config/settings.ts";
import { addTrust, trustOf } from "../../../core/config/trust.ts";
import { freshHome } from "./home.ts";

const rule = { tool: "bash", pattern: "git *", effect: "allow" } as const;

describe("addRule()", () => {
  it("makes a private file, says where the rule stands, and does not double it", async () => {
    const home = await freshHome();
    const path = join(home.folders.config, "permissions.jsonc");
    const stored = await addRule(home, "user", rule);
    expect(stored).toEqual({ ...rule, layer: "user", from: `${path}:3` });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const text = readFileSync(path, "utf8");
    expect(await addRule(home, "user", rule)).toEqual(stored);
    expect(readFileSync(path, "utf8")).toBe(text);
    expect((await loadSettings({ cwd: home.root, folders: home.folders })).rules).toEqual([stored]);
  });

  it("keeps comments with what they are about", async () => {
    const home = await freshHome();
    const path = home.write(
      "config/permissions.jsonc",
      '{\n  // mine\n  "rules": [\n    { "tool": "read", "effect": "deny" }, // secrets\n  ],\n}\n',
    );
    await addRule(home, "user", rule);
    expect(readFileSync(path, "utf8")).toBe(
      '{\n  // mine\n  "rules": [\n    { "tool": "read", "effect": "deny" }, // secrets\n    { "tool": "bash", "pattern": "git *", "effect": "allow" }\n  ],\n}\n',
    );
  });

  it("stores several at once, each once and in order, or none", async () => {
    const home = await freshHome();
    const rules = ["b", "a", "b", "c"].map((pattern) => ({ tool: "bash", pattern, effect: "deny" as const }));
    const stored = await addRules(home, "user", rules);
    expect(stored.map(({ pattern, from }) => `${pattern} ${from.split(":").at(-1)}`)).toEqual(["b 3", "a 4", "b 3", "c 5"]);
    const path = home.write("config/permissions.jsonc", "{ broken");
    await expect(addRules(home, "user", rules)).rejects.toMatchObject({ code: "file_broken" });
    expect(readFileSync(path, "utf8")).toBe("{ broken");
  });

  it("leaves a broken file as it is", async () => {
    const home = await freshHome();
    const path = home.write("config/permissions.jsonc", '{ "rules": [');
    await expect(addRule(home, "user", rule)).rejects.toMatchObject({ code: "file_broken" });
    expect(readFileSync(path, "utf8")).toBe('{ "rules": [');
  });

  it("keeps a trusted project trusted, and makes a new one so", async () => {
    const home = await freshHome();
    for (const pattern of ["first", "second"]) {
      await addRule(home, "project", { ...rule, pattern });
      expect((await trustOf(home.project, home.folders)).state).toBe("trusted");
    }
    home.write("project/.mortise/plugins/a.ts", "");
    await addTrust(home.project, home.folders);
    await addRule(home, "project", { ...rule, pattern: "third" });
    expect((await loadSettings({ cwd: home.root, folders: home.folders })).rules).toHaveLength(3);
  });

  it("does not make a project trusted that was not", async () => {
    const home = await freshHome();
    home.write("project/.mortise/plugins/a.ts", "");
    await expect(addRule(home, "project", rule)).rejects.toMatchObject({ code: "not_trusted" });
    await addRule(home, "project", { ...rule, effect: "deny" });
    expect((await trustOf(home.project, home.folders)).state).toBe("untrusted");
    await addTrust(home.project, home.folders);
    home.write("project/.mortise/plugins/a.ts", "changed");
    await expect(addRule(home, "project", rule)).rejects.toMatchObject({ code: "not_trusted" });
  });

  it("loses nothing where two processes write at once", async () => {
    const home = await freshHome();
    const program = home.write(
      "writer.mts",
      `import { addRule, addRules } from ${JSON.stringify(fileURLToPath(new URL("../../../core/config/add-rule.ts", import.meta.url)))};
       const [name, where] = process.argv.slice(2);
       for (let i = 0; i < 10; i++) for (const layer of ["user", "project"]) await addRule(JSON.parse(where), layer, { tool: "bash", pattern: name + i, effect: "allow" });`,
    );
    const where = JSON.stringify({ folders: home.folders, project: home.project });
    const ends = await Promise.all(["a", "b"].map((name) => once(fork(program, [name, where]), "exit")));
    expect(ends.map(([code]) => code)).toEqual([0, 0]);
    const { rules, trust } = await loadSettings({ cwd: home.root, folders: home.folders });
    expect(trust.state).toBe("trusted");
    expect(rules.map(({ layer, pattern }) => `${layer} ${pattern}`).sort()).toEqual(
      ["project", "user"].flatMap((layer) => ["a", "b"].flatMap((name) => Array.from({ length: 10 }, (_, i) => `${layer} ${name}${i}`))),
    );
  });

  it("takes over a lock that its owner left behind", async () => {
    const home = await freshHome();
    await addRule(home, "user", rule);
    const lock = join(home.folders.config, "permissions.jsonc.lock");
    const { mkdirSync, utimesSync } = await import("node:fs");
    mkdirSync(lock);
    utimesSync(lock, new Date(0), new Date(0));
    await addRule(home, "user", { ...rule, pattern: "other" });
    writeFileSync(join(home.root, "done"), "");
  });
});
