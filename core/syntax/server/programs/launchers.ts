import { onlyValue } from "../word.ts";
import { joined } from "./builtins.ts";
import type { Call } from "./call.ts";
import { forced, looks } from "./kinds.ts";
import type { Findings, Program } from "./program.ts";
import { acts, afterDashes, away, runOrText, wraps } from "./wrapping.ts";

const behind = (options = ""): Program => ({ does: "runs", runner: true, options, stops: true, operands: "", special: behindOptions });
const terminal = (option: string): Program => ({ does: "runs", runner: true, special: (call, found) => fromOption(option, call, found) });

/** Programs of other packages that run the words behind their own options. */
export const launchers: Readonly<Record<string, Program>> = {
  abduco: acts("-a -A -c -f -l -n -r -e:", { operands: "_ command" }),
  air: { does: "runs", options: "-c:d -d --build.cmd:x --build.bin:p --build.full_bin:x --build.pre_cmd:x --build.post_cmd:x", single: true },
  alacritty: terminal("-e"),
  autossh: {
    does: "network",
    runner: true,
    special: ({ words }, found) => {
      const own = words.flatMap((word, at) =>
        /^-M$/.test(word.text) || /^-M$/.test(words[at - 1]?.text ?? "") || /^-M\d/.test(word.text) ? [] : [word],
      );
      found.command([{ text: "ssh", static: true, source: "ssh" }, ...own]);
    },
  },
  cabal: {
    does: "unknown",
    subcommands: {
      exec: acts("-v? -w:p --builddir:w"),
      build: { does: "runs", operands: "" },
      test: { does: "runs", operands: "" },
      run: { does: "runs", operands: "", keeps: 2 },
    },
  },
  catchsegv: wraps(""),
  cgexec: acts("-g: --sticky"),
  chamber: { does: "unknown", subcommands: { exec: { does: "runs", runner: true, special: behindOptions } } },
  chokidar: {
    does: "runs",
    runner: true,
    options: "-c,--command:x -d: -t: -s: -i: -p -P -v --initial --silent --verbose --polling --ignore:",
    operands: "",
  },
  chronic: wraps("-v -e"),
  "chruby-exec": acts("", { operands: "_ command", special: ({ rest }, found) => found.command(rest[0]?.text === "--" ? rest.slice(1) : rest) }),
  cmd: { does: "runs", runner: true, special: commandPrompt },
  "cmd.exe": { does: "runs", runner: true, special: commandPrompt },
  daemonize: acts("-a -v -c:d -e:w -E: -l:w -o:w -p:w -u:"),
  "dbus-launch": acts(
    "--sh-syntax@n --csh-syntax@n --auto-syntax@n --exit-with-session --exit-with-x11 --autolaunch: --config-file:a --close-stderr",
  ),
  devbox: {
    does: "unknown",
    subcommands: { run: acts("-c,--config:d -e,--env: --env-file:r -l,--list@n -q --pure"), shell: forced("a shell that devbox runs") },
  },
  dtach: acts("-a: -A: -c: -n: -N: -p: -e: -E -r: -z"),
  "dumb-init": acts("-c,--single-child -r,--rewrite: -v,--verbose"),
  dune: {
    does: "unknown",
    subcommands: {
      exec: acts("--root:d --profile: --no-build --display:"),
      build: { does: "runs", operands: "" },
      test: { does: "runs", operands: "" },
    },
  },
  eatmydata: wraps(""),
  fakechroot: acts("-s,--use-system-libs -l,--lib:a -d,--elfloader:a -e,--environment: -c,--config-dir:a -b,--bindir:a"),
  "flatpak-spawn": acts("--host --clear-env --watch-bus --sandbox --no-network --latest-version --verbose --directory:d --env: --forward-fd:"),
  fly: {
    does: "network",
    keeps: 2,
    subcommands: {
      ssh: { does: "network", subcommands: { console: { does: "network", options: "-C,--command:x -a,--app: -s,--select -u: -r:", operands: "" } } },
    },
  },
  flyctl: {
    does: "network",
    keeps: 2,
    subcommands: {
      ssh: { does: "network", subcommands: { console: { does: "network", options: "-C,--command:x -a,--app: -s,--select -u: -r:", operands: "" } } },
    },
  },
  foot: acts("", { special: behindOptions }),
  "gnome-terminal": { does: "runs", runner: true, options: "-e,--command:x", special: behindOptions },
  gosu: wraps("", { operands: "_ command" }),
  guix: {
    does: "unknown",
    subcommands: {
      shell: { does: "runs", runner: true, special: afterDashes },
      environment: { does: "runs", runner: true, special: afterDashes },
      "time-machine": { does: "runs", runner: true, special: afterDashes },
    },
  },
  heaptrack: wraps("-r -d -o:w -p:"),
  heroku: {
    does: "network",
    keeps: 2,
    subcommands: { run: acts("-a,--app: -r,--remote: -s,--size: -x,--exit-code --no-tty -e,--env:", { special: elsewhere }) },
  },
  i386: wraps("-B -R -L -3 -v"),
  ifne: wraps("-n"),
  incus: {
    does: "unknown",
    subcommands: {
      exec: {
        does: "runs",
        runner: true,
        special: away(1),
        options: "--cwd: --env: -t -T --user: --group: --mode:",
        stops: true,
        operands: "_ command",
      },
    },
  },
  infisical: {
    does: "unknown",
    subcommands: { run: { does: "runs", runner: true, options: "-c,--command:x -e,--env: --path: --token: --projectId:", special: behindOptions } },
  },
  kitty: acts("", { special: behindOptions }),
  konsole: terminal("-e"),
  lima: acts("", { special: elsewhere }),
  limactl: { does: "unknown", subcommands: { shell: acts("--shell:p --workdir:", { operands: "_ command", special: away(1) }), list: looks } },
  lldb: { does: "runs", runner: true, special: debugs },
  mpirun: behind(),
  mpiexec: behind(),
  mispipe: { does: "runs", runner: true, operands: "x*" },
  newgrp: {
    does: "runs",
    runner: true,
    special: ({ input }, found) =>
      input === undefined ? found.force("newgrp reads what it runs from its input") : found.text(input, "text for newgrp"),
  },
  nvm: {
    does: "unknown",
    subcommands: {
      exec: acts("--silent", { operands: "_ command" }),
      run: {
        does: "runs",
        runner: true,
        special: ({ words }, found) => found.command([{ text: "node", static: true, source: "node" }, ...words.slice(1)]),
      },
      use: { does: "unknown" },
      install: { does: "network", operands: "" },
      ls: looks,
      current: looks,
      which: looks,
    },
  },
  onchange: { does: "runs", runner: true, special: afterDashes },
  opam: {
    does: "unknown",
    subcommands: { exec: acts("--switch: --root:d --set-root --set-switch", { special: behindOptions }), list: looks, show: looks },
  },
  pee: { does: "runs", runner: true, options: "--ignore-sigpipe --no-ignore-sigpipe --ignore-write-errors", operands: "x*" },
  pixi: {
    does: "unknown",
    subcommands: { run: acts("-e,--environment: --manifest-path:d --frozen --locked"), shell: forced("a shell that pixi runs"), list: looks },
  },
  pueue: {
    does: "unknown",
    subcommands: {
      add: {
        does: "runs",
        runner: true,
        options: "-g,--group: -a,--after: -d,--delay: -l,--label: -w,--working-directory:d -i -s -p -e -o:",
        special: behindText,
      },
      status: looks,
      log: looks,
    },
  },
  qsub: behind("-N: -o:w -e:w -b: -q: -l: -cwd"),
  reflex: { does: "runs", runner: true, options: "-r: -R: -g: -G: -s -d: -c:a", special: afterDashes },
  retry: behind("-t,--times: -d,--delay: -m: -u: -s -b"),
  rr: { does: "runs", runner: true, subcommands: { record: acts("-c: -n -o:w"), replay: forced("a debugger that rr runs"), ps: looks } },
  rtx: { does: "unknown", subcommands: { exec: acts("", { special: afterDashes }), x: acts("", { special: afterDashes }), ls: looks } },
  rvm: {
    does: "unknown",
    special: ({ words }, found) => {
      const at = words.findIndex((word) => word.text === "do");
      if (at !== -1 && words.length > at + 1) found.command(words.slice(at + 1));
    },
  },
  "sandbox-exec": acts("-f:a -n: -p:a -D:"),
  sbatch: { does: "runs", runner: true, options: "--wrap:x", operands: "r" },
  scl: {
    does: "runs",
    runner: true,
    subcommands: { enable: { does: "runs", runner: true, special: lastText }, run: { does: "runs", runner: true, special: lastText } },
  },
  sem: {
    does: "runs",
    runner: true,
    special: ({ words }, found) => found.command([{ text: "parallel", static: true, source: "parallel" }, ...words]),
  },
  setuidgid: wraps("", { operands: "_ command" }),
  sg: { does: "runs", runner: true, options: "-l -c:x", operands: "_ x" },
  sops: {
    does: "unknown",
    subcommands: { "exec-env": { does: "runs", runner: true, operands: "r x" }, "exec-file": { does: "runs", runner: true, operands: "r x" } },
    options: "-d,--decrypt -e,--encrypt -i,--in-place@_ --output:w --output-type: --input-type:",
  },
  srun: behind("-n: -N: -c: -p: -t: --pty -J: -o:w -e:w --mem: --gres:"),
  stack: {
    does: "unknown",
    subcommands: {
      exec: acts("--stack-yaml:d --package: --no-ghc-package-path", { special: behindOptions }),
      build: { does: "runs", operands: "" },
      test: { does: "runs", operands: "" },
      run: { does: "runs", operands: "" },
      ghci: { does: "runs", runner: true },
    },
  },
  "start-server-and-test": {
    does: "runs",
    runner: true,
    special: ({ words }, found) => {
      for (const word of words) if (/\s/.test(word.text)) found.text(word, "text for start-server-and-test");
    },
  },
  "start-stop-daemon": { does: "runs", runner: true, special: startsDaemon },
  "su-exec": wraps("", { operands: "_ command" }),
  "systemd-cat": wraps("-t,--identifier: -p,--priority: --stderr-priority: --level-prefix:"),
  teller: {
    does: "unknown",
    subcommands: { run: { does: "runs", runner: true, options: "-s,--shell@_ -r,--reset", special: behindOptions }, sh: looks },
  },
  tini: wraps("-s -g -v -w -e: -p:"),
  trickle: acts("-s -v -u: -d: -w: -t: -l: -n:"),
  tsocks: acts(""),
  "watchman-make": { does: "runs", runner: true, options: "-p: -t: --run:x --make:x -s: --settle: --root:d", operands: "" },
  wsl: acts("", { special: behindOptions }),
  "wsl.exe": acts("", { special: behindOptions }),
  "xfce4-terminal": terminal("-x"),
  xterm: terminal("-e"),
  urxvt: terminal("-e"),
  rxvt: terminal("-e"),
  "xvfb-run": acts(
    "-a,--auto-servernum -n,--server-num: -s,--server-args: -e,--error-file:w -f,--auth-file:w -l,--listen-tcp -p,--xauth-protocol: -w,--wait: -d",
  ),
  "rust-script": { does: "runs", runner: true, options: "-e,--expr:c -l,--loop:c", operands: "r" },
  "wait-on": { does: "network", operands: "" },
  x86_64: wraps("-B -R -L -3 -v"),
  "cargo-watch": cargoWatch(),
};

