import type { Node } from "../bash/ast.ts";
import type { Command } from "../command.ts";
import type { Environment } from "./expand.ts";

/** Where a script is read: what was found, and how it came to be run. */
export type Scene = {
  environment: Environment;
  /** Folders that are there before anything runs. */
  folders: ReadonlySet<string>;
  /** A folder where no name begins with a dash, and globs in it that may be options if one comes to. */
  globs: { folder: string | undefined; found: { command: Command; text: string }[] };
  commands: Command[];
  /** Whether the first so many commands only read, so that no folder has gone. */
  harmless: { commands: number; all: boolean };
  unresolved: { text: string; reason: string }[];
  /** Functions of the script, by name. */
  functions: Functions;
  /** Whether `cd` follows links before it goes up. */
  physical: { on: boolean };
  /** Variables whose values are evaluated as numbers. */
  integers: Set<string>;
  /** Wrappers, shells and substitutions around it. */
  via: readonly string[];
  /** How deep texts for a shell lie in texts, and wrappers in wrappers. */
  depth: number;
  /** On another machine: its files are not those here. */
  elsewhere: boolean;
  /** Characters of texts that may still be read. */
  budget: { left: number };
};

export type Functions = ReadonlyMap<string, readonly Node[]>;

export function force(scene: Scene, reason: string, text: string): void {
  const known = scene.unresolved.some((each) => each.reason === reason && each.text === text);
  if (!known && scene.unresolved.length < MAX_UNRESOLVED) scene.unresolved.push({ text: text.slice(0, 200), reason });
}

const MAX_UNRESOLVED = 32;

/** Whether nothing before has changed anything. */
export function isUntouched({ commands, harmless }: Scene): boolean {
  for (; harmless.all && harmless.commands < commands.length; harmless.commands++) {
    const { does, files } = commands[harmless.commands]!;
    harmless.all = does === "reads" && files.every(({ access, folder }) => access === "read" || folder === true);
  }
  return harmless.all;
}

export function inside(scene: Scene, via: string, more: Partial<Scene> = {}): Scene {
  return { ...scene, via: [...scene.via, via], ...more };
}
