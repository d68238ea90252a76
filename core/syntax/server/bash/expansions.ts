import { ansiC } from "../quotes.ts";
import type { Arithmetic, Param, Part, Script } from "./ast.ts";
import { attempt, createReader, doubt, expect, fail, nested, peek, peekNext, type Reader } from "./reader.ts";
import { readScript, readWhole } from "./scripts.ts";

/** Adds text to what stands before it. */
export function addText(parts: Part[], text: string, quoted: boolean): void {
  const last = parts.at(-1);
  if (last?.kind === "text" && last.quoted === quoted) last.text += text;
  else parts.push({ kind: "text", text, quoted });
}

/** At a `$`, a backquote or, where `processes`, `<(`: reads what bash expands there. A `$` alone is text. */
export function readExpansion(reader: Reader, parts: Part[], quoted: boolean): void {
  if (peek(reader) === "`") {
    parts.push(readBackquotes(reader, quoted));
    return;
  }
  const start = reader.at;
  const next = peekNext(reader);
  if (next === "(") parts.push(readParentheses(reader, quoted));
  else if (next === "{") parts.push(nested(reader, () => readBraces(reader, quoted)));
  else if (next === "[") {
    expect(reader, "$[");
    parts.push({ kind: "arithmetic", quoted, expression: readArithmetic(reader, "]") });
  } else if (next === "'" && !quoted) {
    expect(reader, "$");
    addText(parts, readAnsi(reader), true);
  } else if (next === '"' && !quoted) {
    expect(reader, "$");
    readDoubleQuotes(reader, parts);
  } else if (next !== undefined && /[A-Za-z_0-9@*#?$!-]/.test(next)) {
    expect(reader, "$");
    const name = readName(reader) || next;
    if (name === next && !/[A-Za-z_]/.test(next)) reader.at++;
    parts.push({ kind: "param", quoted, param: plain(name, reader.source.slice(start, reader.at)) });
  } else {
    reader.at++;
    addText(parts, "$", quoted);
  }
}

/** At `<(` or `>(`. */
export function readProcess(reader: Reader): Part {
  const start = reader.at;
  const form = peek(reader) === "<" ? "<(" : ">(";
  expect(reader, form);
  return { kind: "command", quoted: false, form, script: readInside(reader, ")"), raw: reader.source.slice(start, reader.at) };
}

export function readDoubleQuotes(reader: Reader, parts: Part[]): void {
  expect(reader, '"');
  addText(parts, "", true);
  for (;;) {
    const run = takeRun(reader, PLAIN_QUOTED);
    if (run !== "") addText(parts, run, true);
    const char = peek(reader);
    if (char === undefined) fail(reader, 'a missing "');
    if (char === '"') {
      reader.at++;
      return;
    }
    if (char === "\\") addText(parts, readEscape(reader, '$`"\\'), true);
    else if (char === "$" || char === "`") readExpansion(reader, parts, true);
    else {
      reader.at++;
      addText(parts, char, true);
    }
  }
}

/** At a `'`. Nothing in it is special. */
export function readSingleQuotes(reader: Reader): string {
  const start = reader.at + 1;
  const end = reader.source.indexOf("'", start);
  if (end === -1) fail(reader, "a missing '");
  reader.at = end + 1;
  return reader.source.slice(start, end);
}

/** A backslash that counts before some characters only. */
export function readEscape(reader: Reader, special: string): string {
  const next = reader.source[reader.at + 1];
  if (next === undefined) {
    reader.at++;
    return "\\";
  }
  reader.at += 2;
  return special.includes(next) ? next : `\\${next}`;
}

/** What stands in the body of a heredoc, or in arithmetic: expansions, and quotes that are none. */
export function readLoose(text: string, parent: Reader, escaped: string): Part[] {
  const reader = createReader(text, parent);
  const parts: Part[] = [];
  while (peek(reader) !== undefined) {
    const run = takeRun(reader, PLAIN_QUOTED);
    if (run !== "") addText(parts, run, true);
    const char = peek(reader);
    if (char === undefined) break;
    if (char === "\\") addText(parts, readEscape(reader, escaped), true);
    else if (char === "$" || char === "`") readExpansion(reader, parts, true);
    else {
      reader.at++;
      addText(parts, char, true);
    }
  }
  return parts;
}

/** Up to the closing characters of arithmetic, which are taken. Fails where it is none. */
export function readArithmetic(reader: Reader, close: "))" | "]" | ";"): Arithmetic {
  const start = reader.at;
  const parts: Part[] = [];
  let open = 0;
  for (;;) {
    const char = peek(reader);
    if (char === undefined) fail(reader, `a missing ${close}`);
    const end = reader.at;
    if (open === 0 && (close === "))" ? char === ")" : char === close)) {
      expect(reader, close);
      return { raw: reader.source.slice(start, end), parts };
    }
    if (char === "$" || char === "`") readExpansion(reader, parts, true);
    else if (char === '"') readDoubleQuotes(reader, parts);
    else if (char === "'") addText(parts, readSingleQuotes(reader), true);
    else if (char === "\\") addText(parts, readEscape(reader, "\\$`"), true);
    else {
      if (char === "(" || char === "[") open++;
      if (char === ")" || char === "]") open--;
      // The last expression of a loop's header ends with `))`.
      if (open < 0) {
        if (close === ";") return { raw: reader.source.slice(start, end), parts };
        fail(reader);
      }
      addText(parts, char, true);
      reader.at++;
    }
  }
}

export function readName(reader: Reader): string {
  let name = "";
  for (let char = peek(reader); char !== undefined && (name === "" ? /[A-Za-z_]/ : /\w/).test(char); char = peek(reader)) {
    const run = takeRun(reader, NAME);
    name += run === "" ? char : run;
    if (run === "") reader.at++;
  }
  return name;
}

/** Takes as many of some characters as stand here; a line continuation ends the run. */
export function takeRun(reader: Reader, pattern: RegExp): string {
  pattern.lastIndex = reader.at;
  const run = pattern.exec(reader.source)?.[0] ?? "";
  reader.at += run.length;
  return run;
}

const PLAIN_QUOTED = /[^"\\$`]+/y;
const NAME = /[A-Za-z0-9_]+/y;
const BRACE_WORD = /[^'"\\$`}<>]+/y;

function plain(name: string, raw: string): Param {
  return { name, raw, indirect: false, length: false, index: undefined, op: "", word: [] };
}

/** `$((` is arithmetic where its parentheses say so, else a substitution that begins with a subshell. */
function readParentheses(reader: Reader, quoted: boolean): Part {
  return nested(reader, () => {
    const start = reader.at;
    const expression = attempt(reader, () => {
      expect(reader, "$((");
      return readArithmetic(reader, "))");
    });
    if (expression !== undefined) return { kind: "arithmetic", quoted, expression };
    expect(reader, "$(");
    return { kind: "command", quoted, form: "$(", script: readInside(reader, ")"), raw: reader.source.slice(start, reader.at) };
  });
}

/** The script up to a closing character. Heredocs that are open outside begin behind the line, those inside must end in it. */
function readInside(reader: Reader, close: ")" | "}"): Script {
  return nested(reader, () => {
    const outer = reader.pending;
    const start = reader.at;
    reader.pending = [];
    const script = readScript(reader, close === "}" ? ["}"] : []);
    expect(reader, close);
    if (reader.pending.length > 0) doubt(reader, "a heredoc that leaves its substitution");
    if (outer.length > 0 && reader.source.slice(start, reader.at).includes("\n")) doubt(reader, "a heredoc around a substitution");
    reader.pending = outer;
    return script;
  });
}

/** Backslashes are taken off before the text is read, so nothing in it has a place of its own. */
function readBackquotes(reader: Reader, quoted: boolean): Part {
  const start = reader.at;
  reader.at++;
  let text = "";
  for (;;) {
    const char = reader.source[reader.at];
    if (char === undefined) fail(reader, "a missing `");
    reader.at++;
    if (char === "`") break;
    const next = reader.source[reader.at];
    if (char !== "\\" || next === undefined) text += char;
    else {
      reader.at++;
      if ("\\$`".includes(next) || (quoted && next === '"')) text += next;
      else if (next !== "\n") text += `\\${next}`;
    }
  }
  const script = nested(reader, () => readWhole(createReader(text, reader)));
  return { kind: "command", quoted, form: "`", script, raw: reader.source.slice(start, reader.at) };
}

/** At `$'`, behind the `$`. */
function readAnsi(reader: Reader): string {
  const start = reader.at + 1;
  let end = start;
  while (reader.source[end] !== "'") {
    if (end >= reader.source.length) fail(reader, "a missing '");
    end += reader.source[end] === "\\" ? 2 : 1;
  }
  reader.at = end + 1;
  return ansiC(reader.source.slice(start, end));
}

/** At `${`. */
function readBraces(reader: Reader, quoted: boolean): Part {
  const start = reader.at;
  expect(reader, "${");
  const first = peek(reader);
  if (first !== undefined && /[ \t\n|(]/.test(first)) {
    if (first === "|") reader.at++;
    return { kind: "command", quoted, form: "${", script: readInside(reader, "}"), raw: reader.source.slice(start, reader.at) };
  }
  const param = plain("", "");
  if (first === "#" && !/[}:=+?%/-]/.test(peekNext(reader) ?? "")) {
    reader.at++;
    param.length = true;
  } else if (first === "!" && /[A-Za-z_0-9@*#?$-]/.test(peekNext(reader) ?? "")) {
    reader.at++;
    param.indirect = true;
  }
  param.name = readName(reader) || readSpecial(reader);
  if (peek(reader) === "[") {
    reader.at++;
    param.index = readBraceWord(reader, "]", quoted);
    expect(reader, "]");
  }
  const operator = /^(?::[-=+?]|[-=+?]|##?|%%?|\/[/#%]?|\^\^?|,,?|@[A-Za-z]?|\*|:)/.exec(reader.source.slice(reader.at, reader.at + 2))?.[0] ?? "";
  reader.at += operator.length;
  param.op = operator;
  param.word = readBraceWord(reader, "}", quoted);
  expect(reader, "}");
  param.raw = reader.source.slice(start, reader.at);
  if (operator === "" && param.word.length > 0) doubt(reader, "an expansion of no known form");
  return { kind: "param", quoted, param };
}

function readSpecial(reader: Reader): string {
  const digits = takeRun(reader, /\d+/y);
  if (digits !== "") return digits;
  const char = peek(reader);
  if (char === undefined || !"@*#?-$!".includes(char)) return "";
  reader.at++;
  return char;
}

/** The word in an expansion, up to its end, which is left. */
function readBraceWord(reader: Reader, close: "}" | "]", quoted: boolean): Part[] {
  const parts: Part[] = [];
  for (;;) {
    const char = peek(reader);
    if (char === undefined) fail(reader, `a missing ${close}`);
    if (char === close) return parts;
    const run = close === "}" ? takeRun(reader, BRACE_WORD) : "";
    if (run !== "") addText(parts, run, quoted);
    else if (char === "$" || char === "`") readExpansion(reader, parts, quoted);
    else if (char === '"') readDoubleQuotes(reader, parts);
    else if (char === "'") {
      // Whether these are quotes inside double quotes depends on the operator.
      if (quoted) doubt(reader, "a quote in a quoted expansion");
      addText(parts, readSingleQuotes(reader), true);
    } else if (char === "\\") {
      reader.at++;
      addText(parts, peek(reader) ?? "\\", true);
      reader.at++;
    } else if (!quoted && (char === "<" || char === ">") && peekNext(reader) === "(") {
      doubt(reader, "a process substitution in an expansion");
      parts.push(readProcess(reader));
    } else {
      reader.at++;
      addText(parts, char, quoted);
    }
  }
}
