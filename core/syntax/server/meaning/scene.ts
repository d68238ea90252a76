import type { Node } from "../bash/ast.ts";
import type { Command } from "../command.ts";
import type { Environment } from "./expand.ts";

/** Where a script is read: what was found, and how it came to be run. */
export type Scene = {
  environment: Environment;
  commands: Command[];
  unresolved: { text: string; reason: string }[];
  /** Functions of the script, by name. */
  functions: Map<string, Node>;
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

export function force(scene: Scene, reason: string, text: string): void {
  const known = scene.unresolved.some((each) => each.reason === reason && each.text === text);
  if (!known && scene.unresolved.length < MAX_UNRESOLVED) scene.unresolved.push({ text: text.slice(0, 200), reason });
}

const MAX_UNRESOLVED = 32;

export function inside(scene: Scene, via: string, more: Partial<Scene> = {}): Scene {
  return { ...scene, via: [...scene.via, via], ...more };
}