/** `cargo watch -x CHECK -s TEXT -- WORDS` */
export function cargoWatch(): Program {
  return {
    does: "runs",
    runner: true,
    options: "-x: -s,--shell:x -w: -i: -c -q -d: --why --ignore-nothing --no-restart -N -B: --postpone --poll --use-shell:p -C:d",
    operands: "",
    special: ({ words, options }, found) => {
      const dashes = words.findIndex((word) => word.text === "--");
      if (dashes !== -1 && words.length > dashes + 1) runOrText(words.slice(dashes + 1), true, "cargo watch", found);
      for (const { option, value } of options)
        if (option.name === "-x" && value !== undefined && !/^[\w -]+$/.test(onlyValue(value) ?? "!")) found.force("what cargo watch runs");
    },
  };
}

/** Words among which a command is looked for. */
const MAX_LOOKED = 16;

/** What it runs stands behind `--`, or behind options that may have values: the words from the first that is none. */
function behindOptions({ program, words, path, rest, unlisted }: Call, found: Findings): void {
  const dashes = words.findIndex((word) => word.text === "--");
  if (dashes !== -1) {
    if (words.length > dashes + 1) found.command(words.slice(dashes + 1));
    return;
  }
  if (program.stops && unlisted.length === 0) {
    if (rest.length > 0) found.command(rest);
    return;
  }
  const from = words.findIndex((word, at) => !word.text.startsWith("-") && !/^-[^=]*$/.test(words[at - 1]?.text ?? ""));
  if (from !== 0 && words.length > 0) found.force(`what ${path.join(" ")} runs`);
  if (from !== -1) found.command(words.slice(from));
  // A value of an option may be taken for the command.
  for (const [at, word] of words.slice(0, MAX_LOOKED).entries())
    if (at !== from && /^-/.test(words[at - 1]?.text ?? "") && !word.text.startsWith("-")) found.command(words.slice(at), { passive: true });
}

