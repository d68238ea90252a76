import { literal, onlyValue } from "../word.ts";
import { openAwk } from "./awk.ts";
import { operands } from "./judge.ts";
import { type Program, reads } from "./program.ts";
import { openSed } from "./sed.ts";

const awk: Program = {
  does: "reads",
  options:
    "-F,--field-separator: -v,--assign: -f,--file:r -e,--source: -i,--include:a -l,--load:a -E,--exec:a -o,--pretty-print?w -p,--profile?w -d,--dump-variables?w -D,--debug?a -b -c -C -g -h@n -k -L? -M -n -N -O -P -r -s -S,--sandbox -t -V,--version@n --csv --help@n --posix --re-interval --lint?",
  stops: true,
  operands: "",
  special: openAwk,
};
const sed: Program = {
  does: "reads",
  options:
    "-n,--quiet,--silent -E,-r,--regexp-extended -s,--separate -u,--unbuffered -z,--null-data -e,--expression: -f,--file:r -i,--in-place? -l,--line-length: -b,--binary --follow-symlinks --posix --debug --sandbox --help@n --version@n -a -H",
  special: openSed,
};
const grep = reads(
  "-abcEFGhHiIlLnoPqrRsTuUvVwxyzZ -A: -B: -C: -D: -d: -e: -f,--file:r -m: --regexp: --max-count: --after-context: --before-context: --context: --binary-files: --color? --colour? --directories: --devices: --exclude: --exclude-dir: --exclude-from:r --include: --label: --extended-regexp --fixed-strings --basic-regexp --perl-regexp --ignore-case --no-ignore-case --invert-match --word-regexp --line-regexp --count --files-with-matches --files-without-match --only-matching --quiet --silent --no-messages --byte-offset --with-filename --no-filename --line-number --initial-tab --null --null-data --text --recursive --dereference-recursive --line-buffered --help@n --version@n",
  "_ r*",
  { numbered: true },
);
const more: Program = reads(
  "-aBcCdeEfFgGiIJKLmMnNqQrRsSuUVwWX~ -b: -h: -j: -k:a -o,--log-file:w -O,--LOG-FILE:w -p: -P: -t: -T:r -x: -y: -z: -#: -D: --lesskey-file:a --lesskey-src:a --lesskey-content:a --pattern: --prompt: --tag: --help@n --version@n",
  "r*",
  {
    numbered: true,
    special: (call, found) => {
      for (const word of call.operands) {
        // `+!cmd` and `+s file` are commands of its own.
        if (/^\+/.test(onlyValue(word) ?? "+")) {
          if (/^\+[GFg\d%p]*$|^\+\/[^!|]*$/.test(onlyValue(word) ?? "+!")) continue;
          found.force(`what ${call.path[0]} is told to run`);
        } else found.file("read", word);
      }
    },
  },
);
const hash = reads(
  "-b,--binary -c,--check -t,--text -w,--warn -z,--zero -a,--algorithm: -l,--length: --tag --quiet --status --strict --ignore-missing --untagged --raw --base64 --debug --help@n --version@n",
);
const ripgrep: Program = reads(
  "-abcFHhIiLlNnoPpqSsUuvVwxz0. -A: -B: -C: -d: -E: -e: -f,--file:r -g: -j: -M: -m: -r: -t: -T: --pre:p --pre-glob: --hostname-bin:p --ignore-file:r --after-context: --before-context: --context: --color: --colors: --context-separator: --dfa-size-limit: --encoding: --engine: --field-context-separator: --field-match-separator: --generate: --glob: --iglob: --max-columns: --max-count: --max-depth: --maxdepth: --max-filesize: --path-separator: --regex-size-limit: --regexp: --replace: --sort: --sortr: --threads: --type: --type-add: --type-clear: --type-not: --hyperlink-format: --files --json --hidden --no-ignore --count --line-number --heading --no-heading --files-with-matches --files-without-match --ignore-case --smart-case --case-sensitive --fixed-strings --word-regexp --multiline --pcre2 --only-matching --quiet --vimgrep --stats --trim --no-config --no-messages --follow --text --search-zip --unrestricted --invert-match --column --pretty --with-filename --no-filename --no-line-number --passthru --null --type-list@n --help@n --version@n",
  "_ r*",
);

