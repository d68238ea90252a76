import type { Program } from "./program.ts";

/** Kinds of programs and subcommands that many tables have. */

export const looks: Program = { does: "reads", operands: "" };
export const asksNetwork: Program = { does: "network", operands: "" };
export const changes: Program = { does: "unknown", operands: "" };
/** What it runs the project says. */
export const runs: Program = { does: "runs", operands: "" };
/** Only the exact command is allowed by a person's `always`. */
export const exact: Program = { does: "unknown", exact: true };
/** A script of the project by its name: as its own command it is judged. */
export const scripts: Program = { does: "runs", operands: "", keeps: 3 };
/** Always asked about. */
export const forced = (why: string): Program => ({ does: "runs", special: (_call, found) => found.force(why) });

export function fixes(): Program {
  return {
    does: "unknown",
    options: "--write --fix --apply --unsafe --check --staged --changed --config-path:r --reporter: --verify-no-changes",
    operands: "r*",
  };
}
