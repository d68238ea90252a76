import type { Word } from "./command.ts";
import { awkActs, awks, interpreters, sedPlain } from "./programs.ts";

/** The inline code that an interpreter of another language is given. */
export function codeOf(name: string, words: readonly Word[], input: Word | undefined, force: (why: string) => void): Word[] {
  if (awks.has(name)) return awkProgram(words);
  if (name === "sed" || name === "gsed") return sedScripts(words).filter((script) => !script.static || !isPlainSed(script.text));
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

function sedScripts(words: readonly Word[]): Word[] {
  const scripts: Word[] = [];
  for (let at = 0; at < words.length; at++) {
    const { text } = words[at]!;
    if (/^-[a-zA-Z]*e$|^--expression$/.test(text)) scripts.push(words[++at] ?? words[at - 1]!);
    else if (/^-[a-zA-Z]*e.|^--expression=/.test(text)) scripts.push({ ...words[at]!, text: text.replace(/^-[a-zA-Z]*?e|^--expression=/, "") });
  }
  const operand = words.find((word) => !/^-./.test(word.text));
  return scripts.length > 0 || operand === undefined ? scripts : [operand];
}

/** Commands may follow each other behind `;` where that is no part of one. */
function isPlainSed(script: string): boolean {
  const parts = script.split(/[;\n]/);
  if (parts.length > MAX_SED_PARTS) return false;
  for (let at = 0; at < parts.length; ) {
    const end = parts.findIndex((_part, to) => to >= at && sedPlain.test(parts.slice(at, to + 1).join(";")));
    if (end === -1) return parts.slice(at).every((part) => part.trim() === "");
    at = end + 1;
  }
  return true;
}

const MAX_SED_PARTS = 40;
