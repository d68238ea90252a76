import type { ParsedWord } from "../syntax/syntax.ts";

/**
 * A use of a program that only reads. `options`: letters that stand alone as `-abc`, letters with a value as `-n:`, `--long`, `--long=` with a value;
 * any other option is not known to be harmless. `operands`: which of them are paths.
 */
type Reader = {
  options?: string;
  operands: "paths" | "words" | "none" | "pattern paths" | "one path" | "formats";
  /** `-5` is an option. */
  numbered?: true;
  /** It prints of all files below the folders that it is given, or the one it runs in: always, or with an option of these letters. */
  searches?: "always" | RegExp;
};
/** What a command reads. */
export type Reading = {
  paths: ParsedWord[];
  /** Folders among the paths are searched to the bottom; without paths the folder it runs in is. */
  searches: boolean;
};
type Group = { options?: string; of: Readonly<Record<string, Reader>> };

const reader = (options: string, operands: Reader["operands"] = "paths", more: Partial<Reader> = {}): Reader => ({ options, operands, ...more });

const grep = reader(
  "-aEFGPHhIiLlnoqrsvwxcz -A: -B: -C: -m: -e: --ignore-case --invert-match --word-regexp --line-regexp --count --line-number --only-matching --quiet --no-messages --with-filename --no-filename --files-with-matches --files-without-match --extended-regexp --fixed-strings --perl-regexp --max-count= --after-context= --before-context= --context= --color --color= --recursive --include= --exclude= --exclude-dir=",
  "pattern paths",
  { numbered: true, searches: /^-[a-zA-Z]*r|^--recursive$/ },
);
const hash = reader("-bt --binary --text --tag");
const diffs =
  "-pswbzM -U: -S: -G: --patch --no-patch --stat --stat= --numstat --shortstat --name-only --name-status --summary --raw --color --color= --no-color --word-diff --word-diff= --unified= --ignore-all-space --ignore-space-change --diff-filter= --find-renames --minimal --patience --histogram --no-renames --check";
const logs =
  "-n: --oneline --graph --decorate --decorate= --all --branches --tags --remotes --author= --committer= --grep= --since= --until= --after= --before= --format= --pretty --pretty= --abbrev-commit --abbrev= --date= --reverse --merges --no-merges --first-parent --follow --max-count= --skip= --topo-order --date-order --left-right --cherry-pick --no-decorate --full-history";

