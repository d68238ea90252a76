/**
 * Programs that run what stands in their arguments. One entry per program; what is not in its options is not understood, and asked about.
 * Short options are letters, long ones whole words.
 */
export type Wrapper = {
  /** Options that stand alone. */
  flags?: string;
  /** Options that take a value, glued or in the next word. */
  valued?: string;
  longFlags?: readonly string[];
  longValued?: readonly string[];
  /** `-5` is an option. */
  numbered?: true;
  /** `NAME=value` words may stand before the command. */
  assigns?: true;
  /** Words before the command that are not part of it. */
  operands?: number;
  /** Options whose value is text for a shell. */
  text?: readonly string[];
  /** What follows is text for a shell, joined by blanks. */
  shell?: true;
  /** With one of these options it runs nothing. */
  idle?: readonly string[];
  /** Words that are only known at run time are appended, or stand where this option's value stands. */
  fills?: readonly string[];
  /** What it runs depends on more than its words. */
  unclear?: true;
  /** It does nothing of its own that needs a permission. */
  transparent?: true;
};

export const wrappers: Readonly<Record<string, Wrapper>> = {
  builtin: { transparent: true },
  busybox: {},
  caffeinate: { flags: "dimsu", valued: "tw", transparent: true },
  chroot: { operands: 1, longFlags: ["--skip-chdir"], longValued: ["--userspec", "--groups"] },
  chrt: { flags: "abdfiorRvm", valued: "pTPD", operands: 1, transparent: true },
  command: { flags: "p", idle: ["-v", "-V"], transparent: true },
  coproc: { transparent: true },
  doas: { flags: "Lns", valued: "Cu" },
  env: {
    flags: "i0v",
    valued: "uCa",
    longFlags: ["--ignore-environment", "--null", "--debug"],
    longValued: ["--unset", "--chdir", "--argv0"],
    text: ["-S", "--split-string"],
    assigns: true,
    transparent: true,
  },
  eval: { shell: true },
  exec: { flags: "cl", valued: "a", transparent: true },
  flock: {
    flags: "esxunoFv",
    valued: "wE",
    longFlags: ["--exclusive", "--shared", "--nonblock", "--no-fork", "--close", "--verbose", "--unlock"],
    longValued: ["--timeout", "--conflict-exit-code"],
    text: ["-c", "--command"],
    operands: 1,
  },
  gtimeout: {
    flags: "fpv",
    valued: "ks",
    longFlags: ["--foreground", "--preserve-status", "--verbose"],
    longValued: ["--kill-after", "--signal"],
    operands: 1,
    transparent: true,
  },
  ionice: { flags: "t", valued: "cnpPu", longFlags: ["--ignore"], longValued: ["--class", "--classdata"], transparent: true },
  nice: { valued: "n", longValued: ["--adjustment"], numbered: true, transparent: true },
  nohup: { transparent: true },
  noglob: { transparent: true },
  parallel: { shell: true },
  runuser: { flags: "flmp", valued: "ugGsw", text: ["-c", "--command"], longValued: ["--shell"], longFlags: ["--login"], unclear: true },
  script: { operands: 9, flags: "aefq", valued: "EIOBTtmo", text: ["-c", "--command"], longFlags: ["--quiet", "--append", "--return", "--flush"] },
  setarch: { flags: "BFILRSTXZv3", operands: 1 },
  setsid: { flags: "cfw", longFlags: ["--ctty", "--fork", "--wait"], transparent: true },
  stdbuf: { valued: "ioe", longValued: ["--input", "--output", "--error"], transparent: true },
  strace: { flags: "cCdfFhiknNqrtTvVwxyYzZ", valued: "abeEoOpPsSuUX" },
  su: { operands: 9, flags: "flmpP", valued: "gGsw", text: ["-c", "--command"], longValued: ["--shell"], longFlags: ["--login"] },
  sudo: {
    flags: "ABbEeHiKklNnPSsv",
    valued: "CcDghpRrTtUu",
    longFlags: ["--askpass", "--background", "--preserve-env", "--set-home", "--login", "--non-interactive", "--stdin", "--shell"],
    longValued: ["--user", "--group", "--prompt", "--chdir", "--host", "--chroot"],
    assigns: true,
  },
  taskset: { flags: "ac", operands: 1, longFlags: ["--cpu-list"], transparent: true },
  time: { flags: "pavq", valued: "fo", transparent: true },
  timeout: {
    flags: "fpv",
    valued: "ks",
    longFlags: ["--foreground", "--preserve-status", "--verbose"],
    longValued: ["--kill-after", "--signal"],
    operands: 1,
    transparent: true,
  },
  toybox: {},
  unbuffer: { flags: "p", transparent: true },
  unshare: { flags: "cCfimnprTuU", longFlags: ["--fork", "--map-root-user", "--mount", "--net", "--pid", "--user"] },
  watch: {
    flags: "bcdegprtwx",
    valued: "nqs",
    longFlags: ["--beep", "--color", "--differences", "--errexit", "--chgexit", "--precise", "--no-title"],
    longValued: ["--interval", "--equexit"],
    shell: true,
  },
  xargs: {
    flags: "0oprtx",
    valued: "aEdIJLnPRsS",
    longFlags: ["--null", "--no-run-if-empty", "--verbose", "--interactive", "--exit"],
    longValued: ["--arg-file", "--delimiter", "--max-args", "--max-procs", "--max-lines", "--max-chars", "--replace", "--eof"],
    fills: ["-I", "--replace", "-J"],
  },
};

