import type { Call } from "./call.ts";
import { asksNetwork, changes, forced, looks, scripts } from "./kinds.ts";
import { npmExec } from "./npm.ts";
import type { Findings, Program } from "./program.ts";
import { acts } from "./wrapping.ts";

/** Package managers, and what they run. */
export const packages: Readonly<Record<string, Program>> = {
  bundle: {
    does: "unknown",
    subcommands: {
      exec: acts("--keep-file-descriptors --gemfile:a"),
      list: looks,
      show: looks,
      info: looks,
      check: looks,
      outdated: asksNetwork,
      install: changes,
      update: changes,
      config: forced("what bundle config sets"),
      add: changes,
    },
  },
  bundler: { does: "unknown", subcommands: { exec: acts("") } },
  gem: {
    does: "unknown",
    subcommands: {
      exec: npmExec,
      list: looks,
      info: looks,
      env: looks,
      which: looks,
      contents: looks,
      specification: looks,
      search: asksNetwork,
      install: changes,
      uninstall: changes,
      update: changes,
      push: asksNetwork,
      build: changes,
    },
  },
  composer: {
    does: "unknown",
    everywhere: true,
    options: "-d,--working-dir:d -n -q -v --no-plugins --no-scripts",
    subcommands: {
      exec: acts(""),
      show: looks,
      info: looks,
      validate: looks,
      licenses: looks,
      depends: looks,
      outdated: asksNetwork,
      install: changes,
      update: changes,
      require: changes,
      remove: changes,
      run: scripts,
      "run-script": scripts,
      config: forced("what composer config sets"),
      "dump-autoload": changes,
    },
  },
  apt: {
    does: "unknown",
    options: "-o:a -c:a -q -y --yes",
    subcommands: {
      list: looks,
      show: looks,
      search: looks,
      policy: looks,
      depends: looks,
      rdepends: looks,
      install: changes,
      remove: changes,
      update: asksNetwork,
      upgrade: changes,
      purge: changes,
    },
  },
  "apt-get": {
    does: "unknown",
    options: "-o:a -c:a -q -y --yes",
    subcommands: { install: changes, remove: changes, update: asksNetwork, upgrade: changes, purge: changes, download: changes, source: changes },
  },
  "apt-cache": { does: "reads", options: "-o:a -c:a", operands: "" },
  brew: {
    does: "unknown",
    subcommands: {
      list: looks,
      ls: looks,
      info: asksNetwork,
      search: asksNetwork,
      deps: looks,
      uses: looks,
      outdated: asksNetwork,
      doctor: looks,
      config: looks,
      "--prefix": looks,
      install: changes,
      uninstall: changes,
      upgrade: changes,
      update: asksNetwork,
      services: changes,
      tap: changes,
      sh: forced("a shell that brew runs"),
      ruby: forced("what brew runs"),
      edit: forced("the editor that brew runs"),
      bundle: changes,
    },
  },
  dpkg: {
    does: "unknown",
    options:
      "-l@n -L@n -s@n -S@n -p@n -i --list@n --listfiles@n --status@n --search@n --pre-invoke:x --post-invoke:x --status-logger:x -D: --root:a --instdir:a --admindir:a --force-all",
  },
  "dpkg-query": looks,
  rpm: { does: "unknown", options: "-q -a -i -l -f -p -e -U -F -V --pipe:x --eval:c -E:c -D:a --define:a --rcfile:a --macros:a --root:a --dbpath:a" },
  pacman: { does: "unknown", options: "--config:a --hookdir:a -r:a --root:a" },
  nix: {
    does: "unknown",
    everywhere: true,
    options: "--option: -f,--file:r --expr:c --extra-experimental-features: --impure -L",
    subcommands: {
      run: { does: "runs", runner: true },
      shell: { does: "runs", runner: true, options: "-c,--command:x", special: openNix },
      develop: { does: "runs", runner: true, options: "-c,--command:x", special: openNix },
      eval: { does: "network", options: "--apply:c --write-to:w", operands: "" },
      search: asksNetwork,
      build: changes,
      flake: changes,
      fmt: changes,
      profile: changes,
      store: changes,
    },
  },
  "nix-shell": { does: "runs", runner: true, options: "-p,--packages --run:x --command:x -E,--expr:c -i: --pure --keep: -I: -A:" },
  rustup: {
    does: "unknown",
    subcommands: {
      run: acts("--install", { operands: "_ command" }),
      show: looks,
      which: looks,
      doc: looks,
      component: changes,
      target: changes,
      toolchain: changes,
      update: asksNetwork,
      default: changes,
      override: changes,
    },
  },
  rbenv: {
    does: "unknown",
    subcommands: { exec: acts(""), versions: looks, version: looks, which: looks, global: changes, local: changes, install: changes },
  },
  asdf: { does: "unknown", subcommands: { exec: acts(""), list: looks, current: looks, which: looks, install: changes, plugin: changes } },
};

function openNix({ options, words }: Call, found: Findings): void {
  const at = options.findIndex(({ option }) => option.name === "--command");
  const from = at === -1 ? -1 : words.findIndex((word) => /^(?:-c|--command)$/.test(word.text));
  if (from !== -1) found.command(words.slice(from + 1));
  else found.force("a shell that nix runs");
}
