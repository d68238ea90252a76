import { leadOf, literal, onlyValue, type Word } from "../word.ts";
import type { Call } from "./call.ts";
import { type Findings, type Program, reads } from "./program.ts";
import { runOrText } from "./wrappers.ts";

const looks: Program = { does: "reads", operands: "" };
const forced = (why: string): Program => ({ does: "runs", special: (_call, found) => found.force(why) });
const asksNetwork: Program = { does: "network", operands: "" };
const exact: Program = { does: "unknown", exact: true };

const gh: Program = {
  does: "unknown",
  everywhere: true,
  options: "-R,--repo: --hostname: --help@n",
  subcommands: {
    alias: { does: "runs", subcommands: { list: looks, set: forced("an alias of gh"), delete: looks, import: forced("an alias of gh") } },
    api: {
      does: "network",
      options:
        "-X,--method: -f,--raw-field: -F,--field: -H,--header: --input:r -q,--jq: -t,--template: -p,--preview: --cache: --paginate --slurp -i --silent --verbose",
      operands: "",
    },
    auth: { does: "unknown", keeps: 3 },
    browse: { does: "unknown" },
    codespace: { does: "unknown", keeps: 3 },
    completion: looks,
    config: { does: "unknown", subcommands: { get: looks, list: looks, set: forced("what gh config sets") } },
    extension: {
      does: "runs",
      subcommands: {
        list: looks,
        search: asksNetwork,
        install: forced("what gh installs"),
        exec: forced("what gh runs"),
        upgrade: forced("what gh installs"),
        remove: looks,
        create: forced("what gh makes"),
      },
    },
    gist: { does: "network", keeps: 3 },
    issue: { does: "network", keeps: 3 },
    label: { does: "network", keeps: 3 },
    org: asksNetwork,
    pr: { does: "network", keeps: 3 },
    project: { does: "network", keeps: 3 },
    release: { does: "network", keeps: 3, options: "-D,--dir:w -O,--output:w -p,--pattern: -A,--archive: --clobber --skip-existing" },
    repo: { does: "network", keeps: 3 },
    run: { does: "network", keeps: 3, options: "-D,--dir:w -n,--name: -p,--pattern: --log --log-failed" },
    secret: { does: "network", keeps: 3 },
    search: { does: "network", keeps: 3 },
    status: asksNetwork,
    variable: { does: "network", keeps: 3 },
    version: looks,
    workflow: { does: "network", keeps: 3 },
    ruleset: { does: "network", keeps: 3 },
    cache: { does: "network", keeps: 3 },
    attestation: asksNetwork,
  },
};

const vim: Program = { does: "runs", runner: true, special: openVim };
const man: Program = {
  does: "reads",
  options:
    "-a -c -C,--config-file:a -d -D -e,--extension: -E: -f -F -h@n -H?x --html?x -i -I -k -K -l,--local-file@_ -L,--locale: -m,--systems: -M,--manpath:r -p,--preprocessor: -P,--pager:x -r,--prompt: -R,--recode: -s,-S,--sections: -t -T? -u -V@n -w,-W --path --where -X? -Z --regex --wildcard --names-only --no-hyphenation --no-justification --warnings? --nh --nj --usage@n --version@n --help@n",
  operands: "",
};
const systemctl: Program = {
  does: "unknown",
  everywhere: true,
  options:
    "--user --system -H,--host: -M,--machine: -q --no-pager -l -n: -o: -t: --state: -p: --type: --root:a --image:a -a --all --now --force -f --version@n --help@n",
  subcommands: {
    status: looks,
    show: looks,
    cat: looks,
    "list-units": looks,
    "list-unit-files": looks,
    "is-active": looks,
    "is-enabled": looks,
    "is-failed": looks,
    "list-timers": looks,
    "list-sockets": looks,
    "list-dependencies": looks,
    start: exact,
    stop: exact,
    restart: exact,
    enable: exact,
    disable: exact,
    edit: forced("the editor that systemctl runs"),
    link: exact,
    "set-environment": forced("what systemctl sets"),
    "import-environment": forced("what systemctl sets"),
    "daemon-reload": exact,
    mask: exact,
  },
};