export type Finder = { starts: readonly string[]; ends: readonly string[] };
/** Programs that run another one between an option and its end. */
export const finders: Readonly<Record<string, Finder>> = {
  find: { starts: ["-exec", "-execdir", "-ok", "-okdir"], ends: [";", "+"] },
  bfs: { starts: ["-exec", "-execdir", "-ok", "-okdir"], ends: [";", "+"] },
  fd: { starts: ["-x", "--exec", "-X", "--exec-batch"], ends: [";"] },
  fdfind: { starts: ["-x", "--exec", "-X", "--exec-batch"], ends: [";"] },
};

/** Read text for a shell after `-c`, or from their input where no file is named. */
export const shells = new Set([
  "sh",
  "bash",
  "dash",
  "zsh",
  "ksh",
  "ksh93",
  "mksh",
  "ash",
  "rbash",
  "fish",
  "csh",
  "tcsh",
  "yash",
  "posh",
  "elvish",
  "nu",
  "xonsh",
  "oil",
  "osh",
]);
/** Options of shells that take the next word. */
export const shellValued = new Set(["-o", "+o", "-O", "+O", "--rcfile", "--init-file"]);

/** Interpreters of other languages: the options whose value is code, and whether they read code from their input. */
export const interpreters: readonly { name: RegExp; code: RegExp; stdin: boolean }[] = [
  { name: /^(?:python|pypy)[\d.]*$/, code: /^-[a-zA-Z]*c/, stdin: true },
  { name: /^(?:node|nodejs|bun)$/, code: /^(?:-[a-zA-Z]*[ep]|--eval|--print)(?:=|$)/, stdin: true },
  { name: /^deno$/, code: /^eval$/, stdin: false },
  { name: /^perl[\d.]*$/, code: /^-[a-zA-Z0-9]*[eE]/, stdin: true },
  { name: /^j?ruby[\d.]*$/, code: /^-[a-zA-Z]*e/, stdin: true },
  { name: /^php[\d.]*$/, code: /^-[rBRE]/, stdin: true },
  { name: /^(?:lua(?:jit)?[\d.]*|Rscript|osascript|ghc|julia)$/, code: /^(?:-[eE]|--eval)/, stdin: true },
  { name: /^(?:pwsh|powershell)$/, code: /^-(?:c|command|e|ec|encodedcommand)$/i, stdin: true },
];

