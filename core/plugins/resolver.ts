import { dirname, join, relative, sep } from "node:path";
import type { OnResolveArgs, OnResolveResult, Plugin, PluginBuild } from "esbuild";
import { readBytes } from "../config/bytes.ts";
import { sha256 } from "../config/project-files.ts";
import type { EntryFile } from "./entry-file.ts";
import { isNodeModule, saysNoNodeModule } from "./node-modules.ts";
import { toolchain } from "./toolchain.ts";

/** A file that was bundled: where it is, what it is called from the entry's folder, and the hash of what it held. */
export type Input = { path: string; name: string; hash: string };

export type Resolver = { plugin: Plugin /** Sorted by name. */; inputs(): Promise<Input[]> };

const again = { again: true };

/** Decides for a bundle what each import is, and notes what was read. */
export function createResolver(entry: { file: EntryFile } | { inline: { name: string; source: string } }): Resolver {
  const folder = "file" in entry ? dirname(entry.file.path) : "";
  const read = new Map<string, string>();

  const setup = (build: PluginBuild) => {
    const start = "file" in entry ? { path: entry.file.path } : { path: entry.inline.name, namespace: "inline" };
    build.onResolve({ filter: /^mortise:entry$/ }, () => start);
    build.onResolve({ filter: /^mortise\/sdk$/ }, () => ownFile(toolchain().sdk.entry));
    build.onResolve({ filter: /^zod(\/|$)/ }, (args) => resolveZod(build, args));
    build.onResolve({ filter: /^\./, namespace: "own" }, ({ importer, path }) => ownFile(join(unownName(importer), "..", path)));
    build.onResolve({ filter: /^[^./]/ }, (args) => resolvePackage(build, args));
    build.onLoad({ filter: /./, namespace: "inline" }, () => ("inline" in entry ? { contents: entry.inline.source, loader: "ts" } : undefined));
    build.onLoad({ filter: /./, namespace: "own" }, async ({ path }) => ({ contents: (await readBytes(unownName(path))) ?? "", loader: "default" }));
    build.onLoad({ filter: /./, namespace: "file" }, async ({ path }) => {
      if (!mayBeRead(entry, path)) return { errors: [{ text: `${path} is no code, and not in the plugin's folder` }] };
      const bytes = "file" in entry && path === entry.file.path ? entry.file.bytes : await readBytes(path);
      if (bytes === undefined) return { errors: [{ text: `${path} is gone` }] };
      read.set(path, sha256(bytes));
      return { contents: bytes, loader: "default", resolveDir: dirname(path) };
    });
  };

  const inputs = async () => {
    const manifests = [...new Set([...read.keys()].map(packageFile)), "file" in entry ? entry.file.manifest : undefined];
    for (const path of manifests) {
      const bytes = path === undefined ? undefined : await readBytes(path);
      if (path !== undefined && bytes !== undefined) read.set(path, sha256(bytes));
    }
    const all = [...read].map(([path, hash]) => ({ path, hash, name: relative(folder, path).split(sep).join("/") }));
    return all.sort((a, b) => (a.name < b.name ? -1 : 1));
  };
  return { plugin: { name: "mortise", setup }, inputs };
}

/**
 * Code may be shared from anywhere. What is no code is bundled from the plugin's own folder and from packages alone, and nothing that is hidden:
 * an import must not read what only a grant of `fs_read` could. Links are followed by then.
 */
function mayBeRead(entry: { file: EntryFile } | object, path: string): boolean {
  if (/\.[cm]?[jt]sx?$/.test(path) || path.includes(`${sep}node_modules${sep}`)) return true;
  if (!("file" in entry)) return false;
  if (path === entry.file.path) return true;
  const folder = dirname(entry.file.manifest ?? entry.file.path);
  return path.startsWith(folder + sep) && !path.slice(folder.length).includes(`${sep}.`);
}

/** One copy of zod's smallest part for all plugins; the rest of zod only where the plugin's own folder has none. */
async function resolveZod(build: PluginBuild, args: OnResolveArgs): Promise<OnResolveResult | undefined> {
  if (args.pluginData === again) return undefined;
  const own = args.namespace === "own" || args.path === "zod/mini" || args.path === "zod/v4-mini";
  const theirs = own
    ? undefined
    : await build.resolve(args.path, { kind: args.kind, importer: args.importer, resolveDir: args.resolveDir, pluginData: again });
  if (theirs !== undefined && theirs.errors.length === 0) return { path: theirs.path, namespace: theirs.namespace, sideEffects: theirs.sideEffects };
  const ours = await build.resolve(args.path, { kind: args.kind, resolveDir: toolchain().root, pluginData: again });
  return ours.errors.length > 0 ? undefined : ownFile(ours.path);
}

/** A package of the plugin's folder may be named like a module of Node; else the import is refused with what to use. */
async function resolvePackage(build: PluginBuild, args: OnResolveArgs): Promise<OnResolveResult | undefined> {
  if (args.pluginData === again || !isNodeModule(args.path)) return undefined;
  const found = await build.resolve(args.path, { kind: args.kind, importer: args.importer, resolveDir: args.resolveDir, pluginData: again });
  if (found.errors.length === 0) return { path: found.path, namespace: found.namespace, sideEffects: found.sideEffects };
  return { errors: [{ text: saysNoNodeModule(args.path) }] };
}

/** Files of this project are known by a name of their own, so that a bundle does not tell where Mortise is installed. */
function ownFile(path: string): OnResolveResult {
  const { sdk, zod } = toolchain();
  const [name, base] = path.startsWith(zod + sep) ? ["zod", zod] : ["sdk", sdk.folder];
  return { path: `${name}/${relative(base, path).split(sep).join("/")}`, namespace: "own", sideEffects: false };
}

function unownName(name: string): string {
  const { sdk, zod } = toolchain();
  return name.startsWith("zod/") ? join(zod, name.slice("zod/".length)) : join(sdk.folder, name.slice("sdk/".length));
}

/** The package.json of a dependency: its version and entry decide what is bundled. */
function packageFile(path: string): string | undefined {
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/.exec(path)?.[0].concat(sep, "package.json");
}