/** Programs about the machine, and all else. */
export const system: Readonly<Record<string, Program>> = {
  arch: looks,
  ansible: { does: "runs", options: "-a,--args:x -m: -i: -e: -b -u: -k -K --become --playbook-dir: --module-path:a -M:a" },
  "ansible-playbook": { does: "runs", options: "-i: -e: --tags: --limit: -b -u: --check --diff -M:a --module-path:a", operands: "r*" },
  at: { does: "runs", runner: true, options: "-f:r -l@n -q: -m -M -c -d -r -t: -b -V@n -v", special: (call, found) => fromInput("at", call, found) },
  batch: { does: "runs", runner: true, special: (call, found) => fromInput("batch", call, found) },
  aws: { does: "network", keeps: 3 },
  az: { does: "network", keeps: 3 },
  cal: looks,
  clear: looks,
  cmatrix: looks,
  code: { does: "unknown", options: "--install-extension:a --extensions-dir:a --user-data-dir:a --extensionDevelopmentPath:a" },
  crontab: {
    does: "reads",
    exact: true,
    special: ({ words }, found) =>
      words.length > 0 &&
      words.every((word) => /^-(?:l|u)$/.test(word.text) || !word.text.startsWith("-")) &&
      words.some((word) => word.text === "-l")
        ? found.does("reads")
        : found.force("what crontab runs"),
  },
  date: reads(
    "-d,--date: -f,--file:r -I? -R -s,--set:a -u -r: -j -v: --iso-8601? --rfc-3339: --rfc-email --utc --universal --reference:r --debug --resolution --help@n --version@n",
    "",
  ),
  dmesg: { does: "reads", options: "-C@a -c@a -D@a -E@a -n:a -H -T -k -u -x -w -r -t -l: -f: --level: --facility: --since: --until:", operands: "" },
  ed: editor(),
  red: editor(),
  expr: looks,
  factor: looks,
  ffmpeg: {
    does: "writes",
    exact: true,
    special: ({ words }, found) => {
      for (const [at, word] of words.entries()) if (onlyValue(words[at - 1]) === "-i") found.file("read", word);
      const last = words.at(-1);
      if (last !== undefined && !/^-/.test(leadOf(last)) && onlyValue(words.at(-2)) !== "-i") found.file("write", last, true);
    },
  },
  ffprobe: { does: "reads", operands: "" },
  findmnt: looks,
  free: looks,
  gcloud: { does: "network", keeps: 3 },
  gdb: {
    does: "runs",
    runner: true,
    special: ({ words }, found) => {
      for (const [at, word] of words.entries()) {
        if (/^--?(?:ex|eval-command|iex|x|command|init-command|ix|init-eval-command|python|P)$/.test(word.text)) {
          const value = words[at + 1];
          const shell = /^(?:shell|!|make|pipe|\|)\s*(.*)$/s.exec(onlyValue(value) ?? "")?.[1];
          if (shell !== undefined) found.text(literal(shell), "text for gdb");
          else found.force("what gdb is told to run");
        } else if (/^--?args$/.test(word.text)) found.command(words.slice(at + 1));
      }
    },
  },
  gh,
  glab: {
    does: "network",
    keeps: 3,
    subcommands: {
      alias: forced("an alias of glab"),
      config: { does: "unknown", subcommands: { get: looks, list: looks, set: forced("what glab config sets") } },
    },
  },
  getconf: looks,
  getent: looks,
  getopt: looks,
  gpg: {
    does: "unknown",
    options:
      "-o,--output:w --exec-path:a --keyserver-options: --load-extension:a --photo-viewer:x --pinentry-program:a --agent-program:a --dirmngr-program:a --options:a --homedir:a --passphrase-file:r --batch --yes -a,--armor -d,--decrypt -e,--encrypt -s,--sign -b -r,--recipient: -u,--local-user: --verify --import --export --list-keys@_ -k -K",
  },
  groups: looks,
  hg: {
    does: "unknown",
    options: "--config:a -R,--repository:d --cwd:D --debugger",
    everywhere: true,
    subcommands: {
      status: looks,
      st: looks,
      log: looks,
      diff: { does: "reads", options: "-o: --git", operands: "" },
      cat: { does: "reads", options: "-o,--output:w", operands: "" },
      annotate: looks,
      branches: looks,
      tags: looks,
      heads: looks,
      summary: looks,
      root: looks,
      identify: looks,
      id: looks,
      commit: { does: "writes" },
      update: { does: "writes" },
      pull: asksNetwork,
      push: { does: "network", options: "-e,--ssh:x --remotecmd:x", operands: "" },
      clone: { does: "network", options: "-e,--ssh:x --remotecmd:x", operands: "_ W" },
      archive: { does: "writes", operands: "w" },
      export: { does: "reads", options: "-o,--output:w", operands: "" },
      extdiff: { does: "runs", options: "-p,--program:x -o: -r:", operands: "" },
    },
  },
  hostname: { does: "unknown" },
  htop: looks,
  id: looks,
  ifconfig: { does: "unknown" },
  ip: {
    does: "unknown",
    subcommands: {
      netns: { does: "runs", subcommands: { exec: { does: "runs", runner: true, stops: true, operands: "_ command" }, list: looks } },
      vrf: { does: "runs", subcommands: { exec: { does: "runs", runner: true, stops: true, operands: "_ command" } } },
    },
  },
  iostat: looks,
  journalctl: {
    does: "reads",
    options:
      "-f -u: -n? -o: -p: -b? -k -r -x -e -S: -U: --since: --until: --no-pager -D:r --file:r --rotate@a --flush@a --vacuum-size:a --vacuum-time:a --sync@a --cursor-file:w --grep: -g: -q -a -t: --user --system --list-boots",
    operands: "",
  },
  killall: exact,
  last: looks,
  ldd: { does: "runs", operands: "r*" },
  ldconfig: { does: "unknown" },
  locale: looks,
  locate: looks,
  logname: looks,
  lsb_release: looks,
  lsblk: looks,
  lscpu: looks,
  lsmod: looks,
  lsof: { does: "reads", options: "-i? -p: -u: -c: -d: -n -P -t -a -l -r? -F? -s? -D:", operands: "" },
  lspci: looks,
  lsusb: looks,
  man,
  apropos: looks,
  whatis: looks,
  mkfs: exact,
  mount: exact,
  umount: exact,
  mpstat: looks,
  mysql: {
    does: "network",
    runner: true,
    options: "-e,--execute: -u: -p? -h: -P: -D: -N -B -s --defaults-file:a --defaults-extra-file:a --init-command: --pager:x --tee:w --plugin-dir:a",
    special: (call, found) => sqlShell(call, found, ["--execute", "--init-command"], /\\!|^\s*system\s/m),
  },
  netstat: looks,
  nproc: looks,
  numfmt: looks,
  pgrep: looks,
  pidof: looks,
  pkill: exact,
  printenv: looks,
  ps: looks,
  psql: {
    does: "network",
    runner: true,
    options:
      "-c,--command: -f,--file:a -o,--output:w -L,--log-file:w -d,--dbname: -h,--host: -p,--port: -U,--username: -v,--set,--variable: -w -W -A -t -q -x -X -l -a -b -e -E -F: -P: -R: -T: -z -0 -1 -n -s -S --csv -V@n --help@n --version@n",
    special: (call, found) => sqlShell(call, found, ["--command"], /\\(?:!|o|g\s*\||copy|i|ir|w|e|setenv|gexec|watch)|\|/),
  },
  pstree: looks,
  pv: {
    does: "reads",
    options: "-F: -i: -L: -N: -s: -w: -H: -B: -R: -P:w -d: -D: -p -t -e -r -b -q -n -f -c -l -0 -W -C -E -S -h@n -V@n",
    operands: "r*",
  },
  reset: looks,
  runlevel: looks,
  screen: {
    does: "runs",
    runner: true,
    options: "-a -A -d -D -m -r? -R -x -i -l -L -n -O -q -U -X -S: -s: -t: -T: -c:a -e: -h: -p:",
    special: ({ words }, found) => {
      const at = words.findIndex((word) => word.text === "-X");
      if (at !== -1) found.force("what screen is told to do");
      const first = words.findIndex((word, index) => !/^-/.test(word.text) && !/^-[SstTcehp]$/.test(words[index - 1]?.text ?? ""));
      if (at === -1 && first !== -1) found.command(words.slice(first));
    },
  },
  seq: looks,
  service: exact,
  shutdown: exact,
  reboot: exact,
  sleep: looks,
  sqlite3: { does: "writes", runner: true, special: openSqlite },
  ss: looks,
  stty: { does: "unknown" },
  svn: {
    does: "unknown",
    everywhere: true,
    options: "--config-dir:a --config-option:a --editor-cmd:x --diff-cmd:x --diff3-cmd:x -F,--file:r",
    subcommands: {
      status: looks,
      st: looks,
      log: asksNetwork,
      info: looks,
      diff: looks,
      cat: asksNetwork,
      list: asksNetwork,
      ls: asksNetwork,
      blame: asksNetwork,
      commit: asksNetwork,
      update: asksNetwork,
      checkout: { does: "network", operands: "_ W" },
      export: { does: "network", operands: "_ W" },
    },
  },
  sysctl: { does: "unknown", options: "-a -n -e -N -q -b -w@a -p?a --system@a" },
  systemctl,
  terraform: {
    does: "unknown",
    options: "--chdir:D",
    single: true,
    subcommands: {
      plan: { does: "network", single: true, options: "--out:w --var: --var-file:r --target: --input: --lock: --no-color", operands: "" },
      apply: { does: "network", exact: true },
      destroy: { does: "network", exact: true },
      init: { does: "network", single: true, options: "--plugin-dir:a --from-module: --backend-config: --upgrade --reconfigure", operands: "" },
      show: looks,
      output: looks,
      validate: looks,
      fmt: { does: "writes", operands: "" },
      version: looks,
      providers: looks,
      graph: looks,
      state: { does: "unknown", keeps: 3 },
      workspace: { does: "unknown", keeps: 3 },
      console: { does: "runs", runner: true },
    },
  },
  tty: looks,
  tmux: { does: "runs", runner: true, special: openTmux },
  top: looks,
  tput: looks,
  ts: looks,
  uname: looks,
  uptime: looks,
  users: looks,
  uuidgen: looks,
  vim,
  vi: vim,
  nvim: vim,
  ex: vim,
  vimdiff: vim,
  gvim: vim,
  view: vim,
  rvim: vim,
  rview: vim,
  nano: { does: "writes", operands: "W*" },
  pico: { does: "writes", operands: "W*" },
  vmstat: looks,
  w: looks,
  wall: exact,
  "wl-copy": { does: "unknown", stops: true, options: "-p -o -f -c -t: -s: -n" },
  pbcopy: { does: "unknown" },
  pbpaste: looks,
  xclip: { does: "unknown" },
  whatweb: asksNetwork,
  whereis: looks,
  which: looks,
  who: looks,
  whoami: looks,
  "xdg-open": { does: "runs", exact: true },
  open: { does: "runs", exact: true },
  xdotool: {
    does: "runs",
    runner: true,
    special: ({ words }, found) => (words[0]?.text === "exec" ? found.command(words.slice(1)) : found.force("what xdotool does")),
  },
  yes: looks,
};

