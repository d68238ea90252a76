import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadSettings } from "../../../core/config/settings.ts";
import { addTrust } from "../../../core/config/trust.ts";
import { type AskGrant, createGrants } from "../../../core/grants/grants.ts";
import { discoverPlugins } from "../../../core/plugins/discover.ts";
import { createPlugins, type PluginChange, type PluginsOptions } from "../../../core/plugins/plugins.ts";
import { freshHome } from "../config/home.ts";
import { freshIsolates } from "./isolates.ts";

const yes: AskGrant = async ({ asks, steer }) => ({ granted: asks, steer });

/** A guard on bash that needs a person's yes. */
const guard = (name: string, more = "") => `import { definePlugin, deny } from "mortise/sdk";
export default definePlugin({ name: "${name}", steer: ["tool.bash.input"] }, (api) => {
  api.setSlot("tool.bash.input", (prev) => prev(), { onFailure: "block" });
  ${more}
});`;

async function setUp(files: Record<string, string>, more: Partial<PluginsOptions> & { ask?: AskGrant; trusted?: boolean } = {}) {
  const home = await freshHome();
  for (const [path, text] of Object.entries(files)) home.write(path, text);
  if (more.trusted === true) await addTrust(home.project, home.folders);
  const isolates = freshIsolates();
  /** A host that has just started, on the files as they are now. */
  const start = async (ask: AskGrant | null = more.ask ?? yes) => {
    const settings = await loadSettings({ cwd: home.root, folders: home.folders });
    const grants = createGrants({ folders: home.folders, lines: settings.grants, ...(ask === null ? {} : { ask }) });
    const plugins = createPlugins({ isolates, settings, grants, ...more });
    const changes: string[] = [];
    const undo = plugins.onChange(({ kind, plugin }: PluginChange) => changes.push(`${kind} ${plugin.name}`));
    await plugins.loadAll(await discoverPlugins({ settings, builtins: false, files: true }));
    return {
      plugins,
      grants,
      changes,
      undo,
      names: () => plugins.list().map(({ name }) => name),
      codes: () => plugins.problems().map(({ code }) => code),
    };
  };
  return { ...home, isolates, start };
}

