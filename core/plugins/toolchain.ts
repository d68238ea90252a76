import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { sha256 } from "../config/project-files.ts";

/** What plugins are bundled with: this project's own SDK and zod, from source in development and from dist/ in the package. */
export type Toolchain = {
  root: string;
  /** The folder and the entry of the SDK. */
  sdk: { folder: string; entry: string };
  /** The folder of the one zod that plugins share a version with. */
  zod: string;
  /** Where the built-in pack was made at build time; null when run from source. */
  pack: string | null;
  /** Changes whenever the same source would give another bundle or manifest. */
  id: string;
};

let made: Toolchain | undefined;

export function toolchain(): Toolchain {
  made ??= make();
  return made;
}

function make(): Toolchain {
  const root = ownRoot(dirname(fileURLToPath(import.meta.url)));
  const fromSource = import.meta.url.endsWith(".ts");
  const zod = dirname(createRequire(join(root, "package.json")).resolve("zod/package.json"));
  const esbuild = createRequire(join(root, "package.json")).resolve("esbuild/package.json");
  const sdk = fromSource
    ? { folder: join(root, "sdk"), entry: join(root, "sdk/index.ts") }
    : { folder: join(root, "dist"), entry: join(root, "dist/sdk.js") };
  const own = fromSource ? filesBelow(sdk.folder, ".ts") : ["sdk.js", "guest.js", "describe.js"].map((name) => join(sdk.folder, name));
  const id = sha256(JSON.stringify([versionOf(zod), versionOf(dirname(esbuild)), own.map((path) => sha256(readFileSync(path)))]));
  return { root, sdk, zod, pack: fromSource ? null : join(root, "dist/pack"), id };
}

/** The folder above that is this package, wherever a bundler has put this file. */
function ownRoot(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (nameOf(at) === "mortise") return at;
    if (dirname(at) === at) return folder;
  }
}

function nameOf(folder: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).name;
  } catch {
    return undefined;
  }
}

function versionOf(folder: string): unknown {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version;
}

function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
