import type { Redirect, Simple, WordNode } from "../bash/ast.ts";
import type { Command, File } from "../command.ts";
import { isHarmless, steers } from "../programs/environment.ts";
import { onlyValue, valuesOf, type Word, wordFrom } from "../word.ts";
import { runBuiltin } from "./builtins.ts";
import { createExpander } from "./expand.ts";
import { inspectParts, inspectWords } from "./inspect.ts";
import { type Input, openProgram } from "./open.ts";
import { pathsOf } from "./paths.ts";
import { force, type Scene } from "./scene.ts";
import { both, type Flow, isNumeric, type State, type Value, withVar } from "./state.ts";
import { inputOf, inspection } from "./walk.ts";

/** Follows one simple command: what it runs, opens and assigns. */
export function runSimple(node: Simple, state: State, scene: Scene, piped?: Input): Flow {
  const expander = createExpander(state, scene.environment);
  const words = node.words.map((word) => expander.word(word));
  const assignments = node.assigns.map((word) => ({ name: word.assign!.name, value: valueWord(word, expander) }));
  const command = commandOf(words, assignments, state, scene);
  if (words.length === 0) command.text = node.assigns.map(({ raw }) => raw).join(" ");
  let input: Input = piped;
  for (const redirect of node.redirects) {
    const given = openRedirect(redirect, command, state, scene);
    if (given !== undefined) input = given.input === undefined ? undefined : { word: given.input };
  }
  if (words.length + assignments.length + command.files.length > 0) scene.commands.push(command);
  const flow = words.length === 0 ? assigned(node.assigns, expander, state, scene) : runWords(command, words, input, state, scene);
  inspectAll(node, state, scene, command.text);
  return node.redirects.reduce((before, { fd }) => (fd?.startsWith("{") ? withDescriptor(before, fd.slice(1, -1)) : before), flow);
}

/** Follows the words of a command, whose program is the first. */
export function runWords(command: Command, words: readonly Word[], input: Input, state: State, scene: Scene): Flow {
  const [program, ...rest] = words;
  if (program === undefined) return both(state);
  if (!program.static || (program.values !== undefined && !program.tilde)) {
    force(scene, "a program that is known only when it runs", command.text);
    hidden(program, rest, command, state, scene);
    command.does = "runs";
    return both(state);
  }
  openProgram(command, program, rest, input, state, scene);
  const flow = runBuiltin(program.text, rest, state, scene);
  // Going there is asked about where it is another place.
  if (MOVES.has(program.text) && flow.ok?.cwd !== undefined)
    command.files.push({ access: "write", text: command.text, paths: [...flow.ok.cwd], folder: true });
  return flow;
}

export function commandOf(argv: readonly Word[], assignments: readonly { name: string; value: Word }[], state: State, scene: Scene): Command {
  return {
    text: argv.map((word) => word.source).join(" "),
    argv: [...argv],
    assignments: [...assignments.map(judged), ...declared(argv)],
    cwd: scene.elsewhere ? undefined : state.cwd,
    files: [],
    urls: [],
    code: [],
    passive: false,
    runner: false,
    does: "reads",
    subject: undefined,
    keeps: undefined,
    within: [],
    via: scene.via,
  };
}

function judged({ name, value }: { name: string; value: Word }): Command["assignments"][number] {
  const harmless = isHarmless(name, onlyValue(value));
  return { name, value, harmless, steers: !harmless && steers(name) };
}

/** What `export` and its like set: a rule for them covers no variable that programs look at. */
function declared([program, ...words]: readonly Word[]): Command["assignments"] {
  if (!DECLARES.has(program?.text ?? "")) return [];
  return words
    .map((word) => ({ word, cut: word.text.indexOf("=") }))
    .filter(({ cut }) => cut > 0)
    .map(({ word, cut }) => judged({ name: word.text.slice(0, cut).replace(/\+$/, ""), value: wordFrom(word, cut + 1) }))
    .filter((each) => each.steers);
}

const DECLARES = new Set(["export", "declare", "typeset", "readonly", "local"]);