/** Their program is the first operand. It is code where it can do more than print fields. */
export const awks = new Set(["awk", "gawk", "mawk", "nawk", "original-awk"]);
export const awkActs = /system|getline|\||>|close|@/;

/** Builtins that evaluate a name or number: a subscript in it is run. */
export const evaluators = new Set([
  "declare",
  "export",
  "getopts",
  "let",
  "local",
  "mapfile",
  "printf",
  "read",
  "readarray",
  "readonly",
  "test",
  "[",
  "typeset",
  "unset",
  "wait",
]);

/** Builtins that change what later commands mean, or take code: always asked about. The option, where only that does. */
export const rewirers: Readonly<Record<string, RegExp | null>> = {
  alias: null,
  bind: /^-[a-z]*x/,
  compgen: /^-[a-zA-Z]*C/,
  complete: /^-[a-zA-Z]*C/,
  enable: /^-[a-z]*f/,
  fc: null,
  hash: /^-[a-z]*p/,
  let: null,
  mapfile: /^-[a-zA-Z]*C/,
  readarray: /^-[a-zA-Z]*C/,
};

/** Arguments with which an otherwise plain program runs another one or writes a file: always asked about. */
export const hazards: Readonly<Record<string, RegExp>> = {
  cargo: /^--config/,
  docker: /^--privileged/,
  find: /^-(?:delete|fprint0?|fprintf|fls)$/,
  git: /^(?:--(?:uplo|rece|outp|open|ext-d|exec|config-env)|-O|(?:difftool|mergetool|filter-branch|foreach)$)/,
  go: /^--?(?:vettool|toolexec|exec)/,
  make: /^(?:--eval|SHELL=|-E)/,
  man: /^(?:-[a-zA-Z]*[PH]|--pager|--html)/,
  npm: /^--(?:script-shell|node-options)/,
  rg: /^--(?:pre(?:=|$)|hostname-bin)/,
  rsync: /^(?:-[a-zA-Z]*e|--rsh|--rsync-path)/,
  scp: /^-[a-zA-Z]*[oSF]/,
  sed: /^(?:-[a-zA-Z]*i|--in-place|-[a-zA-Z]*f|--file)/,
  sftp: /^-[a-zA-Z]*[oSFD]/,
  sort: /^(?:-[a-zA-Z]*o|--o|--comp)/,
  ssh: /^-[a-zA-Z]*[oFE]/,
  tar: /^(?:-[a-zA-Z]*[IF]|[a-zA-Z]*[IF][a-zA-Z]*$|--(?:to-c|ch|use|rmt|rsh|new|info))/,
};
/** Options of git that stand before its subcommand and set what it runs. */
export const gitConfigures = /^(?:-c|--config-env|--exec-path=)/;

/** Commands of sed that print, delete, quit or substitute. With others it may run programs and write files. */
export const sedPlain = (() => {
  const regex = String.raw`\/(?:[^/\\\n]|\\.)*/[IM]?`;
  const address = String.raw`(?:\d+|\$|${regex})`;
  const substitute = String.raw`s([/|#,:@!_])(?:(?!\1)[^\\\n]|\\[\s\S])*\1(?:(?!\1)[^\\\n]|\\[\s\S])*\1[gpiI\d]*`;
  return new RegExp(String.raw`^\s*(?:${address}(?:,(?:${address}|\+\d+))?\s*!?\s*)?(?:[pdqQ=hHgGxnN]|[qQ]\d+|${substitute})\s*$`);
})();

/** Bash never takes these for a program. */
export const reserved = new Set([
  "if",
  "then",
  "elif",
  "else",
  "fi",
  "for",
  "while",
  "until",
  "do",
  "done",
  "case",
  "esac",
  "select",
  "function",
  "in",
  "{",
  "}",
  "!",
  "[[",
]);

/** A redirect to these writes no file. */
export const noFile = /^\/dev\/(?:null|stdout|stderr|stdin|tty|zero|full|random|urandom|fd\/\d+)$/;
