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
