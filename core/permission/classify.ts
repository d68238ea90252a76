import type { ParsedCommand, Syntax } from "../syntax/syntax.ts";

export type Classified = {
  /** Each simple command that would run: what it does itself at worst. What wrappers, shells and substitutions run are commands of their own. */
  commands: {
    text: string;
    does: ParsedCommand["does"] /** Files that it would write, as they are named. */;
    writes: string[];
    via: readonly string[];
  }[];
  /** All of it only reads, and nothing of it is unresolved. */
  readsOnly: boolean;
  /** What could not be resolved, and why. */
  unresolved: readonly { text: string; reason: string }[];
};

/** What the commands of bash text do, by the table of programs. It says nothing of which files may be read. */
export async function classify(command: string, cwd: string, syntax: Pick<Syntax, "understand">): Promise<Classified> {
  const { commands: all, forcePrompt, unresolved } = await syntax.understand(command, cwd);
  const commands = all.filter(({ guessed }) => !guessed);
  const each = commands.map((one) => ({ text: one.text, does: one.does, writes: writesOf(one), via: one.via }));
  const plain = commands.every(({ assignments }) => assignments.every(({ harmless, steers }) => harmless || !steers));
  const readsOnly = !forcePrompt && plain && commands.length > 0 && each.every(({ does, writes }) => does === "reads" && writes.length === 0);
  return { commands: each, readsOnly, unresolved };
}

function writesOf({ files }: ParsedCommand): string[] {
  return files.filter(({ access, folder }) => access === "write" && folder !== true).map(({ text }) => text);
}
