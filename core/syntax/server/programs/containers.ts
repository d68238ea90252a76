import { leadOf, literal, onlyValue, type Word } from "../word.ts";
import type { Call } from "./call.ts";
import { behindDashes, copyOut } from "./inside.ts";
import { forced } from "./kinds.ts";
import type { Findings, Program } from "./program.ts";

const looks: Program = { does: "reads", operands: "" };
const talks: Program = { does: "network", operands: "" };
const changes: Program = { does: "writes", operands: "" };

const runOptions =
  "-a,--attach: -d,--detach -e,--env: -h,--hostname: -i,--interactive -l,--label: -m,--memory: -p,--publish: -P,--publish-all -q,--quiet -t,--tty -u,--user: -v,--volume: -w,--workdir: -c,--cpu-shares: --add-host: --annotation: --blkio-weight: --cap-add:a --cap-drop: --cgroup-parent: --cgroupns:a --cidfile:w --cpus: --cpuset-cpus: --cpuset-mems: --cpu-period: --cpu-quota: --detach-keys: --device:a --device-cgroup-rule:a --disable-content-trust --dns: --dns-search: --domainname: --entrypoint: --env-file:r --expose: --gpus: --group-add: --health-cmd: --health-interval: --health-retries: --health-timeout: --init --ip: --ip6: --ipc:a --isolation: --kernel-memory: --label-file:r --link: --link-local-ip: --log-driver: --log-opt: --mac-address: --memory-reservation: --memory-swap: --mount: --name: --network: --net: --network-alias: --no-healthcheck --oom-kill-disable --oom-score-adj: --pid:a --pids-limit: --platform: --privileged@a --pull: --read-only --restart: --rm --runtime:a --security-opt:a --shm-size: --sig-proxy? --stop-signal: --stop-timeout: --storage-opt: --sysctl: --tmpfs: --ulimit: --userns:a --uts:a --volume-driver: --volumes-from: --help@n";
const run: Program = { does: "runs", runner: true, options: runOptions, stops: true, operands: "_", special: openRun };
const exec: Program = {
  does: "runs",
  runner: true,
  options:
    "-d,--detach -e,--env: -i,--interactive -t,--tty -u,--user: -w,--workdir: --detach-keys: --env-file:r --privileged@a -T,--no-TTY --index: --help@n",
  stops: true,
  operands: "_",
  special: ({ rest }, found) => {
    if (rest.length > 0) found.command(rest, { elsewhere: true });
  },
};
const build: Program = {
  does: "network",
  options:
    "-f,--file:r -t,--tag: -o,--output:w -q --build-arg: --target: --no-cache --pull --platform: --push --load --progress: --secret:a --ssh:a --iidfile:w --metadata-file:w --cache-from: --cache-to: --network: --label: --add-host: --allow:a --build-context:",
  operands: "r*",
};

const compose: Program = {
  does: "unknown",
  everywhere: true,
  options: "-f,--file:d -p,--project-name: --project-directory:d --env-file:r --profile: --ansi: --parallel: --progress: --compatibility --dry-run",
  subcommands: {
    config: looks,
    events: looks,
    images: looks,
    logs: looks,
    ls: looks,
    port: looks,
    ps: looks,
    top: looks,
    version: looks,
    volumes: looks,
    stats: looks,
    build: { does: "network", operands: "" },
    pull: talks,
    push: talks,
    up: { does: "runs", operands: "" },
    start: { does: "runs", operands: "" },
    restart: changes,
    stop: changes,
    down: changes,
    rm: changes,
    kill: changes,
    pause: changes,
    unpause: changes,
    create: changes,
    watch: changes,
    run: { ...run, options: `${runOptions} -T --no-deps --service-ports --use-aliases --build --remove-orphans --quiet-pull` },
    exec,
    cp: { does: "writes", operands: "", special: copyOut },
  },
};

