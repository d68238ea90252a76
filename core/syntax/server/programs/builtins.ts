import { literal } from "../word.ts";
import { isDescriptor, isInputFile } from "./call.ts";
import { evaluates } from "./evaluates.ts";
import { type Program, reads } from "./program.ts";
import { openTrap } from "./shells.ts";

/** Builtins of the shell. What they change in it is told elsewhere. */
export const builtins: Readonly<Record<string, Program>> = {
  ":": { does: "reads", free: true },
  ".": sources(),
  source: sources(),
  alias: {
    does: "runs",
    runner: true,
    special: ({ words }, found) => {
      found.force("what alias changes");
      for (const word of words) if (word.text.includes("=")) found.text({ ...word, text: word.text.slice(word.text.indexOf("=") + 1) }, "an alias");
    },
  },
  bg: reads(undefined, ""),
  bind: { does: "unknown", options: "-lpsvPSVX -x:x -f:a -q: -u: -r: -m:", runner: true },
  break: { does: "reads", free: true },
  builtin: { does: "reads", stops: true, operands: "command", transparent: true, runner: true },
  caller: reads(undefined, ""),
  cd: reads(undefined, ""),
  chdir: reads(undefined, ""),
  command: { does: "reads", options: "-p -v@n -V@n", stops: true, operands: "command", transparent: true, runner: true },
  compgen: { does: "unknown", options: "-abcdefgjksuv -o: -A: -G: -W:a -F:a -C:x -X: -P: -S:", runner: true },
  complete: { does: "unknown", options: "-abcdefgjksuvprDEI -o: -A: -G: -W:a -F:a -C:x -X: -P: -S:", runner: true },
  continue: { does: "reads", free: true },
  declare: declares(),
  dirs: reads(undefined, ""),
  disown: { does: "unknown" },
  echo: reads(undefined, ""),
  enable: { does: "unknown", options: "-adnps -f:a", runner: true },
  eval: {
    does: "runs",
    runner: true,
    special: ({ words }, found) => {
      if (words.length > 0) found.text(joined(words), "text for eval", { here: true });
    },
  },
  exec: { does: "reads", options: "-cl -a:", stops: true, operands: "command", transparent: true, runner: true },
  exit: { does: "reads", free: true },
  export: declares(),
  false: { does: "reads", free: true },
  fc: { does: "runs", runner: true, special: (_call, found) => found.force("what fc runs") },
  fg: reads(undefined, ""),
  getopts: evaluating("reads"),
  hash: {
    does: "unknown",
    options: "-ldrt -p:a",
    runner: true,
    special: ({ options }, found) => {
      for (const { option, value } of options) if (option.name === "-p" && value !== undefined) found.command([value], { passive: true });
    },
  },
  help: reads(undefined, ""),
  history: { does: "unknown", options: "-c -d: -w@w -a@w -n -r -p: -s:" },
  jobs: { does: "reads", options: "-lnprs -x@a", operands: "" },
  kill: { does: "unknown", exact: true },
  let: { does: "unknown", runner: true, special: (_call, found) => found.force("arithmetic with a variable") },
  local: declares(),
  logout: { does: "reads", free: true },
  mapfile: { does: "unknown", options: "-t -d: -n: -O: -s: -u: -C:x -c:", special: evaluating("unknown").special! },
  popd: reads(undefined, ""),
  printf: { ...evaluating("reads"), options: "-v:" },
  pushd: reads(undefined, ""),
  pwd: reads(undefined, ""),
  read: { ...evaluating("unknown"), exact: true },
  readarray: { does: "unknown", options: "-t -d: -n: -O: -s: -u: -C:x -c:", special: evaluating("unknown").special! },
  readonly: declares(),
  return: { does: "reads", free: true },
  set: { does: "unknown", exact: true },
  shift: { does: "reads", free: true },
  shopt: { does: "unknown", exact: true },
  suspend: { does: "unknown" },
  test: { ...evaluating("reads"), free: true },
  "[": { ...evaluating("reads"), free: true },
  times: { does: "reads", free: true },
  trap: { does: "reads", runner: true, special: openTrap },
  true: { does: "reads", free: true },
  type: reads(undefined, ""),
  typeset: declares(),
  ulimit: { does: "unknown" },
  umask: { does: "unknown", exact: true },
  unalias: { does: "unknown" },
  unset: { ...evaluating("unknown"), exact: true },
  wait: evaluating("reads"),
};

/** What a file says runs in this shell; what comes through the input can be read. */
function sources(): Program {
  return {
    does: "runs",
    exact: true,
    special: ({ path, words, input }, found) => {
      const [file] = words;
      if (file === undefined) return;
      if (!isInputFile(file)) {
        if (isDescriptor(file)) found.force(`what ${path.at(-1)} reads from a descriptor`);
        found.file("read", file);
      } else if (input !== undefined) found.text(input, `text for ${path.at(-1)}`, { here: true });
      else found.force(`${path.at(-1)} reads what it runs from its input`);
    },
  };
}

function declares(): Program {
  return { ...evaluating("unknown"), exact: true };
}

/** A builtin that evaluates the names or numbers it is given. */
function evaluating(does: Program["does"]): Program {
  return {
    does,
    special: ({ path, words }, found) => {
      if (!evaluates(path.at(-1)!, words)) return;
      found.force("a name or number that is evaluated");
      for (const { text } of words)
        for (const [, inner] of text.matchAll(/\$\(([\s\S]*)\)/g)) found.text(literal(inner!), "a name or number that is evaluated");
    },
  };
}

export function joined(words: readonly { text: string; static: boolean; values?: string[] }[]) {
  const values = words.map((word) => word.values ?? (word.static ? [word.text] : undefined));
  const known = values.every((value) => value?.length === 1);
  return {
    text: words.map((word) => word.text).join(" "),
    static: words.every((word) => word.static && word.values === undefined),
    source: "",
    ...(known && words.some((word) => word.values !== undefined) ? { values: [values.map((value) => value![0]).join(" ")] } : {}),
  };
}
