import type { Atom } from "./atoms.ts";

/** More words than these are not made. */
const MAX_WORDS = 64;

/** The words that bash makes of braces: `a{b,c}` and `{1..3}`. Undefined where they are too many. */
export function expandBraces(atoms: readonly Atom[]): Atom[][] | undefined {
  const open = atoms.findIndex((atom) => atom.char === "{");
  if (open === -1) return [[...atoms]];
  for (let at = open; at !== -1; at = next(atoms, at + 1)) {
    const found = bracesAt(atoms, at);
    if (found === undefined) continue;
    const { choices, end } = found;
    const tails = expandBraces(atoms.slice(end + 1));
    if (tails === undefined) return undefined;
    const words: Atom[][] = [];
    for (const choice of choices) {
      const middles = expandBraces(choice);
      if (middles === undefined || words.length + middles.length * tails.length > MAX_WORDS) return undefined;
      for (const middle of middles) for (const tail of tails) words.push([...atoms.slice(0, at), ...middle, ...tail]);
    }
    return words;
  }
  return [[...atoms]];
}

function next(atoms: readonly Atom[], from: number): number {
  return atoms.findIndex((atom, at) => at >= from && atom.char === "{");
}

type Braces = { choices: Atom[][]; end: number };

function bracesAt(atoms: readonly Atom[], start: number): Braces | undefined {
  const choices: Atom[][] = [[]];
  let depth = 0;
  for (let at = start + 1; at < atoms.length; at++) {
    const atom = atoms[at]!;
    if (atom.char === "{") depth++;
    if (atom.char === "}" && depth-- === 0) {
      if (choices.length > 1) return { choices, end: at };
      const range = rangeOf(choices[0]!);
      return range === undefined ? undefined : { choices: range, end: at };
    }
    if (atom.char === "," && depth === 0) choices.push([]);
    else choices.at(-1)!.push(atom);
  }
  return undefined;
}

/** `1..5`, `a..e`, `1..9..2` */
function rangeOf(atoms: readonly Atom[]): Atom[][] | undefined {
  const text = atoms.map((atom) => atom.char ?? "\0").join("");
  const found = /^(?:(-?\d{1,9})\.\.(-?\d{1,9})|([A-Za-z])\.\.([A-Za-z]))(?:\.\.(-?\d{1,9}))?$/.exec(text);
  if (found === null) return undefined;
  const [, first, last, from, to, step] = found;
  const letters = from !== undefined && to !== undefined;
  const start = letters ? from.charCodeAt(0) : Number(first);
  const end = letters ? to.charCodeAt(0) : Number(last);
  const by = Math.abs(Number(step ?? 1)) || 1;
  const width = !letters && /^-?0\d/.test(first!) ? first!.length : !letters && /^-?0\d/.test(last!) ? last!.length : 0;
  const made: Atom[][] = [];
  for (let at = start; start <= end ? at <= end : at >= end; at += start <= end ? by : -by) {
    if (made.length > MAX_WORDS) return made;
    const word = letters ? String.fromCharCode(at) : at < 0 ? `-${String(-at).padStart(width - 1, "0")}` : String(at).padStart(width, "0");
    made.push([...word].map((char) => ({ char })));
  }
  return made;
}
