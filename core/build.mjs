// Builds dist/: one script per entry, and the built-in plugins. Plain JavaScript, so that an old Node can say which one it needs.
import "./node-version.mjs";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { grammars } from "./syntax/grammars.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const require = createRequire(import.meta.url);

const node = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node24",
  format: "esm",
  // jsonc-parser's main is UMD, whose requires cannot be bundled.
  mainFields: ["module", "main"],
  outdir: "dist",
  write: false,
  logLevel: "warning",
  sourcemap: "linked",
  external: ["isolated-vm", "esbuild", "web-tree-sitter"],
  // CommonJS dependencies use what an ES module does not have.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url), __filename = import.meta.filename, __dirname = import.meta.dirname;",
  },
};
/** A runner starts without Node's snapshot, where the loader of ES modules is a fifth of the whole start. */
const script = { ...node, format: "cjs", outExtension: { ".js": ".cjs" }, banner: {} };
const isolate = {
  absWorkingDir: root,
  bundle: true,
  platform: "neutral",
  target: "es2024",
  format: "iife",
  outdir: "dist",
  write: false,
  logLevel: "warning",
  mainFields: ["module", "main"],
};

/**
 * Builds everything into dist/, and returns when it is whole. Files that are the same stay, and others are swapped in, chunks before the entries
 * that load them: a program that runs from dist/ meanwhile finds what it needs.
 */
export async function buildAll() {
  await mkdir(join(root, "dist/grammars"), { recursive: true });
  const version = JSON.parse(await readFile(join(root, "package.json"), "utf8")).version;
  const define = { __MORTISE_VERSION__: JSON.stringify(version) };
  const [program, ...others] = await Promise.all([
    build({
      ...node,
      define,
      metafile: true,
      splitting: true,
      chunkNames: "chunks/[name]-[hash]",
      entryPoints: {
        cli: "core/cli/main.ts",
        index: "core/index.ts",
        agent: "core/agent/index.ts",
        testing: "core/testing/testing.ts",
        "build-pack": "core/plugins/build-pack.ts",
      },
    }),
    build({ ...node, define, entryPoints: { syntax: "core/syntax/server/main.ts" } }),
    build({ ...script, define: { ...define, "import.meta.url": "__filename" }, entryPoints: { runner: "core/isolate/runner/main.ts" } }),
    build({ ...isolate, entryPoints: { guest: "sdk/guest/main.ts", describe: "sdk/guest/describe.ts" } }),
    build({ ...isolate, format: "esm", entryPoints: { sdk: "sdk/index.ts" } }),
  ]);
  const wasm = await Promise.all(Object.entries(grammars).map(([language, from]) => grammarFile(language, from)));
  const files = [...wasm, ...[program, ...others].flatMap(({ outputFiles }) => outputFiles)];
  const isChunk = ({ path }) => dirname(path).endsWith("chunks");
  await Promise.all(files.filter(isChunk).map(swapIn));
  await Promise.all(files.filter((file) => !isChunk(file)).map(swapIn));
  await removeOldChunks(Object.keys(program.metafile.outputs));
  const { buildPack } = await import(pathToFileURL(join(root, "dist/build-pack.js")).href);
  await buildPack(join(root, "plugins"), join(root, "dist/pack"));
}

async function grammarFile(language, { package: name, path, sha256 }) {
  const contents = await readFile(join(packageFolder(name), path));
  const found = createHash("sha256").update(contents).digest("hex");
  if (found !== sha256) throw new Error(`The grammar of ${language} in ${name}/${path} has the hash ${found}, and not ${sha256}`);
  return { path: join(root, "dist/grammars", `${language}.wasm`), contents };
}

/** Not by `resolve`, since what a package exports may leave its other files out. */
function packageFolder(name) {
  const found = require.resolve
    .paths(name)
    .map((folder) => join(folder, name))
    .find((folder) => existsSync(join(folder, "package.json")));
  if (found === undefined) throw new Error(`The package ${name} is not installed`);
  return found;
}

async function swapIn({ path, contents }) {
  const old = await readFile(path).catch(() => undefined);
  if (old?.equals(contents)) {
    // Its time tells which chunks are in use.
    await utimes(path, new Date(), new Date());
    return;
  }
  await mkdir(dirname(path), { recursive: true });
  const staged = `${path}.${process.pid}.tmp`;
  await writeFile(staged, contents);
  await rename(staged, path);
}

/** Chunks of earlier builds, but for those that a command which is still running may be about to load. */
async function removeOldChunks(outputs) {
  const folder = join(root, "dist/chunks");
  const current = new Set(outputs.map((path) => basename(path)));
  for (const name of await readdir(folder)) {
    if (current.has(name)) continue;
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > 600_000) await rm(join(folder, name), { force: true });
  }
}

export async function clean() {
  await rm(join(root, "dist"), { recursive: true, force: true });
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await buildAll();