/** What a program may be that only bash knows: for rules that deny. An expansion may come to nothing, and the next word is the program then. */
function hidden(program: Word, rest: readonly Word[], command: Command, state: State, scene: Scene): void {
  if (scene.depth > MAX_HIDDEN) return;
  const own: Scene = { ...scene, depth: scene.depth + 1 };
  const add = (words: readonly Word[]) => {
    if (words.length === 0) return;
    const inner = { ...commandOf(words, [], state, own), passive: true };
    own.commands.push(inner);
    runWords(inner, words, undefined, state, own);
    inner.passive = true;
  };
  if (program.spread) add([...(program.values ?? []).map((text) => ({ text, static: true, source: program.source })), ...rest]);
  else if (program.values !== undefined) for (const text of program.values) add([{ text, static: true, source: program.source }, ...rest]);
  else add(rest);
  if (program.values === undefined && program.tilde === undefined && command.argv.length === 1) command.does = "runs";
}

const MAX_HIDDEN = 8;
const MOVES = new Set(["cd", "chdir", "pushd", "popd"]);

/** The value of an assignment as a word. */
function valueWord(node: WordNode, expander: ReturnType<typeof createExpander>): Word {
  const { assign: _assign, ...value } = node;
  const cut = node.raw.indexOf("=");
  return { ...expander.single(value), source: node.raw.slice(cut + 1) };
}

function assigned(nodes: readonly WordNode[], expander: ReturnType<typeof createExpander>, state: State, scene: Scene): Flow {
  let after = state;
  for (const node of nodes) {
    const { name, index, append } = node.assign!;
    const given = expander.value(node);
    if (scene.integers.has(name) && !isNumeric(given)) evaluated(given, node.raw, state, scene);
    const value: Value = index !== undefined || append ? { kind: "unknown" } : given;
    after = withVar(after, name, value);
  }
  return both(after);
}

/** An integer's value is arithmetic. */
function evaluated(value: Value, text: string, state: State, scene: Scene): void {
  inspection(state, scene, text).evaluated("arithmetic with a variable", value.kind === "texts" ? value.texts : []);
}

function withDescriptor(flow: Flow, name: string): Flow {
  const set = (state: State | undefined) => (state === undefined ? undefined : withVar(state, name, { kind: "number" }));
  return { ok: set(flow.ok), fail: set(flow.fail) };
}

/** A redirect to these writes no file. */
const noFile = /^\/dev\/(?:null|stdout|stderr|stdin|tty|zero|full|random|urandom|fd\/\d+)$/;

/** Adds the file that a redirect opens; answers what it makes of the input, where it is about that. */
function openRedirect(redirect: Redirect, command: Command, state: State, scene: Scene): { input: Word | undefined } | undefined {
  const { op, fd, target } = redirect;
  const feeds = fd === undefined || fd === "0";
  if (op.startsWith("<<")) return feeds ? { input: inputOf(redirect, state, scene) } : undefined;
  const word = createExpander(state, scene.environment).word(target);
  const text = onlyValue(word);
  const copies = op === "<&" || op === ">&";
  if (copies && text !== undefined && /^(?:\d+-?|-)$/.test(text)) return op === "<&" && feeds ? { input: undefined } : undefined;
  const access = op === "<" || op === "<&" ? "read" : "write";
  if (text === undefined || !noFile.test(text)) addFile(command, word, access, state, scene);
  return access === "read" && feeds ? { input: undefined } : undefined;
}

function addFile(command: Command, word: Word, access: File["access"], state: State, scene: Scene): void {
  const file: File = { access, ...pathsOf(word, state.cwd), redirect: true };
  // A glob that fits several files is an error, and what it fits is known only then.
  if (file.below) file.paths = undefined;
  if (scene.elsewhere) return;
  command.files.push(file);
  if (access === "write") {
    command.does = command.does === "runs" ? "runs" : "writes";
    if (file.paths === undefined)
      force(
        scene,
        valuesOf(word) === undefined ? "a file that is known only when it is written" : "a file in a folder that is not known",
        word.source,
      );
  }
}

/** Commands and evaluation in the words, in the order they are written. */
function inspectAll({ assigns, words, redirects }: Simple, state: State, scene: Scene, text: string): void {
  const look = inspection(state, scene, text);
  inspectWords(assigns, look);
  inspectWords(words, look);
  for (const { target, heredoc } of redirects) {
    if (heredoc === undefined) inspectWords([target], look);
    else inspectParts(heredoc.parts, look);
  }
}
