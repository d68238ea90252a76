import { readdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { MortiseError } from "../../sdk/errors.ts";
import { isMissing, readBytes } from "../config/bytes.ts";
import type { Settings } from "../config/settings.ts";
import type { BuildSource } from "./build.ts";
import type { Origin } from "./plugin.ts";
import { toolchain } from "./toolchain.ts";

/** A plugin that is to be loaded. */
export type PluginEntry = { source: BuildSource; origin: Origin };

export type DiscoverOptions = {
  settings: Pick<Settings, "folders" | "project" | "trust" | "plugins">;
  /** Whether the built-in pack is loaded. */
  builtins: boolean;
  /** Whether the plugins of the user and the project are. */
  files: boolean;
  /** Files that the command line names, absolute. */
  commandLine?: readonly string[];
  /** What an embedding program brings. */
  embedded?: readonly ({ path: string } | { name: string; source: string })[];
};

/**
 * Every plugin to load, in load order: built-in, user, project, embedded, command line; what a config names after what lies in its folder, by name within a folder.
 * A project's count where it is trusted. A file that is named twice is loaded once, for the last that named it.
 */
export async function discoverPlugins({ settings, builtins, files, commandLine = [], embedded = [] }: DiscoverOptions): Promise<PluginEntry[]> {
  const entries: PluginEntry[] = builtins ? await packEntries() : [];
  if (files) {
    const { folders, project, trust, plugins } = settings;
    const named = (origin: Origin) =>
      plugins.filter((plugin) => plugin.origin === origin).map(({ path }): PluginEntry => ({ source: { path }, origin }));
    entries.push(...(await folderEntries(join(folders.config, "plugins"), "user")), ...named("user"));
    if (project.folder !== null) entries.push(...(await projectEntries(join(project.folder, "plugins"), trust)), ...named("project"));
  }
  entries.push(...embedded.map((source): PluginEntry => ({ source, origin: "embedded" })));
  entries.push(...commandLine.map((path): PluginEntry => ({ source: { path }, origin: "command_line" })));
  return entries.filter(
    ({ source }, index) => !entries.slice(index + 1).some((later) => "path" in source && "path" in later.source && later.source.path === source.path),
  );
}

const Pack = z.object({ name: z.string(), plugins: z.array(z.string()) });

/** The built-in pack: as it was built with the package, else its sources. */
async function packEntries(): Promise<PluginEntry[]> {
  const { root, pack } = toolchain();
  const made = pack === null ? undefined : await readPack(join(pack, "pack.json"));
  if (made !== undefined && pack !== null) return made.map((name) => ({ source: { prebuilt: join(pack, name) }, origin: "builtin" }));
  return (await packSources(join(root, "plugins"))).map((path) => ({ source: { path }, origin: "builtin" }));
}

/** The plugins of a pack, absolute, in the order of its pack.json. Throws `plugin_not_found` without one, `file_broken`. */
export async function packSources(folder: string): Promise<string[]> {
  const path = join(folder, "pack.json");
  const plugins = await readPack(path);
  if (plugins === undefined) throw new MortiseError("plugin_not_found", { seen: path });
  return plugins.map((plugin) => join(folder, plugin));
}

async function readPack(path: string): Promise<string[] | undefined> {
  const bytes = await readBytes(path);
  if (bytes === undefined) return undefined;
  try {
    return z.parse(Pack, JSON.parse(bytes.toString("utf8"))).plugins;
  } catch (cause) {
    throw new MortiseError("file_broken", { seen: path, cause });
  }
}

/**
 * A project's plugins, where it is trusted. Where it has changed since, all that were there are named too:
 * none will load, and guards that once did go on by their last good manifest, so that touching a file does not switch them off.
 */
async function projectEntries(folder: string, { state, changes }: Settings["trust"]): Promise<PluginEntry[]> {
  if (state !== "trusted" && state !== "changed") return [];
  const present = await folderEntries(folder, "project");
  const removed = changes.flatMap(({ path, kind }) => (kind === "removed" && path.startsWith("plugins/") ? [path.split("/")[1] ?? ""] : []));
  const gone = [...new Set(removed)].filter(mayBePlugin).map((name): PluginEntry => ({ source: { path: join(folder, name) }, origin: "project" }));
  return [...present, ...gone];
}

/** Plugin files and folders. Names that begin with `_` or `.` are there to be imported by others; tests and declarations are no plugins. */
async function folderEntries(folder: string, origin: Origin): Promise<PluginEntry[]> {
  const found = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    if (isMissing(cause)) return [];
    throw new MortiseError("file_broken", { seen: `${folder}: ${cause instanceof Error ? cause.message : String(cause)}`, cause });
  });
  return found
    .filter(({ name }) => mayBePlugin(name))
    .filter((entry) => entry.isDirectory() || /\.[cm]?[jt]s$/.test(entry.name) || (entry.isSymbolicLink() && !entry.name.includes(".")))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name }): PluginEntry => ({ source: { path: join(folder, name) }, origin }));
}

function mayBePlugin(name: string): boolean {
  return !/^[._]|^node_modules$|\.d\.[cm]?ts$|\.test\./.test(name);
}
