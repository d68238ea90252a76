import type { ParsedWord } from "../syntax/syntax.ts";

/** Variables that change how much a program says, not what it runs. Any other in front of a command needs a permission of its own. */
const harmless = new Set([
  "CARGO_TERM_COLOR",
  "CI",
  "CLICOLOR",
  "CLICOLOR_FORCE",
  "COLUMNS",
  "DEBIAN_FRONTEND",
  "DEBUG",
  "FORCE_COLOR",
  "GIT_TERMINAL_PROMPT",
  "LANG",
  "LC_ALL",
  "LC_COLLATE",
  "LC_CTYPE",
  "LINES",
  "LOG_LEVEL",
  "NODE_ENV",
  "NO_COLOR",
  "PYTHONDONTWRITEBYTECODE",
  "PYTHONUNBUFFERED",
  "RUST_BACKTRACE",
  "RUST_LOG",
  "TZ",
  "VERBOSE",
]);

/**
 * Whether an assignment needs no permission. Alone, a name in small letters stays in the shell: programs do not see it,
 * but for the few that are in the environment already.
 */
export function isHarmless(name: string, value: ParsedWord, alone: boolean): boolean {
  if (harmless.has(name)) return value.static;
  // In front of a command, as in `IFS= read`, it splits what that command reads.
  if (name === "IFS" && !alone) return value.static;
  return alone && /^[a-z_][a-z0-9_]*$/.test(name) && !/^npm_|proxy$/.test(name);
}
