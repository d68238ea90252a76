import type { Command } from "../command.ts";
import type { Word } from "../word.ts";
import type { Scene } from "./scene.ts";

/** Whether a word finds names in a folder where none begins with a dash: then it makes no option, if none comes to be. */
export function isBareGlob({ static: known, source }: Word, folders: readonly string[] | undefined, { globs }: Scene): boolean {
  return !known && globs.folder !== undefined && folders?.length === 1 && folders[0] === globs.folder && BARE.test(source);
}

const BARE = /^[*?][\w.*?-]*$/;

/** What a word may make a program do is not known. */
export function unclear(command: Command, text: string): void {
  if (command.does !== "runs") command.does = "writes";
  command.files.push({ access: "write", text, paths: undefined });
}

/** Globs count for options after all where something before them, or at the same time, could make a file whose name is one. */
export function settleGlobs({ commands, globs: { found } }: Scene, source: string): void {
  if (found.length === 0) return;
  // What is written later may run earlier, or again.
  const straight = !NOT_STRAIGHT.test(source);
  const maker = commands.findIndex(makesFiles);
  for (const { command, text } of found) {
    if (maker !== -1 && (!straight || maker < commands.indexOf(command))) unclear(command, text);
  }
}

const NOT_STRAIGHT = /\b(?:for|while|until|select|function|coproc|trap|eval)\b|\(\s*\)|(?<!\|)\|(?!\|)|(?<![&>])&(?![&>])|[<>]\(/;

function makesFiles({ does, files }: Command): boolean {
  return does !== "reads" || files.some(({ access, folder }) => access === "write" && folder !== true);
}
