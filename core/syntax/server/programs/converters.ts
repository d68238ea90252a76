import { leadOf, onlyValue, type Word, wordFrom } from "../word.ts";
import type { Call } from "./call.ts";
import type { Findings, Program } from "./program.ts";
import { reads } from "./program.ts";
import { openSed } from "./sed.ts";

const image: Program = { does: "writes", special: lastOperand };
const tex: Program = {
  does: "writes",
  single: true,
  options:
    "--shell-escape@a --enable-write18@a --output-directory:w --jobname: --interaction: --halt-on-error --file-line-error --draftmode --synctex: --version@n --help@n",
  operands: "r",
};
const assembles = (options: string): Program => ({ does: "writes", options, operands: "r*" });

/** Programs that make one kind of file of another. */
export const converters: Readonly<Record<string, Program>> = {
  as: assembles("-o:W -I: -g -W -a? --defsym: --gdwarf-5 --64 --32"),
  bison: assembles("-o,--output:W -d? -v -y -t -g?w -x?w --defines?w --header?w --graph?w --xml?w -S,--skeleton:a -L: -r: -F: -W?"),
  convert: image,
  magick: image,
  dasel: {
    does: "reads",
    subcommands: {
      select: reads("-f,--file:r -r: -w: -p: -s: -o:w"),
      put: { does: "writes", options: "-f,--file:W -o,--out:w -r: -w: -t: -v: -s:", operands: "" },
      delete: { does: "writes", options: "-f,--file:W -o,--out:w -r: -s:", operands: "" },
    },
  },
  dot: { does: "reads", options: "-o:w -O@_ -T: -K: -G: -N: -E: -l: -n? -x -q? -V@n -P -v", special: drawsBeside },
  neato: { does: "reads", options: "-o:w -O@_ -T: -K: -G: -N: -E: -l: -n? -x -q? -V@n -P -v", special: drawsBeside },
  flex: assembles("-o:W -d -8 -7 -B -i -l -p -s -t -v -w -C? -S:r -P: --header-file:w --outfile:W --tables-file:w"),
  gs: {
    does: "writes",
    special: ({ words }, found) => {
      for (const [at, word] of words.entries()) {
        const match = /^-sOutputFile=|^-o(?=.)/.exec(leadOf(word));
        const value = match === null ? (word.text === "-o" ? words[at + 1] : undefined) : wordFrom(word, match[0].length);
        if (value === undefined) continue;
        if (/^[|%]pipe|^\|/.test(leadOf(value))) found.force("what gs is told to run");
        else found.file("write", value, true);
      }
      if (words.some((word) => /^-d(?:NOSAFER|DELAYSAFER)\b|^-c$/.test(word.text))) found.force("what gs is told to run");
    },
  },
  html2text: reads("-o:w -ascii -utf8 --width: --style: -nobs", "r*", { single: true }),
  inkscape: {
    does: "writes",
    options: "-o,--export-filename:W --actions:a --action-list@n --export-type: --shell@a -p,--pipe -V@n --version@n",
    operands: "r*",
  },
  latex: tex,
  pdflatex: tex,
  xelatex: tex,
  lualatex: { ...tex, runner: true },
  pdftex: tex,
  tex,
  latexmk: {
    does: "runs",
    single: true,
    options:
      "--e:c --r:a --pdflatex:x --latex:x --xelatex:x --lualatex:x --outdir:w --output-directory:w --auxdir:w --cd --c --C --pdf --pvc --xelatex --shell-escape@a --interaction: --silent --quiet --f --g",
    operands: "r*",
  },
  mogrify: {
    does: "writes",
    special: ({ words }, found) => {
      for (const [at, word] of words.entries()) {
        if (words[at - 1]?.text === "-path") found.folder(word);
        else if (/[/.]/.test(word.text) && !word.text.startsWith("-")) found.file("write", word, true);
      }
    },
  },
  nasm: assembles("-o:W -l:w -f: -g -F: -I: -i: -P: -p: -d: -D: -E -M"),
  ssed: {
    does: "reads",
    options:
      "-n,--quiet,--silent -E,-r,--regexp-extended -R -s,--separate -u,--unbuffered -e,--expression: -f,--file:r -i,--in-place? -l,--line-length: --help@n --version@n",
    special: openSed,
  },
  tcc: {
    does: "writes",
    special: ({ words }, found) => {
      for (const [at, word] of words.entries()) {
        if (/^-run/.test(word.text)) found.force("what tcc runs");
        else if (word.text === "-o" && words[at + 1] !== undefined) found.file("write", words[at + 1]!, true);
        else if (/^-o./.test(word.text)) found.file("write", wordFrom(word, 2), true);
        else if (/^-B|^@/.test(word.text)) found.force("what the compiler loads");
      }
    },
  },
  tidy: {
    does: "reads",
    options:
      "-m@_ -o:w -f:w -q -i -e -c -u -b -n -w: --modify@_ --output:w --file:w --output-file:w --error-file:w --write-back: --config:r --quiet --errors --indent --wrap:",
    single: true,
    special: ({ options, operands }, found) => {
      const writes = options.some(
        ({ option, value }) => /^(?:-m|--modify)$/.test(option.name) || (option.name === "--write-back" && onlyValue(value) !== "no"),
      );
      for (const word of operands) found.file(writes ? "write" : "read", word);
    },
  },
  xmlstarlet: {
    does: "reads",
    special: ({ words }, found) => {
      const edits = /^(?:ed|edit)$/.test(words[0]?.text ?? "") && words.some((word) => /^(?:-L|--inplace|-[a-zA-Z]*L[a-zA-Z]*)$/.test(word.text));
      const file = words.at(-1);
      if (file !== undefined) found.file(edits ? "write" : "read", file);
    },
  },
  xsltproc: reads(
    "-o,--output:w -v,--verbose --timing --profile --stringparam: --param: --path: --nonet --xinclude --noout --html --writesubtree:w --catalogs --maxdepth: -V@n --version@n",
    "r*",
  ),
};

/** `-O` writes beside each file that it reads. */
function drawsBeside({ options, operands }: Call, found: Findings): void {
  const beside = options.some(({ option }) => option.name === "-O");
  for (const word of operands) found.file(beside ? "write" : "read", word);
}

function lastOperand({ words }: Call, found: Findings): void {
  const files = words.filter((word: Word) => !/^[-+]/.test(leadOf(word)) && /[./]/.test(word.text));
  for (const [at, word] of files.entries()) {
    if (/^(?:msl|mvg|ephemeral|show|win|x):/i.test(word.text)) found.force("what the image program is told to do");
    else found.file(at === files.length - 1 ? "write" : "read", word, at === files.length - 1);
  }
}