/** Programs that read text and print something of it. */
export const text: Readonly<Record<string, Program>> = {
  ack: reads(
    "-aCcfghHiLlnoQrRsSuvwx1 -A: -B: -m: --pager:x --ackrc:a --output: --type: --ignore-dir: --ignore-file: --color --nocolor --noenv",
    "_ r*",
  ),
  ag: reads(
    "-acDfFGhHilLnoQrRsSuUvwz0 -A: -B: -C: -g: -m: -p:r --pager:x --ignore: --ignore-dir: --depth: --color --nocolor --hidden --files-with-matches --literal",
    "_ r*",
  ),
  awk,
  gawk: awk,
  mawk: awk,
  nawk: awk,
  "original-awk": awk,
  base32: reads(),
  base64: reads("-d,--decode -D -i,--ignore-garbage -w,--wrap: -b: -o,--output:w --help@n --version@n"),
  bat: reads(
    "-pnAu -l: -H: -r: -m: --pager:x --theme: --language: --line-range: --style: --paging: --color: --decorations: --wrap: --tabs: --diff --list-languages --list-themes --plain --number --show-all --config-file --config-dir",
  ),
  batcat: reads("-pnAu -l: -H: -r: -m: --pager:x --theme: --language: --line-range: --style: --paging: --color: --decorations: --wrap: --tabs:"),
  bc: reads("-h@n -i -l -q -s -v@n -w --mathlib --quiet"),
  b2sum: hash,
  cat: reads("-AbeEnstTuv --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting --help@n --version@n"),
  cksum: hash,
  cmp: reads("-b,--print-bytes -i,--ignore-initial: -l,--verbose -n,--bytes: -s,--quiet,--silent --help@n --version@n"),
  col: reads("-bfhpx -l:", ""),
  colordiff: reads(),
  column: reads(),
  comm: reads("-123z --check-order --nocheck-order --output-delimiter: --total --zero-terminated"),
  csplit: {
    does: "writes",
    options: "-b: -f,--prefix: -k,--keep-files -m -n,--digits: -s,--quiet,--silent -z --suffix-format: --elide-empty-files --suppress-matched",
    special: (call, found) => pieces(call, found, "xx", call.options.find(({ option }) => option.name === "--prefix")?.value),
  },
  cut: reads(
    "-b: -c: -d: -f: -n -s -z --bytes: --characters: --delimiter: --fields: --complement --only-delimited --output-delimiter: --zero-terminated --help@n --version@n",
  ),
  delta: reads("--pager:x --config:a --diff-so-fancy --side-by-side --line-numbers --paging: --color-only --dark --light"),
  diff: reads(
    "-abBcdeEfhHilnNpPqrstTuvwyZ -C: -D: -F: -I: -S: -U: -W: -x: -X:r --brief --unified? --context? --recursive --new-file --ignore-all-space --ignore-space-change --ignore-blank-lines --ignore-case --side-by-side --color? --exclude: --exclude-from:r --from-file:r --to-file:r --label: --width: --text --no-dereference --strip-trailing-cr --minimal --speed-large-files --suppress-common-lines --left-column --report-identical-files --show-c-function --normal --ed --rcs --help@n --version@n",
    "r*",
    { numbered: true },
  ),
  diff3: reads("-aeEAxX3imT -L: --diff-program:p --help@n --version@n"),
  egrep: grep,
  expand: reads(),
  fgrep: grep,
  fmt: reads(undefined, "r*", { numbered: true }),
  fold: reads(),
  fx: {
    does: "reads",
    special: ({ words }, found) => {
      for (const word of words.slice(1)) found.code(word);
    },
  },
  grep,
  gron: reads(),
  gsed: sed,
  head: reads("-c,--bytes: -n,--lines: -q,--quiet,--silent -v,--verbose -z,--zero-terminated --help@n --version@n", "r*", { numbered: true }),
  hexdump: reads("-bcCdovx -e: -f:r -n: -s: -L?"),
  hexyl: reads(),
  iconv: reads("-c -f,--from-code: -t,--to-code: -l,--list@n -o,--output:w -s,--silent --verbose --help@n --version@n"),
  join: reads("-i -z -a: -e: -j: -o: -t: -v: -1: -2: --check-order --nocheck-order --header"),
  jq: reads(
    "-acCjMnrRsSeV -f,--from-file:r -L: --arg: --argjson: --slurpfile: --rawfile: --args --jsonargs --tab --indent: --seq --stream --exit-status --raw-output --compact-output --null-input --slurp --sort-keys --color-output --monochrome-output --join-output --ascii-output --raw-input",
    "_ r*",
  ),
  less: more,
  more,
  most: more,
  lnav: { does: "unknown", options: "-c:a -f:a -e:x -n -q" },
  logger: { does: "unknown" },
  look: reads(),
  md5: hash,
  md5sum: hash,
  nl: reads(),
  od: reads(),
  openssl: {
    does: "unknown",
    single: true,
    options:
      "--in:r --inform: --inkey:r --out:w --outform: --engine:a --provider:a --provider-path:a --provparam: --config:a --keyout:w --keyform: --CAfile:r --CAkey:r --CA:r --cert:r --key:r --passin: --passout: --pass: --noout --text --sess_out:w --sess_in:r --keylogfile:w --msgfile:w --writerand:w --rand:r --connect: --servername: --days: --subj: --newkey: --new --x509 --sha256 --nodes --noenc",
  },
  pandoc: {
    does: "unknown",
    options:
      "-o,--output:w -F,--filter:p -L,--lua-filter:a --pdf-engine:p --pdf-engine-opt: -f: -t: -s -d,--defaults:a --template:r --extract-media:w --log:w",
    operands: "r*",
  },
  paste: reads("-d: -s -z --delimiters: --serial --zero-terminated"),
  pr: reads(),
  ptx: reads("-ACGORTf -M: -S: -W: -b: -g: -i: -o: -r -t -w: --format:", "r w?"),
  rev: reads(),
  rg: ripgrep,
  rga: ripgrep,
  sed,
  sdiff: reads("-abBdEHilsStvWwZ -o,--output:w -I: --diff-program:p --width: --suppress-common-lines --help@n --version@n"),
  sha1sum: hash,
  sha224sum: hash,
  sha256sum: hash,
  sha384sum: hash,
  sha512sum: hash,
  shasum: hash,
  shellcheck: reads(),
  shuf: reads("-e,--echo -i,--input-range: -n,--head-count: -o,--output:w --random-source:r -r,--repeat -z,--zero-terminated --help@n --version@n"),
  sort: reads(
    "-b,--ignore-leading-blanks -c,--check? -C -d,--dictionary-order -f,--ignore-case -g,--general-numeric-sort -h,--human-numeric-sort -i,--ignore-nonprinting -k,--key: -m,--merge -M,--month-sort -n,--numeric-sort -o,--output:w -r,--reverse -R,--random-sort -s,--stable -S,--buffer-size: -t,--field-separator: -T,--temporary-directory: -u,--unique -V,--version-sort -z,--zero-terminated --batch-size: --compress-program:p --debug --files0-from:r --parallel: --random-source:r --sort: --help@n --version@n",
  ),
  split: {
    does: "writes",
    options:
      "-a,--suffix-length: -b,--bytes: -C,--line-bytes: -d -e,--elide-empty-files -l,--lines: -n,--number: -t,--separator: -u,--unbuffered -x --additional-suffix: --filter:x --hex-suffixes? --numeric-suffixes? --verbose --help@n --version@n",
    numbered: true,
    special: (call, found) => pieces(call, found, "x", call.operands[1]),
  },
  spell: reads(),
  strings: reads("-a -f -n: -o -t: -e: -T: --all --bytes: --radix: --encoding: --help@n --version@n", "r*", { numbered: true }),
  sum: reads(),
  tac: reads(),
  tail: reads(
    "-c,--bytes: -f -F -n,--lines: -q,--quiet,--silent -r -s,--sleep-interval: -v,--verbose -z,--zero-terminated --follow? --retry --pid: --max-unchanged-stats: --help@n --version@n",
    "r*",
    { numbered: true },
  ),
  tee: { does: "writes", options: "-a,--append -i,--ignore-interrupts -p --output-error? --help@n --version@n", operands: "W*" },
  tokei: reads(),
  cloc: reads(
    "--out:w --report-file:w --config:a --extract-with:x --sql:w --diff --git --vcs: --exclude-dir: --include-lang: --by-file --json --csv --quiet --unicode",
  ),
  scc: reads("-o,--output:w"),
  tr: reads(undefined, ""),
  tsort: reads(),
  ul: reads(),
  unexpand: reads(),
  uniq: reads(
    "-c,--count -d,--repeated -D -i,--ignore-case -u,--unique -z,--zero-terminated --all-repeated? --group? -f,--skip-fields: -s,--skip-chars: -w,--check-chars: --help@n --version@n",
    "r w",
    { numbered: true },
  ),
  wc: reads("-cmlLw --bytes --chars --files0-from:r --lines --max-line-length --words --total: --help@n --version@n"),
  xmllint: reads("--output:w --shell@a --format --noout --xpath: --schema:r --html --pretty: --encode: --nonet -o:w"),
  xxd: reads(
    "-abCdeEipru -c: -g: -l: -n: -o: -R: -s: --autoskip --bits --capitalize --EBCDIC --include --postscript --plain --ps --revert --uppercase --cols: --groupsize: --len: --name: --seek: --version@n --help@n",
    "r w",
    { single: true },
  ),
  yq: reads(
    "-CeEjMnNPrsv0 -i,--inplace@a -I: -o: -p: -s,--split-exp:a -f,--front-matter: --from-file:r --output-format: --input-format: --arg: --unwrapScalar? --prettyPrint --null-input -y -Y -w:",
    "_ r*",
  ),
  zcat: reads(),
  zdiff: reads(),
  zgrep: grep,
  zless: more,
  zmore: more,
  bzcat: reads(),
  xzcat: reads(),
  zstdcat: reads(),
};

/** Programs that cut a file into new ones. */
function pieces(
  call: Parameters<NonNullable<Program["special"]>>[0],
  found: Parameters<NonNullable<Program["special"]>>[1],
  standard: string,
  prefix: (typeof call.operands)[number] | undefined,
): void {
  operands({ ...call, operands: call.operands.slice(0, 1), program: { ...call.program, operands: "r" } }, found);
  found.file("write", prefix ?? literal(standard), true);
}
