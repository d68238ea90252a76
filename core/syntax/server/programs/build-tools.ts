import { leadOf, literal, onlyValue, wordFrom } from "../word.ts";
import { type Call, isInputFile } from "./call.ts";
import { operands } from "./judge.ts";
import { forced, looks, runs } from "./kinds.ts";
import type { Findings, Program } from "./program.ts";
import { runOrText } from "./wrapping.ts";

const make: Program = {
  does: "runs",
  options:
    "-B,--always-make -b -C,--directory:D -d --debug? -e,--environment-overrides -E,--eval:a -f,--file,--makefile:d -h,--help@n -i,--ignore-errors -I,--include-dir: -j? --jobs? -k,--keep-going -l? --load-average? -L,--check-symlink-times -m -n,--just-print,--dry-run,--recon -o,--old-file,--assume-old: -O? --output-sync? -p,--print-data-base -q,--question -r,--no-builtin-rules -R,--no-builtin-variables -s,--silent,--quiet --no-silent -S,--no-keep-going,--stop -t,--touch --trace -v,--version@n -w,--print-directory --no-print-directory -W,--what-if,--new-file,--assume-new: --warn-undefined-variables --shuffle?",
  special: openMake,
};

const bazelOptions = "--run_under:x --workspace_status_command:x --override_repository:a --override_module:a --symlink_prefix:w";

/** Programs that build, test and generate. What a project's own files make them run is judged as these commands themselves. */
export const buildTools: Readonly<Record<string, Program>> = {
  ant: {
    does: "runs",
    keeps: 2,
    special: ({ words }, found) =>
      words.some((word) => /^-(?:lib|listener|logger|inputhandler|main|f|file|buildfile|find|s|propertyfile)$/.test(word.text)) &&
      found.force("what ant loads"),
  },
  bazel: {
    does: "unknown",
    options: "--bazelrc:a --output_base:w --output_user_root:w --install_base:w --host_jvm_args:a",
    subcommands: {
      run: { ...runs, options: bazelOptions },
      build: { ...runs, options: bazelOptions },
      test: { ...runs, options: bazelOptions },
      query: looks,
      cquery: looks,
      aquery: looks,
      info: looks,
      version: looks,
      clean: runs,
    },
  },
  cmake: {
    does: "runs",
    options:
      "-S:d -B:W -C:a -P:a -G: -D: -U: -A: -T: -N -E@_ --build:d --install: --open: --workflow --preset: --toolchain:a --trace-redirect:w --graphviz:w --profiling-output:w --log-level: --target: -t: -j? --parallel? --config: --prefix: -h@n --help@n --version@n",
    special: openCmake,
  },
  ctest: {
    does: "runs",
    options:
      "-S,--script:a --build-makeprogram:p --test-command:p -R: -E: -L: -j: -V -Q -O:w -C: -T: -M: -D: --output-on-failure --test-dir:d --output-junit:w --output-log:w",
    operands: "",
  },
  docusaurus: runs,
  gradle: {
    does: "runs",
    keeps: 2,
    options:
      "-b,--build-file:d -c,--settings-file:d -I,--init-script:a -g,--gradle-user-home:a -p,--project-dir:D --project-cache-dir:w --include-build:a -D: -P: -x: -q -i -s --offline --daemon --no-daemon --parallel --dry-run -m --version@n -v@n --help@n -h@n",
  },
  gradlew: {
    does: "runs",
    keeps: 2,
    options: "-b:d -c:d -I,--init-script:a -g:a -p:D -D: -P: -x: -q -i -s --offline --daemon --no-daemon --parallel",
  },
  just: {
    does: "runs",
    keeps: 2,
    options:
      "-f,--justfile:d -d,--working-directory:D --shell:p --shell-arg: --chooser:x -c,--command@a --dotenv-path:r -e,--edit@a -l,--list@n --summary@n --show: -n,--dry-run --set: -q -v --choose@a --evaluate",
    special: () => {},
  },
  make,
  gmake: make,
  bmake: make,
  remake: make,
  mvn: {
    does: "runs",
    keeps: 2,
    options: "-f,--file:d -s,--settings:a --gs,--global-settings:a -t,--toolchains:a -D: -P: -q -o -B -e -X -U -T: -v@n --version@n",
    single: true,
    special: openMaven,
  },
  mvnw: { does: "runs", keeps: 2, special: openMaven },
  ninja: { does: "runs", options: "-C:D -f:d -t: -j: -k: -l: -n -v -d: -w:" },
  meson: {
    does: "unknown",
    subcommands: {
      setup: { ...runs, options: "--native-file:d --cross-file:d --prefix: -D: --buildtype: --reconfigure --wipe", operands: "W d" },
      compile: { ...runs, options: "-C:d -j:" },
      test: { ...runs, options: "--wrapper:p -C:d" },
      install: { ...runs, options: "--destdir:w -C:d --no-rebuild" },
      devenv: { does: "runs", runner: true, options: "-C:d -w,--workdir:d --dump@n", stops: true, operands: "command" },
      introspect: looks,
    },
  },
  mix: { does: "runs", keeps: 2 },
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
    options: "-e,--execute:c -E,--execute-continue:c -p,--execute-print:c -f,--rakefile:d -I:a -r,--require:a -R:a -N -T -P -D -W -n -q -s -t -v -j:",
  },
  sbt: { does: "runs", keeps: 2 },
  task: { does: "runs", keeps: 2 },
  vite: { does: "runs", keeps: 2 },
  webpack: { does: "runs", options: "-c,--config:d -o,--output-path:w --mode:" },
};

/** Variables that make is given as words may name its shell and its programs. */
function openMake({ operands: words, options, input }: Call, found: Findings): void {
  if (options.some(({ option, value }) => option.name === "--makefile" && value !== undefined && isInputFile(value))) {
    if (input === undefined) found.force("make reads what it runs from its input");
    else found.code(input);
  }
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
      runOrText(
        [value],
        true,
        "make",
        found,
        /^(?:gcc|g\+\+|clang|clang\+\+|cc|c\+\+)(?:-\d+)?$/.test(onlyValue(value) ?? "") ? { passive: true } : {},
      );
    else if (/(?:^|\s)-(?:fplugin|fpass-plugin|wrapper|specs|B|fuse-ld=\S*\/|Clinker|C linker)/.test(onlyValue(value) ?? ""))
      found.force(`what make is told by ${name}`);
    else if (/\$[({]?\(?\s*(?:shell|eval|file)|`/.test(onlyValue(value) ?? "")) found.force(`what make is told by ${name}`);
  }
}

/** Its plugin `exec` runs what properties name. */
function openMaven({ words }: Call, found: Findings): void {
  if (words.some((word) => /^(?:exec:|org\.codehaus\.mojo:exec|-D(?:exec\.|maven\.ext\.class\.path|argLine=.*-(?:javaagent|agent)))/.test(word.text)))
    found.force("what maven is told to run");
}

/** `cmake -E` has small tools of its own. */
function openCmake(call: Call, found: Findings): void {
  for (const { option, value } of call.options) {
    if (
      option.name === "-D" &&
      value !== undefined &&
      /^CMAKE_(?:\w+_COMPILER|\w+_LAUNCHER|TOOLCHAIN_FILE|MAKE_PROGRAM|\w*LINKER\w*|PROJECT_\w*INCLUDE\w*)(?::\w+)?=.*\//.test(leadOf(value))
    )
      found.force("what cmake is told to run");
  }
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
