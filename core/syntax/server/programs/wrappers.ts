import { literal, onlyValue, spread, type Word } from "../word.ts";
import { joined } from "./builtins.ts";
import { type Call, takesApart } from "./call.ts";
import type { Findings, Inner, Program } from "./program.ts";

const wraps = (options: string, more: Partial<Program> = {}): Program => ({
  does: "reads",
  options,
  stops: true,
  operands: "command",
  transparent: true,
  runner: true,
  ...more,
});
/** A wrapper that does something of its own, so its name alone is asked about too. */
const acts = (options: string, more: Partial<Program> = {}): Program => {
  const { transparent: _transparent, ...rest } = wraps(options, { does: "runs", ...more });
  return rest;
};

const timeout = wraps("-f,--foreground -p,--preserve-status -v,--verbose -k,--kill-after: -s,--signal: --help@n --version@n", {
  operands: "_ command",
});

/** Programs that run the words behind their own options. */
export const wrappers: Readonly<Record<string, Program>> = {
  "aws-vault": {
    does: "runs",
    subcommands: {
      exec: acts("-n -d,--duration: -j --no-session -s,--server --region: --prompt:", { operands: "_ command", special: afterOperand }),
    },
  },
  busybox: acts("--list@n --install@a --help@n", { special: busybox }),
  toybox: acts("--help@n", { special: busybox }),
  bwrap: acts("", { special: opaque }),
  caffeinate: wraps("-dimsu -t: -w:"),
  capsh: acts("", { special: opaque }),
  choom: wraps("-n,--adjust: -p,--pid:"),
  chpst: acts("-v -P -0 -1 -2 -u: -U: -b: -/: -e: -C:d -n: -l: -L: -m: -d: -o: -p: -f: -c: -t: -r:"),
  chroot: acts("--skip-chdir --userspec: --groups:", { operands: "_ command", special: away(1) }),
  chrt: wraps(
    "-a,--all-tasks -b,--batch -d,--deadline -f,--fifo -i,--idle -o,--other -r,--rr -R,--reset-on-fork -v,--verbose -m,--max@n -p,--pid: -T,--sched-runtime: -P,--sched-period: -D,--sched-deadline:",
    { operands: "_ command" },
  ),
  cpulimit: acts("-z -i -v -b -q -l,--limit: -p,--pid: -e,--exe: -P,--path: -m"),
  "cross-env": acts("", { assigns: true, special: withAssignments }),
  "cross-env-shell": acts("", {
    assigns: true,
    special: ({ operands, rest }, found) => found.text(joined([...operands, ...rest]), "text for cross-env-shell"),
  }),
  "dbus-run-session": acts("--config-file:a --dbus-daemon:p"),
  direnv: {
    does: "runs",
    subcommands: {
      exec: acts("", { operands: "d command", special: inFolder }),
      allow: { does: "runs", special: (_call, found) => found.force("what direnv is told to trust") },
    },
  },
  doas: acts("-L -n -s -C:a -u:"),
  dotenv: acts("-e: -c -v: -o --"),
  dotenvx: { does: "runs", subcommands: { run: acts("-f: -e: --overload -q") } },
  doppler: { does: "runs", subcommands: { run: acts("-p,--project: -c,--config: -t,--token: --command:x --preserve-env --fallback:") } },
  entr: acts("-acdnprsxz", {
    special: ({ words, rest, options }, found) =>
      runOrText(rest, options.some(({ option }) => option.name === "-s") || words.length === 0, "entr", found),
  }),
  env: wraps(
    "-i,--ignore-environment -0,--null -v,--debug -u,--unset: -C,--chdir: -S,--split-string: -a,--argv0: -P:a --block-signal? --default-signal? --ignore-signal? --list-signal-handling --help@n --version@n",
    {
      assigns: true,
      does: "reads",
      special: openEnv,
    },
  ),
  "env-cmd": acts("-f: -e: --no-override --silent --use-shell -x"),
  fakeroot: wraps("-u -s:w -i:r -b: -l:a --lib:a --faked:p"),
  faketime: acts("-f -m --exclude-monotonic", { operands: "_ command" }),
  firejail: acts("", { special: opaque }),
  flatpak: { does: "unknown", subcommands: { run: acts("--command: --branch: --arch:", { operands: "_" }) } },
  flock: acts(
    "-e,-x,--exclusive -s,--shared -u,--unlock -n,--nonblock -o,--close -F,--no-fork -v,--verbose -w,--timeout: -E,--conflict-exit-code: -c,--command:",
    {
      special: openFlock,
    },
  ),
  gtimeout: timeout,
  hyperfine: {
    does: "runs",
    runner: true,
    options:
      "-w,--warmup: -m,--min-runs: -M,--max-runs: -r,--runs: -s,--setup:x -p,--prepare:x -C,--conclude:x -c,--cleanup:x -P,--parameter-scan: -D: -L,--parameter-list: -S,--shell:p -N -i,--ignore-failure -u,--time-unit: --style: --export-json:w --export-csv:w --export-markdown:w --export-asciidoc:w -n,--command-name: --output:w --input:r",
    operands: "x*",
  },
  ionice: wraps("-c,--class: -n,--classdata: -p,--pid: -P,--pgid: -u,--uid: -t,--ignore"),
  linux32: wraps(""),
  linux64: wraps(""),
  ltrace: acts("-CfhirStTV -a: -A: -D: -e: -F:a -l: -n: -o,--output:w -p: -s: -u: -w: -x:"),
  mise: {
    does: "unknown",
    subcommands: { exec: acts("-j: --raw", { special: afterDashes }), x: acts("", { special: afterDashes }), run: { does: "runs", runner: true } },
  },
  nice: wraps("-n,--adjustment: --help@n --version@n", { numbered: true }),
  noglob: wraps(""),
  nocorrect: wraps(""),
  nohup: wraps("--help@n --version@n"),
  nsenter: acts("", { special: opaque }),
  numactl: wraps(
    "-a,--all -s,--show@n -H,--hardware@n -l,--localalloc -i,--interleave: -N,--cpunodebind: -C,--physcpubind: -m,--membind: -p,--preferred:",
  ),
  op: { does: "unknown", subcommands: { run: acts("--env-file: --no-masking --account:") } },
  parallel: { does: "runs", runner: true, special: openParallel },
  perf: {
    does: "unknown",
    subcommands: {
      stat: acts("-a -d -v -i -r: -e: -o,--output:w -x: -I: -C: -p: -t:"),
      record: acts("-a -g -v -q -F: -e: -o,--output:w -c: -C: -p: -t: --call-graph:"),
      trace: acts("-a -s -S -e: -o,--output:w -p:"),
    },
  },
  pkexec: acts("--user: --disable-internal-agent --keep-cwd"),
  prlimit: acts("-p: --raw --verbose --noheadings -c? -d? -e? -f? -i? -l? -m? -n? -q? -r? -s? -t? -u? -v? -x? -y?"),
  proot: acts("", { special: opaque }),
  proxychains: acts("-q -f:a"),
  proxychains4: acts("-q -f:a"),
  rlwrap: wraps("-aAcCdDeEfFgGhHiIlmMnNoOpPqrRsStUvwWXzZ"),
  runuser: acts(
    "-l,--login -f,--fast -m,-p,--preserve-environment -P,--pty -u,--user: -g,--group: -G,--supp-group: -s,--shell:p -w,--whitelist-environment: -c,--command: --session-command:",
    { special: openSu },
  ),
  script: {
    does: "writes",
    runner: true,
    options:
      "-a,--append -e,--return -f,--flush -q,--quiet -r -p -k -F -c,--command:x -I,--log-in:w -O,--log-out:w -B,--log-io:w -T,--log-timing:w -t?w -E,--echo: -m,--logging-format: -o,--output-limit:",
    special: openScript,
  },
  setarch: acts("-B -F -I -L -R -S -T -X -Z -v -3 --list@n", { operands: "_ command" }),
  setpriv: acts("", { special: opaque }),
  setsid: wraps("-c,--ctty -f,--fork -w,--wait"),
  softlimit: acts("-a: -c: -d: -f: -l: -m: -o: -p: -r: -s: -t:"),
  "ssh-agent": acts("-c -D -d -k -s -a: -E: -O: -P:a -t:"),
  sshpass: acts("-e -v -f:r -d: -p: -P:"),
  stdbuf: wraps("-i,--input: -o,--output: -e,--error:"),
  strace: acts("-cCdDfFhiknNqrtTvVwxyYzZ -a: -b: -e: -E: -o,--output:w -O: -p: -P: -s: -S: -u: -U: -X: -I:"),
  su: acts(
    "-l,--login -f,--fast -m,-p,--preserve-environment -P,--pty -g,--group: -G,--supp-group: -s,--shell:p -w,--whitelist-environment: -c,--command: --session-command:",
    { special: openSu },
  ),
  sudo: acts(
    "-A,--askpass -b,--background -B,--bell -E -H,--set-home -i,--login -K,--remove-timestamp -k,--reset-timestamp -l,--list -n,--non-interactive -N,--no-update -P,--preserve-groups -S,--stdin -s,--shell -V,--version@n -v,--validate -e,--edit@a --preserve-env? -C,--close-from: -c: -D,--chdir: -g,--group: -h,--host: -p,--prompt: -R,--chroot: -r,--role: -T,--command-timeout: -t,--type: -U,--other-user: -u,--user:",
    { assigns: true, special: openSudo },
  ),
  sudoedit: { does: "writes", operands: "w*", runner: true },
  "systemd-run": acts(
    "--user --system --scope -q,--quiet --wait -G,--collect -t,--pty -P,--pipe -d,--same-dir -S,--shell -r,--remain-after-exit --no-block -u,--unit: -p,--property:a --description: --slice: --uid: --gid: --nice: -E,--setenv: --on-active: --on-boot: --on-calendar: -M,--machine: -H,--host: --working-directory:d",
  ),
  "systemd-inhibit": wraps("--what: --who: --why: --mode: --list@n"),
  taskset: wraps("-a,--all-tasks -c,--cpu-list -p,--pid@n", { operands: "_ command" }),
  time: wraps("-p,--portability -a,--append -v,--verbose -q,--quiet -f,--format: -o,--output:w"),
  timeout,
  torsocks: acts("-i,--isolate -d -u: -p: -a: -P:"),
  tsp: acts("-n -f -m -d -g -B -E -L: -N: -D: -l -C -K"),
  unbuffer: wraps("-p"),
  unshare: acts(
    "-c -f,--fork -i -m,--mount -n,--net -p,--pid -r,--map-root-user -u -U,--user -C -T -S: -G: --mount-proc? --root:a --wd:d --map-user: --map-group: --kill-child?",
  ),
  valgrind: acts("--tool: --leak-check: --log-file:w --xml-file:w --log-fd: --trace-children: --suppressions:r -q -v", {
    special: ({ rest, operands }, found) => found.command([...operands, ...rest]),
  }),
  watch: {
    does: "reads",
    runner: true,
    stops: true,
    options:
      "-b,--beep -c,--color -C,--no-color -d,--differences? -e,--errexit -g,--chgexit -p,--precise -r,--no-rerun -t,--no-title -w,--no-wrap -x,--exec -n,--interval: -q,--equexit: -s,--shotsdir:w --help@n --version@n",
    operands: "text",
    special: ({ rest, options }, found) => runOrText(rest, !options.some(({ option }) => option.name === "--exec"), "watch", found),
  },
  watchexec: acts(
    "-w,--watch: -e,--exts: -f,--filter: -i,--ignore: -r,--restart -c,--clear? -n -N -p,--postpone -s,--signal: -d,--debounce: --shell:p --workdir:d -E,--env:",
    { special: ({ rest }, found) => runOrText(rest, true, "watchexec", found) },
  ),
  xargs: {
    does: "reads",
    runner: true,
    stops: true,
    options:
      "-0,--null -o,--open-tty -p,--interactive -r,--no-run-if-empty -t,--verbose -x,--exit -a,--arg-file:r -d,--delimiter: -E: -e,--eof? -I: -i,--replace? -J: -L: -l,--max-lines? -n,--max-args: -P,--max-procs: -R: -S: -s,--max-chars: --process-slot-var: --show-limits --help@n --version@n",
    operands: "command",
    special: openXargs,
  },
};