/** It reads what it does to a file from its input. */
function editor(): Program {
  return {
    does: "runs",
    runner: true,
    options: "-p,--prompt: -s -E -l -r -v --help@n --version@n",
    special: ({ operands: [file], input }, found) => {
      if (file !== undefined) found.file("write", file, true);
      if (input === undefined) found.force("ed reads what it runs from its input");
      else found.code(input);
    },
  };
}

function fromInput(name: string, { input, options }: Call, found: Findings): void {
  if (options.some(({ option }) => /^-[lcdr]$|^-f$/.test(option.name))) return;
  if (input !== undefined) found.text(input, `text for ${name}`);
  else found.force(`${name} reads what it runs from its input`);
}

/** `-c CMD`, `+CMD` and scripts: a `!` in them is text for a shell. */
function openVim({ words }: Call, found: Findings): void {
  for (const [at, word] of words.entries()) {
    const before = onlyValue(words[at - 1]) ?? "";
    const text = onlyValue(word) ?? "";
    if (/^(?:-c|--cmd|-S|-s|-u|-U|-w|-W|-i)$/.test(before)) {
      if (/^(?:-c|--cmd)$/.test(before)) editorCommand(text, found);
      else if (before === "-w" || before === "-W") found.file("write", word);
      else if (text !== "NONE" && text !== "NORC") found.force("a script of the editor");
    } else if (text.startsWith("+")) editorCommand(text.slice(1), found);
    else if (!/^-/.test(leadOf(word))) found.file("write", word, true);
  }
}

