import { leadOf, literal, onlyValue, wordFrom } from "../word.ts";
import type { Call } from "./call.ts";
import { operands } from "./judge.ts";
import type { Findings, Program } from "./program.ts";
import { runOrText } from "./wrappers.ts";

const looks: Program = { does: "reads", operands: "" };
const runs: Program = { does: "runs", operands: "" };
const asksNetwork: Program = { does: "network", operands: "" };
const forced = (why: string): Program => ({ does: "runs", special: (_call, found) => found.force(why) });

const cargoOptions =
  "--config:a -Z:a --manifest-path:r --target-dir:w -C:D --color: -q,--quiet -v,--verbose -j,--jobs: -p,--package: -F,--features: --all-features --no-default-features --release --profile: --target: --frozen --locked --offline --message-format: --workspace --all --bin: --bins --lib --example: --examples --test: --tests --bench: --benches --all-targets --keep-going --no-run --exclude: --timings? --lockfile-path:w -V@n --version@n --list@n --explain: -h@n --help@n";
const compiles: Program = { does: "unknown", special: openCompiler };
const goOptions =
  "--toolexec:p --vettool:p --exec:p --C:D --o:w --overlay:r --modfile:r --pgo:r --n --x --v --work --race --tags: --mod: --gcflags: --ldflags: --asmflags: --gccgoflags: --compiler: --buildmode: --buildvcs: --p: --run: --bench: --count: --timeout: --cpuprofile:w --memprofile:w --blockprofile:w --mutexprofile:w --trace:w --coverprofile:w --outputdir:w --json --short --cover --covermode: --coverpkg: --c --args --list: --parallel: --cpu: --benchtime: --benchmem --failfast --a --msan --asan --trimpath --pkgdir: --installsuffix:";
const go = (does: Program["does"], more: Partial<Program> = {}): Program => ({ does, single: true, options: goOptions, operands: "", ...more });

const make: Program = {
  does: "runs",
  options:
    "-B,--always-make -b -C,--directory:D -d --debug? -e,--environment-overrides -E,--eval:a -f,--file,--makefile:r -h,--help@n -i,--ignore-errors -I,--include-dir: -j? --jobs? -k,--keep-going -l? --load-average? -L,--check-symlink-times -m -n,--just-print,--dry-run,--recon -o,--old-file,--assume-old: -O? --output-sync? -p,--print-data-base -q,--question -r,--no-builtin-rules -R,--no-builtin-variables -s,--silent,--quiet --no-silent -S,--no-keep-going,--stop -t,--touch --trace -v,--version@n -w,--print-directory --no-print-directory -W,--what-if,--new-file,--assume-new: --warn-undefined-variables --shuffle?",
  special: openMake,
};

