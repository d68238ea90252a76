import type { Node, Part, Redirect, Script, Simple } from "../bash/ast.ts";
import { steers } from "../programs/environment.ts";
import type { Word } from "../word.ts";
import { afterArithmetic } from "./arithmetic.ts";
import { constantText, createExpander } from "./expand.ts";
import { type Inspection, inspectArithmetic, inspectTest, inspectWords } from "./inspect.ts";
import { mutationsOf, weakened } from "./mutations.ts";
import type { Input } from "./open.ts";
import { commandOf, runSimple } from "./run.ts";
import { force, inside, type Scene } from "./scene.ts";
import { after, both, type Flow, join, type State, texts, unknown, type Value, withVar } from "./state.ts";
import { runTexts } from "./texts.ts";

/** Follows a script from a state: every command it may run goes to the scene. `input` is what it reads, where that is known. */
export function runScript(script: Script, state: State, scene: Scene, input?: Input): Flow {
  let flow: Flow = { ok: state, fail: undefined };
  let last = state;
  for (const { node, background } of script.items) {
    // What is never reached is followed all the same, for rules that deny.
    const before = after(flow) ?? last;
    const reached = after(flow) !== undefined;
    last = before;
    const next = runNode(node, before, scene, background ? undefined : input);
    flow = !reached ? { ok: undefined, fail: undefined } : background ? { ok: before, fail: undefined } : next;
  }
  return script.items.length === 0 ? { ok: state, fail: undefined } : flow;
}

export function runNode(node: Node, state: State, scene: Scene, input?: Input): Flow {
  switch (node.kind) {
    case "simple":
      return runSimple(node, state, scene, input);
    case "pipeline":
      return pipeline(node, state, scene, input);
    case "andor":
      return andOr(node, state, scene, input);
    case "function":
      return defined(node, state, scene);
    case "coproc":
      runNode(node.body, state, inside(scene, "coproc"));
      return both(withVar(state, node.name === "" ? "COPROC" : node.name, unknown));
    default:
      return compound(node, state, scene, input);
  }
}

