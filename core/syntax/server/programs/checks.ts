import { fixes, looks } from "./kinds.ts";
import type { Program } from "./program.ts";

/** Programs that test, check and format. */
export const checks: Readonly<Record<string, Program>> = {
  biome: { does: "unknown", subcommands: { check: fixes(), ci: looks, lint: fixes(), format: fixes(), version: looks, explain: looks } },
  black: { does: "writes", options: "--check --diff -q -v -l: --line-length: -t: --config:r --exclude: --include: -c,--code:", operands: "W*" },
  eslint: {
    does: "runs",
    options:
      "-c,--config:d --rulesdir:a --resolve-plugins-relative-to:a --plugin:a --parser:a -f,--format: -o,--output-file:w --fix@_ --fix-dry-run --cache --cache-file:w --cache-location:w --ext: --ignore-path:r --ignore-pattern: --max-warnings: --quiet --no-eslintrc --rule: --env: --global: --stdin --stdin-filename: --debug -h@n --help@n -v@n --version@n",
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
  jest: {
    does: "runs",
    options:
      "-c,--config:d --rootDir:d --resolver:a --env: --globalSetup:a --globalTeardown:a --setupFiles:a --setupFilesAfterEach:a --runner:a --testRunner:a --reporters: --transform: --outputFile:w --coverageDirectory:w -t: --testNamePattern: --watch --ci --coverage --passWithNoTests",
  },
  phpunit: { does: "runs", options: "--bootstrap:a -c,--configuration:d --log-junit:w --coverage-html:w --coverage-clover:w" },
  prettier: {
    does: "runs",
    options:
      "-c,--check -l,--list-different -w,--write --config:d --plugin:a --plugin-search-dir:a --ignore-path:r --parser: --stdin-filepath: --cache --cache-location:w --log-level:",
    special: ({ options, operands: words }, found) => {
      const writes = options.some(({ option }) => option.name === "--write");
      for (const word of words) found.file(writes ? "write" : "read", word, writes);
    },
  },
  pytest: {
    does: "runs",
    options:
      "-c,--config-file:d -p:a -k: -m: -x -q -v -s -l -n: --rootdir:d --confcutdir: --basetemp:w --junitxml,--junit-xml:w --cov? --cov-report: --cov-config:r --log-file:w --debug? --pdb --pdbcls:a -o: --override-ini: --import-mode: --maxfail: --tb: --durations: --lf --ff --co --collect-only --html:w --capture: -r: -W: --color: --timeout: --randomly-seed:",
    special: ({ options }, found) => {
      for (const { option, value } of options)
        if (/^(?:-o|--override-ini)$/.test(option.name) && /^(?:addopts|python_files|required_plugins)=.*-(?:p|c|o)\b/.test(value?.text ?? ""))
          found.force("what pytest is told by an option");
    },
  },
  rspec: { does: "runs", options: "-r,--require:a -I:a -O,--options:r -f: -o,--out:w -e: -t: -P: --format: --seed:" },
  rubocop: {
    does: "runs",
    options: "-r,--require:a -a,--autocorrect@_ -A,--autocorrect-all@_ -c,--config:d -o,--out:w -f: --fail-level:",
    operands: "r*",
  },
  tox: {
    does: "runs",
    special: ({ words }, found) => {
      const at = words.findIndex((word) => word.text === "--");
      if (words[0]?.text === "exec" && at !== -1 && words.length > at + 1) found.command(words.slice(at + 1));
    },
    options: "-c:d -e: -r -p? -x,--override: --workdir:w --root:d",
  },
  nox: { does: "runs", options: "-f,--noxfile:d -s: -e: -r -l" },
  vitest: { does: "runs", keeps: 2, options: "-c,--config:d -r,--root:d --outputFile:w --globalSetup:a --reporter: -t: --coverage --run -u -w" },
};
