import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadSettings } from "../../../core/config/settings.ts";
import { addTrust } from "../../../core/config/trust.ts";
import { type DiscoverOptions, discoverPlugins } from "../../../core/plugins/discover.ts";
import { freshHome } from "../config/home.ts";

async function setUp(files: readonly string[], trusted = true) {
  const home = await freshHome();
  for (const file of files) home.write(file, "export default 1;");
  home.write("config/config.jsonc", '{ "plugins": ["more.ts"] }');
  if (trusted) await addTrust(home.project, home.folders).catch(() => {});
  const settings = await loadSettings({ cwd: home.root, folders: home.folders });
  const names = async (options: Partial<DiscoverOptions> = {}) => {
    const entries = await discoverPlugins({ settings, builtins: false, files: true, ...options });
    return entries.map(
      ({ source, origin }) => `${origin} ${"path" in source ? basename(source.path) : "name" in source ? source.name : source.prebuilt}`,
    );
  };
  return { ...home, names };
}

describe("discoverPlugins()", () => {
  it("goes user, project, embedded, command line, by name within a folder", async () => {
    const { names, root } = await setUp([
      "config/plugins/b.ts",
      "config/plugins/a/plugin.ts",
      "project/.mortise/plugins/z.ts",
      "project/.mortise/plugins/c.mjs",
    ]);
    expect(await names({ commandLine: [join(root, "x.ts")], embedded: [{ name: "inline", source: "" }] })).toEqual([
      "user a",
      "user b.ts",
      "user more.ts",
      "project c.mjs",
      "project z.ts",
      "embedded inline",
      "command_line x.ts",
    ]);
  });

  it("puts the built-in pack first", async () => {
    const { names } = await setUp([]);
    const [first, ...rest] = await names({ builtins: true });
    expect(first).toMatch(/^builtin /);
    expect(rest.at(-1)).toBe("user more.ts");
  });

  it("takes a project's plugins only where it is trusted", async () => {
    const { names } = await setUp(["project/.mortise/plugins/z.ts"], false);
    expect(await names()).toEqual(["user more.ts"]);
  });

  it("leaves out what is there for others to import", async () => {
    const { names } = await setUp([
      "config/plugins/_shared.ts",
      "config/plugins/.hidden.ts",
      "config/plugins/a.d.ts",
      "config/plugins/a.test.ts",
      "config/plugins/README.md",
      "config/plugins/node_modules/x/index.js",
    ]);
    expect(await names()).toEqual(["user more.ts"]);
  });

  it("loads a file that is named twice once, for the last that named it", async () => {
    const { names, folders } = await setUp(["config/plugins/a.ts", "config/plugins/b.ts"]);
    expect(await names({ commandLine: [join(folders.config, "plugins/a.ts")] })).toEqual(["user b.ts", "user more.ts", "command_line a.ts"]);
  });

  it("reads no files where none are asked for", async () => {
    const { names } = await setUp(["config/plugins/a.ts", "project/.mortise/plugins/z.ts"]);
    expect(await names({ files: false })).toEqual([]);
  });
});
