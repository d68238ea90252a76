import type { Part } from "../bash/ast.ts";
import type { Value } from "./state.ts";

/** A character without quotes, text in quotes, or what an expansion makes. */
export type Atom = { char: string; quoted?: undefined; value?: undefined } | { char?: undefined; quoted: string; value?: undefined } | Expanded;
export type Expanded = { char?: undefined; quoted?: undefined; value: Value; split: boolean };

/** A word as atoms. `makes` tells what an expansion makes. */
export function atomsOf(parts: readonly Part[], makes: (part: Part) => Value): Atom[] {
  const atoms: Atom[] = [];
  for (const part of parts) {
    if (part.kind !== "text") atoms.push({ value: makes(part), split: !("quoted" in part && part.quoted) });
    else if (part.quoted) atoms.push({ quoted: part.text });
    else for (const char of part.text) atoms.push({ char });
  }
  return atoms;
}
