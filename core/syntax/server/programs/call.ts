import { leadOf, onlyValue, type Word, wordFrom } from "../word.ts";
import { longOption, type Option, type OptionTable, optionTable } from "./option-spec.ts";
import type { Program } from "./program.ts";

/** The words of a program, taken apart as its entry says. */
export type Call = {
  program: Program;
  /** The program's name and its subcommands. */
  path: readonly string[];
  /** All words behind the name. */
  words: readonly Word[];
  options: { option: Option; value: Word | undefined; word: Word }[];
  operands: Word[];
  assignments: { name: string; value: Word }[];
  /** The words that follow where the options have ended, from the first that is no operand of its own. */
  rest: Word[];
  /** Some option is not in the entry. */
  unlisted: string[];
  /** Words that may be options, known only when it runs. */
  unclear: Word[];
  /** What it reads from its input, where that is known. */
  input: Word | undefined;
};

export function takesApart(
  program: Program,
  path: readonly string[],
  words: readonly Word[],
  input: Word | undefined,
  options = program.options ?? "",
): Call {
  const call: Call = { program, path, words, options: [], operands: [], assignments: [], rest: [], unlisted: [], unclear: [], input };
  const table = optionTable(options);
  const own = program.stops ? ownOperands(program) : Number.POSITIVE_INFINITY;
  let at = 0;
  let ended = false;
  while (at < words.length) {
    const word = words[at]!;
    const lead = leadOf(word);
    const known = onlyValue(word);
    if (!ended && known === "--") {
      ended = true;
      at++;
    } else if (!ended && /^-./s.test(lead)) at += takeOption(call, table, lead, word, words[at + 1]);
    else if (!ended && program.bundled && at === 0 && /^[A-Za-z]+$/.test(lead)) at += takeBundle(call, table, lead, words);
    else if (program.assigns && call.operands.length === 0 && /^[A-Za-z_]\w*=/.test(word.text)) {
      const name = word.text.slice(0, word.text.indexOf("="));
      call.assignments.push({ name, value: wordFrom(word, name.length + 1) });
      ended = true;
      at++;
    } else {
      if (!ended && known === undefined && lead === "") call.unclear.push(word);
      if (call.operands.length >= own) break;
      call.operands.push(word);
      if (program.stops && own !== Number.POSITIVE_INFINITY && call.operands.length >= own) ended = true;
      at++;
    }
  }
  call.rest = words.slice(at);
  return call;
}

/** How many operands stand before the command of a wrapper. */
function ownOperands(program: Program): number {
  return (program.operands ?? "").split(" ").filter((token) => token !== "" && token !== "command" && token !== "text").length;
}

/** How many words it takes. */
function takeOption(call: Call, table: OptionTable, lead: string, word: Word, next: Word | undefined): number {
  const { program } = call;
  const isLetter = lead.length === 2 && table.short.has(lead[1]!);
  if (lead.startsWith("--") || (program.single && !isLetter)) {
    const text = program.single && !lead.startsWith("--") ? `-${lead}` : lead;
    const cut = text.indexOf("=");
    const name = cut === -1 ? text : text.slice(0, cut);
    const option = longOption(table, name);
    if (option === undefined) {
      if (program.single && text !== lead) return takeShort(call, table, lead, word, next);
      call.unlisted.push(name);
      return 1;
    }
    const from = cut === -1 ? -1 : cut - (text.length - lead.length) + 1;
    return took(call, option, from === -1 ? undefined : wordFrom(word, from), word, next);
  }
  if (program.numbered && /^-\d+$/.test(lead)) return 1;
  return takeShort(call, table, lead, word, next);
}

function takeShort(call: Call, table: OptionTable, lead: string, word: Word, next: Word | undefined): number {
  for (let at = 1; at < lead.length; at++) {
    const option = table.short.get(lead[at]!);
    if (option === undefined) {
      call.unlisted.push(`-${lead[at]}`);
      return 1;
    }
    if (option.takes === "nothing") took(call, option, undefined, word, undefined);
    else return took(call, option, at + 1 < lead.length || !isWhole(word, lead) ? wordFrom(word, at + 1) : undefined, word, next);
  }
  return 1;
}

function isWhole(word: Word, lead: string): boolean {
  return onlyValue(word) === lead;
}

function took(call: Call, option: Option, glued: Word | undefined, word: Word, next: Word | undefined): number {
  if (option.takes !== "value" || glued !== undefined) {
    call.options.push({ option, value: glued, word });
    return 1;
  }
  // A value that may come apart into several words moves all that follow.
  if (next?.many) call.unclear.push(next);
  call.options.push({ option, value: next, word });
  return 2;
}

/** `tar xzf a.tar`: each letter with a value takes the next word in turn. */
function takeBundle(call: Call, table: OptionTable, letters: string, words: readonly Word[]): number {
  let at = 1;
  for (const letter of letters) {
    const option = table.short.get(letter);
    if (option === undefined) call.unlisted.push(`-${letter}`);
    else call.options.push({ option, value: option.takes === "value" ? words[at++] : undefined, word: words[0]! });
  }
  return at;
}

/** Whether a file is what the program reads from its input. */
export function isInputFile(word: Word): boolean {
  return /^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/.test(onlyValue(word) ?? "");
}

/** Whether a file is a descriptor that something else was opened as. */
export function isDescriptor(word: Word): boolean {
  return /^\/(?:dev|proc\/(?:self|\d+))\/fd\//.test(leadOf(word));
}