/** Programs by name: what of them only reads. */
const programs: Readonly<Record<string, Reader>> = {
  ":": reader("", "words"),
  "[": reader("-abcdefghkLnNOGprsStuwxz", "paths"),
  basename: reader("-a -s: -z", "words"),
  cat: reader("-AbeEnstTuv --show-all --number --number-nonblank --squeeze-blank"),
  cd: reader("-LP", "one path"),
  cksum: hash,
  cmp: reader("-bls -n:"),
  comm: reader("-123z --check-order --nocheck-order"),
  cut: reader("-sz -b: -c: -d: -f: --fields= --delimiter= --characters= --bytes= --complement --only-delimited"),
  date: reader("-uIR -d: --utc --iso-8601 --iso-8601= --date=", "formats"),
  df: reader("-ahHiklmPT --human-readable", "none"),
  diff: reader("-abBdiNqsuwyZ -U: -C: --brief --unified --unified= --side-by-side --ignore-all-space --ignore-blank-lines --color --color="),
  dirname: reader("-z", "words"),
  du: reader("-abchHkLlmsx -d: --max-depth= --human-readable --summarize --total --apparent-size"),
  echo: reader("-neE", "words"),
  egrep: grep,
  false: reader("", "words"),
  fgrep: grep,
  file: reader("-bhikLN --brief --mime --mime-type --dereference"),
  fold: reader("-bs -w:"),
  grep,
  head: reader("-qvz -c: -n: --lines= --bytes= --quiet --verbose", "paths", { numbered: true }),
  hexdump: reader("-bcCdovx -n: -s:"),
  id: reader("-gGnruz", "none"),
  ls: reader(
    "-1aAbBcCdfFgGhHiIklLmnNopqQrRsStuUvwxXZ --all --almost-all --human-readable --recursive --reverse --size --inode --color --color= --sort= --time= --full-time --group-directories-first --classify --directory",
  ),
  md5sum: hash,
  nl: reader("-b: -n: -s: -w: -v:"),
  od: reader("-abcdfhilosxv -A: -j: -N: -t: -w:"),
  pwd: reader("-LP", "none"),
  readlink: reader("-efmnqsvz"),
  realpath: reader("-emqsz --relative-to= --canonicalize-existing --canonicalize-missing"),
  rev: reader(""),
  rg: reader(
    "-FHIilNnoPSswxcqU0 -A: -B: -C: -e: -m: -t: -T: -M: -r: --files --ignore-case --smart-case --case-sensitive --fixed-strings --word-regexp --line-regexp --line-number --no-line-number --count --files-with-matches --files-without-match --only-matching --multiline --heading --no-heading --type= --type-not= --max-count= --max-columns= --after-context= --before-context= --context= --color= --sort= --json --vimgrep --stats --with-filename --no-filename",
    "pattern paths",
    { searches: "always" },
  ),
  sha1sum: hash,
  sha256sum: hash,
  sha512sum: hash,
  sort: reader(
    "-bcCdfghiMnRrsuVz -k: -t: --numeric-sort --reverse --unique --key= --field-separator= --ignore-case --human-numeric-sort --version-sort",
  ),
  stat: reader("-Lft -c: --format= --dereference --terse"),
  strings: reader("-a -n: -t:", "paths", { numbered: true }),
  tac: reader(""),
  tail: reader("-qvz -c: -n: --lines= --bytes= --quiet --verbose", "paths", { numbered: true }),
  test: reader("-abcdefghkLnNOGprsStuwxz", "paths"),
  tr: reader("-cCdst --complement --delete --squeeze-repeats", "words"),
  tree: reader("-adfhiJpqrstuDFx -L: -I: -P: --dirsfirst --noreport --gitignore"),
  true: reader("", "words"),
  type: reader("-afpPt", "words"),
  uname: reader("-amnoprsv", "none"),
  uniq: reader("-cdDiuz -f: -s: -w: --count --repeated --unique --ignore-case", "one path"),
  wc: reader("-clLmw --lines --words --bytes --chars --max-line-length"),
  which: reader("-as", "words"),
  whoami: reader("", "none"),
};

const groups: Readonly<Record<string, Group>> = {
  git: {
    options: "--no-pager",
    of: {
      blame: reader("-bcefnswM -L: --date= --porcelain --line-porcelain --show-email"),
      branch: reader("-arvl --all --remotes --list --show-current --verbose --no-color --sort=", "none"),
      describe: reader("--all --tags --long --always --dirty --abbrev= --match=", "words"),
      diff: reader(`${diffs} --cached --staged`),
      "ls-files": reader("-cdmosuz --cached --deleted --modified --others --exclude-standard --stage --full-name"),
      "ls-tree": reader("-rtdlz --name-only --full-tree --long"),
      grep: reader(
        "-EFGPHhIiLlnovwc -A: -B: -C: -e: --ignore-case --word-regexp --count --line-number --files-with-matches --name-only --extended-regexp --fixed-strings --color --color= --cached --heading --break --show-function",
        "pattern paths",
        { searches: "always" },
      ),
      log: reader(`${diffs} ${logs}`, "paths", { numbered: true }),
      "merge-base": reader("-a --all --is-ancestor --fork-point", "words"),
      reflog: reader(`${logs}`, "none", { numbered: true }),
      remote: reader("-v --verbose", "none"),
      "rev-list": reader(`${logs} --count --objects`, "paths", { numbered: true }),
      "rev-parse": reader(
        "-q --short --short= --abbrev-ref --verify --quiet --show-toplevel --show-prefix --show-cdup --git-dir --is-inside-work-tree --symbolic-full-name",
        "paths",
      ),
      shortlog: reader("-nse --summary --numbered --email", "paths"),
      show: reader(`${diffs} ${logs}`, "paths", { numbered: true }),
      status: reader("-sbvz -u: --short --branch --porcelain --porcelain= --long --ignored --untracked-files --untracked-files= --verbose"),
      tag: reader("-ln: --list --sort=", "none"),
    },
  },
};