/** Words that only the program knows, in place of `placeholder`, or behind the others. */
export function filled(words: readonly Word[], placeholder: string | undefined, hole: Word): Word[] {
  if (placeholder === undefined || placeholder === "") return [...words, hole];
  return words.map((word) => {
    if (!word.text.includes(placeholder)) return word;
    const { values: _values, ...rest } = word;
    const at = word.text.indexOf(placeholder);
    return word.text === placeholder ? { ...hole, source: word.source } : { ...rest, static: false, lead: word.text.slice(0, at) };
  });
}

const SAFE_TEXT = /^[\w./:=,@%+ ~-]+$/;

/** Words that a shell is given as one text. Where no word can mean more to a shell they are the command itself. */
export function runOrText(words: readonly Word[], shell: boolean, name: string, found: Findings, more: Inner = {}): void {
  if (words.length === 0) return;
  const text = onlyValue(joined(words));
  if (!shell) found.command(words, more);
  else if (text !== undefined && SAFE_TEXT.test(text) && !/^\s*\w+=/.test(text)) found.command(wordsOf(text), more);
  else found.text(joined(words), `text for ${name}`);
}

function wordsOf(text: string): Word[] {
  return text
    .split(" ")
    .filter((word) => word !== "")
    .map((word) => literal(word));
}

