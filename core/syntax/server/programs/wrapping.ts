import { literal, onlyValue, type Word } from "../word.ts";
import { joined } from "./builtins.ts";
import type { Call } from "./call.ts";
import type { Findings, Inner, Program } from "./program.ts";

/** A wrapper that does nothing of its own. */
export const wraps = (options: string, more: Partial<Program> = {}): Program => ({
  does: "reads",
  options,
  stops: true,
  operands: "command",
  transparent: true,
  runner: true,
  ...more,
});

/** A wrapper that does something of its own, so its name alone is asked about too. */
export const acts = (options: string, more: Partial<Program> = {}): Program => {
  const { transparent: _transparent, ...rest } = wraps(options, { does: "runs", ...more });
  return rest;
};

/** Words that only the program knows, in place of `placeholder`, or behind the others. */
export function filled(words: readonly Word[], placeholder: string | undefined, hole: Word): Word[] {
  if (placeholder === undefined || placeholder === "") return [...words, hole];
  return words.map((word) => {
    if (!word.text.includes(placeholder)) return word;
    const { values: _values, ...rest } = word;
    const at = word.text.indexOf(placeholder);
    return word.text === placeholder ? { ...hole, text: word.text, source: word.source } : { ...rest, static: false, lead: word.text.slice(0, at) };
  });
}

export const SAFE_TEXT = /^[\w./:=,@%+ ~-]+$/;

/** Words that a shell is given as one text. Where no word can mean more to a shell they are the command itself. */
export function runOrText(words: readonly Word[], shell: boolean, name: string, found: Findings, more: Inner = {}): void {
  if (words.length === 0) return;
  const text = onlyValue(joined(words));
  if (!shell) found.command(words, more);
  else if (text !== undefined && SAFE_TEXT.test(text) && !/^\s*\w+=/.test(text)) found.command(wordsOf(text), more);
  else found.text(joined(words), `text for ${name}`);
}

export function wordsOf(text: string): Word[] {
  return text
    .split(" ")
    .filter((word) => word !== "")
    .map((word) => literal(word));
}

/** Its own options are not known: the first word that is none may be the command. */
export function opaque({ path, words }: Call, found: Findings): void {
  found.force(`what ${path.at(-1)} runs`);
  const dashes = words.findIndex((word) => word.text === "--");
  const from = dashes === -1 ? words.findIndex((word) => /^[a-z./]/.test(word.text)) : dashes + 1;
  if (from === -1) return;
  for (let at = from; at < words.length; at++) if (at === from || /^\//.test(words[at - 1]!.text)) found.command(words.slice(at), { passive: true });
}

export function busybox({ rest }: Call, found: Findings): void {
  if (rest.length > 0) found.command(rest);
}

export function away(count: number): Program["special"] {
  return ({ rest, operands }, found) => {
    const words = onlyValue(rest[0]) === "--" ? rest.slice(1) : rest;
    if (operands.length >= count && words.length > 0) found.command(words, { elsewhere: true });
  };
}

export function afterOperand({ rest }: Call, found: Findings): void {
  const [first, ...others] = rest;
  const words = onlyValue(first) === "--" ? others : rest;
  if (words.length > 0) found.command(words);
}

/** The command stands behind `--`. */
export function afterDashes({ words, path }: Call, found: Findings): void {
  const dashes = words.findIndex((word) => word.text === "--");
  if (dashes !== -1 && words.length > dashes + 1) found.command(words.slice(dashes + 1));
  else if (words.length > 0) {
    found.force(`what ${path.join(" ")} runs`);
    found.command(words, { passive: true });
  }
}

export function inFolder({ rest, operands }: Call, found: Findings): void {
  const [folder] = operands;
  if (folder !== undefined) found.folder(folder);
  if (rest.length > 0) found.command(rest);
}

export function withAssignments({ rest, assignments }: Call, found: Findings): void {
  if (rest.length > 0) found.command(rest, { assignments });
}
