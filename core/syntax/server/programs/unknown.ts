import { baseName, type Word } from "../word.ts";
import type { Findings } from "./program.ts";
import { unlistedOptions } from "./unlisted.ts";

/** Names that are words too. */
const ORDINARY = new Set(
  "at batch build cal check clear code command date echo env expr file find help history info install join last link local log look make more open play print read reset run script seq service set show sort split start stat stop strings tail test time top touch tree trap true type users view wait watch which who yes".split(
    " ",
  ),
);
/** Guesses about one command. */
const MAX_GUESSES = 2;

/**
 * A program that no entry tells of may be a wrapper. What stands behind `--` or `exec` and begins with a program's name is taken for what it runs;
 * elsewhere such words are a guess, for rules that deny.
 */
export function openUnknown(words: readonly Word[], isProgram: (name: string) => boolean, found: Findings): void {
  unlistedOptions(words, () => false, "unknown", found);
  const named = (word: Word | undefined) => word?.static === true && isProgram(baseName(word.text)) && !ORDINARY.has(word.text);
  const dashes = words.findIndex((word) => word.text === "--");
  const from = dashes === -1 ? (words[0]?.text === "exec" ? 0 : -1) : dashes;
  if (from !== -1 && named(words[from + 1])) {
    found.command(words.slice(from + 1));
    return;
  }
  let guesses = 0;
  for (const [at, word] of words.entries()) {
    if (guesses === MAX_GUESSES) return;
    if (named(word)) found.guess(words.slice(at));
    else if (word.static && /^\w[\w./-]* ./.test(word.text) && named({ ...word, text: word.text.slice(0, word.text.indexOf(" ")) }))
      found.guess(word.text.split(/\s+/).map((text) => ({ text, static: true, source: text })));
    else continue;
    guesses++;
  }
}
