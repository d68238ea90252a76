import type { ParsedWord } from "../syntax/syntax.ts";
import type { Match } from "./match.ts";
import type { Pattern, WordPattern } from "./pattern.ts";

/**
 * A pattern's words against those of a command. `broad`, for rules that deny or ask: the program counts by its name wherever it lies,
 * options count wherever they stand and however they are bundled, and a word that only bash knows may be anything.
 */
export function matchWords(pattern: Pattern, argv: readonly ParsedWord[], broad: boolean): Match {
  const inOrder = match(pattern.words, 0, argv, 0, pattern.more, broad, { left: MAX_STEPS });
  if (!broad || inOrder === "yes" || !pattern.more) return inOrder;
  if (hasOptions(pattern.words, argv)) return "yes";
  const between = behindOptions(pattern.words, argv);
  return between === "no" ? inOrder : between;
}

/** Patterns with many stars are not tried to the end: a rule that allows does not match then, one that denies may. */
const MAX_STEPS = 200_000;

function match(
  words: readonly WordPattern[],
  at: number,
  argv: readonly ParsedWord[],
  from: number,
  more: boolean,
  broad: boolean,
  steps: { left: number },
): Match {
  if (steps.left-- < 0) return broad ? "maybe" : "no";
  const wanted = words[at];
  const word = argv[from];
  if (wanted === undefined) {
    if (more || word === undefined) return "yes";
    // Words that only bash knows may come to nothing.
    return broad && argv.slice(from).every((each) => !each.static && each.values === undefined) ? "maybe" : "no";
  }
  if ("any" in wanted) {
    let best: Match = "no";
    for (let skip = from; skip <= argv.length; skip++) {
      const found = match(words, at + 1, argv, skip, more, broad, steps);
      if (found === "yes") return "yes";
      if (found === "maybe") best = "maybe";
    }
    return best;
  }
  if (word === undefined) return "no";
  const own = one(wanted, word, from === 0, broad);
  if (own === "no") return "no";
  // From words on of which bash may make many nothing is known.
  if (own === "maybe" && word.many) return "maybe";
  const rest = match(words, at + 1, argv, from + 1, more, broad, steps);
  return own === "maybe" && rest === "yes" ? "maybe" : rest;
}

function one(wanted: { word: string } | { begins: string }, word: ParsedWord, program: boolean, broad: boolean): Match {
  if (!broad) return word.static && fits(wanted, word.text, program) ? "yes" : "no";
  const name = nameIn(wanted);
  const named = (text: string) => fits(wanted, text, program) || (program && name !== undefined && fits(name, nameOf(text), program));
  const texts = word.values ?? (word.static ? [word.text] : undefined);
  if (word.static && named(word.text)) return "yes";
  if (texts === undefined) return mayBegin(wanted, word) ? "maybe" : "no";
  return texts.some(named) ? "yes" : "no";
}

function fits(wanted: { word: string } | { begins: string }, text: string, program: boolean): boolean {
  if ("word" in wanted) return text === wanted.word;
  // The rest of a program's name may not lead out of the folder that the pattern names.
  return text.startsWith(wanted.begins) && (!program || !text.slice(wanted.begins.length).includes("/"));
}

/** What is wanted of a program's name; undefined where a pattern only names a folder. */
function nameIn(wanted: { word: string } | { begins: string }): { word: string } | { begins: string } | undefined {
  if ("word" in wanted) return { word: nameOf(wanted.word) };
  const name = nameOf(wanted.begins);
  return name === "" ? undefined : { begins: name };
}

function nameOf(program: string): string {
  return program.slice(program.lastIndexOf("/") + 1);
}

/** Whether a word of which only the beginning is known may be the one that is wanted. */
function mayBegin(wanted: { word: string } | { begins: string }, { lead = "", many }: ParsedWord): boolean {
  const text = "word" in wanted ? wanted.word : wanted.begins;
  return many === true || text.startsWith(lead) || ("begins" in wanted && lead.startsWith(text));
}

/** Whether the words of a pattern without options stand in the command behind options of its own; where a word may be an option's value, it may be so. */
function behindOptions(words: readonly WordPattern[], argv: readonly ParsedWord[]): Match {
  const [program, ...rest] = words;
  if (program === undefined || rest.length === 0 || rest.some((each) => "any" in each || /^-/.test("word" in each ? each.word : each.begins)))
    return "no";
  if ("any" in program || argv[0] === undefined || one(program, argv[0], true, true) !== "yes") return "no";
  let at = 1;
  let sure = true;
  for (const wanted of rest) {
    for (;;) {
      const word = argv[at];
      if (word === undefined) return "no";
      if (!("any" in wanted) && one(wanted, word, false, true) === "yes") break;
      const before = argv[at - 1]!.text;
      if (!/^-./.test(word.text)) {
        // `-C folder`: what follows an option may be its value.
        if (!/^-[^=]+$/.test(before) || before === "--" || at === 1) return "no";
        sure = false;
      }
      at++;
    }
    at++;
  }
  return sure ? "yes" : "maybe";
}

/** Whether the command has all the options of a pattern, and its other words in their order, wherever the options stand. */
function hasOptions(words: readonly WordPattern[], argv: readonly ParsedWord[]): boolean {
  const [program, ...rest] = words;
  if (program === undefined || "any" in program || !rest.some((each) => "word" in each && /^-./.test(each.word))) return false;
  if (!rest.every((each) => "word" in each) || argv[0] === undefined || one(program, argv[0], true, true) !== "yes") return false;
  const end = argv.findIndex((word) => word.text === "--");
  const before = (end === -1 ? argv : argv.slice(0, end)).slice(1);
  const given = before.filter((word) => /^-./.test(word.text)).flatMap((word) => [word.text, ...alike(word.text, argv[0]!.text)]);
  const others = argv.slice(1).filter((word) => !/^-./.test(word.text));
  let next = 0;
  for (const each of rest) {
    if (!("word" in each)) return false;
    if (/^-./.test(each.word)) {
      if (!given.some((option) => isOption(each.word, option)) && !isBundle(each.word, given)) return false;
    } else if (one(each, others[next++] ?? { text: "", static: true }, false, true) !== "yes") return false;
  }
  return true;
}

/** Other spellings of an option that have one meaning wherever they are dangerous. */
function alike(option: string, program: string): string[] {
  if (/^--f(?:o(?:r(?:ce?)?)?)?$/.test(option)) return ["-f"];
  if (/^--rec/.test(option)) return ["-r", "-R"];
  if (!/^-[A-Za-z]+$/.test(option)) return [];
  const folders = /^(?:rm|cp|chmod|chown|chgrp)$/.test(nameOf(program));
  return [...(option.includes("f") ? ["--force"] : []), ...(folders && /r/i.test(option) ? ["--recursive", "-r", "-R"] : [])];
}

/** `--force` is `--force=x` and, cut short, `--forc` too. */
function isOption(wanted: string, given: string): boolean {
  if (wanted === given) return true;
  if (!wanted.startsWith("--")) return false;
  const name = given.split("=", 1)[0]!;
  return wanted === name || (name.length > 4 && wanted.startsWith(name));
}

/** `-rf` is `-fr`, `-r -f` and `-rvf`. */
function isBundle(wanted: string, given: readonly string[]): boolean {
  if (!/^-[A-Za-z]+$/.test(wanted)) return false;
  const letters = new Set(given.filter((option) => /^-[A-Za-z]+$/.test(option)).flatMap((option) => [...option.slice(1)]));
  return [...wanted.slice(1)].every((letter) => letters.has(letter));
}
