import { literal, onlyValue, type Word } from "../word.ts";
import type { Call } from "./call.ts";
import { type Findings, type Program, reads } from "./program.ts";

const writes = (options: string, operands = "W*", more: Partial<Program> = {}): Program => ({ does: "writes", options, operands, ...more });
const copies =
  "-a,--archive -b -f,--force -i,--interactive -H -l,--link -L,--dereference -n,--no-clobber -P,--no-dereference -p -R,-r,--recursive -s,--symbolic-link -u -v,--verbose -x,--one-file-system -X -Z -c -S,--suffix: -t,--target-directory: -T,--no-target-directory --attributes-only --backup? --copy-contents --debug --keep-directory-symlink --no-preserve: --parents --preserve? --reflink? --remove-destination --sparse: --strip-trailing-slashes --update? --context? --exchange --no-copy --help@n --version@n";
const owners =
  "-c,--changes -f,--silent,--quiet -v,--verbose -h,--no-dereference -H -L -P -R,--recursive --dereference --from: --no-preserve-root --preserve-root --reference:r --help@n --version@n";

/** Programs that look at files, or change them as their names say. */
export const files: Readonly<Record<string, Program>> = {
  basename: reads(undefined, ""),
  chattr: writes("-R -V -f -v: -p:", "_ W*", { exact: true }),
  chcon: writes("-R -v -h -u: -r: -t: -l: --reference:r", "_ W*"),
  chgrp: writes(owners, "_ W*", { exact: true, special: afterMode }),
  chmod: writes(
    "-c,--changes -f,--silent,--quiet -v,--verbose -h -R,--recursive -rwxXst --no-preserve-root --preserve-root --reference:r --help@n --version@n",
    "_ W*",
    { exact: true, special: afterMode },
  ),
  chown: writes(owners, "_ W*", { exact: true, special: afterMode }),
  cp: writes(copies, "r* W", { special: copy(false) }),
  gcp: writes(copies, "r* W", { special: copy(false) }),
  dd: { does: "writes", exact: true, special: openDd },
  dir: reads(),
  dircolors: reads(),
  dirname: reads(undefined, ""),
  dos2unix: writes("-b -c: -f -k -l -n -o -q -s -v --add-bom --keepdate"),
  unix2dos: writes("-b -c: -f -k -l -n -o -q -s -v --add-bom --keepdate"),
  du: reads(
    "-0abcDhHkLlmPsSxX -d: -B: -t: --apparent-size --block-size: --exclude: --exclude-from:r --files0-from:r --max-depth: --time? --threshold: --si --summarize --total --human-readable --all --inodes --help@n --version@n",
  ),
  df: reads(),
  eza: reads(),
  exa: reads(),
  fallocate: writes("-c -d -i -n -p -z -x -v -o: -l:"),
  file: reads(
    "-bcdEhiIkLlNnpPrsSvzZ0 -C@w --compile@w -e: -F: -f:r -m: -P: --mime --mime-type --mime-encoding --brief --magic-file: --files-from:r --help@n --version@n",
  ),
  getfacl: reads(),
  getfattr: reads(),
  install: writes(
    "-b -c -C,--compare -d,--directory -D -g,--group: -m,--mode: -o,--owner: -p,--preserve-timestamps -s,--strip --strip-program:p -S,--suffix: -t,--target-directory: -T,--no-target-directory -v,--verbose -Z --backup? --preserve-context --help@n --version@n",
    "r* W",
    {
      special: (call, found) =>
        call.options.some(({ option }) => option.name === "--directory") ? all("write", call, found) : copy(false)(call, found),
    },
  ),
  link: writes("", "r W"),
  ln: writes(
    "-b -d,-F,--directory -f,--force -i,--interactive -L,--logical -n,--no-dereference -P,--physical -r,--relative -s,--symbolic -S,--suffix: -t,--target-directory: -T,--no-target-directory -v,--verbose --backup? --help@n --version@n",
    "r* W",
    { special: link },
  ),
  ls: reads(),
  lsattr: reads(),
  lsd: reads(),
  mkdir: writes("-m,--mode: -p,--parents -v,--verbose -Z --context? --help@n --version@n"),
  mkfifo: writes("-m,--mode: -Z --context? --help@n --version@n"),
  mknod: writes("-m,--mode: -Z --help@n --version@n", "W"),
  mktemp: { does: "writes", options: "-d,--directory -u,--dry-run -q,--quiet -t -p,--tmpdir? --suffix: --help@n --version@n", operands: "W" },
  mv: writes(
    "-b -f,--force -i,--interactive -n,--no-clobber -u -v,--verbose -Z -S,--suffix: -t,--target-directory: -T,--no-target-directory --backup? --strip-trailing-slashes --update? --exchange --no-copy --help@n --version@n",
    "W*",
    { special: copy(true) },
  ),
  patch: {
    does: "writes",
    options:
      "-b,--backup -c,--context -d,--directory:D -D,--ifdef: -e,--ed@a -E,--remove-empty-files -f,--force -F,--fuzz: -g,--get: -i,--input:r -l,--ignore-whitespace -n,--normal -N,--forward -o,--output:w -p,--strip: -r,--reject-file:w -R,--reverse -s,--quiet,--silent -t,--batch -T -u,--unified -v,--version@n -V: -Z -B: -Y: -z: --binary --dry-run --posix --merge? --follow-symlinks --no-backup-if-mismatch --help@n",
    special: ({ operands: [file, input] }, found) => {
      // It writes what the patch names.
      found.file("write", file ?? literal("."), true);
      if (input !== undefined) found.file("read", input);
    },
  },
  pathchk: reads(undefined, ""),
  readlink: reads(),
  realpath: reads(),
  rename: writes("-v -s -n -o -i -f -e:c", "_ _ W*"),
  rm: writes(
    "-d,--dir -f,--force -i -I -r,-R,--recursive -v,--verbose -x,--one-file-system -P -W --interactive? --no-preserve-root --preserve-root? --help@n --version@n",
    "W*",
    { exact: true },
  ),
  rmdir: writes("-p,--parents -v,--verbose --ignore-fail-on-non-empty --help@n --version@n"),
  setfacl: writes("-bdkLnPRv -m: -M:r -x: -X:r --restore:r --set: --set-file:r"),
  setfattr: writes("-n: -v: -x: -h --restore:r"),
  shred: writes(
    "-f,--force -n,--iterations: -s,--size: -u --remove? -v,--verbose -x,--exact -z,--zero --random-source:r --help@n --version@n",
    "W*",
    { exact: true },
  ),
  stat: reads(),
  sync: { does: "unknown" },
  touch: writes("-a -c,--no-create -d,--date: -f -h,--no-dereference -m -r,--reference:r -t: --time: -A: --help@n --version@n"),
  trash: writes(""),
  "trash-put": writes(""),
  tree: reads(
    "-aACdDfFgGhiJlnNpqQrsStuUvxX -H: -I: -L: -o,--output:w -P: -T: -R@w --charset: --filelimit: --filesfirst --dirsfirst --du --fromfile --gitignore --gitfile:r --info --infofile:r --noreport --prune --si --sort: --timefmt: --help@n --version@n",
  ),
  truncate: writes("-c,--no-create -o,--io-blocks -r,--reference:r -s,--size: --help@n --version@n", "W*", { exact: true }),
  unlink: writes("", "W*", { exact: true }),
  vdir: reads(),
};