/** Commands, evaluation and state in the words of a compound command. */
export function inspection(state: State, scene: Scene, text: string): Inspection {
  return {
    state,
    environment: scene.environment,
    substitution: (part) => substitution(part, state, scene),
    assigns: (name) => assigns(name, state, scene),
    evaluated: (why, known) => {
      force(scene, why, text);
      // Where the text is known, the commands in it are too.
      for (const each of known)
        for (const match of each.matchAll(/\$\(([\s\S]*)\)|`([^`]*)`/g)) runTexts([match[1] ?? match[2] ?? ""], "", state, inside(scene, why));
    },
  };
}

/** A variable that programs look at is set to what nobody knows. */
function assigns(name: string, state: State, scene: Scene): void {
  const value: Word = { text: "", static: false, source: "" };
  scene.commands.push({ ...commandOf([], [{ name, value }], state, scene), text: `${name}=` });
}

function substitution(part: Part & { kind: "command" }, state: State, scene: Scene): void {
  const why = part.form === "<(" || part.form === ">(" ? "a process substitution" : "a command substitution";
  if (constantText(part) === undefined) force(scene, why, part.raw);
  runScript(part.script, state, inside(scene, why));
}

function pipeline(node: Node & { kind: "pipeline" }, state: State, scene: Scene, input: Input): Flow {
  const [only, ...others] = node.parts;
  if (only === undefined) return both(state);
  if (others.length === 0) {
    const { ok, fail } = runNode(only, state, scene, input);
    return node.negated ? { ok: fail, fail: ok } : { ok, fail };
  }
  let piped = input;
  for (const part of node.parts) {
    runNode(part, state, scene, piped);
    const said = printed(part, state, scene);
    piped = said === undefined ? undefined : { word: said, piped: true };
  }
  return both(state);
}

/** What a command prints, where it is plain: `echo`, `printf` of one text, or `cat` of a heredoc. */
function printed(node: Node, state: State, scene: Scene): Word | undefined {
  if (node.kind !== "simple" || node.words.length === 0) return undefined;
  const expander = createExpander(state, scene.environment);
  const [program, ...words] = node.words;
  const heredoc = node.redirects.findLast(({ op }) => op.startsWith("<<"));
  if (program!.raw === "cat" && words.every(({ raw }) => raw === "-") && heredoc !== undefined) return inputOf(heredoc, state, scene);
  if (node.redirects.some(({ op }) => op.startsWith(">"))) return undefined;
  const said = words.filter((word, at) => !(at === 0 && /^-[neE]+$/.test(word.raw))).map((word) => expander.word(word));
  if (said.length === 0 || (program!.raw !== "echo" && program!.raw !== "printf")) return undefined;
  const text = said.map((word) => word.text).join(" ");
  const values = said.map((word) => word.values ?? (word.static ? [word.text] : undefined));
  if (values.some((value) => value?.length !== 1)) return { text, static: false, source: text };
  const known = values.map((value) => value![0]).join(" ");
  return known.includes("\\") ? { text: known, static: false, source: text } : { text: known, static: true, source: text };
}

/** What a heredoc or here-string gives to read. */
export function inputOf(redirect: Redirect, state: State, scene: Scene): Word {
  const expander = createExpander(state, scene.environment);
  return redirect.heredoc === undefined ? expander.single(redirect.target) : expander.text(redirect.heredoc.parts, redirect.heredoc.raw);
}

function andOr(node: Node & { kind: "andor" }, state: State, scene: Scene, input: Input): Flow {
  let flow = runNode(node.first, state, scene, input);
  for (const { op, node: next } of node.rest) {
    const from = op === "&&" ? flow.ok : flow.fail;
    const then = runNode(next, from ?? after(flow) ?? state, scene);
    const reached: Flow = from === undefined ? { ok: undefined, fail: undefined } : then;
    flow = op === "&&" ? { ok: reached.ok, fail: join(flow.fail, reached.fail) } : { ok: join(flow.ok, reached.ok), fail: reached.fail };
  }
  return flow;
}

/** The body runs where it is called: from any state that the rest may have made. */
function defined(node: Node & { kind: "function" }, state: State, scene: Scene): Flow {
  const [all] = scene.functions.get("") ?? [];
  const from = all === undefined ? state : weakened(state, mutationsOf(all, scene.functions));
  runNode(node.body, { ...from, args: undefined }, inside(scene, `the function ${node.name}`));
  return both(state);
}

function compound(
  node: Exclude<Node, Simple | { kind: "pipeline" | "andor" | "function" | "coproc" }>,
  state: State,
  scene: Scene,
  input: Input,
): Flow {
  if (node.redirects.length > 0) {
    runSimple({ kind: "simple", assigns: [], words: [], redirects: node.redirects }, state, scene);
    const last = node.redirects.findLast(({ op, fd }) => op.startsWith("<") && (fd === undefined || fd === "0"));
    if (last !== undefined) input = last.op.startsWith("<<") ? { word: inputOf(last, state, scene) } : undefined;
  }
  const loop = (body: Script) => weakened(state, mutationsOf(body, scene.functions));
  switch (node.kind) {
    case "group": {
      const flow = runScript(node.body, state, scene, input);
      return node.subshell ? both(state) : flow;
    }
    case "if": {
      let fail: State | undefined = state;
      let done: State | undefined;
      for (const { condition, body } of node.clauses) {
        const flow: Flow = runScript(condition, fail ?? state, scene);
        const then = runScript(body, flow.ok ?? state, scene);
        if (fail !== undefined && flow.ok !== undefined) done = join(done, after(then));
        fail = fail === undefined ? undefined : flow.fail;
      }
      if (node.otherwise !== undefined) {
        const then = runScript(node.otherwise, fail ?? state, scene);
        fail = fail === undefined ? undefined : after(then);
      }
      return branches(join(done, fail));
    }
    case "while": {
      const from = join(state, weakened(loop(node.condition), mutationsOf(node.body, scene.functions)))!;
      const flow = runScript(node.condition, from, scene, input);
      runScript(node.body, flow.ok ?? from, scene, input);
      return both(from);
    }
    case "for":
      return forEach(node, state, scene, input);
    case "count": {
      const look = inspection(state, scene, node.header.map(({ raw }) => raw).join(";"));
      const [first, ...others] = node.header;
      inspectArithmetic(first!, look);
      const from = node.header.reduce((before, each) => afterArithmetic(each, before), loop(node.body));
      for (const each of others) inspectArithmetic(each, inspection(from, scene, each.raw));
      runScript(node.body, from, scene, input);
      return both(join(state, from)!);
    }
    case "case": {
      const look = inspection(state, scene, node.subject.raw);
      inspectWords([node.subject], look);
      let end: State | undefined = state;
      for (const { patterns, body } of node.arms) {
        inspectWords(patterns, look);
        end = join(end, after(runScript(body, state, scene, input)));
      }
      return branches(end);
    }
    case "arithmetic":
      inspectArithmetic(node.expression, inspection(state, scene, `((${node.expression.raw}))`));
      return both(afterArithmetic(node.expression, state));
    case "test":
      inspectTest(node.tokens, inspection(state, scene, node.raw));
      scene.commands.push(testCommand(node.raw, state, scene));
      return both(state);
  }
}

function branches(state: State | undefined): Flow {
  return { ok: state, fail: state };
}

/** A test of words does nothing that needs a permission. */
function testCommand(raw: string, state: State, scene: Scene): Scene["commands"][number] {
  const word: Word = { text: raw, static: true, source: raw };
  const none = { assignments: [], files: [], urls: [], code: [], runner: false, subject: undefined, keeps: undefined, within: [] };
  return { ...none, text: raw, argv: [word], cwd: state.cwd, passive: true, does: "reads", via: scene.via };
}

function forEach(node: Node & { kind: "for" }, state: State, scene: Scene, input: Input): Flow {
  const expander = createExpander(state, scene.environment);
  const words = node.words?.map((word) => expander.word(word));
  inspectWords(node.words ?? [], inspection(state, scene, `for ${node.name}`));
  const value = words === undefined ? valueOfArgs(state) : valueOfWords(words);
  const from = withVar(weakened(state, mutationsOf(node.body, scene.functions)), node.name, value);
  if (steers(node.name)) assigns(node.name, state, scene);
  runScript(node.body, from, scene, input);
  return both(join(state, from)!);
}

function valueOfArgs({ args }: State): Value {
  return args === undefined ? unknown : texts(args);
}

function valueOfWords(words: readonly Word[]): Value {
  const all: string[] = [];
  let lead: string | undefined;
  for (const word of words) {
    const values = word.values ?? (word.static ? [word.text] : undefined);
    if (values !== undefined) all.push(...values);
    else if (word.contained && lead === undefined) lead = word.lead ?? "";
    else return unknown;
  }
  if (lead === undefined) return texts(all);
  return all.length === 0 ? { kind: "glob", lead } : unknown;
}
