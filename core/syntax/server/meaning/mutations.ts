import type { Node, Part, Script, WordNode } from "../bash/ast.ts";
import { assignedNames } from "./arithmetic.ts";
import type { Functions } from "./scene.ts";
import { blank, isNumeric, number, type State, unknown, withVar } from "./state.ts";

/** What a part of a script may change in its shell. */
export type Mutations = { vars: Set<string>; numbers: Set<string>; cwd: boolean; args: boolean /** Nothing is known of it. */; all: boolean };

const known = new WeakMap<object, Mutations>();

export function mutationsOf(node: Node | Script, functions: Functions): Mutations {
  const before = known.get(node);
  if (before !== undefined) return before;
  const found: Mutations = { vars: new Set(), numbers: new Set(), cwd: false, args: false, all: false };
  // A function that calls itself changes no more than its body does.
  known.set(node, found);
  if ("items" in node) {
    for (const { node: item, background } of node.items) if (!background) merge(found, mutationsOf(item, functions));
  } else collect(node, found, functions);
  return found;
}

/** The state in which a part runs that may have run before, and changed what it changes. */
export function weakened(state: State, { vars, numbers, cwd, args, all }: Mutations): State {
  if (all) return blank;
  let after: State = cwd ? { ...state, cwd: undefined, old: undefined, stack: undefined } : state;
  if (args) after = { ...after, args: undefined };
  for (const name of vars) after = withVar(after, name, unknown);
  for (const name of numbers) {
    const value = after.vars.get(name);
    if (!vars.has(name)) after = withVar(after, name, value !== undefined && isNumeric(value) ? number : unknown);
  }
  return after;
}

function merge(into: Mutations, from: Mutations): void {
  for (const name of from.vars) into.vars.add(name);
  for (const name of from.numbers) into.numbers.add(name);
  into.cwd ||= from.cwd;
  into.args ||= from.args;
  into.all ||= from.all;
}

function collect(node: Node, found: Mutations, functions: Functions): void {
  const add = (...parts: (Node | Script | undefined)[]) => {
    for (const part of parts) if (part !== undefined) merge(found, mutationsOf(part, functions));
  };
  if ("redirects" in node) for (const { fd } of node.redirects) if (fd?.startsWith("{")) found.vars.add(fd.slice(1, -1));
  switch (node.kind) {
    case "simple":
      simple(node.assigns, node.words, found, functions);
      break;
    case "pipeline":
      if (node.parts.length === 1) add(node.parts[0]);
      break;
    case "andor":
      add(node.first, ...node.rest.map((each) => each.node));
      break;
    case "group":
      if (!node.subshell) add(node.body);
      break;
    case "if":
      for (const clause of node.clauses) add(clause.condition, clause.body);
      add(node.otherwise);
      break;
    case "while":
      add(node.condition, node.body);
      break;
    case "for":
      found.vars.add(node.name);
      expansions(node.words ?? [], found);
      add(node.body);
      break;
    case "count":
      for (const { parts } of node.header) for (const name of assignedNames(parts)) found.numbers.add(name);
      add(node.body);
      break;
    case "case":
      expansions([node.subject], found);
      for (const arm of node.arms) add(arm.body);
      break;
    case "arithmetic":
      for (const name of assignedNames(node.expression.parts)) found.numbers.add(name);
      break;
    case "test":
      expansions(
        node.tokens.flatMap(({ word }) => (word === undefined ? [] : [word])),
        found,
      );
      found.vars.add("BASH_REMATCH");
  }
}

const WHOLE = new Set(["eval", ".", "source", "trap", "enable", "alias", "unalias"]);
const NAMING = new Set([
  "read",
  "mapfile",
  "readarray",
  "getopts",
  "printf",
  "unset",
  "declare",
  "typeset",
  "local",
  "export",
  "readonly",
  "let",
  "wait",
]);

function simple(assigns: readonly WordNode[], words: readonly WordNode[], found: Mutations, functions: Functions): void {
  expansions([...assigns, ...words], found);
  const [first, ...rest] = words;
  if (first === undefined) {
    for (const { assign, parts } of assigns) {
      if (assign === undefined) continue;
      const [only, ...others] = parts;
      const counts = others.length === 0 && (only === undefined || only.kind === "arithmetic" || (only.kind === "text" && /^-?\d*$/.test(only.text)));
      (counts && assign.index === undefined && !assign.append ? found.numbers : found.vars).add(assign.name);
    }
    return;
  }
  const name = plainText(first);
  if (name === undefined || WHOLE.has(name)) {
    found.all = true;
    return;
  }
  if (name === "command" || name === "builtin") {
    const inner = rest.filter((word) => !word.raw.startsWith("-"));
    simple([], inner, found, functions);
    return;
  }
  if (name === "cd" || name === "pushd" || name === "popd" || name === "chdir") found.cwd = true;
  else if (name === "set" || name === "shift") found.args = true;
  else if (NAMING.has(name)) {
    for (const word of rest) {
      const named = word.assign?.name ?? /^(?:-v)?([A-Za-z_]\w*)/.exec(word.raw)?.[1];
      if (named !== undefined) found.vars.add(named);
      else if (!/^[-+\d'"]/.test(word.raw)) found.all = true;
    }
    if (name === "read") found.vars.add("REPLY");
    if (name === "mapfile" || name === "readarray") found.vars.add("MAPFILE");
    if (name === "getopts") found.vars.add("OPTARG");
  }
  if (functions.has(name)) merge(found, mutationsOfCall(name, functions));
}

const called = new WeakMap<Functions, Map<string, Mutations>>();

/** What calling a function may change, which may be defined often. */
export function mutationsOfCall(name: string, functions: Functions): Mutations {
  const calls = called.get(functions) ?? new Map<string, Mutations>();
  called.set(functions, calls);
  const before = calls.get(name);
  if (before !== undefined) return before;
  const found: Mutations = { vars: new Set(), numbers: new Set(), cwd: false, args: false, all: false };
  calls.set(name, found);
  for (const body of functions.get(name) ?? []) merge(found, mutationsOf(body, functions));
  return found;
}

/** `${x:=y}` and arithmetic set variables where they stand. */
function expansions(words: readonly WordNode[], found: Mutations): void {
  for (const word of words) for (const part of word.parts) inPart(part, found);
}

function inPart(part: Part, found: Mutations): void {
  if (part.kind === "param") {
    if (part.param.op === ":=" || part.param.op === "=") found.vars.add(part.param.name);
    for (const each of part.param.word) inPart(each, found);
  } else if (part.kind === "arithmetic") for (const name of assignedNames(part.expression.parts)) found.numbers.add(name);
  else if (part.kind === "array") expansions(part.items, found);
}

/** The text of a word without expansions. */
export function plainText({ parts }: WordNode): string | undefined {
  let text = "";
  for (const part of parts) {
    if (part.kind !== "text") return undefined;
    text += part.text;
  }
  return text;
}
