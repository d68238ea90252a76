import { literal, onlyValue, type Word } from "../word.ts";
import type { Call } from "./call.ts";
import { type Findings, type Program, reads } from "./program.ts";

const squeezes = (more = ""): Program => ({
  does: "reads",
  options: `-c,--stdout,--to-stdout -d,--decompress,--uncompress -f,--force -k,--keep -l,--list -n,--no-name -N,--name -q,--quiet -r,--recursive -S,--suffix: -t,--test -v,--verbose -z,--compress -0123456789 -e,--extreme -F,--format: -C,--check: -T,--threads: -M,--memlimit: --fast --best --rsyncable --synchronous --files? --rm -o:w --output:w ${more} --help@n --version@n`,
  special: ({ options, operands }, found) => {
    const prints = options.some(({ option }) => /^--(?:to-stdout|list|test)$/.test(option.name));
    for (const word of operands) found.file(prints ? "read" : "write", word, !prints);
  },
});

/** Programs that pack and unpack. */
export const archives: Readonly<Record<string, Program>> = {
  "7z": { does: "reads", special: seven },
  "7za": { does: "reads", special: seven },
  "7zz": { does: "reads", special: seven },
  ar: { does: "reads", operands: "_ W r*" },
  brotli: squeezes(),
  bunzip2: squeezes(),
  bzip2: squeezes(),
  compress: squeezes(),
  uncompress: squeezes(),
  cpio: {
    does: "reads",
    options:
      "-i,--extract -o,--create -p,--pass-through -t,--list -0,--null -a -A -b -B -c -d,--make-directories -f -k -l -L -m -n -r -s -S -u,--unconditional -v,--verbose -V -C: -D,--directory:d -E,--pattern-file:r -F,--file: -H,--format: -I:r -M: -O:w -R: --rsh-command:p --to-stdout --no-absolute-filenames --absolute-filenames@a",
    special: ({ options, operands }, found) => {
      const has = (name: string) => options.some(({ option }) => option.name === name);
      if (has("--list") || has("--to-stdout")) return;
      if (has("--extract")) found.file("write", options.find(({ option }) => option.name === "--directory")?.value ?? literal("."), true);
      if (has("--pass-through")) for (const word of operands) found.file("write", word, true);
      const file = options.find(({ option }) => option.name === "--file")?.value;
      if (file !== undefined) found.file(has("--create") ? "write" : "read", file, has("--create"));
    },
  },
  gunzip: squeezes(),
  gzip: squeezes(),
  jar: {
    does: "reads",
    bundled: true,
    options: "-c -t -x -u -i -v -0 -M -n -P -f: -m:r -e: -C:",
    operands: "",
    special: ({ options, operands }, found) =>
      unpackOrPack(
        options.some(({ option }) => option.name === "-x"),
        options.find(({ option }) => option.name === "-f")?.value,
        undefined,
        operands,
        options.some(({ option }) => option.name === "-t"),
        found,
      ),
  },
  lz4: squeezes(),
  lzma: squeezes(),
  pigz: squeezes(),
  tar: {
    does: "reads",
    bundled: true,
    options:
      "-A,--catenate,--concatenate -c,--create -d,--diff,--compare -r,--append -t,--list -u,--update -x,--extract,--get --delete --test-label -f,--file: -C,--directory: -z,--gzip -j,--bzip2 -J,--xz -Z,--compress --zstd --lzma --lzip --lzop -a,--auto-compress -v,--verbose -p,--preserve-permissions,--same-permissions -P,--absolute-names@a -k,--keep-old-files -O,--to-stdout -h,--dereference -m,--touch -n,--seek -o -s,--preserve-order -S,--sparse -U,--unlink-first -w,--interactive -W,--verify -B,--read-full-records -G,--incremental -M,--multi-volume -R,--block-number -l,--check-links -i,--ignore-zeros -b,--blocking-factor: -g,--listed-incremental:w -H,--format: -K,--starting-file: -L,--tape-length: -N,--newer,--after-date: -T,--files-from:a -V,--label: -X,--exclude-from:r -I,--use-compress-program:p -F,--info-script,--new-volume-script:x --to-command:x --rsh-command:p --rmt-command:p --checkpoint? --checkpoint-action: --exclude: --exclude-vcs --exclude-backups --exclude-caches --exclude-tag: --strip-components: --transform,--xform: --owner: --group: --mode: --mtime: --sort: --index-file:w --volno-file:w --backup? --suffix: --wildcards --no-wildcards --anchored --numeric-owner --no-same-owner --same-owner --no-same-permissions --no-recursion --recursion --one-file-system --overwrite --skip-old-files --keep-newer-files --totals? --show-transformed-names --warning: --record-size: --level: --null --no-null --remove-files --no-overwrite-dir --overwrite-dir --keep-directory-symlink --recursive-unlink --add-file: --quoting-style: --utc --full-time --acls --no-acls --selinux --xattrs --xattrs-include: --xattrs-exclude: --occurrence? --hole-detection: --sparse-version: --force-local --ignore-failed-read --clamp-mtime --atime-preserve? --delay-directory-restore --pax-option: --set-mtime-command:x --verbatim-files-from --no-verbatim-files-from --help@n --version@n --usage@n",
    special: openTar,
  },
  bsdtar: {
    does: "reads",
    bundled: true,
    options:
      "-c,--create -r -t,--list -u -x,--extract -f,--file: -C,--directory: -z -j -J -v,--verbose -p -P@a -k -O,--to-stdout -h -m -n -o -S -a -b: -T:a -X:r -I:a -s: -W: --use-compress-program:p --exclude: --strip-components: --include: --format: --options: --null",
    special: openTar,
  },
  unar: {
    does: "reads",
    options: "-o,--output-directory: -f -r -s -d -D -q -p:",
    special: (call, found) =>
      unpackOrPack(true, call.operands[0], call.options.find(({ option }) => option.name === "--output-directory")?.value, [], false, found),
  },
  unrar: { does: "reads", special: seven },
  unxz: squeezes(),
  unlzma: squeezes(),
  unzip: {
    does: "reads",
    options: "-A -a -b -B -C -c -D -f -F -h@n -I: -j -K -L -l -M -n -N -o -O: -p -P: -q -s -S -t -T -u -U -v -V -W -x -X -z -Z -/ -d:",
    special: ({ options, operands, words }, found) => {
      const prints = options.some(({ option }) => /^-[lptvzcZ]$/.test(option.name));
      unpackOrPack(true, operands[0], options.find(({ option }) => option.name === "-d")?.value, [], prints, found);
      if (words.some((word) => /^-[a-zA-Z]*:/.test(word.text))) found.force("a path that leaves the folder");
    },
  },
  unzstd: squeezes(),
  xz: squeezes(),
  zip: {
    does: "reads",
    options:
      "-0123456789 -A -b: -c -d -D -e -E -f -F -g -G -h@n -i: -I -j -J -k -l -L@n -m -n: -o -O,--output-file,--out:w -p -P: -q -r -R -s: -S -t: -T -u -U -v -V -w -x: -X -y -z -Z: --unzip-command:x --recurse-paths --quiet --test --temp-path: --exclude: --include: --move --delete --update --freshen --suffixes: --password: --compression-method: --junk-paths --symlinks --no-dir-entries --help@n --version@n",
    special: ({ options, operands, words }, found) => {
      // One of its options has two letters.
      const tests = words.findIndex((word) => /^-[a-zA-Z0-9]*TT/.test(word.text));
      const test = words[tests]?.text === "-TT" ? words[tests + 1] : words[tests];
      if (test !== undefined) found.text(test, "what zip is told by -TT");
      const moves = options.some(({ option }) => option.name === "-m" || option.name === "--move");
      const [archive, ...rest] = operands.filter((word) => word !== test);
      if (archive !== undefined && onlyValue(archive) !== "-") found.file("write", archive, true);
      for (const word of rest) found.file(moves ? "write" : "read", word, moves);
    },
  },
  zipinfo: reads(),
  zstd: squeezes("-D:r -b@n --train@w --patch-from:r --output-dir-flat:w --output-dir-mirror:w"),
};

