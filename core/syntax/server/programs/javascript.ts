import { onlyValue } from "../word.ts";
import { asksNetwork, changes, looks, scripts } from "./kinds.ts";
import { creates, npm, npmExec, pnpm, yarn } from "./npm.ts";
import type { Program } from "./program.ts";
import { acts } from "./wrapping.ts";

/** Package managers and runners of JavaScript, and what they run. */
export const javascript: Readonly<Record<string, Program>> = {
  npm,
  pnpm,
  yarn,
  yarnpkg: yarn,
  npx: npmExec,
  pnpx: npmExec,
  bunx: npmExec,
  "pnpm-dlx": npmExec,
  bun: {
    does: "unknown",
    everywhere: true,
    options:
      "--cwd:d -r,--preload:a --preload:a -e,--eval:c -p,--print:c --bun -b --config:a --env-file:r --shell: --silent --watch --hot -v@n --version@n --help@n",
    subcommands: {
      x: npmExec,
      run: scripts,
      test: { ...scripts, keeps: 2 },
      add: changes,
      install: changes,
      i: changes,
      remove: changes,
      update: changes,
      build: { does: "writes", options: "--outdir:w --outfile:w --target: --minify", operands: "r*" },
      create: creates,
      pm: changes,
      outdated: asksNetwork,
      publish: asksNetwork,
      upgrade: changes,
      exec: { does: "runs", runner: true, operands: "x" },
      repl: { does: "runs", runner: true },
      link: changes,
      init: changes,
    },
  },
  deno: {
    does: "unknown",
    everywhere: true,
    options:
      "-c,--config:a --import-map:a -q,--quiet -L,--log-level: -A,--allow-all --allow-run? --allow-read? --allow-write? --allow-net? --allow-env? --node-modules-dir? --lock:w --preload:a --env-file? -V@n --version@n --help@n",
    subcommands: {
      eval: { does: "runs", runner: true, options: "-p,--print --ext:", operands: "c" },
      run: {
        does: "runs",
        runner: true,
        options: "--watch? --inspect? --no-check --check --cert:r --reload? --v8-flags:",
        stops: true,
        operands: "r",
        special: ({ operands: [script], input }, found) => {
          const text = onlyValue(script);
          if (text !== undefined && /^(?:https?|npm|jsr|data):/.test(text)) found.force("code from elsewhere");
          else if (text === "-" || text === "/dev/stdin") {
            if (input === undefined) found.force("deno reads what it runs from its input");
            else found.code(input);
          } else if (script !== undefined) found.file("read", script);
        },
      },
      x: npmExec,
      test: { does: "runs", operands: "" },
      bench: { does: "runs", operands: "" },
      task: {
        ...scripts,
        options: "--eval@_ --cwd:d -f,--filter: -r,--recursive",
        keeps: 3,
        special: ({ options, operands: words, rest }, found) => {
          if (options.some(({ option }) => option.name === "--eval")) for (const word of [...words, ...rest]) found.text(word, "text for deno");
        },
      },
      check: { does: "network", operands: "r*" },
      lint: { does: "reads", options: "--fix@a --rules --json --ignore:", operands: "r*" },
      fmt: { does: "writes", options: "--check --ext: --ignore:", operands: "W*" },
      info: asksNetwork,
      doc: asksNetwork,
      cache: asksNetwork,
      install: { ...changes, options: "--root:w -n,--name: -g,--global -f,--force --entrypoint:" },
      add: changes,
      remove: changes,
      compile: { does: "writes", options: "-o,--output:w --target:", operands: "r*" },
      repl: { does: "runs", runner: true },
      types: looks,
      upgrade: changes,
      publish: asksNetwork,
      outdated: asksNetwork,
      coverage: looks,
    },
  },
  nodenv: { does: "unknown", subcommands: { exec: acts(""), versions: looks } },
  volta: { does: "unknown", subcommands: { run: acts("--node: --npm: --yarn: --bundled-npm"), list: looks, install: changes, pin: changes } },
  fnm: { does: "unknown", subcommands: { exec: acts("--using:"), list: looks, current: looks, use: changes, install: changes } },
  corepack: {
    does: "unknown",
    subcommands: Object.fromEntries([
      ...["npm", "npx", "yarn", "yarnpkg", "pnpm", "pnpx"].map((name): [string, Program] => [
        name,
        { does: "runs", runner: true, special: ({ words }, found) => found.command([{ text: name, static: true, source: name }, ...words]) },
      ]),
      ["enable", changes],
      ["disable", changes],
      ["prepare", changes],
      ["use", changes],
    ]),
  },
  "npm-run-all": { does: "runs", operands: "" },
  concurrently: {
    does: "runs",
    runner: true,
    options:
      "-n,--names: -c,--prefix-colors: -k,--kill-others --kill-others-on-fail -p,--prefix: -r,--raw -s,--success: -m,--max-processes: -g,--group -P --teardown:x",
    operands: "x*",
  },
  nodemon: {
    does: "runs",
    runner: true,
    options: "-x,--exec:x -w,--watch: -e,--ext: -i,--ignore: -q -V -L -d: -C --config:a --delay:",
    operands: "r",
  },
  husky: { does: "unknown" },
  lerna: {
    does: "unknown",
    subcommands: { exec: acts("--scope: --ignore: --parallel --stream --no-bail --concurrency:"), run: scripts, ls: looks, list: looks },
  },
  nx: {
    does: "unknown",
    subcommands: { exec: acts(""), run: scripts, "run-many": scripts, affected: scripts, graph: changes, show: looks, list: looks },
  },
  turbo: { does: "unknown", subcommands: { run: scripts, ls: looks } },
  rush: { does: "unknown" },
};
