import { leadOf, literal, onlyValue, type Word, wordFrom } from "../word.ts";
import type { Call } from "./call.ts";
import { isHarmless, isOverridden, openSetting } from "./git-settings.ts";
import type { Findings, Program } from "./program.ts";

/** It lists where only options that say what to list are given, and changes something else. */
export function listing(lists: RegExp, words: boolean): Program {
  return {
    does: "reads",
    special: ({ words: given }, found) => {
      const named = given.some((word) => /^-(?:-list|l)$|^--(?:contains|merged|no-merged|points-at|sort|format)/.test(word.text));
      const reads = given.every(
        (word) => lists.test(leadOf(word)) || ((named || words) && !word.text.startsWith("-") && !/^(?:expire|delete|drop)$/.test(word.text)),
      );
      if (!reads) found.does("writes");
    },
  };
}

/** An address may name a program of its own. */
export function addresses({ operands }: Call, found: Findings): void {
  for (const word of operands) checkAddress(word, found);
}

export function checkAddress(word: Word, found: Findings): void {
  const lead = leadOf(word);
  const runs = /^ext::(.*)$/s.exec(lead);
  if (runs !== null) found.text(wordFrom(word, 5), "a program that git talks to");
  else if (/^\w+::/.test(lead) || /^-/.test(lead)) found.force("a program that git talks to");
}

/** The new folder is the last operand, or has the name of what is cloned. */
export function clone({ operands: [address, folder], options }: Call, found: Findings): void {
  for (const { option, value } of options) if (option.name === "--config" && value !== undefined) openSetting(value, found);
  if (address === undefined) return;
  checkAddress(address, found);
  const known = onlyValue(address);
  const name = known
    ?.replace(/[/\\]+$/, "")
    .replace(/\.git$/, "")
    .split(/[/:]/)
    .at(-1);
  if (folder !== undefined) found.file("write", folder, true);
  else if (name !== undefined && name !== "") found.file("write", literal(name), true);
}

/** `git config` reads a value; where it may set one it is asked about. */
export function config({ words }: Call, found: Findings): void {
  const texts = words.map((word) => onlyValue(word) ?? "\0");
  if (readsSetting(texts)) return;
  found.force(texts.some((text) => /^(?:-e|--edit|edit)$/.test(text)) ? "the editor that git runs" : "what git config sets");
  const key = texts.findIndex((text) => /^[a-zA-Z][\w-]*\./.test(text));
  // It may lead git to hooks and programs, as the file itself does.
  if (key === -1 || !isHarmless(texts[key]!)) found.file("write", literal(".git/config"));
  const value = words[key + 1];
  if (key === -1 || value === undefined || !isOverridden(texts[key]!)) return;
  const { values, ...rest } = value;
  const start = `${texts[key]}=`;
  openSetting({ ...rest, text: start + value.text, ...(values === undefined ? {} : { values: values.map((each) => start + each) }) }, found);
}

export function readsSetting(texts: readonly string[]): boolean {
  if (texts.some((text) => /^(?:-e|--edit|edit|--(?:add|unset|unset-all|replace-all|rename-section|remove-section))$/.test(text))) return false;
  if (texts.some((text) => /^(?:--get|--get-all|--get-regexp|--get-urlmatch|--get-color|--get-colorbool|-l|--list)$/.test(text))) return true;
  const file = texts.findIndex((text) => /^(?:-f|--file)$/.test(text));
  const operands = texts.filter((text, at) => !text.startsWith("-") && !(file !== -1 && at === file + 1));
  return /^(?:get|list)$/.test(operands[0] ?? "") || (operands.length === 1 && !/^(?:set|unset|rename-section|remove-section)$/.test(operands[0]!));
}
