import { readFileSync } from "node:fs";
import { join } from "node:path";
import { distFolder, runnerArgv } from "./runner-argv.ts";
import { guestTables } from "./tables.ts";

export type RunnerFiles = {
  argv: readonly string[];
  /** What every runner is sent first: the prelude, the tables of the contract, the describer. */
  parts: readonly string[];
};

/** Finds and reads the runner's files. */
export function findRunnerFiles(): RunnerFiles {
  const dist = distFolder();
  return {
    argv: runnerArgv(),
    parts: [readFileSync(join(dist, "guest.js"), "utf8"), guestTables(), readFileSync(join(dist, "describe.js"), "utf8")],
  };
}
