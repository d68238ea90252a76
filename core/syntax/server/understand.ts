import { parseBash } from "./bash/parse.ts";
import type { Answer, Command } from "./command.ts";
import { differs, type Places, type SecondReading } from "./differs.ts";
import { settleGlobs } from "./meaning/bare-globs.ts";
import { functionsOf } from "./meaning/functions.ts";
import { commandOf } from "./meaning/run.ts";
import type { Scene } from "./meaning/scene.ts";
import type { State } from "./meaning/state.ts";
import { runScript } from "./meaning/walk.ts";
import { roughCommands } from "./rough.ts";

export type Place = {
  /** Absolute, as the shell names it; undefined where it is not known. */
  cwd: string | undefined;
  /** Variables that are known to be in the environment. */
  env: Readonly<Record<string, string>>;
  /** Folders that are known to be there. */
  folders?: readonly string[];
  /** Whether no name in `cwd` begins with a dash. */
  plainNames?: boolean;
};

/** Characters of texts for shells that are read in all. */
const MAX_TEXT = 400_000;

/** Everything that bash text would run. `second` is the grammar's reading of it; "late" where that took too long. */
export function understand(source: string, place: Place, second: (text: string) => SecondReading | "late"): Answer {
  const { commands, unresolved, doubt, places, escapes } = follow(source, place);
  const theirs = second(plain(source, escapes));
  const why = doubt ?? (theirs === "late" ? "it takes too long to parse" : differs(places, theirs, source));
  const all = why === undefined ? unresolved : [{ text: source.slice(0, 200), reason: why }, ...unresolved];
  const reason = all[0]?.reason;
  return {
    commands,
    forcePrompt: reason !== undefined,
    unparseable: why !== undefined,
    unresolved: all,
    ...(reason === undefined ? {} : { reason }),
  };
}

/** The text with letters in place of what the grammar takes for more than text. */
function plain(source: string, escapes: readonly number[]): string {
  if (escapes.length === 0) return source;
  let text = "";
  let from = 0;
  for (const at of escapes) {
    text += `${source.slice(from, at)}xx`;
    from = at + 2;
  }
  return text + source.slice(from);
}

export type Followed = {
  commands: Command[];
  unresolved: Answer["unresolved"];
  /** Why the text is not to be believed. */
  doubt: string | undefined;
  /** Where commands and comments begin. */
  places: Places;
  /** Where heredocs have an escaped `$` or backquote. */
  escapes: readonly number[];
};

/** The first reading alone. */
export function follow(source: string, { cwd, env, folders = [], plainNames = false }: Place): Followed {
  const { script, error, doubts, starts, comments, escapes } = parseBash(source);
  const state: State = {
    cwd: cwd === undefined ? undefined : [cwd],
    old: env.OLDPWD === undefined ? undefined : [env.OLDPWD],
    stack: [],
    vars: new Map(),
    environment: true,
    args: undefined,
  };
  const scene: Scene = {
    environment: env,
    folders: new Set(folders),
    globs: { folder: plainNames ? cwd : undefined, found: [] },
    commands: [],
    harmless: { commands: 0, all: true },
    unresolved: [],
    functions: functionsOf(script),
    physical: { on: false },
    integers: new Set(),
    via: [],
    depth: 0,
    elsewhere: false,
    budget: { left: MAX_TEXT },
  };
  runScript(script, state, scene);
  settleGlobs(scene, source);
  return {
    commands: error === undefined ? scene.commands : withRough(scene.commands, source, state, scene),
    unresolved: scene.unresolved,
    doubt: error ?? strange(source) ?? doubts[0],
    places: { starts, comments },
    escapes,
  };
}

/** Bash and others disagree on which of these are blanks, and a person does not see them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const STRANGE = /[\u0000-\u0008\u000b-\u001f\u007f\u0085\u1680\u2000-\u200a\u2028\u2029\u205f\u3000]/u;

function strange(source: string): string | undefined {
  const found = STRANGE.exec(source);
  if (found !== null) return `the character U+${found[0].codePointAt(0)!.toString(16).padStart(4, "0")}`;
  return source.isWellFormed() ? undefined : "half a character";
}

/** What stands behind an error is read roughly, for rules that deny. */
function withRough(commands: readonly Command[], source: string, state: State, scene: Scene): Command[] {
  const all = [...commands, ...roughCommands(source).map((argv) => commandOf(argv, [], state, scene))];
  const seen = new Map<string, Command>();
  for (const command of all) {
    const key = JSON.stringify([command.argv.map((word) => word.text), command.files, command.assignments]);
    if (!seen.has(key)) seen.set(key, command);
  }
  return [...seen.values()];
}