/** Programs that build, test and generate. What a project's own files make them run is judged as these commands themselves. */
export const buildTools: Readonly<Record<string, Program>> = {
  ant: {
    does: "runs",
    keeps: 2,
    special: ({ words }, found) =>
      words.some((word) => /^-(?:lib|listener|logger|inputhandler|main)$/.test(word.text)) && found.force("what ant loads"),
  },
  bazel: {
    does: "unknown",
    subcommands: {
      run: { ...runs, options: "--run_under:x" },
      build: runs,
      test: { ...runs, options: "--run_under:x" },
      query: looks,
      cquery: looks,
      aquery: looks,
      info: looks,
      version: looks,
      clean: runs,
    },
  },
  biome: { does: "unknown", subcommands: { check: fixes(), ci: looks, lint: fixes(), format: fixes(), version: looks, explain: looks } },
  black: { does: "writes", options: "--check --diff -q -v -l: --line-length: -t: --config:r --exclude: --include: -c,--code:", operands: "W*" },
  cargo: {
    does: "unknown",
    everywhere: true,
    options: cargoOptions,
    aliases: { b: "build", c: "check", d: "doc", t: "test", r: "run", rm: "remove" },
    subcommands: {
      build: runs,
      check: runs,
      clippy: { ...runs, options: "--fix" },
      doc: runs,
      test: runs,
      bench: runs,
      run: { ...runs, runner: true },
      clean: { does: "writes", operands: "" },
      fmt: { does: "writes", options: "--check", operands: "" },
      fix: runs,
      tree: looks,
      metadata: looks,
      "locate-project": looks,
      pkgid: looks,
      "verify-project": looks,
      "read-manifest": looks,
      version: looks,
      help: looks,
      search: asksNetwork,
      info: asksNetwork,
      fetch: asksNetwork,
      update: asksNetwork,
      "generate-lockfile": asksNetwork,
      add: { does: "unknown" },
      remove: { does: "unknown" },
      new: { does: "writes", operands: "W" },
      init: { does: "writes", operands: "W" },
      install: { does: "unknown", options: "--root:w --path:r" },
      uninstall: { does: "unknown" },
      publish: asksNetwork,
      yank: asksNetwork,
      login: asksNetwork,
      owner: asksNetwork,
      package: runs,
      vendor: { does: "unknown" },
      nextest: { ...runs, keeps: 3 },
      rustc: { ...runs, runner: true },
      rustdoc: { ...runs, runner: true },
    },
  },
  cc: compiles,
  "c++": compiles,
  clang: compiles,
  "clang++": compiles,
  gcc: compiles,
  "g++": compiles,
  cmake: {
    does: "runs",
    options:
      "-S:r -B:W -C:a -P:a -G: -D: -U: -A: -T: -N -E@_ --build:d --install: --open: --workflow --preset: --toolchain:a --trace-redirect:w --graphviz:w --profiling-output:w --log-level: --target: -t: -j? --parallel? --config: --prefix: -h@n --help@n --version@n",
    special: openCmake,
  },
  ctest: {
    does: "runs",
    options:
      "-S:a --build-makeprogram:p --test-command:p -R: -E: -L: -j: -V -Q -O:w -C: -T: -M: -D: --output-on-failure --test-dir:d --output-junit:w --output-log:w",
    operands: "",
  },
  docusaurus: runs,
  dotnet: {
    does: "unknown",
    subcommands: {
      build: runs,
      test: runs,
      run: { ...runs, runner: true },
      restore: asksNetwork,
      publish: runs,
      pack: runs,
      clean: runs,
      format: fixes(),
      list: looks,
      add: { does: "unknown" },
      remove: { does: "unknown" },
      new: { does: "unknown" },
      nuget: { does: "unknown" },
      tool: { does: "unknown", keeps: 3 },
      ef: { ...runs, keeps: 3 },
      watch: { ...runs, runner: true },
      exec: { ...runs, runner: true },
      msbuild: runs,
      "--info": looks,
      "--version": looks,
      "--list-sdks": looks,
    },
  },
  esbuild: {
    does: "writes",
    special: ({ words }, found) => {
      for (const word of words) {
        const match = /^--(outfile|outdir|metafile|servedir)=/.exec(leadOf(word));
        if (match !== null) found.file("write", wordFrom(word, match[0].length), true);
        else if (!word.text.startsWith("-")) found.file("read", word);
      }
    },
  },
  eslint: {
    does: "runs",
    options:
      "-c,--config:r --rulesdir:a --resolve-plugins-relative-to:a --plugin:a --parser:a -f,--format: -o,--output-file:w --fix@_ --fix-dry-run --cache --cache-file:w --cache-location:w --ext: --ignore-path:r --ignore-pattern: --max-warnings: --quiet --no-eslintrc --rule: --env: --global: --stdin --stdin-filename: --debug -h@n --help@n -v@n --version@n",
    operands: "r*",
  },
  flake8: { does: "reads", options: "--output-file:w --config:r --append-config:r --tee", operands: "r*" },
  mypy: {
    does: "reads",
    options: "--config-file:r --cache-dir:w --junit-xml:w --html-report:w --python-executable:p -p: -m: -c:c --strict",
    operands: "r*",
  },
  pylint: { does: "runs", options: "--rcfile:r --load-plugins:a --init-hook:c --output:w", operands: "r*" },
  pyright: looks,
  ruff: {
    does: "unknown",
    subcommands: {
      check: {
        does: "reads",
        options:
          "--fix@a --unsafe-fixes -o,--output-file:w --config: --select: --ignore: --diff -q --output-format: --watch -w --statistics --extend-select: --exit-zero --no-cache --line-length: --target-version:",
        operands: "r*",
      },
      format: { does: "writes", options: "--check --diff -q --config: --line-length:", operands: "W*" },
      rule: looks,
      config: looks,
      version: looks,
      linter: looks,
      clean: { does: "writes", operands: "" },
    },
  },
  isort: { does: "writes", options: "-c,--check,--check-only --diff -q", operands: "W*" },
  gofmt: {
    does: "reads",
    single: true,
    options: "--w@_ --l --d --s --e --r: --cpuprofile:w",
    special: ({ options, operands: words }, found) => {
      const writes = options.some(({ option }) => option.name === "--w");
      for (const word of words) found.file(writes ? "write" : "read", word, writes);
    },
  },
  go: {
    does: "unknown",
    single: true,
    options: "--C:D",
    subcommands: {
      build: go("runs"),
      test: go("runs"),
      vet: go("runs"),
      install: go("runs"),
      run: go("runs", { runner: true }),
      generate: go("runs", { options: `${goOptions} --run: --skip:` }),
      list: { ...looks, single: true, options: goOptions },
      env: { does: "reads", single: true, options: "--w@a --u@a --json --changed", operands: "" },
      version: looks,
      doc: looks,
      help: looks,
      fmt: { does: "writes", operands: "" },
      fix: { does: "writes", operands: "" },
      clean: { does: "writes", operands: "" },
      get: { does: "network", operands: "" },
      mod: {
        does: "unknown",
        keeps: 3,
        subcommands: {
          graph: looks,
          why: looks,
          verify: looks,
          tidy: asksNetwork,
          download: asksNetwork,
          vendor: { does: "network", options: "-o:w", operands: "" },
          init: { does: "writes", operands: "" },
          edit: { does: "writes", operands: "" },
        },
      },
      work: { does: "unknown" },
      tool: { ...runs, runner: true },
      bug: forced("the browser that go runs"),
      telemetry: { does: "unknown" },
    },
  },
  gradle: {
    does: "runs",
    keeps: 2,
    options:
      "-b,--build-file:r -c,--settings-file:r -I,--init-script:a -g,--gradle-user-home:a -p,--project-dir:D --project-cache-dir:w --include-build:a -D: -P: -x: -q -i -s --offline --daemon --no-daemon --parallel --dry-run -m --version@n -v@n --help@n -h@n",
  },
  gradlew: {
    does: "runs",
    keeps: 2,
    options: "-b:r -c:r -I,--init-script:a -g:a -p:D -D: -P: -x: -q -i -s --offline --daemon --no-daemon --parallel",
  },
  jest: {
    does: "runs",
    options:
      "-c,--config: --globalSetup:a --globalTeardown:a --setupFiles:a --setupFilesAfterEach:a --runner:a --testRunner:a --reporters: --transform: --outputFile:w --coverageDirectory:w -t: --testNamePattern: --watch --ci --coverage --passWithNoTests",
  },
  just: {
    does: "runs",
    keeps: 2,
    options:
      "-f,--justfile:r -d,--working-directory:D --shell:p --shell-arg: --chooser:x -c,--command@a --dotenv-path:r -e,--edit@a -l,--list@n --summary@n --show: -n,--dry-run --set: -q -v --choose@a --evaluate",
    special: () => {},
  },
  make,
  gmake: make,
  bmake: make,
  remake: make,
  mvn: {
    does: "runs",
    keeps: 2,
    options: "-f,--file:r -s,--settings:a -t,--toolchains:a -D: -P: -q -o -B -e -X -U -T: -v@n --version@n",
    special: () => {},
  },
  mvnw: { does: "runs", keeps: 2 },
  ninja: { does: "runs", options: "-C:D -f:r -t: -j: -k: -l: -n -v -d: -w:" },
  meson: {
    does: "unknown",
    subcommands: { setup: runs, compile: runs, test: { ...runs, options: "--wrapper:p -C:d" }, install: runs, introspect: looks },
  },
  mix: { does: "runs", keeps: 2 },
  phpunit: { does: "runs", options: "--bootstrap:a -c,--configuration:r --log-junit:w --coverage-html:w --coverage-clover:w" },
  prettier: {
    does: "runs",
    options:
      "-c,--check -l,--list-different -w,--write --config:r --plugin:a --plugin-search-dir:a --ignore-path:r --parser: --stdin-filepath: --cache --cache-location:w --log-level:",
    special: ({ options, operands: words }, found) => {
      const writes = options.some(({ option }) => option.name === "--write");
      for (const word of words) found.file(writes ? "write" : "read", word, writes);
    },
  },
  protoc: {
    does: "runs",
    special: ({ words }, found) => {
      for (const word of words) {
        const match = /^--\w+_out=(?:[^:]*:)?/.exec(leadOf(word));
        if (match !== null) found.file("write", wordFrom(word, match[0].length), true);
        else if (/^--plugin/.test(leadOf(word))) found.force("what protoc is told by --plugin");
      }
    },
  },
  pytest: {
    does: "runs",
    options:
      "-c,--config-file:r -p:a -k: -m: -x -q -v -s -l -n: --rootdir:d --confcutdir: --basetemp:w --junitxml,--junit-xml:w --cov? --cov-report: --cov-config:r --log-file:w --debug? --pdb --pdbcls:a -o: --override-ini: --import-mode: --maxfail: --tb: --durations: --lf --ff --co --collect-only --html:w --capture: -r: -W: --color: --timeout: --randomly-seed:",
  },
  rails: {
    does: "unknown",
    subcommands: {
      runner: { does: "runs", runner: true, operands: "c" },
      r: { does: "runs", runner: true, operands: "c" },
      test: runs,
      routes: looks,
      server: runs,
      console: forced("a console that rails runs"),
      c: forced("a console that rails runs"),
      generate: { does: "unknown" },
      "db:migrate": runs,
      dbconsole: forced("a console that rails runs"),
    },
  },
  rake: {
    does: "runs",
    keeps: 2,
    options: "-e,--execute:c -E,--execute-continue:c -p,--execute-print:c -f,--rakefile:r -I:a -r,--require:a -R:a -N -T -P -D -W -n -q -s -t -v -j:",
  },
  rspec: { does: "runs", options: "-r,--require:a -I:a -O,--options:r -f: -o,--out:w -e: -t: -P: --format: --seed:" },
  rubocop: {
    does: "runs",
    options: "-r,--require:a -a,--autocorrect@_ -A,--autocorrect-all@_ -c,--config:r -o,--out:w -f: --fail-level:",
    operands: "r*",
  },
  rustc: {
    does: "unknown",
    options:
      "-o:W -C,--codegen: --out-dir:W --emit: -L: -l: --extern: --crate-name: --crate-type: --edition: -O -g --test -V@n --version@n -h@n --help@n --print:",
    special: ({ options }, found) => {
      for (const { option, value } of options)
        if (option.name === "--codegen" && /^linker=/.test(value === undefined ? "" : leadOf(value))) found.command([wordFrom(value!, 7)]);
    },
  },
  rustfmt: { does: "writes", options: "--check --edition: --config: --config-path:r --emit: -q -v -l", operands: "W*" },
  sbt: { does: "runs", keeps: 2 },
  swift: { does: "unknown", subcommands: { build: runs, test: runs, run: { ...runs, runner: true }, package: { does: "unknown" } } },
  task: { does: "runs", keeps: 2 },
  tox: { does: "runs", options: "-c:r -e: -r -p? -x,--override:" },
  nox: { does: "runs", options: "-f:r -s: -e: -r -l" },
  tsc: {
    does: "reads",
    options:
      "-p,--project:r -b,--build -w,--watch --outDir:W --outFile:W --declarationDir:W --tsBuildInfoFile:W --generateTrace:w --generateCpuProfile:w --noEmit --init -h@n -v@n --help@n --version@n --showConfig@n --listFiles --pretty --strict --target: --module: --moduleResolution: --lib: --jsx: --rootDir: --skipLibCheck --incremental --noEmit",
    special: ({ options }, found) => {
      if (!options.some(({ option }) => option.name === "--noEmit")) found.does("writes");
    },
  },
  vite: { does: "runs", keeps: 2 },
  vitest: { does: "runs", keeps: 2, options: "-c,--config:r -r,--root:d --outputFile:w --globalSetup:a --reporter: -t: --coverage --run -u -w" },
  webpack: { does: "runs", options: "-c,--config:r -o,--output-path:w --mode:" },
  zig: {
    does: "unknown",
    subcommands: {
      build: runs,
      run: { ...runs, runner: true },
      test: runs,
      fmt: { does: "writes", operands: "W*" },
      version: looks,
      env: looks,
      cc: compiles,
    },
  },
};

