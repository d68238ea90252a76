import { literal } from "../word.ts";
import type { Call } from "./call.ts";
import { asksNetwork, changes, forced, looks } from "./kinds.ts";
import type { Findings, Program } from "./program.ts";

const each = (names: string): Record<string, Program> =>
  Object.fromEntries(names.split(" ").map((name) => [name, { does: "network", keeps: 3 } satisfies Program]));

/** `gh repo clone NAME FOLDER -- options of git clone` */
function clones({ words }: Call, found: Findings): void {
  const dashes = words.findIndex((word) => word.text === "--");
  const [, folder] = (dashes === -1 ? words : words.slice(0, dashes)).filter((word) => !word.text.startsWith("-"));
  if (folder !== undefined) found.file("write", folder, true);
  if (dashes !== -1)
    found.command([literal("git"), literal("clone"), ...words.slice(dashes + 1), literal("https://github.com/x/x")], { passive: true });
}

const gh: Program = {
  does: "unknown",
  everywhere: true,
  options: "-R,--repo: --hostname: --help@n",
  aliases: { ext: "extension", extensions: "extension", cs: "codespace", rs: "ruleset", at: "attestation" },
  subcommands: {
    alias: { does: "runs", subcommands: { list: looks, set: forced("an alias of gh"), delete: looks, import: forced("an alias of gh") } },
    api: {
      does: "network",
      options:
        "-X,--method: -f,--raw-field: -F,--field: -H,--header: --input:r -q,--jq: -t,--template: -p,--preview: --cache: --paginate --slurp -i --silent --verbose",
      operands: "",
    },
    auth: { does: "unknown", keeps: 3 },
    browse: { does: "unknown" },
    codespace: {
      does: "unknown",
      keeps: 3,
      subcommands: {
        ssh: {
          does: "runs",
          runner: true,
          options: "-c,--codespace: -R: -r: --profile: --config --debug",
          special: ({ words }, found) => {
            const at = words.findIndex((word) => word.text === "--");
            if (at !== -1 && words.length > at + 1) found.command(words.slice(at + 1), { elsewhere: true });
            else found.force("a shell on another machine");
          },
        },
        list: asksNetwork,
        view: asksNetwork,
        logs: asksNetwork,
        code: changes,
        stop: changes,
        delete: changes,
        create: changes,
      },
    },
    completion: looks,
    config: { does: "unknown", subcommands: { get: looks, list: looks, set: forced("what gh config sets") } },
    extension: {
      does: "runs",
      subcommands: {
        list: looks,
        search: asksNetwork,
        install: forced("what gh installs"),
        exec: forced("what gh runs"),
        upgrade: forced("what gh installs"),
        remove: looks,
        create: forced("what gh makes"),
      },
    },
    gist: {
      does: "network",
      keeps: 3,
      subcommands: { clone: { does: "network", stops: true, operands: "_*", special: clones }, ...each("list view create edit delete rename") },
    },
    issue: { does: "network", keeps: 3 },
    label: { does: "network", keeps: 3 },
    org: asksNetwork,
    pr: { does: "network", keeps: 3 },
    project: { does: "network", keeps: 3 },
    release: { does: "network", keeps: 3, options: "-D,--dir:w -O,--output:w -p,--pattern: -A,--archive: --clobber --skip-existing" },
    repo: {
      does: "network",
      keeps: 3,
      subcommands: {
        clone: { does: "network", stops: true, operands: "_*", special: clones },
        ...each("list view create edit delete rename archive sync set-default deploy-key fork gitignore license autolink"),
      },
    },
    run: { does: "network", keeps: 3, options: "-D,--dir:w -n,--name: -p,--pattern: --log --log-failed" },
    secret: { does: "network", keeps: 3 },
    search: { does: "network", keeps: 3 },
    status: asksNetwork,
    variable: { does: "network", keeps: 3 },
    version: looks,
    workflow: { does: "network", keeps: 3 },
    ruleset: { does: "network", keeps: 3 },
    cache: { does: "network", keeps: 3 },
    attestation: asksNetwork,
  },
};

/** Where code is kept and talked about, and other keepers of versions. */
export const forges: Readonly<Record<string, Program>> = {
  gh,
  glab: {
    does: "network",
    keeps: 3,
    subcommands: {
      alias: forced("an alias of glab"),
      config: { does: "unknown", subcommands: { get: looks, list: looks, set: forced("what glab config sets") } },
    },
  },
  hg: {
    does: "unknown",
    options: "--config:a -R,--repository:d --cwd:D --debugger",
    everywhere: true,
    subcommands: {
      status: looks,
      st: looks,
      log: looks,
      diff: { does: "reads", options: "-o: --git", operands: "" },
      cat: { does: "reads", options: "-o,--output:w", operands: "" },
      annotate: looks,
      branches: looks,
      tags: looks,
      heads: looks,
      summary: looks,
      root: looks,
      identify: looks,
      id: looks,
      commit: { does: "writes" },
      update: { does: "writes" },
      pull: asksNetwork,
      push: { does: "network", options: "-e,--ssh:x --remotecmd:x", operands: "" },
      clone: { does: "network", options: "-e,--ssh:x --remotecmd:x", operands: "_ W" },
      archive: { does: "writes", operands: "w" },
      export: { does: "reads", options: "-o,--output:w", operands: "" },
      bundle: { does: "writes", operands: "W" },
      debugshell: forced("a shell that hg runs"),
      extdiff: { does: "runs", options: "-p,--program:x -o: -r:", operands: "" },
    },
  },
  svn: {
    does: "unknown",
    everywhere: true,
    options: "--config-dir:a --config-option:a --editor-cmd:x --diff-cmd:x --diff3-cmd:x -F,--file:r",
    subcommands: {
      status: looks,
      st: looks,
      log: asksNetwork,
      info: looks,
      diff: looks,
      cat: asksNetwork,
      list: asksNetwork,
      ls: asksNetwork,
      blame: asksNetwork,
      commit: asksNetwork,
      update: asksNetwork,
      checkout: { does: "network", operands: "_ W" },
      export: { does: "network", operands: "_ W" },
      merge: { does: "network" },
      add: changes,
      revert: changes,
      switch: asksNetwork,
    },
    aliases: { co: "checkout", ci: "commit", up: "update", di: "diff", sw: "switch", praise: "blame" },
  },
};