function behindText(call: Call, found: Findings): void {
  const dashes = call.words.findIndex((word) => word.text === "--");
  const rest = dashes === -1 ? call.operands.concat(call.rest) : call.words.slice(dashes + 1);
  if (call.unlisted.length > 0 && dashes === -1) found.force(`what ${call.path.join(" ")} runs`);
  runOrText(rest, true, call.path.join(" "), found);
}

function elsewhere({ rest }: Call, found: Findings): void {
  if (rest.length > 0) found.command(rest[0]?.text === "--" ? rest.slice(1) : rest, { elsewhere: true });
}

function fromOption(option: string, { words, path }: Call, found: Findings): void {
  const at = words.findIndex((word) => word.text === option);
  if (at === -1) found.force(`a shell that ${path.at(-1)} runs`);
  else if (words.length === at + 2) runOrText(words.slice(at + 1), true, path.at(-1)!, found);
  else if (words.length > at + 1) found.command(words.slice(at + 1));
}

/** `scl enable NAME TEXT`, or `-- WORDS`. */
function lastText({ words, path }: Call, found: Findings): void {
  const dashes = words.findIndex((word) => word.text === "--");
  const last = words.at(-1);
  if (dashes !== -1 && words.length > dashes + 1) found.command(words.slice(dashes + 1));
  else if (last !== undefined && words.length > 1) found.text(last, `text for ${path[0]}`);
}

