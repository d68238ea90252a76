import type { Command, File } from "../command.ts";
import { isCommand } from "../programs/environment.ts";
import { judge } from "../programs/judge.ts";
import type { Does, Findings, Inner } from "../programs/program.ts";
import { programNamed } from "../programs/programs.ts";
import { openUnknown } from "../programs/unknown.ts";
import { runOrText } from "../programs/wrapping.ts";
import { baseName, literal, onlyValue, spread, valuesOf, type Word } from "../word.ts";
import { isBareGlob, unclear } from "./bare-globs.ts";
import { pathsOf } from "./paths.ts";
import { commandOf, runWords } from "./run.ts";
import { force, inside, type Scene } from "./scene.ts";
import { type State, unknown, type Value, withCwd } from "./state.ts";
import { runTexts } from "./texts.ts";

/** Deeper wrappers are not opened. */
const MAX_WRAPPED = 12;
const ORDER: readonly Does[] = ["reads", "network", "unknown", "writes", "runs"];
const noFile = /^\/dev\/(?:null|stdout|stderr|stdin|tty|zero|full|random|urandom|fd\/\d+)$|^-$/;

/** What a program reads, where it is known: given to it, or through a pipe from one that prints it. */
export type Input = { word: Word; piped?: true } | undefined;

/** Tells what a program does by its entry, and follows what it runs. */
export function openProgram(command: Command, program: Word, rest: readonly Word[], input: Input, state: State, scene: Scene): void {
  const name = baseName(program.text);
  const words = spread(rest);
  const known = programNamed(name);
  const own = inside(scene, name);
  let folders = state.cwd;
  let opened = 0;
  const does = (next: Does) => {
    if (ORDER.indexOf(next) > ORDER.indexOf(command.does)) command.does = next;
  };
  const file = (access: File["access"], word: Word, kind: Partial<File>) => {
    if (scene.elsewhere) return;
    const value = onlyValue(word);
    if (value !== undefined && noFile.test(value)) return;
    if (access === "write" && kind.folder === undefined) does("writes");
    command.files.push({ access, ...pathsOf(word, folders), ...kind });
  };
  const found: Findings = {
    command(inner, more = {}) {
      opened++;
      runInner(inner, more, command, folders, input, state, own);
    },
    guess(words) {
      scene.commands.push({ ...commandOf(words, [], state, own), passive: true, guessed: true });
    },
    text(text, why, more = {}) {
      opened++;
      does("runs");
      const values = valuesOf(text) ?? [text.text];
      const args = more.args?.map(onlyValue);
      const child: State = more.here
        ? state
        : { ...childState(state), args: args === undefined || args.includes(undefined) ? undefined : (args as string[]) };
      const before = scene.commands.length;
      runTexts(values, why, { ...child, cwd: folders }, own);
      // What comes through a pipe may be something else.
      if (input?.piped && text === input.word) for (const guess of scene.commands.slice(before)) guess.passive = true;
    },
    code(code) {
      does("runs");
      command.code.push(code);
    },
    file: (access, word, mine = false) => file(access, word, mine ? { own: true } : {}),
    folder: (word) => file("write", word, { folder: true }),
    enter(word) {
      file("write", word, { folder: true });
      folders = enter(word, folders);
    },
    url(word) {
      const text = onlyValue(word);
      if (text !== undefined) command.urls.push(text);
      if (text !== undefined && /^file:\/\//i.test(text)) file("read", literal(text.slice(7), word.source), {});
    },
    unclear(word) {
      if (scene.elsewhere) return;
      if (isBareGlob(word, folders, scene)) scene.globs.found.push({ command, text: word.text });
      else unclear(command, word.text);
    },
    force(why) {
      does("runs");
      force(scene, why, command.text);
    },
    does,
  };
  if (known !== undefined && scene.via.length < MAX_WRAPPED) {
    const judged = judge(program, words, known, input?.word, found);
    command.subject = judged.subject;
    command.keeps = judged.keeps;
    command.runner = judged.runner;
    if (judged.free || (judged.transparent && opened > 0)) command.passive = true;
  } else {
    if (known !== undefined) force(scene, "wrappers in wrappers", command.text);
    does("unknown");
    command.keeps = 1;
    if (known === undefined) openUnknown(words, (each) => programNamed(each) !== undefined, found);
  }
  assignedCommands(command, found);
}

/** Values of variables that programs run as commands. */
function assignedCommands({ assignments, argv }: Command, found: Findings): void {
  if (argv.length === 0) return;
  for (const { name, value } of assignments) if (isCommand(name)) runOrText([value], true, name, { ...found, does: () => {} }, { passive: true });
}

function runInner(
  words: readonly Word[],
  more: Inner,
  outer: Command,
  folders: readonly string[] | undefined,
  input: Input,
  state: State,
  scene: Scene,
): void {
  if (words.length === 0) return;
  const cwd = more.astray || more.elsewhere ? undefined : more.folder === undefined ? folders : enter(more.folder, folders);
  const own: Scene = more.elsewhere ? { ...scene, elsewhere: true } : scene;
  const from: State = { ...childState(state), cwd };
  const inner = commandOf(words, more.assignments ?? [], from, own);
  inner.within = around(outer, words);
  own.commands.push(inner);
  runWords(inner, words, "input" in more ? (more.input === undefined ? undefined : { word: more.input }) : input, from, own);
  if (more.passive) inner.passive = true;
}

/** The wrappers whose last words these are. */
function around(outer: Command, words: readonly Word[]): Command["within"] {
  const from = outer.argv.length - words.length;
  const isTail = from > 0 && words.every((word, at) => outer.argv[from + at] === word);
  if (!isTail) return [];
  return [{ argv: outer.argv, from }, ...outer.within.map((each) => ({ argv: each.argv, from: each.from + from }))].slice(0, MAX_AROUND);
}

const MAX_AROUND = 3;

/** A program does not see what the shell has not exported. */
function childState(state: State): State {
  const vars = new Map<string, Value>([...state.vars.keys()].map((name) => [name, unknown]));
  const home = state.vars.get("HOME");
  if (home !== undefined) vars.set("HOME", home);
  return { ...state, vars, args: undefined, stack: undefined };
}

/** The folders that a folder may be, from those the shell may be in. */
function enter(word: Word, folders: readonly string[] | undefined): readonly string[] | undefined {
  const { paths, below } = pathsOf(word, folders);
  return below
    ? undefined
    : withCwd({ cwd: undefined, old: undefined, stack: undefined, vars: new Map(), environment: false, args: undefined }, paths).cwd;
}
