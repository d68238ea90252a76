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
