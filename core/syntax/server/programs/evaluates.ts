import { valuesOf, type Word } from "../word.ts";
import { steers } from "./environment.ts";

/** Whether a builtin is given a name or number in which bash would run something: subscripts are evaluated. */
export function evaluates(name: string, words: readonly Word[]): boolean {
  switch (name) {
    case "test":
    case "[":
      return words.some((word, at) => /^-[vR]$/.test(words[at - 1]?.text ?? "") && !isPlainName(word));
    case "printf":
      return (
        words[0]?.text.startsWith("-v") === true && !isOwnName(words[0].text === "-v" ? words[1] : { ...words[0], text: words[0].text.slice(2) })
      );
    case "unset":
      return words.some((word) => !word.static || hidesCode(word.text));
    case "declare":
    case "export":
    case "local":
    case "readonly":
    case "typeset": {
      const counts = words.some((word) => /^-[a-zA-Z]*i/.test(word.text));
      return words.some((word) => hidesCode(word.text.split("=", 1)[0]!) || (counts && /=(?!-?\d+$)/.test(word.text)));
    }
    default:
      // Prompts and the like are arguments too, so letters alone say nothing.
      return words.some(
        (word, at) =>
          (valuesOf(word) ?? [word.text]).some((text) => /\[.*[$`]/s.test(text) || steers(text)) ||
          (name === "read" &&
            valuesOf(word) === undefined &&
            !/^-[a-zA-Z]*[pdnNtuia]$/.test(words[at - 1]?.text ?? "") &&
            !word.text.startsWith("-")),
      );
  }
}

/** A variable, or an element by number. */
export function isPlainName(word: Word | undefined): boolean {
  return word === undefined || (word.static && /^[A-Za-z_]\w*(?:\[(?:\d+|[@*])\])?$/.test(word.text));
}

/** A plain name that no program looks at. */
function isOwnName(word: Word | undefined): boolean {
  return isPlainName(word) && !steers(word?.text ?? "");
}

function hidesCode(text: string): boolean {
  return /\[.*[$`A-Za-z]/s.test(text);
}
