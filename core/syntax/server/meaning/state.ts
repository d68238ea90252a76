/** What is known of a variable: one of some texts, a list of words, a number, or text that a glob made below a folder. */
export type Value =
  | { kind: "texts"; texts: readonly string[] }
  | { kind: "list"; items: readonly string[] }
  | { kind: "number" }
  | { kind: "glob"; lead: string }
  | { kind: "unknown" };

/** Where a shell stands before a command. It is never changed in place. */
export type State = {
  /** Folders it may be in, as the shell names them; undefined where none is known. */
  cwd: readonly string[] | undefined;
  /** Where `cd -` leads. */
  old: readonly string[] | undefined;
  /** Folders of `pushd`, the last first; undefined where not known. */
  stack: readonly (readonly string[] | undefined)[] | undefined;
  vars: ReadonlyMap<string, Value>;
  /** Variables that are not in `vars` are those of the environment. */
  environment: boolean;
  /** `$1` and so on; undefined where not known. */
  args: readonly string[] | undefined;
};

/** What holds after a command that succeeded, and after one that failed; undefined where the shell does not get there. */
export type Flow = { ok: State | undefined; fail: State | undefined };

const MAX_FOLDERS = 8;
const MAX_TEXTS = 16;
const MAX_VARS = 256;

export const unknown: Value = { kind: "unknown" };
export const number: Value = { kind: "number" };

export function texts(values: readonly string[]): Value {
  const distinct = [...new Set(values)];
  return distinct.length > MAX_TEXTS || distinct.some((text) => text.length > MAX_LENGTH) ? unknown : { kind: "texts", texts: distinct };
}
const MAX_LENGTH = 8_192;

export function both(state: State): Flow {
  return { ok: state, fail: state };
}

export function withVar(state: State, name: string, value: Value): State {
  const vars = new Map(state.vars);
  vars.set(name, value);
  // What is no longer kept is not known: neither is what the environment had.
  return vars.size > MAX_VARS ? { ...state, vars: new Map(), environment: false } : { ...state, vars };
}

export function withCwd(state: State, cwd: readonly string[] | undefined): State {
  return { ...state, cwd: cwd === undefined || cwd.length > MAX_FOLDERS ? undefined : [...new Set(cwd)], old: state.cwd };
}

/** Nothing is known of variables any more, nor of where the shell is. */
export const blank: State = { cwd: undefined, old: undefined, stack: undefined, vars: new Map(), environment: false, args: undefined };

/** Either of two may hold. */
export function join(a: State | undefined, b: State | undefined): State | undefined {
  if (a === undefined || b === undefined || a === b) return a ?? b;
  const environment = a.environment && b.environment;
  return {
    cwd: union(a.cwd, b.cwd),
    old: union(a.old, b.old),
    stack: a.stack === b.stack ? a.stack : undefined,
    vars: a.vars === b.vars ? a.vars : joinVars(a, b),
    environment,
    args: a.args === b.args ? a.args : undefined,
  };
}

export function after(flow: Flow): State | undefined {
  return join(flow.ok, flow.fail);
}

function union(a: readonly string[] | undefined, b: readonly string[] | undefined): readonly string[] | undefined {
  if (a === undefined || b === undefined || a === b) return a === b ? a : undefined;
  const all = [...new Set([...a, ...b])];
  return all.length > MAX_FOLDERS ? undefined : all;
}

function joinVars(a: State, b: State): Map<string, Value> {
  const vars = new Map<string, Value>();
  for (const name of new Set([...a.vars.keys(), ...b.vars.keys()])) {
    const left = a.vars.get(name);
    const right = b.vars.get(name);
    vars.set(name, left !== undefined && right !== undefined ? joinValues(left, right) : unknown);
  }
  return vars;
}

export function joinValues(a: Value, b: Value): Value {
  if (a === b) return a;
  if (a.kind === "texts" && b.kind === "texts") return texts([...a.texts, ...b.texts]);
  if (isNumeric(a) && isNumeric(b)) return number;
  return unknown;
}

/** Whether arithmetic takes it for a number, and nothing else. */
export function isNumeric(value: Value): boolean {
  return value.kind === "number" || (value.kind === "texts" && value.texts.every((text) => /^-?\d*$/.test(text)));
}