function commandPrompt({ words }: Call, found: Findings): void {
  const at = words.findIndex((word) => /^\/{1,2}[ck]$/i.test(word.text));
  if (at !== -1) found.force("text for cmd");
  if (at !== -1 && words.length > at + 1) runOrText([joined(words.slice(at + 1))], true, "cmd", found);
}

function startsDaemon({ words }: Call, found: Findings): void {
  const at = words.findIndex((word) => /^(?:-x|-a|--exec|--startas)$/.test(word.text));
  const dashes = words.findIndex((word) => word.text === "--");
  const program = words[at + 1];
  if (at === -1 || program === undefined) found.force("what start-stop-daemon runs");
  else found.command([program, ...(dashes === -1 ? [] : words.slice(dashes + 1))]);
}

/** `-o`, `-O`, `-k` and `-s` are commands of the debugger; `--` stands before the program. */
function debugs({ words, input }: Call, found: Findings): void {
  for (const [at, word] of words.entries()) {
    if (/^(?:-[oOkKsSQ]|--(?:one-line(?:-\S+)?|source(?:-\S+)?))(?:=|$)/.test(word.text)) {
      const shell = /^\s*(?:platform\s+)?shell\s+(.*)$/s.exec(onlyValue(words[at + 1]) ?? "")?.[1];
      if (shell !== undefined) found.text({ text: shell, static: true, source: shell }, "text for lldb");
      else found.force("what lldb is told to run");
    }
  }
  const dashes = words.findIndex((word) => word.text === "--");
  if (dashes !== -1 && words.length > dashes + 1) found.command(words.slice(dashes + 1));
  else if (input !== undefined) found.code(input);
}