/** Files are copied, or `moves`d, to the last operand or into the folder that an option names. */
function copy(moves: boolean) {
  return ({ options, operands }: Call, found: Findings): void => {
    const folder = options.find(({ option }) => option.name === "--target-directory")?.value;
    const target = folder ?? operands.at(-1);
    for (const word of folder === undefined ? operands.slice(0, -1) : operands) found.file(moves ? "write" : "read", word, moves);
    if (target !== undefined) found.file("write", target, true);
  };
}

/** Through a link everything behind it can be written. */
function link({ options, operands }: Call, found: Findings): void {
  const folder = options.find(({ option }) => option.name === "--target-directory")?.value;
  const symbolic = options.some(({ option }) => option.name === "--symbolic");
  const target = folder ?? (operands.length > 1 ? operands.at(-1) : literal("."));
  const sources = folder === undefined && operands.length > 1 ? operands.slice(0, -1) : operands;
  for (const source of sources) {
    const text = onlyValue(source);
    const place = onlyValue(target);
    // What a symbolic link says is about the folder that it stands in.
    const beside = symbolic && text !== undefined && place !== undefined && !text.startsWith("/") && operands.length > 1;
    found.file("write", beside ? literal(`${folder !== undefined || place.endsWith("/") ? place : parent(place)}/${text}`) : source, true);
  }
  if (target !== undefined) found.file("write", target, true);
}

function parent(path: string): string {
  const cut = path.lastIndexOf("/");
  return cut === -1 ? "." : cut === 0 ? "/" : path.slice(0, cut);
}

/** The first operand is a mode or an owner, unless an option names one. */
function afterMode({ options, operands, unlisted }: Call, found: Findings): void {
  const named =
    options.some(({ option }) => option.name === "--reference") ||
    options.some(({ word }) => /^-[rwxXst]+$/.test(word.text)) ||
    unlisted.some((name) => /^-[ugo]/.test(name));
  for (const word of named ? operands : operands.slice(1)) found.file("write", word, true);
}

function all(access: "read" | "write", { operands }: Call, found: Findings): void {
  for (const word of operands) found.file(access, word, access === "write");
}

function openDd({ words }: Call, found: Findings): void {
  for (const word of words) {
    const key = /^(if|of)=/.exec(word.text)?.[1];
    const path: Word = { ...word, text: word.text.slice(3) };
    if (word.values !== undefined) path.values = word.values.map((value) => value.slice(3));
    if (word.lead !== undefined) path.lead = word.lead.slice(3);
    if (key !== undefined) found.file(key === "of" ? "write" : "read", path, key === "of");
    else if (!/^[a-z]+=/.test(word.text)) found.unclear(word);
  }
}