function openTar({ options, operands }: Call, found: Findings): void {
  const has = (...names: string[]) => options.some(({ option }) => names.includes(option.name));
  const value = (name: string) => options.find(({ option }) => option.name === name)?.value;
  for (const { option, value: given } of options) {
    if (option.name !== "--checkpoint-action" || given === undefined) continue;
    const text = onlyValue(given);
    if (text === undefined) found.force("what tar is told by --checkpoint-action");
    else if (text.startsWith("exec=")) found.text({ text: text.slice(5), static: true, source: "" }, "what tar is told by --checkpoint-action");
  }
  const lists = has("--list", "--to-stdout", "--compare", "--test-label");
  unpackOrPack(has("--get", "--extract"), value("--file"), value("--directory"), operands, lists, found);
  if (has("--remove-files")) for (const word of operands) found.file("write", word, true);
}

/** Unpacking writes into a folder; packing writes the archive. */
function unpackOrPack(
  unpacks: boolean,
  archive: Word | undefined,
  folder: Word | undefined,
  operands: readonly Word[],
  lists: boolean,
  found: Findings,
): void {
  if (folder !== undefined && !unpacks) found.folder(folder);
  const named = archive !== undefined && onlyValue(archive) !== "-";
  if (named) found.file(unpacks || lists ? "read" : "write", archive, !unpacks && !lists);
  if (unpacks && !lists) found.file("write", folder ?? literal("."), true);
  if (!unpacks) for (const word of operands) found.file("read", word);
}

function seven({ words }: Call, found: Findings): void {
  const [command, ...rest] = words;
  const operands = rest.filter((word) => !/^-/.test(word.text));
  const into = rest.find((word) => /^-o./.test(word.text));
  const folder = into === undefined ? undefined : literal(into.text.slice(2));
  const name = onlyValue(command);
  if (name !== undefined && /^[lti]$|^(?:b|h)$/.test(name)) {
    found.does("reads");
    unpackOrPack(true, operands[0], undefined, [], true, found);
  } else
    unpackOrPack(
      name === "x" || name === "e",
      operands[0],
      folder ??
        (name === "x" || name === "e"
          ? operands.at(-1) !== operands[0] && /\/$/.test(operands.at(-1)?.text ?? "")
            ? operands.at(-1)
            : undefined
          : undefined),
      operands.slice(1),
      false,
      found,
    );
}
