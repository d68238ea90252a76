import { existsSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { guestTables } from "./tables.ts";

export type RunnerFiles = {
  /** What a runner is started with: flags of Node, then its program and where isolated-vm is. */
  argv: string[];
  /** What every runner is sent first: the prelude, the tables of the contract, the describer. */
  parts: string[];
};

/** Finds and reads the runner's files: beside this one in the package, in dist/ from the source. */
export function findRunnerFiles(): RunnerFiles {
  const dist = distFolder();
  const ivm = packageFolder(import.meta.url, "isolated-vm");
  const build = packageFolder(join(ivm, "package.json"), "node-gyp-build");
  const program = join(dist, "runner.cjs");
  const readable = [program, join(ivm, "*"), join(build, "*"), "/etc/alpine-release"];
  return {
    argv: [
      "--no-warnings",
      "--no-node-snapshot",
      "--permission",
      "--allow-addons",
      ...readable.map((path) => `--allow-fs-read=${path}`),
      program,
      ivm,
    ],
    parts: [readFileSync(join(dist, "guest.js"), "utf8"), guestTables(), readFileSync(join(dist, "describe.js"), "utf8")],
  };
}

function distFolder(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  for (const folder of [here, join(here, ".."), join(here, "../../dist")]) if (existsSync(join(folder, "runner.cjs"))) return realpathSync(folder);
  throw new Error("dist/runner.cjs is missing: build Mortise first");
}

function packageFolder(from: string, name: string): string {
  return realpathSync(dirname(createRequire(from).resolve(`${name}/package.json`)));
}
