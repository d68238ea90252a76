import { leadOf, literal, onlyValue, wordFrom } from "../word.ts";
import type { Call } from "./call.ts";
import { asksNetwork, fixes, forced, looks, runs } from "./kinds.ts";
import { cargoWatch } from "./launchers.ts";
import type { Findings, Program } from "./program.ts";

const cargoOptions =
  "--config:a -Z:a --manifest-path:d --target-dir:W -C:D --color: -q,--quiet -v,--verbose -j,--jobs: -p,--package: -F,--features: --all-features --no-default-features --release --profile: --target: --frozen --locked --offline --message-format: --workspace --all --bin: --bins --lib --example: --examples --test: --tests --bench: --benches --all-targets --keep-going --no-run --exclude: --timings? --lockfile-path:w -V@n --version@n --list@n --explain: -h@n --help@n";

const compiles: Program = { does: "unknown", special: openCompiler };

const goOptions =
  "--toolexec:p --vettool:p --exec:p --C:D --o:W --overlay:d --modfile:d --pgo:r --n --x --v --work --race --tags: --mod: --gcflags: --ldflags: --asmflags: --gccgoflags: --compiler: --buildmode: --buildvcs: --p: --run: --bench: --count: --timeout: --cpuprofile:w --memprofile:w --blockprofile:w --mutexprofile:w --trace:w --coverprofile:w --outputdir:w --json --short --cover --covermode: --coverpkg: --c --args --list: --parallel: --cpu: --benchtime: --benchmem --failfast --a --msan --asan --trimpath --pkgdir: --installsuffix:";

const go = (does: Program["does"], more: Partial<Program> = {}): Program => ({ does, single: true, options: goOptions, special: linksWith, ...more });

/** Flags for the linker and the compiler of C name programs too. */
function linksWith({ options }: Call, found: Findings): void {
  for (const { option, value } of options)
    if (
      /^--(?:ldflags|gcflags|asmflags|gccgoflags)$/.test(option.name) &&
      /-(?:extld|extar|fplugin|wrapper|specs|B|toolexec)/.test(value?.text ?? "")
    )
      found.force(`what go is told by ${option.name}`);
}

/** Languages and their compilers. */
export const compilers: Readonly<Record<string, Program>> = {
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
      install: { does: "unknown", options: "--root:w --path:d --git:" },
      uninstall: { does: "unknown" },
      publish: asksNetwork,
      yank: asksNetwork,
      login: asksNetwork,
      owner: asksNetwork,
      package: runs,
      vendor: { does: "unknown" },
      watch: cargoWatch(),
      nextest: { ...runs, keeps: 3 },
      rustc: { ...runs, runner: true, special: linkers },
      rustdoc: { ...runs, runner: true },
    },
  },
  cc: compiles,
  "c++": compiles,
  clang: compiles,
  "clang++": compiles,
  gcc: compiles,
  "g++": compiles,
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
  rustc: {
    does: "unknown",
    options:
      "-o:W -C,--codegen: --out-dir:W --emit: -L: -l: --extern: --crate-name: --crate-type: --edition: -O -g --test -V@n --version@n -h@n --help@n --print:",
    special: (call, found) => {
      if (call.words.some((word) => /^@|^-Z/.test(leadOf(word)))) linkers(call, found);
      for (const { option, value } of call.options)
        if (option.name === "--codegen" && /^linker=/.test(value === undefined ? "" : leadOf(value))) found.command([wordFrom(value!, 7)]);
    },
  },
  rustfmt: { does: "writes", options: "--check --edition: --config: --config-path:r --emit: -q -v -l", operands: "W*" },
  java: { does: "runs", keeps: 2, special: openJava },
  javac: {
    does: "unknown",
    single: true,
    options:
      "--d:W --s:W --h:W --cp: --classpath: --class-path: --sourcepath: --processor:a --processorpath:a --processor-path:a --plugin?a --release: --source: --target: --encoding: --proc? --parameters --version@n --help@n --g --nowarn --verbose",
    special: openJava,
  },
  swift: { does: "unknown", options: "-e:c", subcommands: { build: runs, test: runs, run: { ...runs, runner: true }, package: { does: "unknown" } } },
  tsc: {
    does: "reads",
    options:
      "-p,--project:r -b,--build -w,--watch --outDir:W --outFile:W --declarationDir:W --tsBuildInfoFile:W --generateTrace:w --generateCpuProfile:w --noEmit --init -h@n -v@n --help@n --version@n --showConfig@n --listFiles --pretty --strict --target: --module: --moduleResolution: --lib: --jsx: --rootDir: --skipLibCheck --incremental --noEmit",
    special: ({ options }, found) => {
      if (!options.some(({ option }) => option.name === "--noEmit")) found.does("writes");
    },
  },
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

/** Options of the machine that load or run something. */
function openJava(call: Call, found: Findings): void {
  for (const word of call.words) {
    const text = leadOf(word);
    if (
      /^(?:-J)?-(?:javaagent|agentpath|agentlib|XX:On\w*Error=|XX:Flags=|XX:VMOptionsFile=|XX:StartFlightRecording|Xbootclasspath|Xrun|Xlog:.*[/~])|^@/.test(
        text,
      )
    )
      found.force("what java loads");
    if (!text.startsWith("-")) {
      if (call.path[0] === "java" && !text.startsWith("@")) return;
    }
  }
}

/** A linker, a backend or a response file. */
function linkers({ words }: Call, found: Findings): void {
  for (const [at, word] of words.entries())
    if (
      /^(?:-C|--codegen=?)?linker=|^-Zcodegen-backend=.*\/|^@/.test(leadOf(word)) ||
      (/^(?:-C|--codegen)$/.test(word.text) && /^linker=/.test(leadOf(words[at + 1] ?? word)))
    )
      found.force("what the compiler runs");
}

/** `-wrapper`, `-fplugin` and response files. */
function openCompiler({ words }: Call, found: Findings): void {
  for (const [at, word] of words.entries()) {
    const text = leadOf(word);
    if (text === "-wrapper") found.command([literal((onlyValue(words[at + 1]) ?? "").split(",", 1)[0]!)]);
    else if (
      /^-(?:fplugin=|fpass-plugin=|fuse-ld=.*\/|specs=|B|load$|Xclang$)|^-Wl,.*(?:-o\b|-plugin|--output)|^--?(?:ld-path|config)\b/.test(text) ||
      /^@/.test(text)
    )
      found.force("what the compiler loads");
    else if (text === "-o" && words[at + 1] !== undefined) found.file("write", words[at + 1]!, true);
    else if (/^-o./.test(text)) found.file("write", wordFrom(word, 2), true);
    else if (/^-(?:MF|dumpdir)$/.test(text) && words[at + 1] !== undefined) found.file("write", words[at + 1]!);
  }
}