describe("loadAll()", () => {
  it("loads in order what can be loaded, and lists the rest with path, code and place", async () => {
    const { start, folders } = await setUp({
      "config/plugins/1.ts": guard("first"),
      "config/plugins/2.ts": "export default (",
      "config/plugins/3.ts": guard("third"),
      "config/plugins/4.ts": guard("fourth").replace('tool.bash.input", (', 'tool.bash.inptu", ('),
    });
    const { plugins, names, changes } = await start();
    expect(names()).toEqual(["first", "third"]);
    expect(changes).toEqual(["loaded first", "loaded third"]);
    expect(plugins.problems()).toMatchObject([
      { code: "plugin_not_compiled", path: join(folders.config, "plugins/2.ts"), severity: "error", message: expect.stringContaining("2.ts:1:17") },
      { code: "unknown_slot", path: join(folders.config, "plugins/4.ts"), message: expect.stringContaining('"tool.bash.input"') },
    ]);
    expect(plugins.get("third")).toMatchObject({ origin: "user", steer: ["tool.bash.input"], failed: null, order: 1 });
  });

  it("refuses the second of two with one name, and names both files", async () => {
    const { start } = await setUp({ "config/plugins/a.ts": guard("same"), "config/plugins/b.ts": guard("same") });
    const { plugins, names } = await start();
    expect(names()).toEqual(["same"]);
    expect(plugins.problems()).toMatchObject([{ code: "plugin_name_taken", message: expect.stringMatching(/a\.ts.*b\.ts/) }]);
  });

  it("does not let a project take the name of a user's guard, though that one does not load", async () => {
    const { start, write } = await setUp({ "config/plugins/a.ts": guard("same"), "project/.mortise/plugins/b.ts": guard("same") }, { trusted: true });
    await start();
    write("config/plugins/a.ts", "export default (");
    const { plugins } = await start();
    expect(plugins.list()).toMatchObject([{ name: "same", origin: "user", failed: { code: "plugin_not_compiled" } }]);
  });

  it("does not load what the config disables, and lists it apart", async () => {
    const { start } = await setUp({
      "config/config.jsonc": '{ "disabled": ["first"] }',
      "config/plugins/1.ts": guard("first"),
      "config/plugins/2.ts": guard("second"),
    });
    const { plugins, names } = await start();
    expect(names()).toEqual(["second"]);
    expect(plugins.disabled()).toMatchObject([{ name: "first", origin: "user" }]);
    expect(plugins.problems()).toEqual([]);
  });

  it("warns of names in the config that are close to a plugin's", async () => {
    const { start } = await setUp({
      "config/config.jsonc": '{ "options": { "frist": {} }, "block": { "elsewhere": ["tool.*.output"] } }',
      "config/plugins/1.ts": guard("first"),
    });
    expect((await start()).plugins.problems()).toMatchObject([{ code: "unknown_plugin", message: expect.stringContaining("first") }]);
  });

  it("gives options of the config to the plugin, and refuses what it does not have", async () => {
    const text = guard("first").replace('name: "first"', 'name: "first", options: { mode: "strict" }');
    const { start, write } = await setUp({ "config/config.jsonc": '{ "options": { "first": { "mode": "mild" } } }', "config/plugins/1.ts": text });
    expect((await start()).plugins.get("first")?.options).toEqual({ mode: "mild" });
    write("config/config.jsonc", '{ "options": { "first": { "mode": 1 } } }');
    expect((await start()).codes()).toEqual(["plugin_invalid"]);
  });

  it("loads without a grant where nobody is there to give it, and says so", async () => {
    const { start } = await setUp({ "config/plugins/1.ts": guard("first") });
    const { plugins } = await start(null);
    expect(plugins.get("first")).toMatchObject({ steer: [], failed: null });
    expect(plugins.problems()).toMatchObject([{ code: "not_granted", plugin: "first", severity: "warning" }]);
  });

  it("loads a project's plugin only as it is trusted, byte for byte", async () => {
    const { start, write, project, folders } = await setUp({ "project/.mortise/plugins/1.ts": guard("first") }, { trusted: true });
    const { plugins } = await start();
    expect(plugins.list()).toMatchObject([{ name: "first", origin: "project" }]);
    write("project/.mortise/plugins/1.ts", guard("first", "// other"));
    await expect(plugins.reload("first")).rejects.toMatchObject({ code: "not_trusted" });
    await addTrust(project, folders);
    expect(await plugins.reload("first")).toMatchObject({ name: "first" });
  });

  it("loads nothing for a project that trust does not cover", async () => {
    const { start } = await setUp(
      {
        "project/.mortise/plugins/1.ts": `import "../../words.ts";\n${guard("first")}`,
        "project/.mortise/plugins/2.ts": guard("second"),
        "project/words.ts": "",
      },
      { trusted: true },
    );
    const { plugins, names } = await start();
    expect(names()).toEqual(["second"]);
    expect(plugins.problems()).toMatchObject([{ code: "not_trusted", message: expect.stringContaining("words.ts") }]);
  });

  it.each([
    ["changed", (file: string, write: (path: string, text: string) => void) => write("project/.mortise/plugins/1.ts", guard("first", `// ${file}`))],
    ["removed", (file: string) => rmSync(file)],
    ["removed with its folder", (file: string) => rmSync(join(file, "../.."), { recursive: true })],
  ])("lets guards of a trusted project stand in when a file is %s", async (_name, change) => {
    const { start, write, root } = await setUp({ "project/.mortise/plugins/1.ts": guard("first") }, { trusted: true });
    await start();
    change(join(root, ".mortise/plugins/1.ts"), write);
    const { plugins } = await start(null);
    expect(plugins.list()).toMatchObject([{ name: "first", origin: "project", failed: { code: "not_trusted" }, steer: ["tool.bash.input"] }]);
  });
});

describe("a plugin whose newest version does not load", () => {
  it("stands in by its last good manifest, with what it was granted", async () => {
    const { start, write } = await setUp({ "config/plugins/1.ts": guard("first"), "config/plugins/2.ts": guard("second") });
    await start();
    write("config/plugins/1.ts", "export default (");
    const { plugins, changes, names } = await start(null);
    expect(names()).toEqual(["first", "second"]);
    expect(changes).toEqual(["failed first", "loaded second"]);
    expect(plugins.get("first")).toMatchObject({
      failed: { code: "plugin_not_compiled" },
      steer: ["tool.bash.input"],
      manifest: { layers: [{ onFailure: "block" }] },
    });
    write("config/plugins/1.ts", guard("first"));
    expect(await plugins.reload("first")).toMatchObject({ failed: null });
    expect(plugins.problems()).toEqual([]);
  });

  it("stands in too where its file is gone and a config names it", async () => {
    const { start, root } = await setUp({ "config/config.jsonc": '{ "plugins": ["../project/1.ts"] }', "project/1.ts": guard("first") });
    await start();
    rmSync(join(root, "1.ts"));
    expect((await start()).plugins.get("first")).toMatchObject({ failed: { code: "plugin_not_found" } });
  });

  it("gives way to the same name from another file of the same person", async () => {
    const { start, root, write } = await setUp({
      "config/config.jsonc": '{ "plugins": ["../project/1.ts", "../project/2.ts"] }',
      "project/1.ts": guard("first"),
      "project/2.ts": guard("second"),
    });
    await start();
    rmSync(join(root, "1.ts"));
    write("project/2.ts", guard("first"));
    expect((await start()).plugins.list()).toMatchObject([{ name: "first", path: join(root, "2.ts"), failed: null }]);
  });

  it("is not listed where it never loaded, or a person switched it off", async () => {
    const { start, write } = await setUp({ "config/plugins/1.ts": "export default (" });
    expect((await start()).names()).toEqual([]);
    write("config/plugins/1.ts", guard("first"));
    await start();
    write("config/plugins/1.ts", "export default (");
    write("config/config.jsonc", '{ "disabled": ["first"] }');
    expect((await start()).names()).toEqual([]);
  });

  it("is forgotten once a person switched it off", async () => {
    const { start, write } = await setUp({ "config/plugins/1.ts": guard("first") });
    await start();
    write("config/config.jsonc", '{ "disabled": ["first"] }');
    await start();
    write("config/config.jsonc", "{}");
    write("config/plugins/1.ts", "export default (");
    expect((await start()).names()).toEqual([]);
  });
});