function openEnv(given: Call, found: Findings): void {
  // A lone dash is `-i`.
  const call = onlyValue(given.rest[0]) === "-" ? takesApart(given.program, given.path, given.rest.slice(1), given.input) : given;
  const folder = call.options.find(({ option }) => option.name === "--chdir")?.value;
  if (folder !== undefined) found.folder(folder);
  const split = call.options.findIndex(({ option }) => option.name === "--split-string");
  if (split === -1) {
    if (call.rest.length > 0) found.command(call.rest, { assignments: call.assignments, ...(folder === undefined ? {} : { folder }) });
    else if (call.assignments.length > 0) found.does("reads");
    return;
  }
  const text = call.options[split]!.value;
  const known = onlyValue(text);
  const behind = spread([...call.assignments.map(({ name, value }) => ({ ...value, text: `${name}=${value.text}` })), ...call.rest]);
  // Its words are read as further words of env itself.
  if (known !== undefined && SAFE_TEXT.test(known)) found.command([literal("env"), ...wordsOf(known), ...behind], { passive: true });
  else found.text(joined([...(text === undefined ? [] : [text]), ...behind]), "text for env");
}

function openSudo(call: Call, found: Findings): void {
  const folder = call.options.find(({ option }) => option.name === "--chdir")?.value;
  if (folder !== undefined) found.folder(folder);
  const shell = call.options.some(({ option }) => option.name === "--shell" || option.name === "--login");
  if (call.unlisted.length > 0) found.force("an option of sudo that is not known");
  if (call.rest.length === 0) {
    if (shell) found.force("a shell that reads what it runs from its input");
    return;
  }
  found.command(call.rest, { assignments: call.assignments, ...(folder === undefined ? {} : { folder }) });
}