function fixes(): Program {
  return {
    does: "unknown",
    options: "--write --fix --apply --unsafe --check --staged --changed --config-path:r --reporter: --verify-no-changes",
    operands: "r*",
  };
}

/** Variables that make is given as words may name its shell and its programs. */
function openMake({ operands: words }: Call, found: Findings): void {
  for (const word of words) {
    const match = /^([\w.-]+)\s*(?:::?|\+|\?)?=/.exec(leadOf(word));
    if (match === null) continue;
    const [start, name] = match;
    const value = wordFrom(word, start.length);
    if (/^(?:SHELL|\.SHELLFLAGS|MAKEFLAGS|MFLAGS|MAKEFILES|MAKE)$/.test(name!)) found.force(`what make is told by ${name}`);
    else if (
      /^(?:CC|CXX|CPP|LD|AR|AS|NM|RANLIB|STRIP|FC|LEX|YACC|INSTALL(?:_\w+)?|RM|MV|CP|PYTHON\d?|PERL|RUBY|NODE|NPM|GO|CARGO|GIT|TAR|SED|AWK|EDITOR|PAGER|PKG_CONFIG|\w*_(?:CMD|COMMAND|PROGRAM|EXEC|WRAPPER|RUNNER|LAUNCHER))$/.test(
        name!,
      )
    )
      runOrText([value], true, "make", found);
    else if (/\$[({]?\(?\s*(?:shell|eval|file)|`/.test(onlyValue(value) ?? "")) found.force(`what make is told by ${name}`);
  }
}

/** `-wrapper`, `-fplugin` and response files. */
function openCompiler({ words }: Call, found: Findings): void {
  for (const [at, word] of words.entries()) {
    const text = leadOf(word);
    if (text === "-wrapper") found.command([literal((onlyValue(words[at + 1]) ?? "").split(",", 1)[0]!)]);
    else if (/^-(?:fplugin=|specs=|B|load$|Xclang$)|^--?(?:ld-path|config)\b/.test(text) || /^@/.test(text)) found.force("what the compiler loads");
    else if (text === "-o" && words[at + 1] !== undefined) found.file("write", words[at + 1]!, true);
    else if (/^-o./.test(text)) found.file("write", wordFrom(word, 2), true);
    else if (/^-(?:MF|dumpdir)$/.test(text) && words[at + 1] !== undefined) found.file("write", words[at + 1]!);
  }
}

/** `cmake -E` has small tools of its own. */
function openCmake(call: Call, found: Findings): void {
  const at = call.words.findIndex((word) => word.text === "-E");
  if (at === -1) {
    operands(call, found);
    return;
  }
  const [tool, ...rest] = call.words.slice(at + 1);
  const name = onlyValue(tool);
  if (name === "env" || name === "time") found.command([literal(name), ...rest]);
  else if (name === "chdir") found.command(rest.slice(1), { astray: true });
  else if (name !== undefined && /^(?:copy\w*|rename|rm|remove\w*|touch\w*|make_directory|create_\w+|tar)$/.test(name))
    for (const word of rest) if (!word.text.startsWith("-")) found.file("write", word, true);
}
