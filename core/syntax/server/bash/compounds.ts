import type { Arithmetic, Compound, Node, Script, TestToken } from "./ast.ts";
import { readArithmetic, readName } from "./expansions.ts";
import { attempt, doubt, expect, fail, isBreak, nested, peek, peekNext, type Reader, take } from "./reader.ts";
import { isCaseEnd, needScript, peekWord, readScript, takeReserved } from "./scripts.ts";
import { readRedirects } from "./simple.ts";
import { skipBlanks, skipPlainBlanks, skipSpace } from "./space.ts";
import { needWord, readRegex } from "./words.ts";

type Shape = Compound extends infer Each ? (Each extends Compound ? Omit<Each, "redirects"> : never) : never;

/** A command that begins with a keyword or parenthesis, or undefined. */
export function readCompound(reader: Reader, reserved: string): Compound | undefined {
  const shape = readShape(reader, reserved);
  return shape === undefined ? undefined : ({ ...shape, redirects: readRedirects(reader) } as Compound);
}

/** `name() ...` and `function name ...`, or undefined. */
export function readFunction(reader: Reader, reserved: string): Node | undefined {
  const from = reader.at;
  const keyword = reserved === "function" && take(reader, "function");
  if (keyword) skipPlainBlanks(reader);
  const name = /^[^\s;&|()<>'"\\$`#][^\s;&|()<>'"\\$`]*/.exec(reader.source.slice(reader.at, reader.at + 1_024))?.[0] ?? "";
  reader.at += name.length;
  skipPlainBlanks(reader);
  const parentheses = peek(reader) === "(" && takeParentheses(reader);
  if (name === "" || (!keyword && !parentheses)) {
    if (keyword) fail(reader);
    reader.at = from;
    return undefined;
  }
  skipSpace(reader);
  const body = nested(reader, () => readCompound(reader, peekWord(reader)));
  return body === undefined ? fail(reader) : { kind: "function", name, body };
}

function takeParentheses(reader: Reader): boolean {
  const from = reader.at;
  reader.at++;
  skipPlainBlanks(reader);
  if (take(reader, ")")) return true;
  reader.at = from;
  return false;
}

function readShape(reader: Reader, reserved: string): Shape | undefined {
  if (peek(reader) === "(") return peekNext(reader) === "(" ? (readCount(reader) ?? readSubshell(reader)) : readSubshell(reader);
  switch (reserved) {
    case "{":
      take(reader, reserved);
      return { kind: "group", subshell: false, body: closed(reader, needScript(reader, ["}"]), "}") };
    case "if":
      take(reader, reserved);
      return readIf(reader);
    case "while":
    case "until":
      take(reader, reserved);
      return {
        kind: "while",
        condition: closed(reader, needScript(reader, ["do"]), "do"),
        body: closed(reader, needScript(reader, ["done"]), "done"),
      };
    case "for":
    case "select":
      take(reader, reserved);
      return readFor(reader);
    case "case":
      take(reader, reserved);
      return readCase(reader);
    case "[[":
      return readTest(reader);
    default:
      if (KEYWORDS.has(reserved)) fail(reader);
      return undefined;
  }
}

/** No command begins with these. */
const KEYWORDS = new Set(["then", "elif", "else", "fi", "do", "done", "esac", "}", "in", "]]"]);

function closed(reader: Reader, script: Script, word: string): Script {
  if (!takeReserved(reader, word)) fail(reader, `a missing ${word}`);
  return script;
}

function readSubshell(reader: Reader): Shape {
  expect(reader, "(");
  const body = nested(reader, () => needScript(reader, []));
  expect(reader, ")");
  return { kind: "group", subshell: true, body };
}

/** `((...))`, unless its parentheses are those of subshells. */
function readCount(reader: Reader): Shape | undefined {
  const expression = attempt(reader, () => {
    expect(reader, "((");
    return readArithmetic(reader, "))");
  });
  if (expression === undefined) return undefined;
  return { kind: "arithmetic", expression };
}

function readIf(reader: Reader): Shape {
  const clauses: { condition: Script; body: Script }[] = [];
  for (;;) {
    const condition = closed(reader, needScript(reader, ["then"]), "then");
    const body = needScript(reader, ["elif", "else", "fi"]);
    clauses.push({ condition, body });
    if (takeReserved(reader, "elif")) continue;
    const otherwise = takeReserved(reader, "else") ? needScript(reader, ["fi"]) : undefined;
    if (!takeReserved(reader, "fi")) fail(reader, "a missing fi");
    return { kind: "if", clauses, otherwise };
  }
}

function readFor(reader: Reader): Shape {
  skipBlanks(reader);
  if (peek(reader) === "(" && peekNext(reader) === "(") return readCountedFor(reader);
  const name = readName(reader);
  if (name === "" || !isBreak(peek(reader))) fail(reader);
  skipSpace(reader);
  let words: ReturnType<typeof needWord>[] | undefined;
  if (takeReserved(reader, "in")) {
    words = [];
    for (skipBlanks(reader); !isBreak(peek(reader)) || (/[<>]/.test(peek(reader) ?? "") && peekNext(reader) === "("); skipBlanks(reader)) {
      words.push(needWord(reader));
    }
    if (peek(reader) !== ";" && peek(reader) !== "\n") fail(reader);
  }
  if (peek(reader) === ";") reader.at++;
  return { kind: "for", name, words, body: readLoopBody(reader) };
}

function readCountedFor(reader: Reader): Shape {
  expect(reader, "((");
  const header: Arithmetic[] = [readArithmetic(reader, ";"), readArithmetic(reader, ";"), readArithmetic(reader, "))")];
  skipBlanks(reader);
  if (peek(reader) === ";") reader.at++;
  return { kind: "count", header, body: readLoopBody(reader) };
}

function readLoopBody(reader: Reader): Script {
  skipSpace(reader);
  const end = takeReserved(reader, "do") ? "done" : takeReserved(reader, "{") ? "}" : fail(reader, "a missing do");
  return closed(reader, needScript(reader, [end]), end);
}

function readCase(reader: Reader): Shape {
  skipBlanks(reader);
  const subject = needWord(reader);
  skipSpace(reader);
  if (!takeReserved(reader, "in")) fail(reader, "a missing in");
  const arms: { patterns: ReturnType<typeof needWord>[]; body: Script }[] = [];
  for (;;) {
    skipSpace(reader);
    if (takeReserved(reader, "esac")) return { kind: "case", subject, arms };
    if (peek(reader) === "(") reader.at++;
    const patterns = [readCasePattern(reader)];
    while (peek(reader) === "|") {
      reader.at++;
      patterns.push(readCasePattern(reader));
    }
    expect(reader, ")");
    arms.push({ patterns, body: readScript(reader, ["esac"]) });
    if (isCaseEnd(reader)) {
      if (!take(reader, ";;&") && !take(reader, ";;")) expect(reader, ";&");
    }
  }
}

function readCasePattern(reader: Reader): ReturnType<typeof needWord> {
  skipBlanks(reader);
  const pattern = needWord(reader);
  skipBlanks(reader);
  return pattern;
}

/** `[[ ... ]]`: words are not split, and some operators have words of their own kind. */
function readTest(reader: Reader): Shape {
  const start = reader.at;
  reader.starts.push(start);
  take(reader, "[[");
  const tokens: TestToken[] = [];
  for (;;) {
    skipSpace(reader);
    if (peekWord(reader) === "]]") {
      take(reader, "]]");
      return { kind: "test", tokens, raw: reader.source.slice(start, reader.at) };
    }
    const op = ["&&", "||", "(", ")"].find((each) => take(reader, each)) ?? (isPlainOperator(reader) ? peek(reader) : undefined);
    if (op !== undefined) {
      if (op === "<" || op === ">") reader.at++;
      tokens.push({ op });
      continue;
    }
    const regex = tokens.at(-1)?.word?.raw === "=~" && tokens.length > 1;
    tokens.push({ word: regex ? readRegex(reader) : needWord(reader, { extended: true }) });
    if (tokens.length > MAX_TOKENS) doubt(reader, "a long test");
  }
}

const MAX_TOKENS = 1_000;

function isPlainOperator(reader: Reader): boolean {
  return (peek(reader) === "<" || peek(reader) === ">") && peekNext(reader) !== "(";
}
