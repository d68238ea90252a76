import type { Part, WordNode } from "./ast.ts";
import { addText, readDoubleQuotes, readExpansion, readProcess, readSingleQuotes, takeRun } from "./expansions.ts";
import { doubt, expect, fail, isBreak, nested, peek, peekNext, type Reader } from "./reader.ts";
import { skipSpace } from "./space.ts";

export type WordMode = {
  /** `name=` begins an assignment here. */
  assigns?: boolean;
  /** And `name[index]` too. */
  subscripts?: boolean;
  /** `@(a|b)` is a pattern here. */
  extended?: boolean;
};

/** One word, or undefined where none begins. */
export function readWord(reader: Reader, mode: WordMode = {}): WordNode | undefined {
  const first = peek(reader);
  if (isBreak(first) && !isProcess(reader)) return undefined;
  const start = reader.at;
  const word: WordNode = { parts: [], raw: "", start };
  for (;;) {
    const run = takeRun(reader, PLAIN);
    if (run !== "") addText(word.parts, run, false);
    const char = peek(reader);
    if (char === undefined) break;
    if (mode.assigns && word.assign === undefined && (char === "=" || char === "+" || char === "[") && beginAssignment(reader, word, mode)) continue;
    if (isBreak(char)) {
      if (char === "(" && isExtended(word.parts)) readPattern(reader, word.parts, mode);
      else if (isProcess(reader)) word.parts.push(readProcess(reader));
      else break;
    } else readPiece(reader, char, word.parts);
  }
  word.raw = reader.source.slice(start, reader.at);
  return word;
}

/** A word that must be there. */
export function needWord(reader: Reader, mode: WordMode = {}): WordNode {
  return readWord(reader, mode) ?? fail(reader, "a missing word");
}

/** The word behind `=~`: parentheses and `|` are part of it. */
export function readRegex(reader: Reader): WordNode {
  const start = reader.at;
  const word: WordNode = { parts: [], raw: "", start };
  let open = 0;
  for (;;) {
    const char = peek(reader);
    if (char === undefined || char === "\n") break;
    if (open === 0 && (/[ \t;<>)]/.test(char) || (char === "&" && peekNext(reader) === "&"))) break;
    if (char === "(" || char === ")" || isBreak(char)) {
      if (char === "(") open++;
      if (char === ")") open--;
      addText(word.parts, char, false);
      reader.at++;
    } else readPiece(reader, char, word.parts);
  }
  word.raw = reader.source.slice(start, reader.at);
  if (word.raw === "") fail(reader, "a missing word");
  return word;
}

const PLAIN = /[A-Za-z0-9_./:,@%{}~^-]+/y;

function readPiece(reader: Reader, char: string, parts: Part[]): void {
  if (char === "\\") {
    const next = reader.source[reader.at + 1];
    addText(parts, next ?? "\\", true);
    reader.at += next === undefined ? 1 : 2;
  } else if (char === "'") addText(parts, readSingleQuotes(reader), true);
  else if (char === '"') readDoubleQuotes(reader, parts);
  else if (char === "$" || char === "`") readExpansion(reader, parts, false);
  else {
    addText(parts, char, false);
    reader.at++;
  }
}

/** Whether `<(` or `>(` stands here. */
function isProcess(reader: Reader): boolean {
  const char = peek(reader);
  return (char === "<" || char === ">") && peekNext(reader) === "(";
}

function isExtended(parts: readonly Part[]): boolean {
  const last = parts.at(-1);
  return last?.kind === "text" && !last.quoted && /[?*+@!]$/.test(last.text);
}

/** At the `(` of an extended pattern. Bash knows it only where it is switched on. */
function readPattern(reader: Reader, parts: Part[], mode: WordMode): void {
  if (!mode.extended) doubt(reader, "an extended pattern");
  nested(reader, () => {
    addText(parts, "(", false);
    reader.at++;
    for (;;) {
      const char = peek(reader);
      if (char === undefined) fail(reader, "a missing )");
      if (char === "(") readPattern(reader, parts, mode);
      else if (char === ")") {
        addText(parts, ")", false);
        reader.at++;
        return;
      } else readPiece(reader, char, parts);
    }
  });
}

/** At `=`, `+=` or `[` behind a name: takes the operator of an assignment, and turns the word into one. */
function beginAssignment(reader: Reader, word: WordNode, mode: WordMode): boolean {
  const [name, ...others] = word.parts;
  if (name?.kind !== "text" || name.quoted || others.length > 0 || !/^[A-Za-z_]\w*$/.test(name.text)) return false;
  if (peek(reader) === "[") return mode.subscripts === true && beginElement(reader, word, name.text);
  const append = peek(reader) === "+";
  if (append && peekNext(reader) !== "=") return false;
  expect(reader, append ? "+=" : "=");
  word.assign = { name: name.text, index: undefined, append };
  word.parts = [];
  if (peek(reader) === "(") readArray(reader, word);
  return true;
}

/** A subscript may hold blanks, also where no assignment follows. */
function beginElement(reader: Reader, word: WordNode, name: string): boolean {
  const start = reader.at;
  const index = nested(reader, () => readSubscript(reader));
  if (peek(reader) === "=" || (peek(reader) === "+" && peekNext(reader) === "=")) {
    const append = peek(reader) === "+";
    expect(reader, append ? "+=" : "=");
    word.assign = { name, index, append };
    word.parts = [];
    if (peek(reader) === "(") fail(reader);
    return true;
  }
  addText(word.parts, "[", false);
  word.parts.push(...index);
  addText(word.parts, "]", false);
  if (/[ \t\n;&|()<>]/.test(reader.source.slice(start, reader.at))) doubt(reader, "a subscript with blanks");
  return true;
}

function readSubscript(reader: Reader): Part[] {
  const parts: Part[] = [];
  let open = 0;
  expect(reader, "[");
  for (;;) {
    const char = peek(reader);
    if (char === undefined) fail(reader, "a missing ]");
    if (char === "[") open++;
    if (char === "]" && open-- === 0) {
      reader.at++;
      return parts;
    }
    if (isBreak(char)) {
      addText(parts, char, false);
      reader.at++;
    } else readPiece(reader, char, parts);
  }
}

/** `(a b [1]=c)` behind `name=`. */
function readArray(reader: Reader, word: WordNode): void {
  nested(reader, () => {
    const items: WordNode[] = [];
    expect(reader, "(");
    for (;;) {
      skipSpace(reader);
      const item = readWord(reader);
      if (item === undefined) break;
      items.push(item);
    }
    expect(reader, ")");
    word.parts.push({ kind: "array", items });
  });
}
