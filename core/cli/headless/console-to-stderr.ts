import { Console } from "node:console";

/** From here on nothing that a library prints gets between the lines of an answer. */
export function consoleToStandardError(): void {
  globalThis.console = new Console({ stdout: process.stderr, stderr: process.stderr });
}