function editorCommand(text: string, found: Findings): void {
  const shell = /^:?\s*(?:silent!?\s+)?(?:%|\d[\d,$]*)?!\s*(.*)$/s.exec(text)?.[1] ?? /^:?\s*(?:terminal|term)\s+(.*)$/s.exec(text)?.[1];
  if (shell !== undefined) found.text(literal(shell), "text for the editor");
  else if (!/^(?:\d*|\/[^!|]*|:?(?:wq?|q|qa|wqa?|x|set \w+|syntax \w+|normal! ?gg|\$|%?s\/[^!|]*)!?)$/.test(text))
    found.force("what the editor is told to do");
}

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

function openTmux({ words }: Call, found: Findings): void {
  const at = words.findIndex((word) =>
    /^(?:new|new-session|neww|new-window|splitw|split-window|respawnw|respawn-window|respawnp|respawn-pane|popup|display-popup|run|run-shell|if|if-shell|pipep|pipe-pane|send|send-keys|source|source-file|set-hook|bind|bind-key|confirm-before|command-prompt)$/.test(
      word.text,
    ),
  );
  if (words.some((word, index) => word.text === "-c" && (at === -1 || index < at))) found.force("text for tmux");
  if (at === -1) {
    if (
      !words.every((word) =>
        /^(?:ls|list-.*|lsw|lsp|lsc|lsk|info|show.*|display-message|display|capture-pane|capturep|has|has-session|-.*|\w+)$/.test(word.text),
      )
    )
      found.does("unknown");
    return;
  }
  const rest: Word[] = [];
  for (let index = at + 1; index < words.length; index++) {
    const word = words[index]!;
    if (rest.length === 0 && /^-[ceFnstxylpT]$/.test(word.text)) index++;
    else if (rest.length > 0 || !/^-/.test(word.text)) rest.push(word);
  }
  if (/^(?:source|source-file|set-hook|bind|bind-key|confirm-before|command-prompt)$/.test(words[at]!.text)) found.force("what tmux is told to do");
  if (rest.length === 0) return;
  if (rest.length === 1) found.text(rest[0]!, "text for tmux");
  else if (/^send/.test(words[at]!.text))
    found.text(
      {
        text: rest
          .map((word) => word.text)
          .join(" ")
          .replace(/ (?:C-m|Enter)\b/g, "\n"),
        static: true,
        source: "",
      },
      "text for tmux",
    );
  else runOrText(rest, true, "tmux", found);
}
