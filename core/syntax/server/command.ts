/** What the server answers about one simple command. The host has a schema of the same shape. */
export type Command = {
  text: string;
  argv: Word[];
  assignments: { name: string; value: Word }[];
  redirects: { access: "read" | "write"; target: Word }[];
  code: Word[];
  passive: boolean;
  runner: boolean;
};

/** A word after quote removal; `source` is as written. Where bash decides what it is only when it runs, it is not static. */
export type Word = { text: string; static: boolean; tilde?: true; source: string };

export type Answer = { commands: Command[]; forcePrompt: boolean; unparseable: boolean; reason?: string };

export function commandOf(argv: Word[], rest: Partial<Omit<Command, "argv" | "text">> = {}): Command {
  return { text: argv.map((word) => word.source).join(" "), argv, assignments: [], redirects: [], code: [], passive: false, runner: false, ...rest };
}

export function literal(text: string): Word {
  return { text, static: true, source: text };
}

/** The name a program is known by, wherever it lies. */
export function baseName(word: Word): string {
  return word.text.slice(word.text.lastIndexOf("/") + 1);
}
