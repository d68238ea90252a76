import { type Command, InvalidArgumentError } from "commander";

/** Options of every command that starts a host. */
export type HostedOptions = { plugin?: string[]; grant: boolean; plugins: boolean; cwd?: string; json?: true };

/** Adds those options. */
export function hosted(command: Command, { json = "print JSON" } = {}): Command {
  return command
    .option("--plugin <file>", "load this plugin too, with what it asks for (repeatable)", (file: string, files: readonly string[] = []) => {
      if (file === "") throw new InvalidArgumentError("It is the path of a file or folder.");
      return [...files, file];
    })
    .option("--no-grant", "do not grant the --plugin files what they ask for")
    .option("--no-plugins", "load no plugins but the built-in ones and the --plugin files")
    .option("--cwd <folder>", "the project's folder, where tools run")
    .option("--json", json);
}
