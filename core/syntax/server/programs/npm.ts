import { literal, onlyValue, type Word } from "../word.ts";
import { type Call, takesApart } from "./call.ts";
import { asksNetwork, changes, forced, looks, scripts } from "./kinds.ts";
import type { Findings, Program } from "./program.ts";
import { acts } from "./wrapping.ts";

const npmOptions =
  "--script-shell:p --node-options:a --git:p --editor:p --viewer:p --browser:p --init-module:a --userconfig:a --globalconfig:a --pack-destination:w --prefix:d -C:d --shell:p --ignore-scripts --silent -s --registry: --workspace: -w: --workspaces --loglevel: --if-present --json --long --parseable --global -g --save-dev -D --save -S --save-exact -E --save-optional -O --production --omit: --include: --legacy-peer-deps --force -f --dry-run --tag: --access: --otp: --audit? --no-audit --fund? --no-fund --prefer-offline --offline --yes -y --no --package-lock-only --quiet -q --depth: --all -a --cache:w --call: --package: -p: -c: -v@n --version@n -h@n --help@n";

export const npmExec: Program = {
  does: "runs",
  runner: true,
  stops: true,
  operands: "",
  options:
    "-c,--call:x -p,--package: -y,--yes --no --no-install -q,--quiet --ignore-existing --shell:p -s,--silent -w,--workspace: --workspaces --prefer-offline --offline --node-options:a -n,--node-arg:a -h@n --help@n -v@n --version@n",
  special: openPackage,
};

export const creates: Program = { does: "runs", operands: "_*", special: openCreate };

export const npm: Program = {
  does: "unknown",
  everywhere: true,
  options: npmOptions,
  aliases: {
    x: "exec",
    i: "install",
    in: "install",
    ins: "install",
    inst: "install",
    isnt: "install",
    add: "install",
    it: "install-test",
    t: "test",
    tst: "test",
    run: "run",
    "run-script": "run",
    rum: "run",
    urn: "run",
    r: "uninstall",
    rm: "uninstall",
    remove: "uninstall",
    un: "uninstall",
    unlink: "uninstall",
    up: "update",
    upgrade: "update",
    udpate: "update",
    c: "config",
    list: "ls",
    la: "ls",
    ll: "ls",
    info: "view",
    show: "view",
    v: "view",
    s: "search",
    se: "search",
    find: "search",
    "dist-tags": "dist-tag",
    author: "owner",
    rb: "rebuild",
    ln: "link",
    create: "init",
    innit: "init",
    "clean-install": "ci",
    ic: "ci",
    ddp: "dedupe",
    issues: "bugs",
    home: "docs",
  },
  subcommands: {
    exec: npmExec,
    test: { ...scripts, keeps: 2 },
    start: { ...scripts, keeps: 2 },
    stop: { ...scripts, keeps: 2 },
    restart: { ...scripts, keeps: 2 },
    run: scripts,
    install: changes,
    ci: changes,
    uninstall: changes,
    update: changes,
    publish: asksNetwork,
    unpublish: asksNetwork,
    pack: changes,
    link: changes,
    rebuild: changes,
    dedupe: changes,
    prune: changes,
    version: changes,
    init: creates,
    "install-test": changes,
    ls: looks,
    root: looks,
    prefix: looks,
    bin: looks,
    help: looks,
    explain: looks,
    query: looks,
    why: looks,
    outdated: asksNetwork,
    view: asksNetwork,
    search: asksNetwork,
    audit: asksNetwork,
    ping: asksNetwork,
    whoami: asksNetwork,
    doctor: asksNetwork,
    fund: looks,
    docs: changes,
    bugs: changes,
    repo: changes,
    config: {
      does: "writes",
      subcommands: {
        get: looks,
        list: looks,
        ls: looks,
        set: forced("what npm config sets"),
        delete: forced("what npm config sets"),
        edit: forced("the editor that npm runs"),
      },
    },
    set: forced("what npm config sets"),
    pkg: { does: "writes", subcommands: { get: looks, set: changes, delete: changes, fix: changes } },
    edit: forced("the editor that npm runs"),
    explore: { does: "runs", runner: true, special: openExplore },
    "dist-tag": asksNetwork,
    owner: asksNetwork,
    access: asksNetwork,
    login: asksNetwork,
    logout: asksNetwork,
    token: asksNetwork,
    team: asksNetwork,
    deprecate: asksNetwork,
    cache: changes,
    completion: looks,
    shrinkwrap: changes,
    "set-script": changes,
  },
};