/** `su USER -c TEXT`; what stands behind the user are arguments of that shell. */
function openSu(call: Call, found: Findings): void {
  const { program, path, words, input } = call;
  const whole = takesApart({ ...program, operands: "_*", stops: undefined } as unknown as Program, path, words, input);
  const texts = whole.options.filter(({ option }) => option.name === "--command" || option.name === "--session-command");
  const user = whole.options.some(({ option }) => option.name === "--user");
  for (const { value } of texts) if (value !== undefined) found.text(value, `text for ${path.at(-1)}`);
  if (user && call.rest.length > 0) found.command(call.rest);
  else if (texts.length === 0) found.force(`${path.at(-1)} reads what it runs from its input`);
}

function openFlock(call: Call, found: Findings): void {
  const [lock, ...rest] = call.rest;
  if (lock === undefined) return;
  if (!/^\d+$/.test(onlyValue(lock) ?? "")) found.file("write", lock, true);
  if (/^(?:-c|--command)$/.test(onlyValue(rest[0]) ?? "")) {
    if (rest[1] !== undefined) found.text(rest[1], "text for flock");
  } else if (rest.length > 0) found.command(rest);
}

/** Its file is the first operand; on some systems a command follows. */
function openScript({ operands, options }: Call, found: Findings): void {
  const [file, ...rest] = operands;
  const logs = options.some(({ option }) => /^--log-/.test(option.name));
  if (file !== undefined) found.file("write", file, true);
  else if (!logs) found.file("write", literal("typescript"), true);
  if (rest.length > 0) found.command(rest);
  else if (!options.some(({ option }) => option.name === "--command")) found.force("script reads what it runs from its input");
}

