import { looks } from "./kinds.ts";
import type { Program } from "./program.ts";
import { reads } from "./program.ts";

const bpf: Program = {
  does: "runs",
  runner: true,
  options: "-e:c -c:x -o:w -l@n -p: -B: -f: -d -v -q -k -I: --include: --unsafe@a --btf --info@n --version@n -V@n -h@n --help@n",
  operands: "r",
};

/** Programs that look at networks and at other programs. */
export const probes: Readonly<Record<string, Program>> = {
  bpftrace: bpf,
  dumpcap: reads("-i: -w:w -f: -c: -a: -b: -D@n -L@n -q -n -p -s: -y: -P -g -S", "_*"),
  hwclock: {
    does: "unknown",
    options:
      "-r,--show@n --get@n -s,--hctosys@a -w,--systohc@a --set@a --date: -u,--utc -l,--localtime --adjust@a --verbose -D --systz@a --param-set:a --version@n -h@n --help@n",
  },
  hostnamectl: {
    does: "unknown",
    options: "--static --transient --pretty --json: -H,--host: -M,--machine: --no-ask-password -h@n --help@n --version@n",
    subcommands: { status: looks, hostname: looks, "set-hostname": { does: "unknown", exact: true } },
  },
  info: reads(
    "-o,--output:w --restore:a --dribble:w -f,--file:r -n,--node: -a -k,--apropos: -w -O --subnodes --usage --index-search: -d: --directory: --vi-keys -h@n --help@n --version@n",
    "_*",
  ),
  ngrep: reads("-O:w -I:r -W: -d: -n: -i -q -t -T -w -x -X -v -e -p -l -D -N -K: -P: -S: -s: -c: -A: -V@n -h@n", "_*"),
  nmap: {
    does: "network",
    single: true,
    options:
      "--oN:w --oX:w --oS:w --oG:w --oA:w --script:a --script-args: --script-args-file:r --datadir:a --servicedb:a --versiondb:a --iL:r --excludefile:r --resume:w --stylesheet:r --p: --sV --sS --sT --sU --sn --Pn --A --O --T4 --T5 --T3 --v --vv --n --F --open --top-ports: --max-retries: --interactive@a",
    operands: "_*",
  },
  tcpdump: reads(
    "-w:w -z:p -W: -G: -C: -r:r -i: -c: -s: -F:r -V:r -E: -m:a -T: -y: -Z: -B: -M: -j: -Q: -A -b -d -D@n -e -f -h@n -H -I -J@n -K -l -L -n -N -O -p -q -S -t -u -U -v -x -X -#",
    "_*",
  ),
  timedatectl: {
    does: "unknown",
    options: "--no-pager -p: --value -a --monitor -H: -M: --adjust-system-clock",
    subcommands: {
      status: looks,
      show: looks,
      "list-timezones": looks,
      "timesync-status": looks,
      "set-time": { does: "unknown", exact: true },
      "set-timezone": { does: "unknown", exact: true },
      "set-ntp": { does: "unknown", exact: true },
    },
  },
  tshark: reads(
    "-w:w -X:a -r:r -R: -Y: -i: -c: -f: -a: -b: -d: -e: -E: -o: -T: -z: -n -N: -V -x -q -Q -l -p -P -S: -t: -u: -2 -F: -G? -D@n -L@n -K:r --export-objects:w --temp-dir:w",
    "_*",
  ),
  ugrep: reads(
    "-abcFGhHiIlLnNoPpqrRsSvwWxyzZ0123456789 -A: -B: -C: -d: -e: -f:r -g: -j -J: -K: -m: -M: -O: -t: --pager?x --filter:a --filter-magic-label: --view?x --config?a --save-config?w --ignore-files? --format: --replace: --context: --color? --colors: --pretty --sort? --stats? --hexdump? --max-count: --include: --exclude: --include-dir: --exclude-dir:",
    "_ r*",
  ),
  ug: reads(
    "-abcFGhHiIlLnNoPpqrRsSvwWxyzZ0123456789 -A: -B: -C: -e: -f:r -g: -j -J: -m: -t: --pager?x --filter:a --view?x --config?a --save-config?w",
    "_ r*",
  ),
};