describe("reload()", () => {
  it("swaps the new version in at the old one's place", async () => {
    const { start, write } = await setUp({ "config/plugins/1.ts": guard("first"), "config/plugins/2.ts": guard("second") });
    const { plugins, changes, names } = await start();
    write("config/plugins/1.ts", guard("first", 'api.registerCommand({ name: "x", description: "X.", run: () => undefined });'));
    expect((await plugins.reload("first")).manifest.commands).toHaveLength(1);
    expect(names()).toEqual(["first", "second"]);
    expect(changes.at(-1)).toBe("reloaded first");
  });

  it.each([
    ["does not compile", "export default (", "plugin_not_compiled"],
    ["takes another's name", guard("second"), "plugin_invalid"],
    ["layers no slot", guard("first").replace('setSlot("tool.bash.input"', 'setSlot("tool.bash.inptu"'), "unknown_slot"],
  ])("keeps the old version running where the new one %s", async (_name, text, code) => {
    const { start, write } = await setUp({ "config/plugins/1.ts": guard("first"), "config/plugins/2.ts": guard("second") });
    const { plugins, changes } = await start();
    const old = plugins.get("first");
    write("config/plugins/1.ts", text);
    await expect(plugins.reload("first")).rejects.toMatchObject({ code });
    expect(plugins.get("first")).toBe(old);
    expect(plugins.problems()).toMatchObject([{ code }]);
    expect(changes).toEqual(["loaded first", "loaded second"]);
  });

  it("changes nothing where what would come of it is refused", async () => {
    let no = false;
    const accept = () => {
      if (no) throw new Error("a cycle");
    };
    const { start } = await setUp({ "config/plugins/1.ts": guard("first") }, { accept });
    const { plugins } = await start();
    const old = plugins.get("first");
    no = true;
    await expect(plugins.reload("first")).rejects.toThrow("a cycle");
    expect(plugins.get("first")).toBe(old);
  });

  it("asks for what the new version wants more, and lets it be without", async () => {
    const { start, write } = await setUp({ "config/plugins/1.ts": guard("first") });
    const { plugins } = await start(async ({ asks, steer }) => ({ granted: asks.run === undefined ? asks : {}, steer }));
    write("config/plugins/1.ts", guard("first").replace("steer:", "capabilities: { run: true }, steer:"));
    expect(await plugins.reload("first")).toMatchObject({ granted: {}, steer: ["tool.bash.input"] });
  });
});

describe("unload() and regrant()", () => {
  it("frees the name and the tools, and never the slots that were declared", async () => {
    const declaring = guard("first", 'api.declareSlot("first.render", (value) => value);');
    const { start, write } = await setUp({ "config/plugins/1.ts": declaring });
    const { plugins, changes, names } = await start();
    await plugins.unload("first");
    expect(names()).toEqual([]);
    const other = write("project/other.ts", declaring);
    await expect(plugins.load({ path: other }, "command_line")).rejects.toMatchObject({ code: "slot_taken" });
    write("project/other.ts", guard("first"));
    await plugins.load({ path: other }, "command_line");
    expect(changes).toEqual(["loaded first", "unloaded first", "loaded first"]);
    await expect(plugins.unload("none")).rejects.toMatchObject({ code: "unknown_plugin" });
  });

  it("works out grants again, and keeps what was lost", async () => {
    const { start } = await setUp({ "config/plugins/1.ts": guard("first") });
    const { plugins, grants, changes } = await start();
    await grants.revoke("first");
    expect(await plugins.regrant("first")).toMatchObject({ steer: [], lost: { steer: ["tool.bash.input"] } });
    expect(plugins.problems()).toMatchObject([{ code: "not_granted" }]);
    const plugin = plugins.get("first");
    if (plugin !== undefined) await grants.grant(plugin);
    const again = await plugins.regrant("first");
    expect(again.steer).toEqual(["tool.bash.input"]);
    expect(again.lost).toBeUndefined();
    expect(changes).toEqual(["loaded first", "granted first", "granted first"]);
  });

  it("tells no more once its undo was called", async () => {
    const { start } = await setUp({ "config/plugins/1.ts": guard("first") });
    const { plugins, changes, undo } = await start();
    undo();
    await plugins.unload("first");
    expect(changes).toEqual(["loaded first"]);
  });
});
