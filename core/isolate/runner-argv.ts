import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** What a runner is started with: flags of Node, then its program and where isolated-vm is. */
export function runnerArgv(): string[] {
  const ivm = packageFolder(import.meta.url, "isolated-vm");
  const build = packageFolder(join(ivm, "package.json"), "node-gyp-build");
  const program = join(distFolder(), "runner.cjs");
  const readable = [program, join(ivm, "*"), join(build, "*"), "/etc/alpine-release"];
  const flags = ["--no-warnings", "--no-node-snapshot", "--permission", "--allow-addons"];
  return [...flags, ...readable.map((path) => `--allow-fs-read=${path}`), program, ivm];
}

/** Beside this file in the package, dist/ from the source. */
export function distFolder(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  for (const folder of [here, join(here, ".."), join(here, "../../dist")]) if (existsSync(join(folder, "runner.cjs"))) return realpathSync(folder);
  throw new Error("dist/runner.cjs is missing: build Mortise first");
}

function packageFolder(from: string, name: string): string {
  return realpathSync(dirname(createRequire(from).resolve(`${name}/package.json`)));
}
