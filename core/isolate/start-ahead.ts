import { runnerArgv } from "./runner-argv.ts";
import { startRunnerChildAhead } from "./runner-child.ts";

/** Starts the first runner's process while the host is still being loaded, which takes as long as that start. */
export function startAhead(): void {
  startRunnerChildAhead(process.execPath, runnerArgv());
}
