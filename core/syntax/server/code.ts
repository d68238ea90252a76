import type { Word } from "./command.ts";
import { awkActs, awks, interpreters } from "./programs.ts";

/** The inline code that an interpreter of another language is given. */
export function codeOf(name: string, words: readonly Word[], input: Word | undefined, force: (why: string) => void): Word[] {
  if (awks.has(name)) return awkProgram(words);
  const interpreter = interpreters.find((known) => known.name.test(name));
  if (interpreter === undefined) return [];
  const codes: Word[] = [];
  let operand = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (interpreter.code.test(word.text)) {
      codes.push(glued(word) ?? words[at + 1] ?? word);
      return codes;
    }
    const option = /^-./.test(word.text);
    if (option || word.text === "-") continue;
    operand = true;
    // An operand right after an option may be that option's value.
    if (!/^-./.test(words[at - 1]?.text ?? "")) break;
    if (/^-m$/.test(words[at - 1]!.text)) break;
  }
  if (operand || !interpreter.stdin || words.some((word) => word.static && /^(?:-[vVh]|--version|--help)$/.test(word.text))) return codes;
  if (input === undefined) force(`${name} reads what it runs from its input`);
  else codes.push(input);
  return codes;
}

export function isInterpreter(name: string): boolean {
  return awks.has(name) || interpreters.some((known) => known.name.test(name));
}

/** `-c'code'` and `--eval=code`. */
function glued(word: Word): Word | undefined {
  const match = /^--[\w-]+=(.*)$/s.exec(word.text) ?? /^-[a-zA-Z0-9]*?[ceErRBp](.+)$/s.exec(word.text);
  return match === null || /^-[a-zA-Z]{1,3}$/.test(word.text) ? undefined : { ...word, text: match[1]! };
}

/** The program of awk, where it may write, run or read something else. */
function awkProgram(words: readonly Word[]): Word[] {
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (/^(?:-f|--file)/.test(word.text)) return [];
    if (/^-[Fv]$/.test(word.text)) at++;
    else if (!/^-./.test(word.text) || !word.static) return word.static && !awkActs.test(word.text) ? [] : [word];
    else if (/^(?:-e|--source|-i|--include|-l|--load)/.test(word.text)) return [word];
  }
  return [];
}
