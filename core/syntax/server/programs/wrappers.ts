import { joined } from "./builtins.ts";
import type { Program } from "./program.ts";
import { openEnv, openFlock, openParallel, openScript, openSu, openSudo, openXargs } from "./wrapper-calls.ts";
import { acts, afterDashes, afterOperand, away, busybox, inFolder, opaque, runOrText, withAssignments, wraps } from "./wrapping.ts";

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
