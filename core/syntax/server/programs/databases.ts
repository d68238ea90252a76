import { leadOf, literal, onlyValue, type Word } from "../word.ts";
import type { Call } from "./call.ts";
import type { Findings, Program } from "./program.ts";

/** Clients of databases. */
export const databases: Readonly<Record<string, Program>> = {
  mysql: {
    does: "network",
    runner: true,
    options: "-e,--execute: -u: -p? -h: -P: -D: -N -B -s --defaults-file:a --defaults-extra-file:a --init-command: --pager:x --tee:w --plugin-dir:a",
    special: (call, found) => sqlShell(call, found, ["--execute", "--init-command"], /\\!|^\s*system\s/m),
  },
  psql: {
    does: "network",
    runner: true,
    options:
      "-c,--command: -f,--file:a -o,--output:w -L,--log-file:w -d,--dbname: -h,--host: -p,--port: -U,--username: -v,--set,--variable: -w -W -A -t -q -x -X -l -a -b -e -E -F: -P: -R: -T: -z -0 -1 -n -s -S --csv -V@n --help@n --version@n",
    special: (call, found) => sqlShell(call, found, ["--command"], /\\(?:!|o|g\s*\||copy|i|ir|w|e|setenv|gexec|watch)|\|/),
  },
  sqlite3: { does: "writes", runner: true, special: openSqlite },
};

/** Its dot commands may run programs and write files. */
function openSqlite({ words, input }: Call, found: Findings): void {
  let file = false;
  for (const [at, word] of words.entries()) {
    const before = onlyValue(words[at - 1]) ?? "";
    const text = onlyValue(word);
    if (/^-(?:cmd|init)$/.test(before)) {
      if (before === "-init") found.force("a script of sqlite3");
      else sqlText(word, text, found);
    } else if (/^-(?:separator|newline|nullvalue|vfs|maxsize|mmap)$/.test(before) || /^-/.test(leadOf(word))) continue;
    else if (!file) {
      file = true;
      if (text !== ":memory:") found.file("write", word, true);
    } else sqlText(word, text, found);
  }
  if (input !== undefined) sqlText(input, onlyValue(input), found);
}

function sqlText(word: Word, text: string | undefined, found: Findings): void {
  if (text === undefined) {
    found.code(word);
    return;
  }
  const shell = /^\s*\.(?:shell|system)\s+(.*)$/m.exec(text)?.[1];
  if (shell !== undefined) found.text(literal(shell), "text for sqlite3");
  else if (
    /^\s*\.(?:output|once|backup|save|clone|log|trace|load|read|import|open|archive|ar|excel|dump|cd|www)\b|load_extension|writefile|readfile|edit\s*\(|attach\s/im.test(
      text,
    )
  )
    found.force("what sqlite3 is told to do");
}

function sqlShell({ options, input }: Call, found: Findings, names: readonly string[], runs: RegExp): void {
  for (const { option, value } of options) {
    if (!names.includes(option.name) || value === undefined) continue;
    const text = onlyValue(value);
    if (text === undefined || runs.test(text)) found.code(value);
    const shell = /\\!\s*(.*)$/m.exec(text ?? "")?.[1];
    if (shell !== undefined) found.text(literal(shell), "text for a database");
  }
  if (input !== undefined && runs.test(onlyValue(input) ?? "\\!")) found.code(input);
}
