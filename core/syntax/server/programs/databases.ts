import { leadOf, literal, onlyValue, type Word } from "../word.ts";
import type { Call } from "./call.ts";
import type { Findings, Program } from "./program.ts";

const sqlClient: Program = {
  does: "network",
  runner: true,
  options: "-e,--execute: -u: -p? -h: -P: -D: -N -B -s --defaults-file:a --defaults-extra-file:a --init-command: --pager:x --tee:w --plugin-dir:a",
  special: (call, found) =>
    sqlShell(call, found, ["--execute", "--init-command"], /\\!|^\s*system\s|\binto\s+(?:outfile|dumpfile)\b|\bload_file\s*\(/im),
};

/** Clients of databases. */
export const databases: Readonly<Record<string, Program>> = {
  mysql: sqlClient,
  psql: {
    does: "network",
    runner: true,
    options:
      "-c,--command: -f,--file:a -o,--output:w -L,--log-file:w -d,--dbname: -h,--host: -p,--port: -U,--username: -v,--set,--variable: -w -W -A -t -q -x -X -l -a -b -e -E -F: -P: -R: -T: -z -0 -1 -n -s -S --csv -V@n --help@n --version@n",
    special: (call, found) =>
      sqlShell(
        call,
        found,
        ["--command"],
        /\\(?:!|o|g\s*\||copy|i|ir|w|e|setenv|gexec|watch)|\||\b(?:from|to)\s+program\b|\bto\s+'|\blo_export\b|\bpg_(?:read|write)_/i,
      ),
  },
  duckdb: { does: "writes", runner: true, special: openSqlite },
  mongo: { does: "network", runner: true, options: "--eval:c --host: --port: -u: -p? --quiet --shell", operands: "" },
  mongosh: { does: "network", runner: true, options: "--eval:c -f,--file:a --host: --port: -u: -p? --quiet --shell --norc --nodb", operands: "" },
  mongodump: { does: "network", options: "-o,--out:w --archive?w --db: --collection: --uri: --gzip", operands: "" },
  mongoexport: { does: "network", options: "-o,--out:w --db: --collection: --uri: --query: --fields: --type: --jsonArray", operands: "" },
  mysqldump: {
    does: "network",
    options:
      "-r,--result-file:w -T,--tab:w -u: -p? -h: -P: --defaults-file:a --defaults-extra-file:a --plugin-dir:a --single-transaction --no-data --databases --all-databases",
    operands: "",
  },
  mariadb: sqlClient,
  pg_dump: {
    does: "network",
    options: "-f,--file:w -h,--host: -p,--port: -U,--username: -d,--dbname: -F,--format: -t,--table: -n,--schema: -s -a -c -C -O -x -v -j: -Z: -w -W",
    operands: "",
  },
  pg_dumpall: { does: "network", options: "-f,--file:w -h,--host: -p,--port: -U,--username: -g -r -s -a -c", operands: "" },
  "redis-cli": {
    does: "network",
    options:
      "-h: -p: -a: -u: -n: -x -r: -i: -s: -c --raw --no-raw --csv --json -2 -3 --pipe --scan --pattern: --bigkeys --stat --latency --eval:a --rdb:w --functions-rdb:w --tls --cacert:r --cert:r --key:r --no-auth-warning",
    special: ({ operands: words, rest }, found) => {
      const [first, second] = [...words, ...rest].map((word) => (onlyValue(word) ?? "").toLowerCase());
      if (
        /^(?:eval|evalsha|eval_ro|fcall|script|function|module|slaveof|replicaof|debug)$/.test(first ?? "") ||
        (first === "config" && second !== "get")
      )
        found.force("what the database is told to run");
    },
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
    /^\s*\.(?:shell|system|output|once|backup|save|clone|log|trace|load|read|import|open|archive|ar|excel|dump|cd|www)\b|load_extension|writefile|readfile|edit\s*\(|attach\s/im.test(
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
