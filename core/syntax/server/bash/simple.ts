import type { Redirect, Simple, WordNode } from "./ast.ts";
import { openHeredoc } from "./heredocs.ts";
import { fail, peek, peekNext, type Reader, take } from "./reader.ts";
import { skipBlanks, skipPlainBlanks } from "./space.ts";
import { needWord, readWord } from "./words.ts";

/** Assignments, words and redirects, in any order the shell takes. */
export function readSimple(reader: Reader): Simple {
  const simple: Simple = { kind: "simple", assigns: [], words: [], redirects: [] };
  for (;;) {
    skipBlanks(reader);
    const redirect = readRedirect(reader);
    if (redirect !== undefined) {
      simple.redirects.push(redirect);
      continue;
    }
    const before = reader.at;
    const word = readWord(reader, { assigns: simple.words.length === 0 || declares(simple.words), subscripts: simple.words.length === 0 });
    if (word === undefined) break;
    if (word.assign !== undefined && simple.words.length === 0) simple.assigns.push(word);
    else {
      if (simple.words.length === 0) {
        reader.starts.push(reader.timed ?? before);
        reader.timed = undefined;
      }
      simple.words.push(word);
    }
  }
  if (peek(reader) === "(" || simple.assigns.length + simple.words.length + simple.redirects.length === 0) fail(reader);
  return simple;
}

/** Redirects behind a compound command. */
export function readRedirects(reader: Reader): Redirect[] {
  const redirects: Redirect[] = [];
  for (;;) {
    skipBlanks(reader);
    const redirect = readRedirect(reader);
    if (redirect === undefined) return redirects;
    redirects.push(redirect);
  }
}

/** Builtins whose arguments may be assignments of arrays. */
const DECLARES = new Set(["declare", "typeset", "local", "export", "readonly", "alias", "eval", "let"]);

function declares(words: readonly WordNode[]): boolean {
  const [first] = words[0]!.parts;
  if (words[0]!.parts.length === 1 && first?.kind === "text" && DECLARES.has(first.text)) return true;
  return first?.kind === "text" && (first.text === "command" || first.text === "builtin") && words[1] !== undefined && declares(words.slice(1));
}

function readRedirect(reader: Reader): Redirect | undefined {
  const from = reader.at;
  const fd = readDescriptor(reader);
  const op = readOperator(reader, fd === undefined);
  if (op === undefined) {
    reader.at = from;
    return undefined;
  }
  // `<&-` and `>&-` are whole, whatever follows.
  const closes = op[1] === "&" && peek(reader) === "-";
  if (closes) reader.at++;
  else skipPlainBlanks(reader);
  if (peek(reader) === "#" && !closes) fail(reader);
  const target: WordNode = closes ? { parts: [{ kind: "text", text: "-", quoted: false }], raw: "-", start: reader.at - 1 } : needWord(reader);
  // A number that touches the next operator would be its descriptor.
  if (/^(?:\d+|\{\w+\})$/.test(target.raw) && op[1] !== "&" && (peek(reader) === "<" || peek(reader) === ">")) fail(reader);
  const redirect: Redirect = { op, fd, target };
  if (op === "<<" || op === "<<-") redirect.heredoc = openHeredoc(reader, target, op === "<<-");
  return redirect;
}

/** A number or `{name}` that touches the operator. */
function readDescriptor(reader: Reader): string | undefined {
  const char = peek(reader);
  if (char === undefined || !/[\d{]/.test(char)) return undefined;
  let text = "";
  for (let next = peek(reader); next !== undefined && /[\w{}]/.test(next) && text.length < 64; next = peek(reader)) {
    text += next;
    reader.at++;
  }
  const written = /^(?:\d+|\{[A-Za-z_]\w*\})$/.test(text);
  const next = peek(reader);
  return written && (next === "<" || next === ">") && peekNext(reader) !== "(" ? text : undefined;
}

function readOperator(reader: Reader, bare: boolean): string | undefined {
  const char = peek(reader);
  if (char === "&") return bare && peekNext(reader) === ">" ? (take(reader, "&>>") ? "&>>" : take(reader, "&>") ? "&>" : undefined) : undefined;
  if ((char !== "<" && char !== ">") || peekNext(reader) === "(") return undefined;
  return (char === "<" ? ["<<<", "<<-", "<<", "<&", "<>", "<"] : [">>", ">&", ">|", ">"]).find((op) => take(reader, op));
}
