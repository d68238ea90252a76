import type { Word } from "./word.ts";

/** What the server answers about one simple command. The host has a schema of the same shape. */
export type Command = {
  text: string;
  argv: Word[];
  assignments: { name: string; value: Word; harmless: boolean; steers: boolean }[];
  /** Folders it may run in; undefined where none is known. */
  cwd: readonly string[] | undefined;
  files: File[];
  urls: string[];
  code: Word[];
  passive: boolean;
  /** It may be no command at all. */
  guessed?: true;
  runner: boolean;
  does: "reads" | "writes" | "runs" | "network" | "unknown";
  /** Its words with those in between left out that do not say what it does. */
  subject: Word[] | undefined;
  /** How many words of `subject` a rule in general keeps. */
  keeps: number | undefined;
  /** The wrappers whose last words it is, the next first, and where in theirs its own begin. */
  within: { argv: Word[]; from: number }[];
  /** What leads to it: wrappers, shells, substitutions. */
  via: readonly string[];
};

export type File = {
  access: "read" | "write";
  text: string;
  /** Absolute, as the shell names them; undefined where none is known. */
  paths: string[] | undefined;
  /** What lies below may be meant. */
  below?: true;
  /** The program's name says that it writes. */
  own?: true;
  /** A folder that it works in. */
  folder?: true;
  /** A redirect opens it. */
  redirect?: true;
};

export type Answer = {
  commands: Command[];
  forcePrompt: boolean;
  unparseable: boolean;
  /** What could not be resolved, and why. */
  unresolved: { text: string; reason: string }[];
  reason?: string;
};
