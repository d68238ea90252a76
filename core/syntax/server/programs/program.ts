import type { Word } from "../word.ts";
import type { Call } from "./call.ts";

/**
 * What is known of a program. Its options are one text, names of one option joined by commas:
 * `-abc` letters that stand alone, `-o:` a value, `-i?` a value only where it is glued, `--long`, `--long:`, `--long?`;
 * behind that the role of the value, or `@` and the role of the option itself.
 * Its operands are roles too: `r* W` reads all but the last, which it writes; `?` may be missing; `command` and `text` take the rest.
 *
 * Roles: `r` reads a file, `w` writes one, `W` writes one as the program's name says, `d` names a folder to work in, `D` one that its files are about, `x` is text for a shell,
 * `p` a command in one text, `c` code, `a` always asked about, `u` an address, `n` runs nothing, `_` nothing.
 */
export type Program = {
  /** What it does besides what its options and operands say. */
  does: Does;
  options?: string;
  operands?: string;
  /** Options end where the first operand stands. */
  stops?: true;
  /** `NAME=value` before the command sets its environment. */
  assigns?: true;
  /** Long options have one dash or two. */
  single?: true;
  /** `-5` is an option. */
  numbered?: true;
  /** The first operand may be letters of options, as in `tar xf`. */
  bundled?: true;
  subcommands?: Readonly<Record<string, Program>>;
  /** Other names of subcommands. */
  aliases?: Readonly<Record<string, string>>;
  /** Its options may stand behind its subcommand as well. */
  everywhere?: true;
  /** How many words a rule keeps that a person's `always` makes of it; 1 unless said, 2 with subcommands. */
  keeps?: number;
  /** Only the exact command is kept: it does harm with the wrong arguments. */
  exact?: true;
  /** It does nothing of its own that needs a permission. */
  transparent?: true;
  /** It needs no permission at all. */
  free?: true;
  /** It runs what it is given: it is nothing to be allowed in general. */
  runner?: true;
  special?: (call: Call, found: Findings) => void;
};

export type Does = "reads" | "writes" | "runs" | "network" | "unknown";

/** Where what a program does goes. */
export type Findings = {
  /** A command it runs. `folder` is where, if not where the shell is. */
  command(words: readonly Word[], more?: Inner): void;
  /** Words that may be a command it runs: only rules that deny or ask look at them, and what they match is asked about. */
  guess(words: readonly Word[]): void;
  /** Text for a shell: read, and asked about. `args` are its `$1` and so on. */
  text(text: Word, why: string, more?: { args?: readonly Word[]; here?: true }): void;
  /** Code for another interpreter. */
  code(code: Word): void;
  /** `own` where the program's name says that it writes. */
  file(access: "read" | "write", path: Word, own?: boolean): void;
  folder(folder: Word): void;
  /** A folder that all files behind it are about. */
  enter(folder: Word): void;
  url(url: Word): void;
  /** A word that may be an option, and so may name a file to write. */
  unclear(word: Word): void;
  /** Not everything it would do is known, or it changes what others do. */
  force(why: string): void;
  does(does: Does): void;
};

/** How a program runs a command. */
export type Inner = {
  assignments?: { name: string; value: Word }[];
  /** Where, if not where the shell is. */
  folder?: Word;
  /** In a folder that is not known. */
  astray?: true;
  /** On another machine, or in a container: its files are not those here. */
  elsewhere?: true;
  passive?: true;
  /** What it reads from its input. */
  input?: Word | undefined;
};

export function reads(options?: string, operands = "r*", more: Omit<Program, "does"> = {}): Program {
  return { does: "reads", operands, ...(options === undefined ? {} : { options }), ...more };
}