const docker: Program = {
  does: "unknown",
  options:
    "-c,--context: -D,--debug -H,--host:a -l,--log-level: --config:a --tls --tlscacert:r --tlscert:r --tlskey:r --tlsverify -v,--version@n --help@n",
  subcommands: {
    run,
    exec,
    build,
    create: run,
    compose,
    attach: { does: "unknown" },
    commit: changes,
    cp: { does: "writes", operands: "", special: copyOut },
    diff: looks,
    events: looks,
    history: looks,
    images: looks,
    info: looks,
    inspect: looks,
    logs: looks,
    port: looks,
    ps: looks,
    stats: looks,
    top: looks,
    version: looks,
    search: talks,
    export: { does: "reads", options: "-o,--output:w", operands: "" },
    import: { does: "writes", operands: "r _" },
    load: { does: "writes", options: "-i,--input:r -q", operands: "" },
    save: { does: "reads", options: "-o,--output:w", operands: "" },
    kill: changes,
    login: talks,
    logout: changes,
    pause: changes,
    pull: talks,
    push: talks,
    rename: changes,
    restart: changes,
    rm: changes,
    rmi: changes,
    start: { does: "runs", operands: "" },
    stop: changes,
    tag: changes,
    unpause: changes,
    update: changes,
    wait: looks,
    container: {
      does: "unknown",
      subcommands: {
        run,
        exec,
        create: run,
        ls: looks,
        list: looks,
        ps: looks,
        inspect: looks,
        logs: looks,
        stats: looks,
        top: looks,
        port: looks,
        diff: looks,
        cp: { does: "writes", operands: "", special: copyOut },
        rm: changes,
        prune: changes,
        stop: changes,
        start: { does: "runs", operands: "" },
      },
    },
    image: {
      does: "unknown",
      subcommands: {
        ls: looks,
        list: looks,
        inspect: looks,
        history: looks,
        build,
        pull: talks,
        push: talks,
        rm: changes,
        prune: changes,
        save: { does: "reads", options: "-o,--output:w", operands: "" },
      },
    },
    buildx: {
      does: "unknown",
      subcommands: {
        build,
        bake: { does: "network", options: "-f,--file:r --set: --push --load --allow:a", operands: "" },
        ls: looks,
        inspect: looks,
        du: looks,
        version: looks,
      },
    },
    network: {
      does: "unknown",
      subcommands: { ls: looks, inspect: looks, create: changes, rm: changes, connect: changes, disconnect: changes, prune: changes },
    },
    volume: { does: "unknown", subcommands: { ls: looks, inspect: looks, create: changes, rm: changes, prune: changes } },
    system: { does: "unknown", subcommands: { df: looks, info: looks, events: looks, prune: changes } },
    context: {
      does: "unknown",
      subcommands: { ls: looks, inspect: looks, show: looks, use: changes, create: forced("where docker is told to work"), rm: changes },
    },
    plugin: { does: "unknown", subcommands: { ls: looks, inspect: looks, install: forced("what docker installs") } },
    stack: {
      does: "unknown",
      subcommands: {
        deploy: { does: "network", options: "-c,--compose-file:d --prune --with-registry-auth", operands: "" },
        ls: looks,
        ps: looks,
        services: looks,
      },
    },
  },
};

export const containers: Readonly<Record<string, Program>> = {
  docker,
  podman: docker,
  nerdctl: docker,
  buildah: {
    does: "unknown",
    subcommands: { run: { does: "runs", runner: true, special: behindDashes }, from: talks, images: looks, containers: looks, inspect: looks },
  },
  "docker-compose": compose,
  "podman-compose": compose,
  lxc: { does: "unknown", subcommands: { exec: { does: "runs", runner: true, special: behindDashes }, list: looks, info: looks } },
  multipass: { does: "unknown", subcommands: { exec: { does: "runs", runner: true, special: behindDashes }, list: looks, info: looks } },
  vagrant: {
    does: "unknown",
    subcommands: {
      ssh: {
        does: "runs",
        runner: true,
        options: "-c,--command:x -p",
        special: ({ words }, found) => {
          const at = words.findIndex((word) => word.text === "--");
          if (at !== -1 && words.length > at + 1) found.command(words.slice(at + 1), { elsewhere: true });
        },
      },
      status: looks,
    },
  },
  toolbox: {
    does: "unknown",
    subcommands: { run: { does: "runs", runner: true, options: "-c,--container: -d: -r:", stops: true, operands: "command" }, list: looks },
  },
  distrobox: { does: "unknown", subcommands: { enter: { does: "runs", runner: true, special: behindDashes }, list: looks } },
  machinectl: { does: "unknown", subcommands: { shell: { does: "runs", runner: true, stops: true, operands: "_ command" }, list: looks } },
};

/** Folders of this machine that a container is given can be written from inside. */
function openRun(call: Call, found: Findings): void {
  for (const { option, value } of call.options) {
    if (value === undefined) continue;
    if (option.name === "--volume") mount(value, leadOf(value).split(":"), found);
    else if (option.name === "--mount") {
      const source = /(?:^|,)(?:source|src)=([^,]*)/.exec(leadOf(value))?.[1];
      const readonly = /(?:^|,)(?:readonly|ro)(?:,|=true|$)/.test(leadOf(value));
      if (source !== undefined) found.file(readonly ? "read" : "write", literal(source), !readonly);
    } else if (option.name === "--entrypoint") found.command([value, ...call.rest], { elsewhere: true, passive: true });
    else if (/^--(?:network|net)$/.test(option.name) && onlyValue(value) === "host") continue;
  }
  if (call.rest.length > 0) found.command(call.rest, { elsewhere: true });
}

/** `source:target[:options]`; a source without a slash is a volume's name. */
function mount(value: Word, parts: readonly string[], found: Findings): void {
  const [source = "", target, options = ""] = parts;
  if (target === undefined && onlyValue(value) !== undefined) return;
  const path = onlyValue(value) === undefined ? { ...value, text: value.text.split(":", 1)[0]! } : literal(source);
  if (onlyValue(value) === undefined || /[/.~]/.test(source))
    found.file(/(?:^|,)ro(?:,|$)/.test(options) ? "read" : "write", path, !/(?:^|,)ro(?:,|$)/.test(options));
}
