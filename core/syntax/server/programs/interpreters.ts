import { onlyValue, type Word, wordFrom } from "../word.ts";
import { type Call, isDescriptor, isInputFile } from "./call.ts";
import type { Findings, Program } from "./program.ts";

/**
 * Interpreters of other languages: `code` are the options whose value is code, `takes` those that take the next word,
 * `loads` those that load a file first.
 */
type Language = {
  code: RegExp;
  takes?: RegExp /** Ends its own options. */;
  loads?: RegExp;
  module?: RegExp /** Find what to run themselves. */;
  finds?: RegExp;
  inPlace?: RegExp;
  stdin?: false;
};

const languages: readonly [names: RegExp, language: Language][] = [
  [/^(?:python|pypy|ipython|micropython)[\d.]*w?$/, { code: /^-[a-zA-Z]*c/, takes: /^-[WXQ]$|^--check-hash-based-pycs$/, module: /^-[a-zA-Z]*m/ }],
  [
    /^(?:node|nodejs|iojs|electron)$/,
    {
      code: /^(?:-[a-zA-Z]*[ep]|--eval|--print|-pe)(?:=|$)/,
      takes: /^(?:-r|-C|--require|--import|--loader|--experimental-loader|--conditions|--env-file|--title|--input-type)$/,
      loads: /^(?:-r|--require|--import|--loader|--experimental-loader|--test-reporter)(?:=|$)/,
      finds: /^--(?:test|run|v8-options|completion-bash)(?:=|$)/,
    },
  ],
  [/^(?:bun)$/, { code: /^(?:-e|-p|--eval|--print)(?:=|$)/, takes: /^(?:-r|--preload|--cwd)$/, stdin: false }],
  [
    /^tsx$|^ts-node(?:-esm)?$|^esno$|^swc-node$/,
    { code: /^(?:-e|-p|--eval|--print)(?:=|$)/, takes: /^(?:-r|-P|-O|--require|--project)$/, loads: /^(?:-r|--require|--import)(?:=|$)/ },
  ],
  [/^perl[\d.]*$/, { code: /^-[a-zA-Z0-9]*[eE]/, takes: /^-[IMm]$/, inPlace: /^-[a-zA-Z]*i/ }],
  [/^j?ruby[\d.]*$/, { code: /^-[a-zA-Z]*e/, takes: /^-[ICEr]$/, inPlace: /^-[a-zA-Z]*i/ }],
  [/^php[\d.]*$/, { code: /^-[rBRE]|^--(?:run|process-begin|process-code|process-end)/, takes: /^-[cdFSt]$/ }],
  [/^lua(?:jit)?[\d.]*$|^texlua$/, { code: /^-e/, takes: /^-l$/ }],
  [/^(?:Rscript|littler)$/, { code: /^-e/ }],
  [/^R$/, { code: /^-e/, takes: /^-f$/ }],
  [
    /^(?:osascript|julia|ghc|runghc|runhaskell|elixir|iex|groovy|scala|scala-cli|kotlin|crystal|raku|nim|swift|clojure|clj|bb|racket|guile|sbcl|clisp|ecl|gst|ocaml|jshell|erl|maxima|octave|gp|sage)$/,
    { code: /^(?:-[ecEx]|-eval|--eval|--execute|-expression|--expr(?:ession)?)(?:=|$)/ },
  ],
  [/^(?:pwsh|powershell)(?:\.exe)?$/i, { code: /^-(?:c|command|e|ec|enc|encodedcommand)$/i, takes: /^-(?:f|file|executionpolicy|version)$/i }],
  [/^(?:tclsh|wish|expect|gnuplot|dc|m4)[\d.]*$/, { code: /^-[ce]/ }],
  [/^emacs(?:client)?$/, { code: /^(?:--eval|--execute|-e|-f|--funcall|--script|-l|--load)/, stdin: false }],
];

export function interpreterNamed(name: string): Program | undefined {
  const found = languages.find(([names]) => names.test(name));
  return found === undefined ? undefined : programs.get(found[1]);
}

const programs = new Map<Language, Program>(
  languages.map(([, language]) => [language, { does: "runs", runner: true, special: (call, found) => openInterpreter(language, call, found) }]),
);

function openInterpreter(language: Language, { path, words, input }: Call, found: Findings): void {
  const name = path.at(-1)!;
  let operand: Word | undefined;
  let coded = false;
  let inPlace = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const text = onlyValue(word) ?? word.lead ?? "";
    if (text === "--") {
      operand = words[at + 1];
      break;
    }
    if (language.inPlace?.test(text) === true && !language.code.test(text)) inPlace = true;
    if (language.inPlace?.test(text) === true && language.code.test(text) && /^-[a-df-zA-DF-Z0-9]*i/.test(text)) inPlace = true;
    if (language.loads?.test(text) && /(?:^|=)(?:\.{0,2}\/|~|data:|https?:)/.test(text.includes("=") ? text : (onlyValue(words[at + 1]) ?? "/")))
      found.force(`what ${name} loads`);
    if (language.code.test(text)) {
      coded = true;
      const code = glued(word, text);
      if (code === undefined) at++;
      found.code(code ?? words[at] ?? word);
    } else if (language.module?.test(text)) {
      if (
        /^-[a-zA-Z]*m(?:timeit|cProfile|pdb|code|trace)?$/.test(text) &&
        /^(?:timeit|code)$/.test(text.length > 2 && !/m$/.test(text) ? text.replace(/^-\w*?m/, "") : (onlyValue(words[at + 1]) ?? ""))
      )
        found.force("code that is given to a module");
      else if (/^pdb$/.test(onlyValue(words[at + 1]) ?? "") && words.some((each) => /^-c/.test(each.text)))
        found.force("code that is given to a module");
      return;
    } else if (language.takes?.test(text)) at++;
    else if (!/^-./.test(text)) {
      operand = word;
      if (!coded || inPlace) operands(words.slice(at), inPlace, coded, found);
      break;
    }
  }
  if (coded || (operand !== undefined && !isInputFile(operand)) || words.some((word) => /^(?:-[vVh]|--version|--help)$/.test(word.text))) {
    if (!coded && operand === undefined && !words.some((word) => language.takes?.test(word.text.replace(/=.*/s, "")))) found.does("reads");
    return;
  }
  if (language.stdin === false || words.some((word) => language.finds?.test(word.text))) return;
  if (input === undefined) found.force(`${name} reads what it runs from its input`);
  else found.code(input);
}

function operands(words: readonly Word[], inPlace: boolean, coded: boolean, found: Findings): void {
  if (inPlace) for (const word of coded ? words : words.slice(1)) found.file("write", word);
  else if (words[0] !== undefined) {
    if (isDescriptor(words[0])) found.force("code that is read from a descriptor");
    found.file("read", words[0]);
  }
}

/** `-c'code'` and `--eval=code`. */
function glued(word: Word, text: string): Word | undefined {
  const match = /^--[\w-]+=/.exec(text) ?? /^-[a-zA-Z0-9]*?[ceErRBp](?=[\s\S]{2})/.exec(text);
  if (match === null || /^-[a-zA-Z0-9]{1,5}$/.test(text)) return undefined;
  return wordFrom(word, match[0].length);
}
