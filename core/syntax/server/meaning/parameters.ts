import type { Param, Part } from "../bash/ast.ts";
import type { Environment } from "./expand.ts";
import { joinValues, number, type State, texts, unknown, type Value } from "./state.ts";

/** What an expansion of a variable makes. `textOf` joins parts without splitting. */
export function parameterValue(param: Param, state: State, environment: Environment, textOf: (parts: readonly Part[]) => Value): Value {
  if (param.indirect) return unknown;
  if (param.length) return number;
  const value = variable(param, state, environment);
  if (param.op === "") return value;
  const word = textOf(param.word);
  switch (param.op) {
    case ":-":
    case ":=":
      return value.kind === "texts" ? joinAll(value.texts.map((text) => (text === "" ? word : texts([text])))) : isSet(value) ? value : unknown;
    case "-":
    case "=":
    case ":?":
    case "?":
      return value;
    case ":+":
    case "+":
      if (value.kind === "texts" && value.texts.every((text) => text !== "")) return word;
      return isSet(value) ? word : joinValues(word, texts([""]));
    case "#":
    case "##":
    case "%":
    case "%%":
      return trimmed(value, param.op, word);
    case ":":
    case "^":
    case "^^":
    case ",":
    case ",,":
      // A part of a number, or of a name without a slash, still is one.
      return value.kind === "number" ? number : unknown;
    default:
      return unknown;
  }
}

/** The value of a variable by name. */
export function lookUp(name: string, state: State, environment: Environment): Value {
  if (name === "PWD") return state.vars.get(name) ?? (state.cwd === undefined ? unknown : texts(state.cwd));
  if (name === "OLDPWD") return state.vars.get(name) ?? (state.old === undefined ? unknown : texts(state.old));
  const own = state.vars.get(name);
  if (own !== undefined) return own;
  if (NUMBERS.has(name)) return number;
  if (/^\d+$/.test(name)) return argument(Number(name), state);
  if (name === "@" || name === "*") return state.args === undefined ? unknown : { kind: "list", items: [...state.args] };
  if (name === "IFS" && state.environment) return texts([" \t\n"]);
  const given = state.environment && Object.hasOwn(environment, name) ? environment[name] : undefined;
  return given === undefined ? unknown : texts([given]);
}

const NUMBERS = new Set(["#", "?", "$", "!", "RANDOM", "SECONDS", "LINENO", "UID", "EUID", "PPID", "EPOCHSECONDS", "SRANDOM", "BASHPID", "OPTIND"]);

function variable({ name, index }: Param, state: State, environment: Environment): Value {
  const value = lookUp(name, state, environment);
  if (index === undefined) return value.kind === "list" && name !== "@" && name !== "*" ? element(value.items, 0) : value;
  const [only, ...others] = index;
  if (others.length > 0 || only?.kind !== "text") return unknown;
  if (only.text === "@") return value.kind === "list" ? value : unknown;
  if (value.kind === "list" && /^\d+$/.test(only.text)) return element(value.items, Number(only.text));
  return unknown;
}

function element(items: readonly string[], at: number): Value {
  return texts([items[at] ?? ""]);
}

function argument(at: number, { args }: State): Value {
  return at === 0 || args === undefined ? unknown : texts([args[at - 1] ?? ""]);
}

function isSet(value: Value): boolean {
  return value.kind === "number" || value.kind === "glob";
}

function joinAll(values: readonly Value[]): Value {
  return values.length === 0 ? unknown : values.reduce(joinValues);
}

/** `${f%.txt}`, `${f##*\/}`: the pattern may have `*` and `?`. */
function trimmed(value: Value, op: string, pattern: Value): Value {
  const text = pattern.kind === "texts" && pattern.texts.length === 1 ? pattern.texts[0]! : undefined;
  if (text === undefined || /[[\\()]/.test(text) || text.length > 64) return unknown;
  if (value.kind === "number" && !text.includes("/")) return { kind: "glob", lead: "" };
  // What a glob finds keeps its folder unless the pattern may take a part of it.
  if (value.kind === "glob")
    return text.includes("/") || op.length === 2 || text.includes("*") ? unknown : { kind: "glob", lead: folder(value.lead, op) };
  if (value.kind !== "texts" || value.texts.some((each) => each.length > MAX_TRIMMED)) return unknown;
  return texts(value.texts.map((each) => trim(each, op, text)));
}

const MAX_TRIMMED = 256;

function folder(lead: string, op: string): string {
  return op === "#" && !lead.includes("/") ? "" : lead.slice(0, lead.lastIndexOf("/") + 1);
}

function trim(text: string, op: string, pattern: string): string {
  const matches = matcher(pattern);
  const ends = Array.from({ length: text.length + 1 }, (_, at) => at);
  if (op[0] === "#") {
    const cut = (op === "##" ? ends.reverse() : ends).find((end) => matches(text.slice(0, end)));
    return cut === undefined ? text : text.slice(cut);
  }
  const cut = (op === "%%" ? ends : ends.reverse()).find((start) => matches(text.slice(start)));
  return cut === undefined ? text : text.slice(0, cut);
}

/** Without regular expressions, which a pattern could keep busy. */
function matcher(pattern: string): (text: string) => boolean {
  return (text) => {
    let reached = new Set([0]);
    for (const char of pattern) {
      const next = new Set<number>();
      for (const at of reached) {
        if (char === "*") for (let to = at; to <= text.length; to++) next.add(to);
        else if (at < text.length && (char === "?" || text[at] === char)) next.add(at + 1);
      }
      reached = next;
    }
    return reached.has(text.length);
  };
}
