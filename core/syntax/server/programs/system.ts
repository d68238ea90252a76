import { leadOf, onlyValue } from "../word.ts";
import type { Call } from "./call.ts";
import { asksNetwork, exact, forced, looks } from "./kinds.ts";
import { type Findings, type Program, reads } from "./program.ts";
import { wraps } from "./wrapping.ts";

const man: Program = {
  does: "reads",
  options:
    "-a -c -C,--config-file:a -d -D -e,--extension: -E: -f -F -h@n -H?x --html?x -i -I -k -K -l,--local-file@_ -L,--locale: -m,--systems: -M,--manpath:r -p,--preprocessor: -P,--pager:x -r,--prompt: -R,--recode: -s,-S,--sections: -t -T? -u -V@n -w,-W --path --where -X? -Z --regex --wildcard --names-only --no-hyphenation --no-justification --warnings? --nh --nj --usage@n --version@n --help@n",
  operands: "",
};
/** The last operand is written, where it is no bucket. */
const bucket: Program = {
  does: "network",
  keeps: 3,
  options:
    "--recursive --exclude: --include: --acl: --delete --dryrun --quiet --storage-class: --sse? --no-progress --only-show-errors --size-only --exact-timestamps --content-type: --cache-control: --metadata:",
  special: ({ operands: words }, found) => {
    for (const [at, word] of words.entries())
      if (!/^s3:|^-$/.test(leadOf(word))) found.file(at === words.length - 1 && words.length > 1 ? "write" : "read", word, true);
  },
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
  arch: wraps("-32 -64 -c -h -d: -e: --help@n --version@n -x86_64 -arm64 -arm64e -i386", { does: "reads" }),
  ansible: { does: "runs", options: "-a,--args:x -m: -i: -e: -b -u: -k -K --become --playbook-dir: --module-path:a -M:a" },
  "ansible-playbook": {
    does: "runs",
    options: "-i: -e: --tags: --limit: -b -u: --check --diff -M:a --module-path:a --vault-password-file,--vault-pass-file:p --private-key:r -v -k -K",
    operands: "r*",
  },
  at: { does: "runs", runner: true, options: "-f:a -l@n -q: -m -M -c -d -r -t: -b -V@n -v", special: (call, found) => fromInput("at", call, found) },
  batch: { does: "runs", runner: true, special: (call, found) => fromInput("batch", call, found) },
  aws: {
    does: "network",
    keeps: 3,
    everywhere: true,
    options:
      "--endpoint-url: --profile: --region: --output: --query: --no-cli-pager --no-paginate --cli-input-json: --cli-input-yaml: --ca-bundle:r --debug --color:",
    subcommands: {
      configure: {
        does: "unknown",
        subcommands: { get: looks, list: looks, "list-profiles": looks, set: forced("what aws configure sets"), sso: exact, import: exact },
      },
      s3: {
        does: "network",
        keeps: 3,
        subcommands: {
          cp: bucket,
          mv: bucket,
          sync: bucket,
          ls: asksNetwork,
          rm: asksNetwork,
          mb: asksNetwork,
          rb: asksNetwork,
          presign: asksNetwork,
          website: asksNetwork,
        },
      },
      ssm: { does: "network", keeps: 3 },
    },
  },
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
    {
      // A time without `+` or `--date` is what the clock is set to.
      special: ({ operands: words }, found) => {
        if (words.some((word) => !leadOf(word).startsWith("+"))) found.force("the time that the clock is set to");
      },
    },
  ),
  dmesg: {
    does: "reads",
    options:
      "-C,--clear@a -c,--read-clear@a -D,--console-off@a -E,--console-on@a -n,--console-level:a -H -T -k -u -x -w -r -t -l: -f: --level: --facility: --since: --until:",
    operands: "",
  },
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
  gcloud: {
    does: "network",
    keeps: 3,
    everywhere: true,
    options:
      "--project: --account: --configuration: --format: --quiet -q --verbosity: --impersonate-service-account: --zone: --region: --filter: --limit: --flags-file:a",
    subcommands: {
      compute: {
        does: "network",
        keeps: 3,
        subcommands: {
          ssh: {
            does: "network",
            runner: true,
            options: "--command:x --zone: --project: --ssh-flag:a --tunnel-through-iap --ssh-key-file:r",
            operands: "",
          },
          scp: { does: "network", options: "--zone: --project: --scp-flag:a --recurse", operands: "W*" },
        },
      },
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
  hostname: {
    does: "reads",
    options:
      "-a,--alias -A,--all-fqdns -b,--boot -d,--domain -f,--fqdn,--long -F,--file:a -i,--ip-address -I,--all-ip-addresses -s,--short -y,--yp,--nis -h@n --help@n -V@n --version@n",
    special: ({ operands: words }, found) => {
      if (words.length > 0) found.force("the name that the machine is given");
    },
  },
  htop: looks,
  id: looks,
  ifconfig: { does: "unknown" },
  ip: {
    does: "unknown",
    single: true,
    options: "--batch:a --b:a --force -4 -6 -0 -s -d -o -r -j -p -h -c? -a -l: -f: -n: --json --brief --stats --details --netns:",
    subcommands: {
      netns: { does: "runs", subcommands: { exec: { does: "runs", runner: true, stops: true, operands: "_ command" }, list: looks } },
      vrf: { does: "runs", subcommands: { exec: { does: "runs", runner: true, stops: true, operands: "_ command" } } },
    },
  },
  iostat: looks,
  journalctl: {
    does: "reads",
    options:
      "-f -u: -n? -o: -p: -b? -k -r -x -e -S: -U: --since: --until: --no-pager -D:r --file:r --rotate@a --flush@a --vacuum-size:a --vacuum-time:a --sync@a --setup-keys@a --update-catalog@a --relinquish-var@a --smart-relinquish-var@a --vacuum-files:a --cursor-file:w --grep: -g: -q -a -t: --user --system --list-boots",
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
  netstat: looks,
  nproc: looks,
  numfmt: looks,
  pgrep: looks,
  pidof: looks,
  pkill: exact,
  printenv: looks,
  ps: looks,
  pstree: looks,
  pv: {
    does: "reads",
    options: "-F: -i: -L: -N: -s: -w: -H: -B: -R: -P:w -d: -D: -p -t -e -r -b -q -n -f -c -l -0 -W -C -E -S -h@n -V@n",
    operands: "r*",
  },
  reset: looks,
  runlevel: looks,
  seq: looks,
  service: exact,
  shutdown: exact,
  reboot: exact,
  sleep: looks,
  ss: {
    does: "reads",
    options: "-hHVnraleompiTtsZzNbEtuwx460SdMOQ -K,--kill@a -D,--diag:w -F,--filter:r -f,--family: -A,--query: --help@n --version@n",
    operands: "",
  },
  stty: { does: "unknown" },
  sysctl: { does: "unknown", options: "-a -n -e -N -q -b -w@a -p?a --system@a" },
  systemctl,
  terraform: {
    does: "unknown",
    options: "--chdir:D",
    single: true,
    subcommands: {
      plan: { does: "network", single: true, options: "--out:w --var: --var-file:r --target: --input: --lock: --no-color", operands: "" },
      apply: {
        does: "network",
        exact: true,
        single: true,
        options:
          "--state:w --state-out:w --backup:w --var: --var-file:r --auto-approve --target: --input: --lock: --no-color --parallelism: --refresh: --replace: --json",
        operands: "",
      },
      destroy: { does: "network", exact: true },
      init: { does: "network", single: true, options: "--plugin-dir:a --from-module:a --backend-config: --upgrade --reconfigure", operands: "" },
      show: looks,
      output: looks,
      validate: looks,
      fmt: { does: "writes", single: true, options: "--check --diff --recursive --list: --write: --no-color", operands: "W*" },
      version: looks,
      providers: looks,
      graph: looks,
      state: { does: "unknown", keeps: 3 },
      workspace: { does: "unknown", keeps: 3 },
      console: { does: "runs", runner: true },
    },
  },
  tty: looks,
  top: looks,
  tput: looks,
  ts: looks,
  uname: looks,
  uptime: looks,
  users: looks,
  uuidgen: looks,
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

function fromInput(name: string, { input, options }: Call, found: Findings): void {
  if (options.some(({ option }) => /^-[lcdrf]$/.test(option.name))) return;
  if (input !== undefined) found.text(input, `text for ${name}`);
  else found.force(`${name} reads what it runs from its input`);
}