/** What a command reads; undefined where it is not known to do nothing else. */
export function readsOnly(argv: readonly ParsedWord[]): Reading | undefined {
  const [program, ...words] = argv;
  const name = program?.text.replace(/^\/(?:usr\/)?bin\//, "");
  if (name === undefined) return undefined;
  if (name === "find") return reading(find(words));
  const group = Object.hasOwn(groups, name) ? groups[name] : undefined;
  if (group === undefined)
    return Object.hasOwn(programs, name) ? reading(pathsOf(programs[name]!, words), searches(programs[name]!, words)) : undefined;
  const at = words.findIndex((word) => !(group.options ?? "").split(" ").includes(word.text));
  const subcommand = words[at]?.text ?? "";
  if (at === -1 || !Object.hasOwn(group.of, subcommand)) return undefined;
  const own = group.of[subcommand]!;
  const paths = pathsOf(own, words.slice(at + 1));
  // What git reads from its own store is named as `HEAD:path`.
  return reading(
    paths?.flatMap((word) => [word, ...(word.text.includes(":") ? [{ ...word, text: word.text.slice(word.text.indexOf(":") + 1) }] : [])]),
    searches(own, words),
  );
}

function reading(paths: ParsedWord[] | undefined, searches = false): Reading | undefined {
  return paths === undefined ? undefined : { paths, searches };
}

function searches({ searches: which }: Reader, words: readonly ParsedWord[]): boolean {
  if (words.some(({ text }) => text === "--files")) return false;
  return which === "always" || (which !== undefined && words.some(({ text }) => which.test(text)));
}

function pathsOf({ options = "", operands, numbered }: Reader, words: readonly ParsedWord[]): ParsedWord[] | undefined {
  const taken = operandsOf(options, words, numbered === true);
  if (taken === undefined) return undefined;
  const { found, patterned } = taken;
  switch (operands) {
    case "words":
      return [];
    case "none":
      return found.length === 0 ? [] : undefined;
    case "one path":
      return found.length <= 1 && found[0]?.text !== "-" ? found : undefined;
    case "pattern paths":
      return patterned ? found : found.slice(1);
    case "formats":
      return found.every(({ text }) => text.startsWith("+")) ? [] : undefined;
    case "paths":
      return found;
  }
}

/** Undefined where an option is not among those that are known. */
function operandsOf(options: string, words: readonly ParsedWord[], numbered: boolean): { found: ParsedWord[]; patterned: boolean } | undefined {
  const known = options.split(" ");
  const letters = new Map(
    known
      .filter((each) => /^-[^-]/.test(each))
      .flatMap((each) => Array.from(each.slice(1).replace(":", ""), (letter) => [letter, each.endsWith(":")])),
  );
  const found: ParsedWord[] = [];
  let patterned = false;
  let ended = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const { text } = word;
    if (ended || text === "-" || !text.startsWith("-")) found.push(word);
    else if (text === "--") ended = true;
    else if (numbered && /^-\d+$/.test(text)) continue;
    else if (text.startsWith("--")) {
      const [long = ""] = text.split("=", 1);
      if (!known.includes(text.includes("=") ? `${long}=` : long)) return undefined;
      if (long === "--files") patterned = true;
    } else {
      for (let letter = 1; letter < text.length; letter++) {
        const valued = letters.get(text[letter]!);
        if (valued === undefined) return undefined;
        patterned ||= text[letter] === "e" && valued;
        if (!valued) continue;
        if (letter === text.length - 1) at++;
        break;
      }
    }
  }
  return { found, patterned };
}

/** Tests alone: actions write, delete and run. */
function find(words: readonly ParsedWord[]): ParsedWord[] | undefined {
  const first = words.findIndex(({ text }) => /^[-(!)]/.test(text));
  const [folders, tests] = first === -1 ? [words, []] : [words.slice(0, first), words.slice(first)];
  for (let at = 0; at < tests.length; at++) {
    const { text } = tests[at]!;
    if (FIND_VALUED.has(text)) at++;
    else if (!FIND_PLAIN.has(text)) return undefined;
  }
  return [...folders];
}

const FIND_PLAIN = new Set(
  "( ) ! , -a -and -o -or -not -print -print0 -ls -prune -empty -readable -writable -executable -depth -xdev -mount -quit -daystart -follow".split(
    " ",
  ),
);
const FIND_VALUED = new Set(
  "-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -size -mtime -mmin -atime -amin -ctime -cmin -maxdepth -mindepth -perm -user -group -uid -gid -links -inum -printf".split(
    " ",
  ),
);