function openXargs(call: Call, found: Findings): void {
  const { options, rest, input } = call;
  const replace = options.find(({ option }) => option.name === "-I" || option.name === "--replace" || option.name === "-J");
  const placeholder = replace === undefined ? undefined : (onlyValue(replace.value) ?? "{}");
  if (call.unlisted.length > 0) found.force("an option of xargs that is not known");
  const given = onlyValue(input);
  // Words that are plain are told apart by blanks.
  const known =
    given !== undefined && /^[^'"\\]*$/.test(given) && !options.some(({ option }) => /^--(?:null|delimiter|eof)$|^-[EdI]$/.test(option.name));
  const hole: Word = known
    ? { text: "{}", static: false, values: given.split(/\s+/).filter((word) => word !== ""), spread: true, source: "{}" }
    : { text: "{}", static: false, many: true, source: "{}" };
  found.command(filled(rest.length === 0 ? [literal("echo")] : rest, placeholder, hole));
}

/** Its options are many, and a replacement string may stand anywhere: always asked about. */
function openParallel({ words, input }: Call, found: Findings): void {
  const marks = words.findIndex((word) => /^:::/.test(word.text));
  let own = marks === -1 ? [...words] : words.slice(0, marks);
  while (own.length > 0 && /^-./.test(own[0]!.text)) {
    const text = own[0]!.text;
    own = own.slice(
      /^(?:-[jaNnIPSsLlCXE]|--(?:jobs|arg-file|max-args|colsep|joblog|results|tmpdir|workdir|wd|timeout|delay|retries|sshlogin|max-procs|halt|tag-string|delimiter|load|memfree|nice|shuf|env|block|recstart|recend|rpl))$/.test(
        text,
      )
        ? 2
        : 1,
    );
    if (/^(?:--joblog|--results)/.test(text)) found.force("what parallel is told to write");
  }
  if (own.length > 0) found.text(joined(own), "text for parallel");
  else if (input !== undefined) found.text(input, "text for parallel");
  else found.force("parallel reads what it runs from its input");
  if (own.length === 0) for (const word of words.slice(marks + 1)) found.text(word, "text for parallel");
}

/** Its own options are not known: the first word that is none may be the command. */
function opaque({ path, words }: Call, found: Findings): void {
  found.force(`what ${path.at(-1)} runs`);
  const dashes = words.findIndex((word) => word.text === "--");
  const from = dashes === -1 ? words.findIndex((word) => /^[a-z./]/.test(word.text)) : dashes + 1;
  if (from === -1) return;
  for (let at = from; at < words.length; at++) if (at === from || /^\//.test(words[at - 1]!.text)) found.command(words.slice(at), { passive: true });
}

function busybox({ rest }: Call, found: Findings): void {
  if (rest.length > 0) found.command(rest);
}

function away(count: number): Program["special"] {
  return ({ rest, operands }, found) => {
    if (operands.length >= count && rest.length > 0) found.command(rest, { elsewhere: true });
  };
}

function afterOperand({ rest }: Call, found: Findings): void {
  const [first, ...others] = rest;
  const words = onlyValue(first) === "--" ? others : rest;
  if (words.length > 0) found.command(words);
}

/** The command stands behind `--`. */
export function afterDashes({ words, path }: Call, found: Findings): void {
  const dashes = words.findIndex((word) => word.text === "--");
  if (dashes !== -1 && words.length > dashes + 1) found.command(words.slice(dashes + 1));
  else if (words.length > 0) {
    found.force(`what ${path.join(" ")} runs`);
    found.command(words, { passive: true });
  }
}

function inFolder({ rest, operands }: Call, found: Findings): void {
  const [folder] = operands;
  if (folder !== undefined) found.folder(folder);
  if (rest.length > 0) found.command(rest);
}

function withAssignments({ rest, assignments }: Call, found: Findings): void {
  if (rest.length > 0) found.command(rest, { assignments });
}
