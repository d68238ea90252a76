import { MortiseError } from "../../sdk/errors.ts";
import { placeOf, type Source } from "../config/jsonc.ts";

export type StarlarkValue = string | number | boolean | null | StarlarkValue[];
/** A call at the top of a file, as `prefix_rule(pattern = ["git"])`, or any other statement, which is not read. */
export type Statement =
  | { kind: "call"; name: string; args: Readonly<Record<string, StarlarkValue>>; line: number; text: string }
  | { kind: "other"; line: number; text: string };

/** Reads calls with plain arguments, which is what rule files are made of. Throws `file_broken` for a call that is broken. */
export function parseStarlark(source: Source): Statement[] {
  const { text } = source;
  const statements: Statement[] = [];
  let at = 0;

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
  const space = () => take(/(?:[\s\\]+|#[^\n]*)*/);
  const list = (end: RegExp): StarlarkValue[] => {
    const items: StarlarkValue[] = [];
    for (space(); take(end) === null; space()) {
      items.push(value());
      space();
      if (take(/,/) === null && !end.test(text[at] ?? "")) fail("expected , or the end of the list");
    }
    return items;
  };
  const value = (): StarlarkValue => {
    const string = take(/(r?)("""|'''|"|')/);
    if (string !== null) return quoted(string[2] ?? '"', string[1] === "r");
    if (take(/\[/) !== null) return list(/\]/);
    if (take(/\(/) !== null) return list(/\)/);
    const word = take(/-?\w+/)?.[0] ?? fail("expected a string or a list");
    if (word === "None") return null;
    if (word === "True" || word === "False") return word === "True";
    return /^-?\d+$/.test(word) ? Number(word) : fail(`${JSON.stringify(word)} is no plain value`);
  };
  const quoted = (quote: string, raw: boolean): string => {
    const body = take(
      quote.length === 3 ? new RegExp(`((?:[^\\\\]|\\\\[\\s\\S])*?)${quote}`) : new RegExp(`((?:[^\\\\\\n${quote}]|\\\\[\\s\\S])*)${quote}`),
    );
    const inside = body?.[1] ?? fail("expected a string that ends");
    return raw ? inside : inside.replace(/\\([\s\S])/g, (_all, each: string) => ESCAPES[each] ?? `${each === "\n" ? "" : `\\${each}`}`);
  };
  const call = (name: string, from: number): Statement => {
    const args: Record<string, StarlarkValue> = {};
    for (space(); take(/\)/) === null; space()) {
      const key = take(/([A-Za-z_]\w*)\s*=(?!=)/)?.[1] ?? fail("expected a named argument");
      if (Object.hasOwn(args, key)) fail(`the argument ${key} stands here twice`);
      space();
      args[key] = value();
      space();
      if (take(/,/) === null && text[at] !== ")") fail("expected , or )");
    }
    return { kind: "call", name, args, line: placeOf(text, from).line, text: text.slice(from, at) };
  };

  if (text.startsWith("\ufeff")) at = 1;
  for (space(); at < text.length; space()) {
    const from = at;
    const name = take(/([A-Za-z_]\w*)\s*\(/)?.[1];
    // Other statements end with the line, and what is indented below belongs to them.
    if (name !== undefined && !KEYWORDS.has(name)) statements.push(call(name, from));
    else {
      at = from;
      const line = take(/[^\n]*(?:\n(?:[ \t]+[^\n]*|[ \t]*(?=\n)|[\])}][^\n]*))*/)?.[0] ?? "";
      statements.push({ kind: "other", line: placeOf(text, from).line, text: line });
    }
  }
  return statements;
}

const KEYWORDS = new Set(["if", "for", "def", "while", "return", "not", "and", "or", "in", "lambda"]);
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", '"': '"', "'": "'", "\\": "\\" };