export const pnpm: Program = {
  ...npm,
  options: `${npmOptions} --dir:d --config.script-shell:p --config.node-options:a --filter: -F: --recursive -r`,
  aliases: { ...npm.aliases, x: "exec", dlx: "dlx", i: "install", add: "install", create: "create" },
  subcommands: {
    ...npm.subcommands,
    dlx: npmExec,
    create: creates,
    exec: acts("-r,--recursive --parallel -c,--shell-mode --filter: --no-bail --stream --workspace-concurrency:"),
    node: { does: "runs", runner: true, special: ({ words }, found) => found.command([literal("node"), ...words]) },
    env: changes,
    store: changes,
    patch: changes,
    deploy: changes,
    fetch: asksNetwork,
    import: changes,
    licenses: looks,
    why: looks,
  },
};

export const yarn: Program = {
  does: "unknown",
  everywhere: true,
  options:
    "--cwd:d --script-shell:p --use-yarnrc:a --modules-folder:w --cache-folder:w --registry: --silent -s --frozen-lockfile --offline --non-interactive --json --production -D --dev -E --exact -W -v@n --version@n --help@n",
  subcommands: {
    dlx: npmExec,
    exec: acts(""),
    node: { does: "runs", runner: true, special: ({ words }, found) => found.command([literal("node"), ...words]) },
    run: scripts,
    test: { ...scripts, keeps: 2 },
    start: { ...scripts, keeps: 2 },
    build: { ...scripts, keeps: 2 },
    add: changes,
    remove: changes,
    install: changes,
    upgrade: changes,
    up: changes,
    publish: asksNetwork,
    npm: { does: "network", subcommands: { publish: asksNetwork, info: asksNetwork, audit: asksNetwork, login: asksNetwork } },
    pack: changes,
    link: changes,
    init: changes,
    create: creates,
    list: looks,
    why: looks,
    info: asksNetwork,
    outdated: asksNetwork,
    audit: asksNetwork,
    bin: looks,
    dir: looks,
    help: looks,
    versions: looks,
    workspaces: {
      does: "reads",
      subcommands: {
        foreach: {
          does: "runs",
          runner: true,
          options:
            "-A,--all -R,--recursive -W,--worktree -p,--parallel -i,--interlaced -t,--topological --topological-dev -v,--verbose -j,--jobs: --include: --exclude: --from: --since? --no-private -n,--dry-run",
          stops: true,
          operands: "",
          special: ({ rest }, found) => {
            if (rest.length > 0) found.command([literal("yarn"), ...rest], { passive: true });
          },
        },
        focus: changes,
        list: looks,
        info: looks,
        run: scripts,
      },
    },
    workspace: {
      does: "runs",
      runner: true,
      stops: true,
      operands: "_",
      special: ({ rest }, found) => found.command([literal("yarn"), ...rest], { passive: true }),
    },
    config: {
      does: "writes",
      subcommands: { get: looks, list: looks, set: forced("what yarn config sets"), unset: forced("what yarn config sets") },
    },
    set: changes,
    plugin: forced("what yarn loads"),
  },
};

/** `npm init vite@1 words` runs the package `create-vite`. */
function openCreate({ operands: [kind, ...words], rest }: Call, found: Findings): void {
  if (kind === undefined) return;
  const text = onlyValue(kind);
  if (text === undefined) found.force("a package that is known only when it runs");
  else if (/^[./~]|:/.test(text)) found.force("a package from elsewhere");
  else {
    const [, scope, name = ""] = /^(@[^/@]+)?\/?([^@]*)/.exec(text)!;
    found.command([
      { ...literal(scope === undefined ? `create-${name}` : `${scope}/create${name === "" ? "" : `-${name}`}`), source: kind.source },
      ...words,
      ...rest,
    ]);
  }
}

/** `npx NAME@1 words`: a package's program is run by its name. */
function openPackage(call: Call, found: Findings): void {
  if (call.options.some(({ option }) => option.name === "--call")) return;
  const dashes = call.rest[0] === undefined ? takesApart({ ...call.program, operands: "" }, call.path, call.words, undefined).rest : call.rest;
  const [program, ...words] = call.operands.length > 0 ? [...call.operands, ...dashes] : dashes;
  if (program === undefined) return;
  if (call.unlisted.length > 0) found.force(`an option of ${call.path[0]} that is not known`);
  const text = onlyValue(program);
  const name = text === undefined ? undefined : /^(@[^/]+\/[^@]+|[^@]+)@/.exec(text)?.[1];
  found.command([name === undefined ? program : { ...literal(name), source: program.source }, ...words]);
}

function openExplore({ words }: Call, found: Findings): void {
  const dashes = words.findIndex((word: Word) => word.text === "--");
  if (dashes === -1) found.force("a shell that npm runs");
  else
    found.text(
      {
        text: words
          .slice(dashes + 1)
          .map((word) => word.text)
          .join(" "),
        static: true,
        source: "",
      },
      "text for npm explore",
    );
}
