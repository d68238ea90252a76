import { literal } from "../word.ts";
import type { Call } from "./call.ts";
import { asksNetwork, changes, forced, looks } from "./kinds.ts";
import { npmExec } from "./npm.ts";
import type { Findings, Program } from "./program.ts";
import { acts } from "./wrapping.ts";

const pip: Program = {
  does: "unknown",
  everywhere: true,
  options:
    "--python:p -r,--requirement:r -c,--constraint:r -t,--target:w --prefix:w --root:w --src:w -e,--editable: --log:w --cache-dir:w -i,--index-url: --extra-index-url: -f,--find-links: --trusted-host: --proxy: --report:w --no-deps -U --upgrade --user --pre -q -v --quiet --no-cache-dir --break-system-packages --dry-run -h@n --help@n -V@n --version@n",
  subcommands: {
    list: looks,
    show: looks,
    freeze: looks,
    check: looks,
    help: looks,
    debug: looks,
    inspect: looks,
    install: changes,
    uninstall: changes,
    download: { does: "network", options: "-d,--dest:w", operands: "" },
    wheel: { does: "unknown", options: "-w,--wheel-dir:w", operands: "" },
    index: asksNetwork,
    search: asksNetwork,
    cache: changes,
    hash: looks,
    config: {
      does: "writes",
      subcommands: {
        get: looks,
        list: looks,
        debug: looks,
        set: forced("what pip config sets"),
        unset: forced("what pip config sets"),
        edit: forced("the editor that pip runs"),
      },
    },
  },
};

/** Package managers of Python, and what they run. */
export const python: Readonly<Record<string, Program>> = {
  pip,
  pip3: pip,
  pipx: {
    does: "unknown",
    subcommands: {
      run: { ...npmExec, options: "--spec: --python:p --no-cache --pip-args: --index-url: --verbose --path@a --system-site-packages" },
      list: looks,
      install: changes,
      uninstall: changes,
      upgrade: changes,
      environment: looks,
    },
  },
  uvx: {
    ...npmExec,
    options: "--from: --with: -p,--python: -q,--quiet -v --isolated --no-cache --index-url: --index: --with-requirements:r --with-editable:",
  },
  uv: {
    does: "unknown",
    everywhere: true,
    options: "--directory:d --project:d --config-file:a --cache-dir:w -q,--quiet -v,--verbose --offline --no-config --color:",
    subcommands: {
      run: acts(
        "-p,--python: --with: --with-requirements:r --with-editable: --extra: --group: --env-file:r --no-sync --frozen --locked --isolated --all-extras --no-dev --dev --package: -s,--script -m,--module",
        { special: openUvRun },
      ),
      tool: { does: "unknown", subcommands: { run: { ...npmExec, options: "--from: --with: -p,--python:" }, list: looks, install: changes } },
      pip: {
        ...pip,
        subcommands: { ...pip.subcommands, compile: { does: "network", options: "-o,--output-file:w", operands: "r*" }, sync: changes, tree: looks },
      },
      add: changes,
      remove: changes,
      sync: changes,
      lock: changes,
      tree: looks,
      version: looks,
      export: { does: "reads", options: "-o,--output-file:w", operands: "" },
      venv: changes,
      init: changes,
      build: changes,
      publish: asksNetwork,
      python: changes,
      cache: changes,
      self: changes,
    },
  },
  poetry: {
    does: "unknown",
    everywhere: true,
    options: "-C,--directory:d -P,--project:d -n -q -v",
    subcommands: {
      run: acts(""),
      shell: forced("a shell that poetry runs"),
      show: looks,
      check: looks,
      env: looks,
      about: looks,
      install: changes,
      add: changes,
      remove: changes,
      update: changes,
      lock: changes,
      build: changes,
      publish: asksNetwork,
      config: forced("what poetry config sets"),
      version: changes,
      export: { does: "reads", options: "-o,--output:w -f: --format:", operands: "" },
    },
  },
  pipenv: {
    does: "unknown",
    subcommands: { run: acts(""), shell: forced("a shell that pipenv runs"), graph: looks, install: changes, lock: changes },
  },
  pdm: { does: "unknown", subcommands: { run: acts("-s --site-packages"), list: looks, info: looks, install: changes, add: changes } },
  hatch: { does: "unknown", subcommands: { run: acts(""), version: changes, build: changes, publish: asksNetwork } },
  rye: { does: "unknown", subcommands: { run: acts(""), list: looks, sync: changes } },
  conda: {
    does: "unknown",
    subcommands: {
      run: acts("-n,--name: -p,--prefix: --no-capture-output --live-stream --cwd:d -v --dev --debug-wrapper-scripts"),
      list: looks,
      info: looks,
      search: asksNetwork,
      install: changes,
      create: changes,
    },
  },
  mamba: { does: "unknown", subcommands: { run: acts("-n,--name: -p,--prefix: --cwd:d"), list: looks, info: looks } },
  micromamba: { does: "unknown", subcommands: { run: acts("-n,--name: -p,--prefix: --cwd:d"), list: looks, info: looks } },
  pyenv: {
    does: "unknown",
    subcommands: { exec: acts(""), versions: looks, version: looks, which: looks, global: changes, local: changes, install: changes },
  },
};

function openUvRun({ rest, options }: Call, found: Findings): void {
  const [first] = rest;
  if (first === undefined) return;
  const module = options.some(({ option }) => option.name === "--module");
  const script = /\.py$/.test(first.text) || options.some(({ option }) => option.name === "--script");
  found.command(module ? [literal("python"), literal("-m"), ...rest] : script ? [literal("python"), ...rest] : rest);
}
