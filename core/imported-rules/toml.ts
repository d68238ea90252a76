import { MortiseError } from "../../sdk/errors.ts";
import { placeOf, type Source } from "../config/jsonc.ts";

export type TomlTable = { [key: string]: TomlValue };
export type TomlValue = string | number | boolean | TomlValue[] | TomlTable;

/** The lines that tables and keys stand on, counted from 1. */
export type Toml = { value: TomlTable; lineOf(part: object): number };

/** Reads TOML 1.0, dates as strings. Throws `file_broken` with file, line and column. */
export function parseToml(source: Source): Toml {
  const { text } = source;
  const root: TomlTable = {};
  const lines = new Map<object, number>();
  /** Tables that a header or a dot has closed for others. */
  const closed = new Set<TomlTable>();
  const headed = new Set<TomlTable>();
  let at = 0;
  let table = root;

  const fail = (says: string): never => {
    const { line, column } = placeOf(text, Math.min(at, text.length));
    throw new MortiseError("file_broken", { seen: `${source.path}:${line}:${column}: ${says}` });
  };
  const take = (pattern: RegExp): RegExpExecArray | null => {
    const sticky = new RegExp(pattern.source, "y");
    sticky.lastIndex = at;
    const match = sticky.exec(text);
    if (match !== null) at = sticky.lastIndex;
    return match;
  };
  const blanks = () => take(/[ \t]*/);
  const space = () => take(/(?:[ \t\r\n]+|#[^\n]*)*/);
  const endOfLine = () => {
    if (take(/[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/) === null) fail("expected the end of the line");
  };
  const noted = <T extends object>(value: T, from: number): T => {
    lines.set(value, placeOf(text, from).line);
    return value;
  };

  const key = (): string => {
    const bare = take(/[A-Za-z0-9_-]+/);
    if (bare !== null) return bare[0];
    if (/["']/.test(text[at] ?? "") && !/^(?:"""|''')/.test(text.slice(at, at + 3))) return string();
    return fail("expected a key");
  };
  const keys = (): string[] => {
    const path = [key()];
    while (take(/[ \t]*\.[ \t]*/) !== null) path.push(key());
    return path;
  };
  const string = (): string => {
    const literal = take(/'''\r?\n?([\s\S]*?'{0,2})'''|'(?!'')([^'\n]*)'/);
    if (literal !== null) return literal[1] ?? literal[2] ?? "";
    const basic = take(/"""\r?\n?((?:[^\\]|\\[\s\S])*?"{0,2})"""|"(?!"")((?:[^"\\\n]|\\.)*)"/);
    if (basic === null) return fail("expected a string that ends");
    return (basic[1] ?? basic[2] ?? "").replace(/\\(?:[ \t]*\r?\n\s*|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))/g, (_all, u, long, short) => {
      if (u !== undefined || long !== undefined) return String.fromCodePoint(Number.parseInt(u ?? long, 16) % 0x110000);
      if (short === undefined) return "";
      return ESCAPES[short] ?? fail(`unknown escape \\${short}`);
    });
  };
  const value = (): TomlValue => {
    const from = at;
    if (/["']/.test(text[at] ?? "")) return string();
    if (take(/\[/) !== null) return noted(array(), from);
    if (take(/\{/) !== null) return noted(inline(), from);
    const word = take(/[^\s,\]}#]+(?: \d\d:[\d:.]+\S*)?/)?.[0];
    if (word === undefined) return fail("expected a value");
    if (word === "true" || word === "false") return word === "true";
    const number = Number(word.replace(/(?<=\w)_(?=\w)/g, "").replace(/^([+-])inf$/, "$1Infinity"));
    if (!Number.isNaN(number)) return number;
    if (/^\d{4}-\d\d-\d\d|^\d\d:\d\d|^[+-]?(?:nan|inf)$/.test(word)) return word;
    at = from;
    return fail(`unknown value ${JSON.stringify(word.slice(0, 60))}`);
  };
  const array = (): TomlValue[] => {
    const items: TomlValue[] = [];
    for (space(); take(/\]/) === null; space()) {
      items.push(value());
      space();
      if (take(/,/) === null && text[at] !== "]") fail("expected , or ]");
    }
    return items;
  };
  const inline = (): TomlTable => {
    const made: TomlTable = {};
    for (space(); take(/\}/) === null; space()) {
      pair(made);
      space();
      if (take(/,/) === null && text[at] !== "}") fail("expected , or }");
    }
    closed.add(made);
    return made;
  };
  const pair = (into: TomlTable): void => {
    const path = keys();
    const last = path.pop() ?? "";
    const owner = path.reduce((each, part) => below(each, part), into);
    if (Object.hasOwn(owner, last)) fail(`the key ${JSON.stringify(last)} stands here twice`);
    if (take(/[ \t]*=[ \t]*/) === null) fail("expected =");
    put(owner, last, value());
  };
  const below = (owner: TomlTable, part: string): TomlTable => {
    const there = Object.hasOwn(owner, part) ? owner[part] : undefined;
    const next = Array.isArray(there) ? there.at(-1) : there;
    if (next === undefined) return put(owner, part, noted({}, at));
    if (typeof next !== "object" || Array.isArray(next) || closed.has(next)) return fail(`${JSON.stringify(part)} is no table`);
    return next;
  };
  const header = (): void => {
    const from = at;
    const list = take(/\[\[/) !== null;
    if (!list) take(/\[/);
    blanks();
    const path = keys();
    blanks();
    if (take(list ? /\]\]/ : /\]/) === null) fail(`expected ${list ? "]]" : "]"}`);
    const last = path.pop() ?? "";
    const owner = path.reduce((each, part) => below(each, part), root);
    if (!list) {
      table = below(owner, last);
      if (headed.has(table)) fail(`the table ${JSON.stringify(last)} stands here twice`);
      headed.add(table);
    } else {
      const items = Object.hasOwn(owner, last) ? owner[last] : put(owner, last, []);
      table = noted({}, from);
      if (Array.isArray(items)) items.push(table);
      else fail(`${JSON.stringify(last)} is no list of tables`);
    }
  };

  if (text.startsWith("\ufeff")) at = 1;
  for (space(); at < text.length; space()) {
    if (text[at] === "[") header();
    else pair(table);
    endOfLine();
  }
  return { value: root, lineOf: (part) => lines.get(part) ?? 1 };
}

/** Own properties only: a key `__proto__` is a key like any other. */
function put<T extends TomlValue>(owner: TomlTable, key: string, value: T): T {
  Object.defineProperty(owner, key, { value, enumerable: true, writable: true, configurable: true });
  return value;
}

const ESCAPES: Readonly<Record<string, string>> = { b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", e: "\u001b", '"': '"', "\\": "\\" };
