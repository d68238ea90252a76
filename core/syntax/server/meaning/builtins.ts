import { onlyValue, spread, valuesOf, type Word } from "../word.ts";
import { mutationsOfCall, weakened } from "./mutations.ts";
import { changed } from "./paths.ts";
import { force, isUntouched, type Scene } from "./scene.ts";
import { blank, both, type Flow, join, number, type State, texts, unknown, withCwd, withVar } from "./state.ts";

const nowhere: Flow = { ok: undefined, fail: undefined };

/** What a command leaves behind in the shell that runs it. */
export function runBuiltin(name: string, given: readonly Word[], state: State, scene: Scene): Flow {
  if (scene.functions.has(name)) return both(weakened(state, mutationsOfCall(name, scene.functions)));
  const words = spread(given);
  switch (name) {
    case "cd":
    case "chdir":
      return changeFolder(words, state, scene);
    case "pushd":
      return pushFolder(words, state, scene);
    case "popd":
      return popFolder(words, state, scene);
    case "exit":
      return nowhere;
    case "exec":
      return words.length === 0 ? both(state) : nowhere;
    case "return":
      // Elsewhere it fails, and the shell goes on.
      return inFunction(scene) ? nowhere : both(state);
    case "true":
    case ":":
      return { ok: state, fail: undefined };
    case "false":
      return { ok: undefined, fail: state };
    case "command":
    case "builtin": {
      const [program, ...rest] = words.filter((word, at) => !(at === 0 && /^-[p-]$/.test(word.text)));
      return program?.static && !/^-/.test(program.text) ? runBuiltin(program.text, rest, state, scene) : both(state);
    }
    case "eval":
    case ".":
    case "source":
    case "trap":
      return both(blank);
    case "set":
      if (words.some((word) => /^-[a-zA-Z]*P|^physical$/.test(word.text))) scene.physical.on = true;
      return both({
        ...state,
        args: words[0]?.text === "--" ? argsOf(words.slice(1)) : words.every((word) => /^[-+]/.test(word.text)) ? state.args : undefined,
      });
    case "shift":
      return both({ ...state, args: words.length === 0 ? state.args?.slice(1) : undefined });
    case "declare":
    case "typeset":
    case "local":
    case "export":
    case "readonly":
      // Whatever they are given from now on is evaluated.
      if (words.some((word) => /^-[a-zA-Z]*i/.test(word.text))) for (const word of words) scene.integers.add(word.text.split(/[=+[]/, 1)[0]!);
      // Outside of a function `local` fails.
      if (name === "local" && !inFunction(scene)) return both(join(state, declared(words, state))!);
      return both(declared(words, state));
    case "unset":
      return both(
        words.every((word) => /^(?:-[vf]|[A-Za-z_]\w*)$/.test(word.text))
          ? words.reduce((before, word) => (word.text.startsWith("-") ? before : withVar(before, word.text, unknown)), state)
          : blank,
      );
    case "read":
    case "mapfile":
    case "readarray":
    case "getopts":
      if (words.some((word) => scene.integers.has(word.text))) force(scene, "a name or number that is evaluated", name);
      return both(
        named(
          words,
          ["REPLY", "MAPFILE", "OPTARG"].reduce((before, each) => withVar(before, each, unknown), state),
        ),
      );
    case "printf": {
      const at = words.findIndex((word) => word.text === "-v");
      return at === -1 ? (words.some((word) => /^-v./.test(word.text)) ? both(blank) : both(state)) : both(named(words.slice(at + 1, at + 2), state));
    }
    case "let":
      return both(
        words.reduce(
          (before, word) => [...word.text.matchAll(/[A-Za-z_]\w*/g)].reduce((each, [variable]) => withVar(each, variable, number), before),
          state,
        ),
      );
    case "wait":
      return both(named(words, state));
    default:
      return both(state);
  }
}

function inFunction({ via }: Scene): boolean {
  return via.some((each) => each.startsWith("the function"));
}

function changeFolder(words: readonly Word[], state: State, scene: Scene): Flow {
  const [target, ...others] = words.filter((word, at) => !(at < 3 && /^(?:-[LPe@]+|--)$/.test(word.text)));
  if (others.length > 0) return { ok: undefined, fail: state };
  if (target === undefined) {
    const home = state.vars.get("HOME");
    const folder =
      home === undefined
        ? state.environment
          ? scene.environment.HOME
          : undefined
        : home.kind === "texts" && home.texts.length === 1
          ? home.texts[0]
          : undefined;
    return moved(state, folder === undefined ? undefined : [folder], scene);
  }
  if (onlyValue(target) === "-") return moved(state, state.old, scene);
  const searches = state.vars.has("CDPATH") || (state.environment && scene.environment.CDPATH !== undefined && scene.environment.CDPATH !== "");
  const values = valuesOf(target);
  if (values === undefined || (searches && values.some((value) => !/^\.{0,2}\//.test(value)))) return moved(state, undefined, scene, target.source);
  const physical = scene.physical.on || words.some((word) => /^-[Le@]*P/.test(word.text));
  const targets = foldersFrom(state.cwd, values, physical);
  const flow = moved(state, targets, scene, target.source);
  const there = values.length === 1 && targets?.every((folder) => scene.folders.has(folder)) === true && isUntouched(scene);
  return there ? { ok: flow.ok, fail: undefined } : flow;
}

/** Links are followed before `..` where that is asked for: then the folders are left as they are spelled. */
function foldersFrom(cwd: readonly string[] | undefined, values: readonly string[], physical: boolean): string[] | undefined {
  const all: string[] = [];
  for (const value of values) {
    if (value.startsWith("/")) all.push(physical ? value : changed("/", value));
    else if (cwd === undefined) return undefined;
    else for (const folder of cwd) all.push(physical ? `${folder}/${value}` : changed(folder, value));
  }
  return all;
}

function moved(state: State, cwd: readonly string[] | undefined, scene: Scene, source = ""): Flow {
  const next = withCwd(state, cwd);
  if (next.cwd === undefined) force(scene, "a folder that is known only when it runs", source === "" ? "cd" : source);
  return { ok: next, fail: state };
}

function pushFolder(words: readonly Word[], state: State, scene: Scene): Flow {
  const stack = state.stack === undefined ? undefined : [state.cwd, ...state.stack];
  const target = words.find((word) => word.text !== "-n");
  if (target !== undefined && !/^[-+]\d+$/.test(target.text)) {
    const flow = changeFolder(
      words.filter((word) => word.text !== "-n"),
      state,
      scene,
    );
    return { ok: flow.ok === undefined ? undefined : { ...flow.ok, stack }, fail: flow.fail };
  }
  const [top, ...rest] = state.stack ?? [];
  if (target !== undefined || top === undefined) return moved({ ...state, stack: undefined }, undefined, scene, "pushd");
  const flow = moved(state, top, scene, "pushd");
  return { ok: flow.ok === undefined ? undefined : { ...flow.ok, stack: [state.cwd, ...rest] }, fail: state };
}

function popFolder(words: readonly Word[], state: State, scene: Scene): Flow {
  const [top, ...rest] = state.stack ?? [];
  if (words.length > 0 || state.stack === undefined || top === undefined) {
    // Without anything on it, it fails.
    if (words.length === 0 && state.stack?.length === 0) return { ok: undefined, fail: state };
    return moved({ ...state, stack: undefined }, undefined, scene, "popd");
  }
  const flow = moved(state, top, scene, "popd");
  return { ok: flow.ok === undefined ? undefined : { ...flow.ok, stack: rest }, fail: state };
}

function argsOf(words: readonly Word[]): string[] | undefined {
  const values = words.map(onlyValue);
  return values.includes(undefined) ? undefined : (values as string[]);
}

/** `export NAME=value`: the value is known where the word is. */
function declared(words: readonly Word[], state: State): State {
  let after = state;
  for (const word of words) {
    const match = /^([A-Za-z_]\w*)(\+?=|\[|$)/.exec(word.text);
    if (match === null) {
      if (!/^[-+]/.test(word.text)) return blank;
      continue;
    }
    const [, name, operator] = match;
    const value = onlyValue(word);
    if (operator === "" && state.vars.has(name!)) continue;
    if (operator === "=" && value !== undefined && !value.startsWith(`${name}=(`))
      after = withVar(after, name!, texts([value.slice(name!.length + 1)]));
    else if (operator !== "") after = withVar(after, name!, unknown);
  }
  return after;
}

function named(words: readonly Word[], state: State): State {
  return words.reduce((before, word) => {
    const name = /^([A-Za-z_]\w*)/.exec(word.text)?.[1];
    return name === undefined ? before : withVar(before, name, unknown);
  }, state);
}
