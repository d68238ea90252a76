import type { Param, Part, WordNode } from "../bash/ast.ts";
import type { Word } from "../word.ts";
import { type Atom, atomsOf } from "./atoms.ts";
import { expandBraces } from "./braces.ts";
import { type Field, fieldsOf } from "./fields.ts";
import { parameterValue } from "./parameters.ts";
import { number, type State, texts, unknown, type Value } from "./state.ts";

/** Variables of the environment that are known. */
export type Environment = Readonly<Record<string, string>>;

export type Expander = {
  /** A word of a command, which may become several or none. */
  word(node: WordNode): Word;
  /** A word that stays one: a value, what stands in `[[`. */
  single(node: WordNode): Word;
  /** Text with expansions, as the body of a heredoc. */
  text(parts: readonly Part[], raw: string): Word;
  /** The value that an assignment gives its variable. */
  value(node: WordNode): Value;
};

export function createExpander(state: State, environment: Environment): Expander {
  const makes = (part: Part): Value => {
    switch (part.kind) {
      case "param":
        return parameterValue(part.param, state, environment, (parts) => joined(parts));
      case "arithmetic":
        return number;
      case "command":
        return substitutionValue(part);
      default:
        return unknown;
    }
  };
  const splits = !state.vars.has("IFS");

  /** The text that parts make, without splitting. */
  function joined(parts: readonly Part[]): Value {
    const fields = fieldsOf(
      atomsOf(parts, makes).map((atom) =>
        atom.char !== undefined ? { quoted: atom.char } : atom.value !== undefined ? { ...atom, split: false } : atom,
      ),
      splits,
    );
    const [field, ...others] = fields ?? [];
    if (fields?.length === 0) return texts([""]);
    return field?.texts === undefined || others.length > 0
      ? field?.contained && others.length === 0
        ? { kind: "glob", lead: field.lead }
        : unknown
      : texts(field.texts);
  }

  function word(node: WordNode): Word {
    const [first, ...others] = node.parts;
    const name = node.assign === undefined ? "" : assignmentStart(node);
    // Most words are plain text.
    if (others.length === 0 && (first === undefined || (first.kind === "text" && (first.quoted || PLAIN.test(first.text))))) {
      return { text: name + (first === undefined ? "" : textOf(first)), static: true, source: node.raw };
    }
    const atoms = atomsOf(node.parts, makes);
    const tilde = withTilde(atoms, node.assign !== undefined, state, environment);
    const words = node.assign === undefined ? expandBraces(tilde.atoms) : [tilde.atoms];
    const fields = words?.map((each) => fieldsOf(node.assign === undefined ? each : unsplit(each), splits));
    const all = fields === undefined || fields.includes(undefined) ? undefined : (fields as Field[][]).flat();
    const known = node.parts.every((part) => part.kind === "text") && words?.length === 1 && all?.[0]?.texts !== undefined;
    const made = fromFields(name + textOfParts(node.parts), all, node.raw, known && !tilde.elsewhere);
    if (tilde.leads) made.tilde = true;
    return name === "" ? made : prefixed(made, name);
  }

  function single(node: WordNode): Word {
    const [first, ...others] = node.parts;
    if (others.length === 0 && (first === undefined || (first.kind === "text" && first.quoted))) {
      return { text: first === undefined ? "" : textOf(first), static: true, source: node.raw };
    }
    const { atoms, leads, elsewhere } = withTilde(atomsOf(node.parts, makes), true, state, environment);
    const made = fromFields(
      textOfParts(node.parts),
      fieldsOf(unsplit(atoms), splits),
      node.raw,
      node.parts.every((part) => part.kind === "text") && !elsewhere,
    );
    return leads ? { ...made, tilde: true } : made;
  }

  return {
    word,
    single,
    text(parts, raw) {
      const value = joined(parts);
      const plain = parts.every((part) => part.kind === "text");
      const text = textOfParts(parts);
      if (plain) return { text, static: true, source: raw };
      return { text, static: false, source: raw, ...(value.kind === "texts" ? { values: [...value.texts] } : {}) };
    },
    value(node) {
      const [array] = node.parts;
      if (array?.kind === "array") return arrayValue(array.items);
      const made = single(node);
      const { values, contained, lead } = made;
      if (made.static && values === undefined) return texts([made.text]);
      if (values !== undefined && !made.spread) return texts(values);
      if (node.parts.length === 1 && node.parts[0]!.kind === "arithmetic") return number;
      return contained ? { kind: "glob", lead: lead ?? "" } : unknown;
    },
  };

  function arrayValue(items: readonly WordNode[]): Value {
    const made: string[] = [];
    for (const item of items) {
      const each = word(item);
      if (/^\[/.test(item.raw)) return unknown;
      const values = each.values ?? (each.static ? [each.text] : undefined);
      if (values === undefined || (values.length !== 1 && !each.spread)) return unknown;
      made.push(...values);
    }
    return made.length > MAX_ITEMS ? unknown : { kind: "list", items: made };
  }

  /** Only `$(cat <<'X' ...)` is known: it prints what stands there. */
  function substitutionValue(part: Part & { kind: "command" }): Value {
    const text = constantText(part);
    return text === undefined ? unknown : texts([text]);
  }
}

const MAX_ITEMS = 64;
const PLAIN = /^[A-Za-z0-9_./:,@%+=^-]+$/;

/** What a substitution prints where it only prints a heredoc of plain text. */
export function constantText(part: Part & { kind: "command" }): string | undefined {
  const [item, ...others] = part.script.items;
  const node = item?.node;
  if (part.form !== "$(" || others.length > 0 || item?.background || node?.kind !== "simple" || node.assigns.length > 0) return undefined;
  const [redirect, ...more] = node.redirects;
  if (node.words.length !== 1 || node.words[0]!.raw !== "cat" || more.length > 0 || redirect?.heredoc === undefined || redirect.fd !== undefined)
    return undefined;
  const { parts } = redirect.heredoc;
  if (!parts.every((each) => each.kind === "text")) return undefined;
  return textOfParts(parts).replace(/\n+$/, "");
}

/** A word that stands for itself where its expansions are as they are written. */
export function textOfParts(parts: readonly Part[]): string {
  return parts.map(textOf).join("");
}

function textOf(part: Part): string {
  switch (part.kind) {
    case "text":
      return part.text;
    case "param":
      return rawParameter(part.param);
    case "command":
      return part.raw;
    case "arithmetic":
      return `$((${part.expression.raw}))`;
    case "array":
      return `(${part.items.map((item) => item.raw).join(" ")})`;
  }
}

function rawParameter({ raw }: Param): string {
  return raw;
}

function assignmentStart({ assign }: WordNode): string {
  if (assign === undefined) return "";
  const index = assign.index === undefined ? "" : `[${textOfParts(assign.index)}]`;
  return `${assign.name}${index}${assign.append ? "+=" : "="}`;
}

/** Values of assignments are not split, and make no globs. */
function unsplit(atoms: readonly Atom[]): Atom[] {
  return atoms.map((atom) => (atom.char !== undefined ? { quoted: atom.char } : atom.value !== undefined ? { ...atom, split: false } : atom));
}

function fromFields(text: string, fields: readonly Field[] | undefined, source: string, known: boolean): Word {
  if (fields === undefined) return { text, static: false, many: true, source };
  const [field, ...others] = fields;
  if (known && field?.texts !== undefined && field.texts[0] === text) return { text, static: true, source };
  if (others.length === 0 && field !== undefined) {
    if (field.texts !== undefined) return { text, static: known, values: [...field.texts], source };
    return { text, static: false, lead: field.lead, ...(field.contained ? { contained: true as const } : {}), source };
  }
  const all = fields.map((each) => (each.texts?.length === 1 ? each.texts[0]! : undefined));
  return all.includes(undefined)
    ? { text, static: false, many: true, source }
    : { text, static: false, values: all as string[], spread: true, source };
}

function prefixed(word: Word, name: string): Word {
  return {
    ...word,
    ...(word.values === undefined ? {} : { values: word.values.map((value) => name + value) }),
    ...(word.lead === undefined ? {} : { lead: name + word.lead }),
  };
}

type Tilde = {
  atoms: Atom[] /** The word begins with one that is known. */;
  leads: boolean /** There is one that only bash knows, or behind the start. */;
  elsewhere: boolean;
};

/** Tildes at the start, and in assignments behind `=` and `:`, made the folders they stand for. */
function withTilde(atoms: readonly Atom[], assigns: boolean, state: State, environment: Environment): Tilde {
  const made: Atom[] = [];
  let leads = false;
  let elsewhere = false;
  let name = "";
  for (let at = 0; at < atoms.length; at++) {
    const atom = atoms[at]!;
    const before = atoms[at - 1]?.char;
    // An argument like `name=~/x` is treated as an assignment too.
    const starts = at === 0 || (assigns ? before === ":" : before === "=" && /^[A-Za-z_]\w*=$/.test(name));
    name += atom.char ?? "\0";
    if (atom.char !== "~" || !starts) {
      made.push(atom);
      continue;
    }
    let user = "";
    while (atoms[at + 1]?.char !== undefined && !/[/:]/.test(atoms[at + 1]!.char!)) user += atoms[++at]!.char;
    const touches = atoms[at + 1] !== undefined && atoms[at + 1]!.char === undefined;
    if (touches) made.push({ char: "~" }, ...[...user].map((char) => ({ char })));
    else {
      const value = home(user, state, environment);
      made.push({ value, split: false });
      if (at === user.length && user === "") leads = value.kind === "texts";
      if (!(at === user.length && user === "")) elsewhere = true;
    }
  }
  return { atoms: made, leads, elsewhere };
}

function home(user: string, state: State, environment: Environment): Value {
  if (user === "+") return state.cwd === undefined ? unknown : texts(state.cwd);
  if (user === "-") return state.old === undefined ? unknown : texts(state.old);
  if (user !== "") return unknown;
  const own = state.vars.get("HOME");
  const given = state.environment ? environment.HOME : undefined;
  return own ?? (given === undefined ? unknown : texts([given]));
}
