import type { Command } from "commander";
import { quoteWithClose } from "../close-names.ts";
import type { Cli } from "./cli.ts";

/** Runs a command and keeps its exit code. */
export type Run = (command: (cli: Cli) => Promise<number>) => Promise<void>;

/** Ends a command's help with command lines that are worth trying, each with what it shows. */
export function withExamples(command: Command, examples: readonly (readonly [line: string, says: string])[]): Command {
  const lines = examples.map(([line, says]) => `${`  $ mortise ${line}`.trimEnd()}\n      ${says}`);
  return command.addHelpText("after", `\nExamples:\n${lines.join("\n")}`);
}

/** Words after a command that has commands of its own are none of them. Throws commander's error, with close names. */
export function refuseWords(command: Command, words: readonly string[]): void {
  const [word] = words;
  if (word === undefined) return;
  const names = command.commands.map((each) => each.name());
  command.error(`error: unknown command ${quoteWithClose(word, names)} (${names.join(", ")})`);
}
